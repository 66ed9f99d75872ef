"""Every row of every table of the source, as the catalogue shows it, as the rules play it, as both languages tell it."""

import re

import pytest

from rules.action_points import ACTION_POINTS
from rules.action_points.options import Options
from rules.action_points.tables import CreatureKind
from service.answers import as_json_values
from service.texts import texts_in
from tests.rules.action_points.asking import TARGET, ask, plan, strike

LANGUAGES = ("en", "ru")
every_language = pytest.mark.parametrize("language", LANGUAGES)

KINDS = {
    "humans": ("human", "mage", "exorcist"),
    "fae": ("fae", "abyssal", "guardian"),
    "lycans": ("lycan",),
    "polymorphs": ("polymorph", "lucifuge"),
}
LEVELS = {
    "humans": ((100, 10, 0), (120, 14, 0), (140, 18, 0), (160, 22, 0), (180, 26, 0)),
    "fae": ((150, 15, 3), (180, 20, 4), (210, 25, 5), (240, 30, 6), (270, 35, 7)),
    "lycans": ((200, 15, 4), (240, 20, 6), (280, 25, 8), (320, 30, 10), (360, 35, 12)),
    "polymorphs": ((150, 15, 4), (180, 20, 6), (210, 25, 8), (240, 30, 10), (270, 35, 12)),
}
ROWS = [
    (kind, group, level, *row)
    for group, rows in LEVELS.items()
    for level, row in enumerate(rows, 1)
    for kind in KINDS[group]
]
ATTACKS = [
    ("punch", 5, 10, "unarmed"),
    ("heavy_strike", 7, 15, "unarmed"),
    ("knife", 5, 20, "cold_weapon"),
    ("sword", 7, 35, "cold_weapon"),
    ("club", 7, 25, "cold_weapon"),
    ("sword_swing", 9, 45, "cold_weapon"),
    ("club_swing", 9, 35, "cold_weapon"),
    ("two_handed", 10, 60, "cold_weapon"),
    ("whip", 7, 15, "cold_weapon"),
    ("whip_grab", 10, 0, "cold_weapon"),
    ("pistol", 4, 25, "ranged"),
    ("aimed_shot", 8, 40, "ranged"),
    ("rifle", 8, 60, "ranged"),
]
BANDS = {"pistol": (10, 25, 50), "aimed_shot": (50, 100, 150), "rifle": (50, 100, 150)}
PER_METRE = {"walk": 2, "run": 1, "fly": 0.5, "climb": 3}
DASHES = {"forward": 3, "sideways": 2.5, "back": 2}
FIXED = {
    "draw_weapon": 2,
    "stow_weapon": 2,
    "swap_weapon": 4,
    "reload": 4,
    "reload_crossbow": 8,
    "pick_up": 3,
    "interact": 4,
    "change_shape": 10,
}
PRICE_IN_TEXT = {
    "move.walk": "2 AP",
    "move.run": "1 AP",
    "move.fly": "1 AP",
    "move.climb": "3 AP",
    "move.dash": "5 AP",
    "act.draw_or_stow": "2 AP",
    "act.swap_weapon": "4 AP",
    "act.reload": "4 AP",
    "act.reload_crossbow": "8 AP",
    "act.pick_up": "3 AP",
    "act.interact": "4 AP",
    "act.weak_throw": "3 AP",
    "act.strong_throw": "6 AP",
    "ability.change_shape": "10 AP",
    "ability.weak_telekinesis": "3 AP",
    "ability.strong_telekinesis": "6 AP",
    "whip.release": "15 AP",
    "parry.cost": "20 %",
    "disarm.cost": "150 %",
    "defense.escalation": "100, 150, 200",
    "stun.below_tenth": "10 %",
}


def said(rule: str, language: str) -> str:
    """What a rule says, with Russian action points written as English ones."""
    return texts_in(language).rule("action-points", f"action_points.{rule}").replace("АП", "AP").replace("ХП", "HP")


def table(name: str) -> list[dict[str, object]]:
    """A table of the catalogue as a client sees it."""
    rows: list[dict[str, object]] = as_json_values(ACTION_POINTS.tables[name])
    return rows


@every_language
@pytest.mark.parametrize(("kind", "group", "level", "hp", "ap", "regeneration"), ROWS)
def test_a_level(kind: str, group: str, level: int, hp: int, ap: int, regeneration: int, language: str) -> None:
    answer = ask("character", kind=kind, level=level, language=language)
    shape = kind in ("lycan", "polymorph")
    assert answer.outcome == {
        "result": "ok",
        "kind": kind,
        "group": group,
        "level": level,
        "circle_of_power": level,
        "hp_max": hp,
        "ap_max": ap,
        "regeneration": regeneration,
        "stun_below_hp": hp // 10,
        "can_change_shape": shape,
        "change_shape_ap": 10 if shape else None,
        "self_healing": True,
    }
    assert answer.steps == [
        (f"character.{group}", "decision", level, None),
        ("character.circle_of_power", "base", level, level),
        ("character.hit_points", "base", hp, hp),
        ("character.action_points", "base", ap, ap),
        ("character.regeneration", "base", regeneration, regeneration),
        ("stun.below_tenth", "limit", hp // 10, hp // 10),
        ("ability.change_shape_kinds", "decision", int(shape), None),
        ("character.self_healing", "decision", 1, None),
        ("character.result", "result", level, None),
    ]
    assert [re.findall(r"\d+", text) for text in answer.texts] == [
        [str(level)],
        [str(level)],
        [str(hp)],
        [str(ap)],
        [str(regeneration)],
        [str(hp // 10)],
        [],
        [],
        [str(level)],
    ]


@pytest.mark.parametrize(("kind", "level", "hp", "ap", "regeneration"), [(row[0], *row[2:]) for row in ROWS])
def test_a_level_gives_the_sheet(kind: str, level: int, hp: int, ap: int, regeneration: int) -> None:
    fighter = {"kind": kind, "level": level}
    answer = ask("upkeep", boundary="round_end", fighter=fighter | {"hp": hp - 13}).outcome
    assert (answer["hp_regained"], answer["ap_after"]) == (regeneration, ap)
    assert ask("upkeep", boundary="round_end", fighter=fighter).outcome["hp_after"] == hp


def test_all_kinds_are_in_the_tables() -> None:
    assert {row[0] for row in ROWS} == {kind.value for kind in CreatureKind}


def test_the_catalogue_shows_the_levels() -> None:
    assert table("levels") == [
        {"group": group, "level": level, "circle_of_power": level, "hp": hp, "ap": ap, "regeneration": regeneration}
        for group, rows in LEVELS.items()
        for level, (hp, ap, regeneration) in enumerate(rows, 1)
    ]
    assert table("kinds") == [
        {"kind": kind, "group": group, "changes_shape": kind in ("lycan", "polymorph")}
        for group, kinds in KINDS.items()
        for kind in kinds
    ]


@every_language
@pytest.mark.parametrize(("kind", "ap", "damage", "_"), ATTACKS)
def test_an_attack(kind: str, ap: int, damage: int, _: str, language: str) -> None:
    attack = {"type": kind} | ({"distance_m": 1} if kind in BANDS else {})
    answer = ask("attack", attack=attack, attacker={"ap": ap}, defender=TARGET, language=language)
    assert answer.steps[0] == (f"attack.{kind}", "base", ap, ap)
    assert answer.outcome["attack_ap"] == ap
    assert answer.outcome["attacker"]["ap_after"] == 0
    assert answer.outcome["damage"] == damage
    assert answer.outcome["defender"]["hp_after"] == 150 - damage
    assert re.findall(r"\d+", answer.texts[0]) == [str(ap)]
    assert f"{ap} AP" in said(f"attack.{kind}", language)
    if damage:
        assert f"{damage} HP" in said(f"attack.{kind}", language)


@pytest.mark.parametrize(("kind", "_", "__", "delivery"), ATTACKS)
def test_an_attack_is_delivered(kind: str, _: int, __: int, delivery: str) -> None:
    attack = {"type": kind, "distance_m": 1}
    forbidden = {"unarmed": ["parry.cold_weapon_only"], "cold_weapon": [], "ranged": ["parry.no_ranged"]}
    assert strike(attack, "parry").refused_by == forbidden[delivery]
    assert strike(attack, "dodge").refused_by == []


def test_the_catalogue_shows_the_attacks() -> None:
    assert table("attacks") == [
        {"type": kind, "ap": ap, "damage": damage, "delivery": delivery} for kind, ap, damage, delivery in ATTACKS
    ]
    assert table("range_bands") == [
        {
            "type": kind,
            "every_second_beyond_m": second,
            "every_third_beyond_m": third,
            "ineffective_beyond_m": last,
        }
        for kind, (second, third, last) in BANDS.items()
    ]


@pytest.mark.parametrize(
    ("kind", "distance", "band"),
    [
        (kind, distance, band)
        for kind, (second, third, last) in BANDS.items()
        for distance, band in [
            (0, "always"),
            (second, "always"),
            (second + 0.1, "every_second"),
            (third, "every_second"),
            (third + 0.1, "every_third"),
            (last, "every_third"),
            (last + 0.1, "ineffective"),
            (10_000, "ineffective"),
        ]
    ],
)
def test_a_range_band(kind: str, distance: float, band: str) -> None:
    hitting = {"always": {1, 2, 3, 4, 5, 6}, "every_second": {2, 4, 6}, "every_third": {3, 6}, "ineffective": set()}
    seen = set()
    for shot in range(1, 7):
        answer = strike({"type": kind, "distance_m": distance, "shot_number": shot})
        assert answer.outcome["range_band"] == band
        assert answer.outcome["attacker"]["ap_spent"] > 0
        missed = "out_of_range" if band == "ineffective" else "missed"
        assert answer.outcome["result"] in ("hit", missed)
        counted = [("range.cadence", "decision", shot, None)] if band.startswith("every") else []
        assert answer.steps[2 : 3 + len(counted)] == [(f"range.{band}", "decision", distance, None), *counted]
        if answer.outcome["result"] == "hit":
            seen.add(shot)
    assert seen == hitting[band]


@pytest.mark.parametrize("kind", PER_METRE)
@pytest.mark.parametrize("metres", [1, 2, 4, 7.5])
def test_movement(kind: str, metres: float) -> None:
    answer = plan({"type": kind, "distance_m": metres}, fighter={"ap": 100}, options={"ap_rounding": "tenths"})
    assert answer.steps[1][:3] == (f"move.{kind}", "base", PER_METRE[kind] * metres)
    assert answer.outcome["moved_m"] == metres


@pytest.mark.parametrize("direction", DASHES)
def test_a_dash(direction: str) -> None:
    answer = plan({"type": "dash", "direction": direction})
    assert (answer.outcome["ap_spent"], answer.outcome["moved_m"]) == (5, DASHES[direction])


@pytest.mark.parametrize("kind", FIXED)
def test_an_action_of_fixed_price(kind: str) -> None:
    answer = plan(kind, fighter={"kind": "lycan", "ap": 20})
    assert answer.outcome["items"] == [
        {"type": kind, "cost_ap": FIXED[kind], "status": "done", "total_ap": FIXED[kind], "ap_left": 20 - FIXED[kind]}
    ]


@pytest.mark.parametrize("kind", ["throw", "telekinetic_throw"])
@pytest.mark.parametrize(("metres", "price"), [(0, 3), (2.9, 3), (3, 3), (3.1, 6), (1000, 6)])
def test_a_throw(kind: str, metres: float, price: int) -> None:
    assert plan({"type": kind, "distance_m": metres}).outcome["ap_spent"] == price


def test_the_catalogue_shows_movement_and_actions() -> None:
    assert {row["type"]: row["ap"] / row["for_metres"] for row in table("movement")} == PER_METRE  # type: ignore[operator]
    assert {row["direction"]: row["metres"] for row in table("dashes")} == DASHES
    assert {row["ap"] for row in table("dashes")} == {5}
    throws = [("throw", 3, 3), ("telekinetic_throw", 3, 3), ("throw", 6, None), ("telekinetic_throw", 6, None)]
    assert [(row["type"], row["ap"], row["within_metres"]) for row in table("actions")] == [
        *((kind, ap, None) for kind, ap in FIXED.items()),
        *throws,
        ("whip_release", 15, None),
    ]


@every_language
@pytest.mark.parametrize("rule", PRICE_IN_TEXT)
def test_the_texts_tell_the_numbers(rule: str, language: str) -> None:
    assert PRICE_IN_TEXT[rule] in said(rule, language)


@every_language
@pytest.mark.parametrize("band", ["always", "every_third", "ineffective"])
def test_the_texts_tell_the_bands(band: str, language: str) -> None:
    at = ("always", "every_third", "ineffective").index(band)
    numbers = re.findall(r"\d+", said(f"range.{band}", language))
    assert numbers == [str(BANDS["pistol"][at]), str(BANDS["rifle"][at])]


def test_a_turn_is_ten_seconds() -> None:
    assert ACTION_POINTS.facts == {"turn_seconds": 10}


def test_there_are_134_rules_and_23_options() -> None:
    assert len(ACTION_POINTS.rules) == 134
    assert len(Options.__dataclass_fields__) == 23

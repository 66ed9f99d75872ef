"""The modifiers of a defense: their order, and each where no other example shows it."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, bare_hand, block, defend, dodge, parry, sheet, thrown


def effective(defense: Body, attack: Body | None = None, options: Body | None = None, **defender: Any) -> Any:
    answer = defend([1, 1, 1], defense, attack=attack or {}, defender=sheet(**defender), options=options or {})
    return answer.attempt["effective"]


def test_a_parry_with_everything_is_counted_in_order() -> None:
    answer = defend(
        [3, 3, 3],
        parry(
            {
                "parry": {"skill": 17, "bonus": 1},
                "skill_name": "saber",
                "weapon_type": "short_stick",
                "hand": "left",
                "previous_parries": 2,
            },
            option={"kind": "retreat"},
            modifiers=[{"name": "ice", "value": -1}, {"name": "none", "value": 0}, {"name": "luck", "value": 2}],
        ),
        attack={
            "direction": "left",
            "awareness": "partly_sees",
            "height": {"vertical_cm": 200, "horizontal_cm": 300},
            "deceptive": 1,
            "feint": 2,
        },
        defender={
            "encumbrance": "medium",
            "shock": 3,
            "posture": "crawling",
            "maneuver": "all_out_defense_parry",
            "shield": {"db": 2},
            "magic_db": [1, 3, 2],
        },
    )
    assert answer.steps() == [
        ("parry.score", "base", 11, 11),
        ("parry.weapon_type", "modifier", -1, 10),
        ("score.bonus", "modifier", 1, 11),
        ("parry.off_hand", "modifier", -2, 9),
        ("parry.encumbrance", "modifier", -2, 7),
        ("parry.repeated", "modifier", -4, 3),
        ("injury.shock", "limit", 0, 3),
        ("posture.defense", "modifier", -3, 0),
        ("awareness.partly_sees", "decision", 0, None),
        ("direction.side", "modifier", -2, -2),
        ("height.slope", "modifier", 1, -1),
        ("maneuver.increased_defense", "modifier", 2, 1),
        ("db.shield", "modifier", 2, 3),
        ("db.magic", "modifier", 3, 6),
        ("retreat.fencing", "modifier", 3, 9),
        ("attack.deceptive", "modifier", -1, 8),
        ("attack.feint", "modifier", -2, 6),
        ("modifier.custom", "modifier", -1, 5),
        ("modifier.custom", "modifier", 2, 7),
        ("defense.roll", "roll", 9, None),
        ("defense.result", "result", -2, None),
        ("retreat.movement", "effect", 1, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert (answer.attempt["base"], answer.attempt["effective"], answer.attempt["margin"]) == (7, 7, -2)


def test_a_bare_handed_parry_of_a_thrown_weapon_from_behind_is_counted_in_order() -> None:
    answer = defend(
        [3, 4, 4, 1, 1, 2],
        parry(bare_hand(previous_parries=1)),
        attack={"kind": "thrown", "weight_g": 400, "awareness": "alert", "direction": "rear"},
        defender={"hearing": 13, "traits": ["peripheral_vision"], "stunned": True},
    )
    assert answer.steps() == [
        ("awareness.hearing", "roll", 11, None),
        ("awareness.hearing", "decision", 1, None),
        ("parry.score", "base", 10, 10),
        ("parry.repeated", "modifier", -4, 6),
        ("parry.unarmed_vs_weapon", "modifier", -3, 3),
        ("parry.thrown", "modifier", -2, 1),
        ("injury.stunned", "modifier", -4, -3),
        ("awareness.unseen", "modifier", -4, -7),
        ("direction.rear_defense", "modifier", -2, -9),
        ("direction.rear_parry", "modifier", -2, -11),
        ("defense.roll", "roll", 4, None),
        ("defense.automatic", "decision", 1, None),
        ("defense.result", "result", -15, None),
        ("defense.outcome", "result", 1, None),
    ]


def test_an_acrobatic_dodge_of_a_later_shot_is_counted_in_order() -> None:
    answer = defend(
        [3, 3, 3, 6, 6, 6],
        dodge(acrobatic=True, modifiers=[{"name": "mud", "value": -1}]),
        attack={"kind": "missile", "feint": 1},
        defender={
            "dodge": {"basic_speed": 6.5, "bonus": 1},
            "reeling": True,
            "exhausted": True,
            "acrobatics": 12,
            "posture": "lying",
            "maneuver": "all_out_defense_dodge",
            "turn": {"option": {"kind": "drop", "against": "this_attacker", "posture_before": "kneeling"}},
        },
    )
    assert answer.steps() == [
        ("dodge.score", "base", 9, 9),
        ("score.bonus", "modifier", 1, 10),
        ("dodge.reeling", "limit", 5, 5),
        ("dodge.exhausted", "limit", 3, 3),
        ("drop.posture_kept", "decision", None, None),
        ("posture.defense", "modifier", -2, 1),
        ("maneuver.increased_defense", "modifier", 2, 3),
        ("drop.lasting", "decision", None, None),
        ("drop.bonus", "modifier", 3, 6),
        ("attack.feint", "modifier", -1, 5),
        ("acrobatics.roll", "roll", 9, None),
        ("acrobatics.roll", "decision", 1, None),
        ("acrobatics.modifier", "modifier", 2, 7),
        ("modifier.custom", "modifier", -1, 6),
        ("defense.roll", "roll", 18, None),
        ("defense.automatic", "decision", 0, None),
        ("defense.result", "result", -12, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert answer.attempt["base"] == 3


def test_a_launcher_on_a_chain_of_modifiers_is_parried_without_one() -> None:
    answer = defend([1, 1, 1], parry({"previous_parries": 1}), attack={"kind": "missile", "launcher_in_reach": True})
    assert answer.steps()[1:3] == [
        ("parry.repeated", "modifier", -4, 6),
        ("parry.launcher", "decision", None, None),
    ]


def test_parry_missile_weapons_takes_the_missile_and_not_the_launcher() -> None:
    tool = {"skill_name": "parry_missile_weapons"}
    answer = defend([1, 1, 1], parry(tool), attack={"kind": "missile", "launcher_in_reach": True})
    assert "parry.launcher" not in answer.rules


@pytest.mark.parametrize(
    ("tool", "attack", "expected"),
    [
        (bare_hand("boxing"), {}, 7),
        (bare_hand("dx"), {}, 7),
        (bare_hand("brawling"), {}, 7),
        (bare_hand("wrestling", hand="both"), {}, 7),
        (bare_hand("judo"), {}, 10),
        (bare_hand("karate"), {}, 10),
        (bare_hand("boxing"), {"strike": "thrust"}, 10),
        (bare_hand("boxing"), {"means": "unarmed"}, 10),
        (bare_hand("boxing"), {"kind": "thrown", "strike": "thrust", "weight_g": 600}, 6),
        (bare_hand("parry_missile_weapons"), {"kind": "thrown", "weight_g": 600}, 9),
        (bare_hand("parry_missile_weapons"), {"kind": "missile"}, 10),
        ({"kind": "natural_weapon"}, {}, 10),
        ({"kind": "natural_weapon", "skill_name": "boxing"}, {}, 10),
    ],
)
def test_what_bare_hands_fear(tool: Body, attack: Body, expected: int) -> None:
    assert effective(parry(tool), attack) == expected


@pytest.mark.parametrize("weapon_class", ["flail", "kusari"])
def test_flails_and_kusari_cost_a_parry_4_and_a_block_2(weapon_class: str) -> None:
    attack = {"weapon_class": weapon_class}
    assert (effective(parry(), attack), effective(block(), attack), effective(dodge(), attack)) == (6, 9, 9)


@pytest.mark.parametrize(
    ("posture", "modifier"),
    [("standing", 0), ("crouching", 0), ("kneeling", -2), ("sitting", -2), ("crawling", -3), ("lying", -3)],
)
def test_postures(posture: str, modifier: int) -> None:
    for defense, score in ((dodge(), 9), (block(), 11), (parry(), 10)):
        assert effective(defense, posture=posture) == score + modifier


def test_the_posture_before_a_drop_counts_against_the_same_foe_alone() -> None:
    for against, expected in (("this_attacker", 9), ("other", 6), ("no_one", 6)):
        turn = {"option": {"kind": "drop", "against": against, "posture_before": "crouching"}}
        assert effective(dodge(), posture="lying", turn=turn) == expected
    retreated = {"option": {"kind": "retreat", "against": "this_attacker", "posture_before": "standing"}}
    assert effective(dodge(), posture="lying", turn=retreated) == 9 - 3 + 3


@pytest.mark.parametrize("shock", [1, 8])
def test_shock_leaves_a_step_and_the_score(shock: int) -> None:
    answer = defend([3, 3, 3], dodge(), defender=sheet(shock=shock))
    assert answer.step("injury.shock") == ("injury.shock", "limit", 0, 9)
    assert answer.attempt["effective"] == 9


@pytest.mark.parametrize(
    ("maneuver", "scores"),
    [
        ("all_out_defense_dodge", (11, 11, 10)),
        ("all_out_defense_block", (9, 13, 10)),
        ("all_out_defense_parry", (9, 11, 12)),
        ("all_out_defense_double", (9, 11, 10)),
    ],
)
def test_increased_defense_is_for_the_defense_named(maneuver: str, scores: tuple[int, ...]) -> None:
    assert tuple(effective(each, maneuver=maneuver) for each in (dodge(), block(), parry())) == scores


@pytest.mark.parametrize(
    ("vertical", "horizontal", "more", "rule", "value"),
    [
        (59, 0, {}, None, 0),
        (-59, 0, {"flying": True}, None, 0),
        (60, 61, {}, "height.slope", 1),
        (-60, 61, {}, "height.slope", -1),
        (60, 60, {}, "height.steep", 2),
        (-60, 60, {}, "height.steep", -2),
        (60, 1000, {"flying": True}, "height.steep", 2),
        (-60, 1000, {"flying": True}, "height.steep", -2),
        (60, 1000, {"huge_defender": True}, "height.slope", 1),
        (60, 10, {"huge_defender": True}, "height.steep", 2),
        (-60, 1000, {"huge_defender": True}, "height.huge_defender", 0),
        (-60, 10, {"huge_defender": True}, "height.huge_defender", 0),
    ],
)
def test_height(vertical: int, horizontal: int, more: Body, rule: str | None, value: int) -> None:
    height = {"vertical_cm": vertical, "horizontal_cm": horizontal, **more}
    answer = defend([3, 3, 3], dodge(), attack={"height": height}, defender=sheet())
    assert answer.attempt["effective"] == 9 + value
    kind = "limit" if rule == "height.huge_defender" else "modifier"
    found = [each for each in answer.steps() if each[0].startswith("height.")]
    assert found == ([(rule, kind, value, 9 + value)] if rule else [])


@pytest.mark.parametrize("kind", ["thrown", "missile", "area"])
def test_height_counts_in_melee_alone(kind: str) -> None:
    assert effective(dodge(), {"kind": kind, "height": {"vertical_cm": -300, "horizontal_cm": 10}}) == 9


@pytest.mark.parametrize("hand", ["left", "right", "both"])
@pytest.mark.parametrize("direction", ["front", "left", "right", "rear"])
def test_where_a_shield_counts(hand: str, direction: str) -> None:
    seeing: Body = {"traits": ["peripheral_vision"]}
    score = effective(dodge(), {"direction": direction}, shield={"hand": hand, "db": 2}, **seeing)
    covered = direction == "front" or (direction != "rear" and hand in (direction, "both"))
    assert score == 9 + (2 if covered else 0) - (2 if direction == "rear" else 0)


@pytest.mark.parametrize(
    ("direction", "shield", "counts"),
    [
        ("front", None, True),
        ("left", None, False),
        ("rear", None, False),
        ("left", {"hand": "left"}, True),
        ("left", {"hand": "left", "ready": False}, True),
        ("right", {"hand": "left"}, False),
        ("right", {"hand": "both"}, True),
        ("rear", {"hand": "both"}, False),
    ],
)
def test_magic_counts_from_everywhere_or_where_a_shield_does(direction: str, shield: Any, *, counts: bool) -> None:
    defender = {"dodge": {"score": 9}, "traits": ["peripheral_vision"], "magic_db": [2, 1]}
    if shield:
        defender["shield"] = shield
    rear = -2 if direction == "rear" else 0
    for reading, bonus in (("all_directions", 2), ("as_shield", 2 if counts else 0)):
        answer = defend(
            [1, 1, 1], dodge(), attack={"direction": direction}, defender=defender, options={"magic_db": reading}
        )
        assert answer.attempt["effective"] == 9 + rear + bonus


@pytest.mark.parametrize(
    ("direction", "traits", "scores"),
    [
        ("left", [], (7, 9)),
        ("left", ["peripheral_vision"], (9, 11)),
        ("rear", ["peripheral_vision"], (7, None)),
        ("rear", ["peripheral_vision", "double_jointed"], (7, 9)),
    ],
)
def test_sides_and_rear(direction: str, traits: list[str], scores: Any) -> None:
    assert effective(dodge(), {"direction": direction}, traits=traits) == scores[0]
    if scores[1] is not None:
        assert effective(block(), {"direction": direction}, traits=traits) == scores[1]


def test_the_rear_costs_a_parry_twice_unless_double_jointed() -> None:
    rear = {"direction": "rear"}
    assert effective(parry(), rear, traits=["peripheral_vision"]) == 6
    assert effective(parry(), rear, traits=["peripheral_vision", "double_jointed"]) == 8


def test_a_given_dodge_is_halved_too_rounded_up_once_for_each() -> None:
    assert effective(dodge(), reeling=True) == 5
    assert effective(dodge(), exhausted=True) == 5
    assert effective(dodge(), reeling=True, exhausted=True) == 3
    assert effective(dodge(), dodge={"score": -3}, reeling=True) == -1
    assert effective(parry(), reeling=True, exhausted=True) == 10


def test_acrobatics_below_3_fail_without_dice() -> None:
    answer = defend([3, 3, 3], dodge(acrobatic=True), defender=sheet(acrobatics=2))
    assert answer.steps()[1:4] == [
        ("success.minimum", "decision", None, None),
        ("acrobatics.roll", "decision", 0, None),
        ("acrobatics.modifier", "modifier", -2, 7),
    ]
    assert answer.outcome["turn"]["acrobatic_dodge_used"] is True


@pytest.mark.parametrize(
    ("score", "rolled", "passed"),
    [(3, 3, 1), (3, 4, 1), (3, 5, 0), (12, 12, 1), (12, 13, 0), (60, 16, 1), (60, 17, 0), (60, 18, 0)],
)
def test_inner_rolls_succeed_at_the_score_or_lower_on_4_always_and_on_17_never(
    score: int, rolled: int, passed: int
) -> None:
    answer = defend(thrown(rolled, 9), dodge(acrobatic=True), defender=sheet(acrobatics=score))
    assert answer.step("acrobatics.roll", "decision")[2] == passed
    assert answer.step("acrobatics.modifier")[2] == (2 if passed else -2)

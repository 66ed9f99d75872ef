"""Is the answer allowed? Every reason against it, in order, for every attack, defense and reading."""

from itertools import product
from typing import Any

import pytest

from tests.rules.action_points.asking import Body, quote, spell, strike

DEFENSES = ("dodge", "dash", "parry", "disarm", "absorb_spell")
DELIVERIES = ("unarmed", "cold_weapon", "ranged", "spell", "ability")
REDUCES = {"state": "reduced", "parameter": "damage", "amount": 1}
READINGS = ("attack_with_cold_weapon", "defend_with_cold_weapon", "both")


def forbidden(defense: str, delivery: str, scope: str, *, reduces: bool, armed: bool, options: Body) -> list[str]:
    """The reasons as the rules list them, written down once more."""
    evades, parries = defense in ("dodge", "dash"), defense in ("parry", "disarm")
    reading = options["parry_reading"]
    reasons = [
        ("dodge.direct_only", evades and scope == "mass"),
        ("reduction.no_dodge", evades and reduces and delivery in ("spell", "ability")),
        (
            "dash.point_attacks",
            defense == "dash"
            and delivery in ("unarmed", "cold_weapon")
            and options["dash_scope"] == "projectiles_and_spells",
        ),
        ("parry.no_ranged", parries and delivery == "ranged"),
        ("parry.spell_needs_absorption", parries and delivery == "spell"),
        (
            "parry.cold_weapon_only",
            parries and (delivery == "ability" or (delivery == "unarmed" and reading != "defend_with_cold_weapon")),
        ),
        ("disarm.nothing_to_drop", defense == "disarm" and delivery == "unarmed"),
        ("absorb.spells_only", defense == "absorb_spell" and delivery != "spell"),
        ("parry.own_weapon", parries and reading != "attack_with_cold_weapon" and not armed),
    ]
    return [rule for rule, holds in reasons if holds]


@pytest.mark.parametrize("defense", DEFENSES)
@pytest.mark.parametrize("delivery", DELIVERIES)
def test_every_answer_to_every_attack(defense: str, delivery: str) -> None:
    for scope, reduces, armed, reading, reach in product(
        ("direct", "mass"), (False, True), (True, False), READINGS, ("projectiles_and_spells", "any_direct")
    ):
        custom = {"delivery": delivery, "scope": scope, "damage": 5} | ({"inflicts": REDUCES} if reduces else {})
        options = {"parry_reading": reading, "dash_scope": reach}
        answer = strike(spell(**custom), defense, defender={"has_cold_weapon": armed}, options=options)
        expected = forbidden(defense, delivery, scope, reduces=reduces, armed=armed, options=options)
        assert answer.refused_by == expected, (scope, reduces, armed, options)
        assert (answer.outcome is None) == bool(expected)
        quoted = quote(defense, attack=spell(**custom), fighter={"has_cold_weapon": armed}, options=options)
        assert quoted.refused_by == expected


@pytest.mark.parametrize("defense", DEFENSES)
def test_an_affliction_without_reduction_can_be_evaded(defense: str) -> None:
    attack = spell(inflicts={"state": "bound"})
    refused = {"parry": ["parry.spell_needs_absorption"], "disarm": ["parry.spell_needs_absorption"]}
    assert strike(attack, defense).refused_by == refused.get(defense, [])


def test_a_reduction_by_a_weapon_can_be_evaded() -> None:
    net = {"type": "custom", "custom": {"ap": 6, "delivery": "ranged", "inflicts": REDUCES}}
    assert strike(net, "dodge").outcome["result"] == "dodged"


def test_a_mass_attack_with_a_cold_weapon_can_be_parried() -> None:
    sweep = {"type": "custom", "custom": {"ap": 6, "delivery": "cold_weapon", "scope": "mass"}}
    assert strike(sweep, "parry").outcome["result"] == "parried"
    assert strike(sweep, "disarm").outcome["result"] == "disarmed"


HELPLESS: Body = {
    "hp_max": 150,
    "hp": 3,
    "conditions": [{"state": "bound"}, {"state": "immobilised"}],
    "dash_used": True,
    "disarm_used": True,
    "has_cold_weapon": False,
}
STRICT = {"critical_answers": "interrupt_or_cover", "critical_scope": "any", "parry_reading": "both"}
STATES = ["state.immobilised", "state.stunned", "state.bound"]


def test_all_reasons_stand_in_order_and_nothing_is_priced() -> None:
    punch = {"type": "punch", "critical": {}}
    disarm = strike(punch, "disarm", defender=HELPLESS, options=STRICT)
    reasons = [
        *STATES,
        "critical.answers",
        "parry.cold_weapon_only",
        "disarm.nothing_to_drop",
        "parry.own_weapon",
        "disarm.once_per_fight",
    ]
    assert disarm.refused_by == reasons
    assert disarm.steps == [
        ("attack.punch", "base", 5, 5),
        ("critical.cost", "modifier", 5, 10),
        ("ap.available", "base", 20, 20),
        ("critical.progress", "decision", 10, None),
        ("stun.below_tenth", "decision", 3, None),
        *((rule, "refusal", None, None) for rule in reasons),
        ("attack.result", "result", 0, None),
    ]
    dash = strike(punch, "dash", defender=HELPLESS, options=STRICT)
    assert dash.refused_by == [*STATES, "critical.answers", "dash.point_attacks", "dash.once_per_turn"]


def test_all_reasons_against_evading_a_mass_reduction() -> None:
    curse = spell(scope="mass", inflicts=REDUCES)
    dash = strike(curse, "dash", defender=HELPLESS)
    assert dash.refused_by == [*STATES, "dodge.direct_only", "reduction.no_dodge", "dash.once_per_turn"]


def test_where_only_the_price_is_known_only_the_defender_is_judged() -> None:
    for defense, reasons in [
        ("dodge", STATES),
        ("dash", [*STATES, "dash.once_per_turn"]),
        ("parry", [*STATES, "parry.own_weapon"]),
        ("disarm", [*STATES, "parry.own_weapon", "disarm.once_per_fight"]),
        ("absorb_spell", STATES),
    ]:
        assert quote(defense, attack_ap=7, fighter=HELPLESS, options=STRICT).refused_by == reasons


@pytest.mark.parametrize(
    ("defense", "fighter"),
    [
        ("dash", {"dash_used": True}),
        ("dash", {"earlier_defenses": [{"type": "dash"}]}),
        ("disarm", {"disarm_used": True}),
        ("disarm", {"earlier_defenses": [{"type": "disarm"}]}),
    ],
)
def test_what_is_used_is_told_in_two_ways(defense: str, fighter: Body) -> None:
    rule = {"dash": "dash.once_per_turn", "disarm": "disarm.once_per_fight"}[defense]
    assert quote(defense, attack_ap=7, fighter=fighter).refused_by == [rule]
    assert quote("dodge", attack_ap=7, fighter=fighter).refused_by == []


@pytest.mark.parametrize(
    ("attack", "named"),
    [
        ("punch", False),
        ("heavy_strike", False),
        ("knife", False),
        ("sword", True),
        ("club", False),
        ("sword_swing", True),
        ("club_swing", False),
        ("two_handed", True),
        ("whip", False),
        ("whip_grab", None),
        ("pistol", False),
        ("aimed_shot", True),
        ("rifle", True),
    ],
)
def test_which_attacks_of_the_table_may_be_critical(attack: str, *, named: bool | None) -> None:
    body = {"type": attack, "distance_m": 5, "critical": {}}
    assert strike(body).refused_by == ([] if named else ["critical.scope"])
    by_option = strike(body, options={"critical_scope": "any"})
    assert by_option.refused_by == ([] if named is not None else ["critical.scope"])


@pytest.mark.parametrize("delivery", DELIVERIES)
def test_which_custom_attacks_may_be_critical(delivery: str) -> None:
    for scope, reach in product(("direct", "mass"), ("named", "any")):
        attack = spell(delivery=delivery, scope=scope) | {"critical": {}}
        fine = scope == "direct" and (reach == "any" or delivery in ("cold_weapon", "ranged"))
        answer = strike(attack, options={"critical_scope": reach})
        assert answer.refused_by == ([] if fine else ["critical.scope"])


ANSWERS: list[tuple[Any, str, str]] = [
    ("sword", "dodge", "dodged"),
    ({"type": "pistol", "distance_m": 5}, "dash", "dashed"),
    ("sword", "parry", "parried"),
    ("sword", "disarm", "disarmed"),
    (spell(), "absorb_spell", "absorbed"),
]
STEPS = {
    "dodged": "dodge.avoids",
    "dashed": "dash.avoids",
    "parried": "parry.stops",
    "disarmed": "disarm.drops_weapon",
    "absorbed": "absorb.stops",
}


@pytest.mark.parametrize(("attack", "defense", "result"), ANSWERS)
def test_a_paid_defense_succeeds(attack: Any, defense: str, result: str) -> None:
    answer = strike(attack, defense, defender={"earlier_defenses": [{"type": "dodge"}]})
    outcome = answer.outcome
    cost = outcome["defense"]["cost_ap"]
    assert (outcome["result"], outcome["damage"], outcome["defender"]["hp_after"]) == (result, 0, 150)
    assert (outcome["defense"]["type"], outcome["defense"]["status"]) == (defense, "made")
    assert (outcome["defender"]["ap_spent"], outcome["defender"]["ap_after"]) == (cost, 20 - cost)
    assert outcome["defender"]["earlier_defenses"] == [{"type": "dodge", "ap": None}, {"type": defense, "ap": cost}]
    assert outcome["defender"]["dash_used"] is (defense == "dash")
    assert outcome["defender"]["disarm_used"] is (defense == "disarm")
    assert outcome["attacker"]["weapon_dropped"] is (defense == "disarm")
    assert outcome["defender"]["moved_m"] == (2.5 if defense == "dash" else 0)
    assert answer.steps[-4:] == [
        ("ap.spent", "effect", -outcome["attack_ap"], 20 - outcome["attack_ap"]),
        ("defense.ap_spent", "effect", -cost, 20 - cost),
        (STEPS[result], "effect", None, None),
        ("attack.result", "result", 0, None),
    ]


PRICES: list[tuple[Any, str, Body, list[Any]]] = [
    (
        "sword",
        "dodge",
        {},
        [
            ("defense.base", "base", 7, 7),
            ("dodge.cost", "base", 100, 100),
            ("defense.escalation", "modifier", 100, 200),
            ("defense.price", "decision", 14, None),
        ],
    ),
    (
        "sword",
        "parry",
        {},
        [
            ("defense.base", "base", 7, 7),
            ("parry.cost", "base", 120, 120),
            ("defense.escalation", "modifier", 100, 220),
            ("defense.price", "decision", 15.4, None),
            ("ap.rounding", "limit", 16, 16),
        ],
    ),
    (
        "sword",
        "disarm",
        {"disarm_cost": "in_addition", "ap_rounding": "down"},
        [
            ("defense.base", "base", 7, 7),
            ("disarm.cost", "base", 270, 270),
            ("defense.escalation", "modifier", 100, 370),
            ("defense.price", "decision", 25.9, None),
            ("ap.rounding", "limit", 25, 25),
        ],
    ),
    (
        spell(),
        "absorb_spell",
        {"escalation_base": "first_defense"},
        [
            ("defense.base", "base", 4, 4),
            ("absorb.cost", "base", 100, 100),
            ("defense.escalation", "modifier", 100, 200),
            ("defense.price", "decision", 8, None),
        ],
    ),
    (
        spell(),
        "absorb_spell",
        {"absorb_cost": "own_price"},
        [("absorb.cost", "base", 4.5, 4.5), ("ap.rounding", "limit", 5, 5)],
    ),
    ({"type": "pistol", "distance_m": 5}, "dash", {}, [("move.dash", "base", 5, 5)]),
    (
        {"type": "pistol", "distance_m": 5},
        "dash",
        {"dash_escalation": "counts", "ap_rounding": "tenths"},
        [
            ("defense.base", "base", 5, 5),
            ("move.dash", "base", 100, 100),
            ("defense.escalation", "modifier", 100, 200),
            ("defense.price", "decision", 10, None),
        ],
    ),
]


@pytest.mark.parametrize(("attack", "defense", "options", "expected"), PRICES)
def test_the_steps_of_a_price(attack: Any, defense: str, options: Body, expected: list[Any]) -> None:
    own = {"absorb_ap": 4.5} if options.get("absorb_cost") == "own_price" else {}
    body = attack if isinstance(attack, dict) else {"type": attack}
    fighter = {"ap": 30, "earlier_defenses": [{"type": "dodge", "ap": 4}, {"type": "parry", "ap": 5}]}
    answer = quote({"type": defense} | own, attack=body, fighter=fighter, options=options)
    cost = answer.outcome["cost_ap"]
    assert answer.steps[1:] == [*expected, ("defense.result", "result", cost, None)]
    assert (answer.outcome["result"], answer.outcome["ap_left"]) == ("affordable", 30 - cost)


def test_a_first_defense_does_not_escalate() -> None:
    assert quote("dodge", attack_ap=7).steps == [
        ("defense.base", "base", 7, 7),
        ("dodge.cost", "base", 100, 100),
        ("defense.price", "decision", 7, None),
        ("defense.result", "result", 7, None),
    ]


def test_a_defense_must_be_payable() -> None:
    exactly = strike("sword", "parry", defender={"ap": 9})
    assert exactly.outcome["defender"]["ap_after"] == 0
    short = strike("sword", "parry", defender={"ap": 8.9})
    assert short.refused_by == ["defense.ap_insufficient"]
    assert short.steps[-4:] == [
        ("defense.price", "decision", 8.4, None),
        ("ap.rounding", "limit", 9, 9),
        ("defense.ap_insufficient", "refusal", None, None),
        ("attack.result", "result", 0, None),
    ]


def test_a_quote_says_whether_it_can_be_paid() -> None:
    quoted = {ap: quote("dodge", attack_ap=7, fighter={"ap": ap}).outcome for ap in (7, 6.9)}
    assert (quoted[7]["result"], quoted[7]["ap_left"]) == ("affordable", 0)
    assert (quoted[6.9]["result"], quoted[6.9]["ap_left"]) == ("too_expensive", None)
    unknown = quote("dodge", attack_ap=7).outcome
    assert (unknown["result"], unknown["ap_left"], unknown["cost_ap"]) == ("quoted", None, 7)


def test_a_quote_against_an_attack_shows_its_price() -> None:
    fog = spell(ap=12, scope="mass") | {"already_paid": True}
    answer = quote("absorb_spell", attack=fog)
    assert answer.steps[:3] == [
        ("attack.custom", "base", 12, 12),
        ("attack.already_paid", "decision", 0, None),
        ("defense.base", "base", 12, 12),
    ]
    critical = quote("dodge", attack={"type": "sword", "critical": {"paid_ap": 13}})
    assert critical.steps[:3] == [
        ("attack.sword", "base", 7, 7),
        ("critical.cost", "modifier", 7, 14),
        ("defense.base", "base", 14, 14),
    ]
    refused = quote("parry", attack={"type": "rifle"}, fighter={"hp_max": 100, "hp": 9})
    assert refused.steps == [
        ("attack.rifle", "base", 8, 8),
        ("stun.below_tenth", "decision", 9, None),
        ("state.stunned", "refusal", None, None),
        ("parry.no_ranged", "refusal", None, None),
        ("defense.result", "result", 0, None),
    ]

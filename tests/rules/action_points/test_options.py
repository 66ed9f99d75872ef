"""Every house rule, in one request where each of its values gives another answer."""

from typing import Any, get_type_hints

import pytest

from rules.action_points.options import Options
from tests.rules.action_points.asking import SWORDSMAN, TARGET, Body, ask, spell

IN_AN_ENCOUNTER_ONLY = {"disarm_limit"}


def exchange(attack: Body, defense: str = "none", **fighters: Body) -> tuple[str, Body]:
    """An attack and its answer."""
    attacker = SWORDSMAN | fighters.get("attacker", {})
    defender = TARGET | fighters.get("defender", {})
    return "attack", {"attack": attack, "defense": {"type": defense}, "attacker": attacker, "defender": defender}


def quoted(defense: str, *earlier: str, **more: Any) -> tuple[str, Body]:
    """The price of a defense against 7 AP after others that cost 4 AP."""
    made = [{"type": each, "ap": 4} for each in earlier]
    return "defense-cost", {"attack_ap": 7, "defense": {"type": defense}, "fighter": {"earlier_defenses": made} | more}


def border(boundary: str, **fighter: Any) -> tuple[str, Body]:
    """A border passed."""
    return "upkeep", {"boundary": boundary, "fighter": {"hp_max": 100, "ap_max": 20, "ap": 4} | fighter}


SHOT = {"type": "pistol", "distance_m": 12, "shot_number": 2}
WHIP = {"state": "immobilised", "cause": "whip"}
CURSE = spell(inflicts={"state": "reduced", "parameter": "ap", "amount": 8})
TIED = [{"id": "a", "fighter": {"ap": 3}}, *({"id": name, "fighter": {"ap": 9}} for name in "bc")]

CASES: dict[str, tuple[tuple[str, Body], str, dict[str, Any]]] = {
    "ap_rounding": (quoted("parry"), "cost_ap", {"up": 9, "down": 8, "tenths": 8.4}),
    "escalation_base": (quoted("dodge", "dodge"), "cost_ap", {"attack": 11, "first_defense": 6}),
    "defense_counter": (quoted("parry", "dodge"), "ordinal", {"shared": 2, "by_type": 1}),
    "disarm_cost": (quoted("disarm"), "percent", {"instead": 150, "in_addition": 270}),
    "dash_escalation": (quoted("dodge", "dash"), "ordinal", {"separate": 1, "counts": 2}),
    "dash_scope": (
        exchange({"type": "sword"}, "dash"),
        "result",
        {"projectiles_and_spells": "dash.point_attacks", "any_direct": "dashed"},
    ),
    "parry_reading": (
        exchange({"type": "punch"}, "parry", defender={"has_cold_weapon": False}),
        "result",
        {
            "attack_with_cold_weapon": "parry.cold_weapon_only",
            "defend_with_cold_weapon": "parry.own_weapon",
            "both": "parry.cold_weapon_only, parry.own_weapon",
        },
    ),
    "range_misses": (exchange(SHOT), "result", {"cadence": "hit", "chance": "missed"}),
    "critical_scope": (
        exchange({"type": "punch", "critical": {}}),
        "result",
        {"named": "critical.scope", "any": "hit"},
    ),
    "critical_answers": (
        exchange({"type": "sword", "critical": {}}, "dodge"),
        "result",
        {"all_defenses": "dodged", "interrupt_or_cover": "critical.answers"},
    ),
    "whip_release": (
        ("turn-plan", {"fighter": {"ap": 9, "conditions": [WHIP]}, "items": [{"type": "whip_release"}]}),
        "result",
        {"at_once": "exceeds", "instalments": "fits"},
    ),
    "stealth_rule": (
        ("turn-plan", {"fighter": {"ap": 9, "hidden": True}, "items": [{"type": "fly", "distance_m": 2}]}),
        "stealth",
        {"only_run_breaks": "kept", "only_walk_keeps": "lost"},
    ),
    "bound_movement": (
        (
            "turn-plan",
            {"fighter": {"ap": 9, "conditions": [{"state": "bound"}]}, "items": [{"type": "walk", "distance_m": 2}]},
        ),
        "result",
        {"forbidden": "not_allowed", "allowed": "fits"},
    ),
    "magic_resistance": (
        exchange(CURSE, attacker={"circle_of_power": 3}, defender={"magic_resistance": 50}),
        "defender/ap_after",
        {"percent": 16, "threshold": 20, "ignored": 12},
    ),
    "low_hp_stun": (
        border("round_end", conditions=[{"state": "stunned", "cause": "low_hp"}]),
        "stunned",
        {"while_below": False, "until_lifted": True},
    ),
    "at_zero_hp": (
        exchange({"type": "sword"}, defender={"hp": 1}),
        "defender/dead",
        {"stunned": False, "dies": True},
    ),
    "self_healing": (
        ("character", {"kind": "lycan", "level": 1}),
        "self_healing",
        {"all_kinds": True, "polymorphs_and_lucifuges": False},
    ),
    "ap_refresh": (
        border("turn_end"),
        "ap_after",
        {"end_of_own_turn": 20, "start_of_own_turn": 4, "round_end": 4},
    ),
    "regeneration_at": (border("turn_end", hp=50, regeneration=5), "hp_after", {"round_end": 50, "turn_end": 55}),
    "initiative_ties": (
        ("initiative", {"combatants": TIED, "attacker": "a"}),
        "order/1/reason",
        {"listed": "tie_listed", "roll": "tie_roll"},
    ),
    "later_rounds": (
        ("initiative", {"combatants": TIED, "attacker": "a", "round": 2}),
        "order/0/reason",
        {"same_order": "attacker", "by_ap": "tie_listed"},
    ),
}
DICE = {"chance": [1], "roll": [5, 4]}


def found_at(path: str, outcome: Any) -> Any:
    """A field of an outcome."""
    for part in path.split("/"):
        outcome = outcome[int(part) if part.isdigit() else part]
    return outcome


@pytest.mark.parametrize(
    ("option", "value"), [(option, value) for option, (_, _, answers) in CASES.items() for value in answers]
)
def test_a_value_of_an_option(option: str, value: str) -> None:
    (action, body), path, expected = CASES[option]
    answer = ask(action, DICE.get(value), **body, options={option: value})
    found = ", ".join(answer.refused_by) if answer.outcome is None else found_at(path, answer.outcome)
    assert found == expected[value]
    default = getattr(Options(), option).value
    assert answer.body["options"] == ({} if value == default else {option: value})


def test_the_price_of_an_absorption() -> None:
    """The two values of `absorb_cost` need different requests: its own price has to be told, or must not be."""
    defense: Body = {"type": "absorb_spell"}
    as_parry = ask("defense-cost", attack=spell(), defense=defense, options={"absorb_cost": "as_parry"}).outcome
    assert (as_parry["percent"], as_parry["cost_ap"]) == (120, 8)
    defense["absorb_ap"] = 3.5
    own_price = ask("defense-cost", attack=spell(), defense=defense, options={"absorb_cost": "own_price"}).outcome
    assert (own_price["percent"], own_price["base_ap"], own_price["cost_ap"]) == (None, 3.5, 4)


def test_every_value_of_every_option_is_tried() -> None:
    values = {name: {value.value for value in kind} for name, kind in get_type_hints(Options).items()}
    tried = {option: set(answers) for option, (_, _, answers) in CASES.items()} | {
        "absorb_cost": {"as_parry", "own_price"}
    }
    assert tried == {name: each for name, each in values.items() if name not in IN_AN_ENCOUNTER_ONLY}


def test_the_limit_of_disarms_changes_no_single_request() -> None:
    answers = [
        ask("attack", **exchange({"type": "sword"}, "disarm")[1], options={"disarm_limit": limit})
        for limit in ("per_character", "per_fight")
    ]
    assert answers[0].outcome == answers[1].outcome

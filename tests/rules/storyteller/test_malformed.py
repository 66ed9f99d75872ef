"""What is no question: every contradiction of a request, with the place that is told."""

import json
from typing import Any

import pytest

from tests.rules.storyteller.asking import faults, question

ROLL = {"roll": {"pool": 2}}
BODY = {"nature": "mortal", "stamina": 2}
WEAPON = {"class": "close", "damage_base": "strength", "damage_dice": 1, "damage_type": "lethal"}
STRIKE: dict[str, Any] = {"maneuver": "strike", "attacker": {"roll": {"pool": 2}}}
KNOWN: dict[str, Any] = {"maneuver": "strike", "attacker": {"successes": 0}}
SHOT: dict[str, Any] = {"maneuver": "shot", "attacker": {"roll": {"pool": 2}, "weapon": {"preset": "rifle"}}}
OWN: dict[str, Any] = {
    "maneuver": "custom",
    "custom": {"range": "close", "armed": True, "damage_base": "weapon"},
    "attacker": {"roll": {"pool": 2}, "weapon": {"preset": "sword"}},
}
DISARM: dict[str, Any] = {
    "maneuver": "disarm",
    "attacker": {"roll": {"pool": 2}, "strength": 2, "weapon": {"preset": "sword"}},
    "defender": {"weapon": {"preset": "club"}, "strength": 1, "body": BODY},
    "backfire": "drop_weapon",
}
DODGE: dict[str, Any] = {
    **STRIKE,
    "defender": {"defense": {"maneuver": "dodge", "roll": {"pool": 2}}},
}
DEFENSE: dict[str, Any] = {
    "attack": {"successes": 2, "range": "close", "armed": False, "damage_type": "bashing"},
    "defender": {"defense": {"maneuver": "block", "roll": {"pool": 2}}},
}
DAMAGE: dict[str, Any] = {"strength": 2, "type": "bashing", "body": BODY}
ESCAPE: dict[str, Any] = {"grapple": "hold", "choice": "escape", "actor": ROLL, "opponent": ROLL}
SQUEEZE: dict[str, Any] = {
    "grapple": "hold",
    "choice": "squeeze",
    "actor": {**ROLL, "strength": 2},
    "opponent": {**ROLL, "body": BODY},
}
SHARES: dict[str, Any] = {"actions": [{"pool": 3, "dice": 1}, {"attribute": 3, "dice": 1}]}
GONE: Any = object()


def changed(body: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A body with values set or taken out at slash-separated paths."""
    body = json.loads(json.dumps(body))
    for path, value in changes.items():
        *parents, last = path.split("/")
        at: Any = body
        for parent in parents:
            at = at[int(parent)] if isinstance(at, list) else at.setdefault(parent, {})
        if value is GONE:
            del at[last]
        else:
            at[last] = value
    return body


SOUND = [
    ("roll", ROLL),
    ("attack", STRIKE),
    ("attack", KNOWN),
    ("attack", SHOT),
    ("attack", OWN),
    ("attack", DISARM),
    ("attack", DODGE),
    ("defense", DEFENSE),
    ("damage", DAMAGE),
    ("grapple", ESCAPE),
    ("grapple", SQUEEZE),
    ("multiple-action", SHARES),
]


@pytest.mark.parametrize(("action", "body"), SOUND)
def test_the_bodies_that_are_changed_below_are_sound(action: str, body: dict[str, Any]) -> None:
    assert faults(action, **body) == []


CHANGED: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    # rolls
    ("roll", ROLL, {"roll/traits": {"attribute": 2}}, "roll", "exactly_one"),
    ("roll", ROLL, {"roll/pool": GONE}, "roll", "exactly_one"),
    ("roll", ROLL, {"roll/pool": 41}, "roll/pool", "less_than_equal"),
    ("roll", ROLL, {"roll/difficulty": 1}, "roll/difficulty", "greater_than_equal"),
    ("roll", ROLL, {"roll/difficulty": 11}, "roll/difficulty", "less_than_equal"),
    ("roll", ROLL, {"roll/allotted": 0}, "roll/allotted", "greater_than_equal"),
    ("roll", ROLL, {"roll/health": "dead"}, "roll/health", "enum"),
    ("roll", ROLL, {"roll/modifiers": [{}] * 9}, "roll/modifiers", "too_long"),
    ("roll", ROLL, {"roll/modifiers": [{"dice": 11}]}, "roll/modifiers/0/dice", "less_than_equal"),
    ("roll", ROLL, {"roll/modifiers": [{"difficulty": -9}]}, "roll/modifiers/0/difficulty", "greater_than_equal"),
    ("roll", ROLL, {"roll/modifiers": [{"label": ""}]}, "roll/modifiers/0/label", "string_too_short"),
    ("roll", ROLL, {"roll/modifiers": [{"label": "x" * 65}]}, "roll/modifiers/0/label", "string_too_long"),
    ("roll", ROLL, {"roll": {"traits": {"ability": 2}}}, "roll/traits/attribute", "missing"),
    ("roll", ROLL, {"roll/specialty": 1}, "roll/specialty", "bool_type"),
    ("roll", ROLL, {"roll/traits": None}, "roll/traits", "dataclass_type"),
    ("roll", ROLL, {"options": {"botch": None}}, "options/botch", "enum"),
    ("roll", ROLL, {"options": {"luck": "good"}}, "options/luck", "unexpected_keyword_argument"),
    # shares
    ("multiple-action", SHARES, {"actions/0/attribute": 2}, "actions/0", "exactly_one"),
    ("multiple-action", SHARES, {"actions/0/pool": GONE}, "actions/0", "exactly_one"),
    ("multiple-action", SHARES, {"actions/0/ability": 0}, "actions/0/ability", "only_with"),
    ("multiple-action", SHARES, {"actions": [{"pool": 3, "dice": 1}]}, "actions", "too_short"),
    ("multiple-action", SHARES, {"actions/0/dice": 0}, "actions/0/dice", "greater_than_equal"),
    # weapons
    ("attack", SHOT, {"attacker/weapon/class": "ranged"}, "attacker/weapon", "exactly_one"),
    ("attack", SHOT, {"attacker/weapon/preset": GONE}, "attacker/weapon", "exactly_one"),
    ("attack", SHOT, {"attacker/weapon/damage_dice": 2}, "attacker/weapon/class", "needed_with"),
    ("attack", SHOT, {"attacker/weapon/supernatural": False}, "attacker/weapon/supernatural", "only_with"),
    ("attack", SHOT, {"attacker/weapon/class_": "ranged"}, "attacker/weapon/class_", "unexpected_keyword_argument"),
    *(
        ("attack", STRIKE, {"attacker/weapon": {**WEAPON}, f"attacker/weapon/{field}": GONE}, where, code)
        for field, where, code in (
            ("class", "attacker/weapon", "exactly_one"),
            ("damage_base", "attacker/weapon/damage_base", "needed_with"),
            ("damage_dice", "attacker/weapon/damage_dice", "needed_with"),
            ("damage_type", "attacker/weapon/damage_type", "needed_with"),
        )
    ),
    # bodies
    ("damage", DAMAGE, {"body/soak": 2}, "body", "exactly_one"),
    ("damage", DAMAGE, {"body/stamina": GONE}, "body", "exactly_one"),
    (
        "damage",
        DAMAGE,
        {"body": {"nature": "mortal", "soak": 1, "aggravated_soak": 0}},
        "body/aggravated_soak",
        "only_with",
    ),
    ("damage", DAMAGE, {"body/nature": GONE}, "body/nature", "missing"),
    ("damage", DAMAGE, {"body/wounds": {"bashing": 4, "lethal": 2, "aggravated": 2}}, "body/wounds", "wounds_over"),
    ("damage", DAMAGE, {"body/wounds": {"bashing": 8}}, "body/wounds/bashing", "less_than_equal"),
    # damage
    ("damage", DAMAGE, {"damage_pool": 2}, "", "exactly_one"),
    ("damage", DAMAGE, {"strength": GONE}, "", "exactly_one"),
    ("damage", DAMAGE, {"strength": GONE, "damage_pool": 2, "bonus": 0}, "bonus", "only_with"),
    ("damage", DAMAGE, {"net_successes": 0}, "net_successes", "greater_than_equal"),
    ("damage", DAMAGE, {"net_successes": 41}, "net_successes", "less_than_equal"),
    ("damage", DAMAGE, {"damage_modifiers": [{"label": "x"}]}, "damage_modifiers/0/dice", "missing"),
    ("damage", DAMAGE, {"targeting": {}}, "targeting/size", "missing"),
    ("damage", DAMAGE, {"body": GONE}, "body", "missing"),
    # attackers
    ("attack", STRIKE, {"attacker/successes": 2}, "attacker", "exactly_one"),
    ("attack", STRIKE, {"attacker/roll": GONE}, "attacker", "exactly_one"),
    ("attack", STRIKE, {"attacker/botch": False}, "attacker/botch", "only_with"),
    ("attack", KNOWN, {"attacker/successes": 1, "attacker/botch": True}, "attacker/botch", "botch_with_successes"),
    ("attack", STRIKE, {"attacker/strength": 2, "attacker/damage_pool": 2}, "attacker/damage_pool", "not_together"),
    ("attack", KNOWN, {"attacker/opponents": 1}, "attacker/opponents", "only_with"),
    ("attack", KNOWN, {"attacker/cover": "none"}, "attacker/cover", "only_with"),
    ("attack", KNOWN, {"position": "front"}, "position", "only_with"),
    ("attack", KNOWN, {"visibility": "clear"}, "visibility", "only_with"),
    ("attack", KNOWN, {"cover": "none"}, "cover", "only_with"),
    ("attack", KNOWN, {"ambush_successes": 0}, "ambush_successes", "only_with"),
    ("attack", STRIKE, {"defender/body": BODY}, "attacker", "exactly_one"),
    # maneuvers and their weapons
    ("attack", STRIKE, {"custom": OWN["custom"]}, "custom", "only_with"),
    ("attack", OWN, {"custom": GONE}, "custom", "needed_with"),
    ("attack", OWN, {"attacker/weapon": GONE}, "attacker/weapon", "needed_with"),
    ("attack", OWN, {"attacker/weapon": {"preset": "rifle"}}, "attacker/weapon", "weapon_class"),
    ("attack", OWN, {"custom/range": "ranged"}, "attacker/weapon", "weapon_class"),
    ("attack", OWN, {"custom/armed": False}, "custom/armed", "armed_with_weapon"),
    ("attack", OWN, {"custom/damage_type": "lethal"}, "custom/damage_type", "only_with"),
    ("attack", OWN, {"custom/damage_base": GONE}, "custom/damage_base", "missing"),
    ("attack", OWN, {"custom/armed": GONE}, "custom/armed", "missing"),
    ("attack", OWN, {"custom/range": GONE}, "custom/range", "missing"),
    ("attack", OWN, {"defender/body": BODY}, "attacker", "exactly_one"),
    ("attack", SHOT, {"attacker/weapon": GONE}, "attacker/weapon", "needed_with"),
    ("attack", SHOT, {"attacker/weapon": {"preset": "sword"}}, "attacker/weapon", "weapon_class"),
    ("attack", SHOT, {"maneuver": "weapon_strike"}, "attacker/weapon", "weapon_class"),
    ("attack", STRIKE, {"maneuver": "weapon_strike"}, "attacker/weapon", "needed_with"),
    # disarming
    ("attack", DISARM, {"attacker/weapon": {"preset": "rifle"}}, "attacker/weapon", "weapon_class"),
    ("attack", DISARM, {"attacker/weapon": GONE}, "attacker/weapon", "needed_with"),
    ("attack", DISARM, {"defender/body": GONE}, "defender/body", "needed_with"),
    ("attack", DISARM, {"defender/strength": GONE}, "defender/strength", "needed_with"),
    ("attack", DISARM, {"attacker/strength": GONE}, "attacker", "exactly_one"),
    ("attack", STRIKE, {"backfire": "report"}, "backfire", "only_with"),
    # defenses
    ("attack", DODGE, {"defender/defense/mode": "multiple"}, "defender/defense/roll/allotted", "needed_with"),
    ("attack", DODGE, {"defender/defense/roll/allotted": 1}, "defender/defense/roll/allotted", "only_with"),
    (
        "attack",
        DODGE,
        {"defender/defense/roll/allotted": 1, "defender/defense/mode": "full_round"},
        "defender/defense/roll/allotted",
        "only_with",
    ),
    ("defense", DEFENSE, {"defender/defense/room": "open"}, "defender/defense/room", "only_with"),
    ("defense", DEFENSE, {"defender/defense/refuge": "none"}, "defender/defense/refuge", "only_with"),
    ("defense", DEFENSE, {"defender/defense/roll": GONE}, "defender/defense/roll", "missing"),
    ("defense", DEFENSE, {"defender/defense": GONE}, "defender/defense", "missing"),
    ("defense", DEFENSE, {"attack/armed": GONE}, "attack/armed", "missing"),
    ("defense", DEFENSE, {"attack/damage_type": "lethal"}, "defender/body", "needed_with"),
    (
        "attack",
        SHOT,
        {"defender/defense": {"maneuver": "block", "roll": {"pool": 1}}},
        "defender/body",
        "needed_with",
    ),
    (
        "attack",
        STRIKE,
        {"defender": {"weapon": WEAPON, "defense": {"maneuver": "parry", "roll": {"pool": 1}}}},
        "defender/strength",
        "needed_with",
    ),
    # clinch and hold
    ("grapple", ESCAPE, {"actor/roll": GONE}, "actor/roll", "needed_with"),
    ("grapple", ESCAPE, {"opponent/roll": GONE}, "opponent/roll", "needed_with"),
    ("grapple", SQUEEZE, {"actor/strength": GONE}, "actor", "exactly_one"),
    ("grapple", SQUEEZE, {"actor/damage_pool": 2}, "actor/damage_pool", "not_together"),
    ("grapple", SQUEEZE, {"opponent/body": GONE}, "opponent/body", "needed_with"),
    ("grapple", SQUEEZE, {"options": {"squeeze": "contested"}, "actor/roll": GONE}, "actor/roll", "needed_with"),
    ("grapple", SQUEEZE, {"options": {"squeeze": "contested"}, "opponent/roll": GONE}, "opponent/roll", "needed_with"),
    (
        "grapple",
        {**SQUEEZE, "grapple": "clinch", "choice": "inflict"},
        {"actor/strength": GONE},
        "actor",
        "exactly_one",
    ),
    (
        "grapple",
        {**SQUEEZE, "grapple": "clinch", "choice": "inflict"},
        {"opponent/body": GONE},
        "opponent/body",
        "needed_with",
    ),
]


@pytest.mark.parametrize(("action", "body", "changes", "pointer", "code"), CHANGED)
def test_what_is_malformed(action: str, body: dict[str, Any], changes: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(action, **changed(body, changes)) == [(f"#/{pointer}" if pointer else "#", code)]


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        (OWN, {"attacker/damage_pool": 2, "defender/body": BODY}),
        (STRIKE, {"attacker/damage_pool": 2, "defender/body": BODY}),
        (SHOT, {"defender/body": BODY}),
        (STRIKE, {"maneuver": "hold", "defender/body": BODY}),
        (OWN, {"custom": {"range": "close", "armed": False, "damage_base": "none"}, "defender/body": BODY}),
        (OWN, {"custom": {"range": "ranged", "armed": True, "damage_base": "fixed"}, "defender/body": BODY}),
        (STRIKE, {"attacker/weapon": {"preset": "rifle"}}),
        (KNOWN, {"attacker/botch": True}),
        (KNOWN, {"targeting": {"size": "small"}, "attacker/condition": "free"}),
    ],
)
def test_what_is_not_malformed(body: dict[str, Any], changes: dict[str, Any]) -> None:
    assert faults("attack", **changed(body, changes)) == []


def test_no_field_takes_null() -> None:
    """Every field of every request that is sent as null is refused, at its own place."""
    asked = 0
    for action, body in SOUND:
        for path in paths(body):
            if path:
                found = faults(action, **changed(body, {path: None}))
                assert [pointer for pointer, _ in found] == [f"#/{path}"], path
                asked += 1
    assert asked > 50


def paths(value: Any, path: str = "") -> list[str]:
    """The places of a body that are in objects."""
    below = value.items() if isinstance(value, dict) else ()
    return [path, *(each for name, part in below for each in paths(part, f"{path}/{name}".lstrip("/")))]


def test_every_action_takes_every_option() -> None:
    options = {"soak": "removes_levels", "botch": "second_edition"}
    for action in ("roll", "multiple-action", "initiative"):
        example = {name: value for name, value in question(action).action.example.items() if name != "seed"}
        assert faults(action, **example, options=options) == []

"""Every house rule: each value gives what it says, and where it has nothing to do it changes nothing."""

import dataclasses
from enum import StrEnum
from typing import Any, get_type_hints

import pytest

from rules.storyteller.options import Options
from tests.rules.storyteller.asking import ask_seeded, question

MORTAL: dict[str, Any] = {"nature": "mortal", "stamina": 2}
ARMORED: dict[str, Any] = {**MORTAL, "armor": 1}
PISTOL: dict[str, Any] = {"preset": "light_pistol"}
KNIFE: dict[str, Any] = {"preset": "knife"}
STRIKE: dict[str, Any] = {"maneuver": "strike", "attacker": {"roll": {"pool": 2}}}
CLINCH: dict[str, Any] = {
    "grapple": "clinch",
    "choice": "inflict",
    "actor": {"strength": 3},
    "opponent": {"body": MORTAL},
}
DISARM: dict[str, Any] = {
    "maneuver": "disarm",
    "attacker": {"successes": 2, "damage_pool": 3},
    "defender": {"weapon": KNIFE, "strength": 1, "body": MORTAL},
}


def lethal(body: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"damage_pool": 4, "type": "lethal", "body": body, **more}


def dodging(**defense: Any) -> dict[str, Any]:
    return {"defense": {"maneuver": "dodge", "roll": {"pool": 2}, **defense}}


TELLING: dict[str, tuple[str, dict[str, Any]]] = {
    "botch": ("roll", {"roll": {"pool": 5, "difficulty": 9}}),
    "specialty": ("roll", {"roll": {"pool": 12, "specialty": True}}),
    "soak": ("damage", lethal({"nature": "supernatural", "stamina": 3})),
    "bashing_rounding": ("damage", {"damage_pool": 5, "type": "bashing", "body": MORTAL}),
    "bashing_halved_for": ("damage", {"damage_pool": 5, "type": "bashing", "body": MORTAL}),
    "mortal_lethal_soak": ("damage", lethal(ARMORED)),
    "armor_vs_aggravated": ("damage", {**lethal(ARMORED), "type": "aggravated"}),
    "armor_destruction": ("damage", lethal(ARMORED)),
    "targeting": ("attack", {**STRIKE, "targeting": {"size": "small"}}),
    "targeting_bypass": ("damage", lethal(ARMORED, targeting={"size": "small", "bypass": "armor"})),
    "partial_blind_shooting": (
        "attack",
        {"maneuver": "shot", "attacker": {"roll": {"pool": 2}, "weapon": PISTOL}, "visibility": "partly_blinded"},
    ),
    "ambush_bonus": ("attack", {**STRIKE, "ambush_successes": 2}),
    "ambush_engaged": ("ambush", {"attacker": {"roll": {"pool": 2}}, "target": {"roll": {"pool": 2}, "engaged": True}}),
    "unaware_dodge": ("attack", {**STRIKE, "defender": {"awareness": "unaware", **dodging()}}),
    "block_scope": (
        "defense",
        {
            "attack": {"successes": 1, "range": "close", "armed": True, "damage_type": "bashing"},
            "defender": {"defense": {"maneuver": "block", "roll": {"pool": 2}}},
        },
    ),
    "defense_tie": ("attack", {"maneuver": "strike", "attacker": {"successes": 1}, "defender": dodging()}),
    "dodge_refuge": (
        "attack",
        {"maneuver": "shot", "attacker": {"successes": 5, "weapon": PISTOL}, "defender": dodging(refuge="good")},
    ),
    "disarm_compare": ("attack", DISARM),
    "disarm_backfire": ("attack", {**DISARM, "attacker": {"successes": 0, "damage_pool": 3}}),
    "clinch_extra_successes": (
        "attack",
        {"maneuver": "clinch", "attacker": {"successes": 3, "strength": 2}, "defender": {"body": MORTAL}},
    ),
    "clinch_damage": ("grapple", CLINCH),
    "squeeze": (
        "grapple",
        {
            "grapple": "hold",
            "choice": "squeeze",
            "actor": {"strength": 3, "roll": {"pool": 2}},
            "opponent": {"roll": {"pool": 2}, "body": MORTAL},
        },
    ),
}
"""A request for each option on which its values differ, on one seed or another."""

VALUES: dict[str, list[str]] = {
    name: [value.value for value in kind] for name, kind in get_type_hints(Options).items() if issubclass(kind, StrEnum)
}


def test_every_option_has_a_telling_request() -> None:
    assert set(TELLING) == set(VALUES) == {each.name for each in dataclasses.fields(Options)}


@pytest.mark.parametrize("option", TELLING)
def test_the_values_of_an_option_differ_where_it_counts(option: str) -> None:
    action, body = TELLING[option]
    told: dict[str, list[Any]] = {
        value: [
            (answer.refused_by, answer.outcome)
            for answer in (ask_seeded(action, f"telling {n}", **body, options={option: value}) for n in range(200))
        ]
        for value in VALUES[option]
    }
    default = VALUES[option][0]
    assert all(told[value] != told[default] for value in VALUES[option][1:])


@pytest.mark.parametrize("option", TELLING)
def test_the_first_value_of_an_option_is_its_default(option: str) -> None:
    action, body = TELLING[option]
    left_out = ask_seeded(action, "default", **body)
    said = ask_seeded(action, "default", **body, options={option: VALUES[option][0]})
    assert said.body == left_out.body
    assert left_out.body["options"] == {}


def test_an_option_that_an_action_does_not_use_has_no_effect() -> None:
    every = {name: values[-1] for name, values in VALUES.items()}
    for action in ("multiple-action", "initiative"):
        body = {name: value for name, value in question(action).action.example.items() if name != "seed"}
        plain, changed = ask_seeded(action, "none", **body), ask_seeded(action, "none", **body, options=every)
        assert (plain.outcome, plain.body["audit"]) == (changed.outcome, changed.body["audit"])
        assert changed.body["options"] == {name: value for name, value in every.items() if value != VALUES[name][0]}

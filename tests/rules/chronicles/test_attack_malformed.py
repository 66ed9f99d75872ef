"""Attacks that contradict themselves."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import faults

NO_DEFENSE: dict[str, Any] = {"mode": "none"}


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"attack": {}}, "#/attack", "exactly_one"),
        ({"attack": {"pool": {"total": 1}, "successes": 1}}, "#/attack", "exactly_one"),
        ({"attack": {"successes": 1, "maneuver": "all_out"}}, "#/attack/maneuver", "only_with"),
        ({"attack": {"successes": 201}}, "#/attack/successes", "less_than_equal"),
        ({"attack": {"successes": 1, "attacks_defended": 51}}, "#/attack/attacks_defended", "less_than_equal"),
        ({"attack": {"successes": 1, "maneuver": "charge"}}, "#/attack/maneuver", "enum"),
        ({"defense": {"score": 1}}, "#/defense/mode", "missing"),
        ({"defense": {"mode": "passive"}}, "#/defense", "exactly_one"),
        ({"defense": {"mode": "dodge"}}, "#/defense", "exactly_one"),
        (
            {"defense": {"mode": "dodge", "score": 1, "traits": {"dexterity": 1, "athletics": 1}}},
            "#/defense",
            "exactly_one",
        ),
        (
            {"defense": {"mode": "none", "score": 1, "traits": {"dexterity": 1, "athletics": 1}}},
            "#/defense/traits",
            "not_together",
        ),
        ({"defense": {"mode": "none", "willpower": True}}, "#/defense/willpower", "only_with"),
        ({"weapon": {"rating": 21}}, "#/weapon/rating", "less_than_equal"),
        ({"weapon": {"armor_piercing": 11}}, "#/weapon/armor_piercing", "less_than_equal"),
        ({"weapon": {"damage_type": None}}, "#/weapon/damage_type", "enum"),
        ({"weapon": {"kind": "bow"}}, "#/weapon/kind", "enum"),
        ({"target": {}}, "#/target", "at_least_one"),
        ({"options": {"house": 1}}, "#/options/house", "unexpected_keyword_argument"),
    ],
)
def test_what_an_attack_may_not_say(body: dict[str, Any], pointer: str, code: str) -> None:
    whole = {"attack": {"successes": 1}, "defense": NO_DEFENSE, "dice": [], **body}
    assert faults("attack", **whole) == [(pointer, code)]


def test_an_attack_needs_both_sides() -> None:
    assert faults("attack", dice=[]) == [("#/attack", "missing"), ("#/defense", "missing")]


def test_standard_beside_known_successes_is_no_contradiction() -> None:
    assert faults("attack", attack={"successes": 1, "maneuver": "standard"}, defense=NO_DEFENSE, dice=[]) == []

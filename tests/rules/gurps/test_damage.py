"""Damage of an attack that gets through."""

from fractions import Fraction
from math import floor

import pytest

from tests.rules.gurps.asking import Body, defend, dodge, sheet

MULTIPLIERS = {
    "crushing": Fraction(1),
    "cutting": Fraction(3, 2),
    "impaling": Fraction(2),
    "piercing_small": Fraction(1, 2),
    "piercing": Fraction(1),
    "piercing_large": Fraction(3, 2),
    "piercing_huge": Fraction(2),
    "burning": Fraction(1),
    "corrosion": Fraction(1),
    "toxic": Fraction(1),
    "fatigue": Fraction(1),
}


def damage(dice: list[int], **spec: object) -> Body:
    answer: Body = defend(dice, damage={"dice": len(dice), **spec}).outcome["damage"]
    return answer


@pytest.mark.parametrize("kind", MULTIPLIERS)
@pytest.mark.parametrize("penetrating", [0, 1, 2, 3, 5])
def test_injury_is_rounded_down_but_at_least_1_if_anything_penetrates(kind: str, penetrating: int) -> None:
    injury = max(floor(penetrating * MULTIPLIERS[kind]), min(penetrating, 1))
    assert damage([6], type=kind, dr=6 - penetrating) == {"basic": 6, "penetrating": penetrating, "injury": injury}


@pytest.mark.parametrize("kind", MULTIPLIERS)
def test_basic_damage_is_at_least_1_and_crushing_at_least_0(kind: str) -> None:
    answer = defend([1], damage={"dice": 1, "adds": -3, "type": kind})
    least = 0 if kind == "crushing" else 1
    assert answer.outcome["damage"]["basic"] == least
    assert answer.step("damage.minimum") == ("damage.minimum", "limit", least, least)


@pytest.mark.parametrize(("kind", "adds"), [("crushing", -3), ("impaling", -2)])
def test_a_minimum_that_changes_nothing_is_not_told(kind: str, adds: int) -> None:
    assert "damage.minimum" not in defend([3], damage={"dice": 1, "adds": adds, "type": kind}).rules


def test_damage_is_told_in_order() -> None:
    answer = defend([2, 3], damage={"dice": 2, "adds": 1, "type": "cutting", "dr": 3})
    assert answer.steps()[2:] == [
        ("damage.roll", "roll", 5, None),
        ("damage.dr", "modifier", -3, 3),
        ("damage.injury", "result", 4, None),
    ]
    assert "damage.dr" not in defend([2], damage={"dice": 1, "type": "cutting"}).rules


def test_armor_that_stops_everything() -> None:
    answer = defend([6], damage={"dice": 1, "type": "impaling", "dr": 200})
    assert answer.step("damage.dr") == ("damage.dr", "modifier", -200, 0)
    assert answer.outcome["damage"] == {"basic": 6, "penetrating": 0, "injury": 0}


def test_twenty_dice() -> None:
    assert damage([6] * 20, adds=50, type="piercing_huge", dr=10) == {"basic": 170, "penetrating": 160, "injury": 320}


def test_a_stopped_attack_does_no_damage() -> None:
    answer = defend([3, 3, 3], dodge(), defender=sheet(), damage={"dice": 1, "type": "cutting"})
    assert answer.outcome["damage"] is None
    assert defend([6, 6, 6], dodge(), defender=sheet()).outcome["damage"] is None

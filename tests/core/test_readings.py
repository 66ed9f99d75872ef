"""Sums and faces: the chances of each reading are those of the raw faces."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.core.audit import AuditTrail
from rules.core.dice import SuppliedDice
from rules.core.faults import OddsTooWide
from rules.core.reading import MAX_FACE_TUPLES, Chances, face_chances, sum_chances
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from tests.face_tree import distribution

ROLL = rule("example.roll", "published", Kind.ROLL)
DICE = [(0, 6), (1, 2), (1, 256), (2, 2), (2, 6), (2, 20), (3, 6), (4, 5), (5, 3), (8, 2)]


def as_fractions(chances: Chances[Any]) -> dict[Any, Fraction]:
    return {
        value: Fraction(weight, chances.denominator)
        for value, weight in zip(chances.values, chances.weights, strict=True)
    }


@pytest.mark.parametrize(("count", "sides"), DICE)
def test_sums_are_those_of_the_faces(count: int, sides: int) -> None:
    def roll(trail: Trail) -> int:
        return trail.sum(ROLL, count, sides)

    assert as_fractions(sum_chances(count, sides)) == distribution(roll)


@pytest.mark.parametrize(("count", "sides"), DICE)
def test_rows_of_faces_are_all_equally_likely(count: int, sides: int) -> None:
    def roll(trail: Trail) -> tuple[int, ...]:
        return trail.faces(ROLL, count, sides)

    assert as_fractions(face_chances(count, sides)) == distribution(roll)


@pytest.mark.parametrize(("count", "sides"), [(20, 6), (100, 20), (3, 256)])
def test_many_dice_have_every_sum_and_are_symmetrical(count: int, sides: int) -> None:
    chances = sum_chances(count, sides)
    assert list(chances.values) == list(range(count, count * sides + 1))
    assert chances.weights == chances.weights[::-1]
    assert sum(chances.weights) == chances.denominator == sides**count


def test_the_three_dice_of_gurps_as_everyone_knows_them() -> None:
    assert sum_chances(3, 6).weights == (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)


def test_more_rows_of_faces_than_can_be_walked() -> None:
    with pytest.raises(OddsTooWide) as wide:
        face_chances(6, 6)
    assert (wide.value.reason, wide.value.facts) == ("faces", {"dice": 6, "sides": 6})
    assert len(face_chances(4, 10).values) == MAX_FACE_TUPLES


def test_a_sum_is_recorded_as_one_step_with_its_faces() -> None:
    trail = AuditTrail(SuppliedDice([3, 5, 2]))
    assert trail.sum(ROLL, 3, 6, why="a fact") == 10
    (step,) = trail.steps
    assert (step.rule, step.kind, step.value, step.total) == ("example.roll", Kind.ROLL, 10, None)
    assert (step.sides, step.faces, step.facts) == (6, [3, 5, 2], {"why": "a fact"})


def test_faces_are_recorded_as_one_step_with_their_sum() -> None:
    trail = AuditTrail(SuppliedDice([4, 1]))
    assert trail.faces(ROLL, 2, 20) == (4, 1)
    assert [(step.value, step.sides, step.faces) for step in trail.steps] == [(5, 20, [4, 1])]


def test_no_dice_make_no_step() -> None:
    trail = AuditTrail(SuppliedDice([]))
    assert trail.sum(ROLL, 0, 6) == 0
    assert trail.faces(ROLL, 0, 6) == ()
    assert trail.steps == []


def test_every_face_tuple_stands_in_the_order_of_the_dice() -> None:
    assert list(face_chances(2, 3).values) == list(product((1, 2, 3), repeat=2))

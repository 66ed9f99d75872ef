"""The brute force that the odds are compared with walks every row of faces once."""

from fractions import Fraction
from itertools import product

import pytest

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from tests.face_tree import TooManyFaces, distribution, estimated_leaves, leaves

ROLL = rule("example.roll", "published", Kind.ROLL)


def two_rolls(trail: Trail) -> tuple[int, ...]:
    return trail.faces(ROLL, 2, 4) + trail.faces(ROLL, 1, 3)


def again_on_a_two(trail: Trail) -> tuple[int, ...]:
    first = trail.faces(ROLL, 1, 2)
    return first + trail.faces(ROLL, 2, 3) if first == (2,) else first


def test_every_row_comes_once() -> None:
    walked = list(leaves(two_rolls, 48))
    assert [value for value, _ in walked] == list(product(range(1, 5), range(1, 5), range(1, 4)))
    assert {denominator for _, denominator in walked} == {48}


def test_rows_may_differ_in_length() -> None:
    expected = {(1,): Fraction(1, 2)} | {(2, *pair): Fraction(1, 18) for pair in product((1, 2, 3), repeat=2)}
    assert distribution(again_on_a_two) == expected


def test_a_procedure_without_dice_has_one_row() -> None:
    assert distribution(lambda _: "done") == {"done": 1}


def test_more_rows_than_wanted_are_refused() -> None:
    with pytest.raises(TooManyFaces):
        distribution(two_rolls, 47)


def test_the_estimate_is_exact_where_all_rows_are_of_one_length_and_near_elsewhere() -> None:
    assert estimated_leaves(two_rolls) == 48
    assert 2 < estimated_leaves(again_on_a_two) < 18

"""A margin as what is seen of opposed parts: the same odds as pair by pair, with less to fold."""

from fractions import Fraction
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rules.core.margin import Margin, folded_by_margin
from rules.core.odds import Budget, walk
from rules.core.reading import Botch, Chances, Ones, Pool, PoolRules, Tally
from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from tests.face_tree import distribution

ONE = rule("example.one", "published", Kind.ROLL)
OTHER = rule("example.other", "published", Kind.ROLL)

NET = Margin(attrgetter("successes"), attrgetter("successes"), floor=0)
LEAD = Margin(attrgetter("successes"), attrgetter("successes"))


def itself(number: int) -> int:
    return number


def one(trail: Trail, dice: int) -> Tally:
    return trail.pool(Pool(dice, 3, sides=4, ones=Ones.CANCEL, botch=Botch.MORE_ONES_THAN_HITS), PoolRules(ONE))


def other(trail: Trail, dice: int) -> Tally:
    return trail.pool(Pool(dice, 4, sides=4, again=4, waves=1), PoolRules(OTHER, again=OTHER))


def chances(weights: dict[int, int]) -> Chances[int]:
    return Chances(tuple(weights), tuple(weights.values()), sum(weights.values()))


def by_pairs(margin: Margin[int, int], first: Chances[int], second: Chances[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for a, weight_a in zip(first.values, first.weights, strict=True):
        for b, weight_b in zip(second.values, second.weights, strict=True):
            found[margin(a, b)] = found.get(margin(a, b), 0) + weight_a * weight_b
    return found


numbers = some.dictionaries(some.integers(-6, 6), some.integers(1, 5), min_size=1, max_size=6)


@given(numbers, numbers, some.none() | some.integers(-15, 15))
def test_folded_by_margin_is_folded_pair_by_pair(
    first: dict[int, int], second: dict[int, int], floor: int | None
) -> None:
    margin = Margin(itself, itself, floor)
    folded = folded_by_margin(margin, chances(first), chances(second))
    found = {margin(*pair): weight for pair, weight in zip(folded.values, folded.weights, strict=True)}
    assert found == by_pairs(margin, chances(first), chances(second))
    assert len(found) == len(folded.values)
    assert sum(folded.weights) == folded.denominator
    assert all(a in first and b in second for a, b in folded.values)


@pytest.mark.parametrize("margin", [NET, LEAD])
def test_a_walk_by_margin_gives_what_the_faces_give(margin: Margin[Tally, Tally]) -> None:
    def run(trail: Trail) -> int:
        return margin(*trail.opposed(margin, part(one, 2), part(other, 2)))

    def walked() -> dict[Any, Fraction]:
        found, _ = walk(run, {}, Budget())
        return {
            value: Fraction(weight, found.denominator)
            for value, weight in zip(found.values, found.weights, strict=True)
        }

    assert walked() == distribution(run)


def test_a_margin_is_not_below_its_floor() -> None:
    assert Margin(itself, itself, floor=0)(1, 3) == 0
    assert Margin(itself, itself, floor=0)(3, 1) == 2
    assert Margin(itself, itself)(1, 3) == -2

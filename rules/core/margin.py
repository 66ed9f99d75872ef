"""The difference of two numbers that two sides came to, as `seen` of opposed parts.

Folded pair by pair, two wide rolls cost a call and a product for each pair. Of a difference it is known which pairs come to
it, and those at the floor are the rest of all, so half of the pairs need not be looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Generic, TypeVar

from rules.core.reading import Chances

A = TypeVar("A")
B = TypeVar("B")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Margin(Generic[A, B]):
    """What the rest looks at is `first` of the one less `second` of the other, or `floor` if that is more."""

    first: Callable[[A], int]
    second: Callable[[B], int]
    floor: int | None = None

    def __call__(self, one: A, other: B) -> int:
        """By how much the one is ahead of the other."""
        difference = self.first(one) - self.second(other)
        return difference if self.floor is None or difference > self.floor else self.floor


@dataclass(frozen=True, slots=True)
class _Numbers(Generic[R]):
    """A distribution by number: the weights from the `lowest` on, and for each number one value that has it."""

    lowest: int
    weights: list[int]
    standing: dict[int, R]

    @property
    def highest(self) -> int:
        return self.lowest + len(self.weights) - 1


def folded_by_margin(margin: Margin[A, B], first: Chances[A], second: Chances[B]) -> Chances[tuple[A, B]]:
    """The distribution of the margin, each value with one pair to stand for it."""
    one, other = _by_number(margin.first, first), _by_number(margin.second, second)
    denominator = first.denominator * second.denominator
    lowest, highest = one.lowest - other.highest, one.highest - other.lowest
    floor = lowest - 1 if margin.floor is None else margin.floor
    pairs: list[tuple[A, B]] = []
    weights: list[int] = []
    for difference in range(highest, max(lowest - 1, floor), -1):
        weight = _weight_apart(difference, one, other)
        if weight:
            pairs.append(_pair_apart(difference, one, other))
            weights.append(weight)
    at_floor = denominator - sum(weights)
    if at_floor:
        pairs.append((one.standing[one.lowest], other.standing[other.highest]))
        weights.append(at_floor)
    return Chances(tuple(pairs), tuple(weights), denominator)


def _by_number(read: Callable[[R], int], chances: Chances[R]) -> _Numbers[R]:
    found: dict[int, int] = {}
    standing: dict[int, R] = {}
    for value, weight in zip(chances.values, chances.weights, strict=True):
        number = read(value)
        found[number] = found.get(number, 0) + weight
        standing.setdefault(number, value)
    lowest = min(found)
    return _Numbers(lowest, [found.get(number, 0) for number in range(lowest, max(found) + 1)], standing)


def _weight_apart(difference: int, one: _Numbers[A], other: _Numbers[B]) -> int:
    start = difference - one.lowest + other.lowest
    if start >= 0:
        return sum(map(mul, one.weights[start:], other.weights))
    return sum(map(mul, one.weights, other.weights[-start:]))


def _pair_apart(difference: int, one: _Numbers[A], other: _Numbers[B]) -> tuple[A, B]:
    """One pair with this difference; there is one, since it has a weight."""
    number = next(
        each
        for each in range(max(one.lowest, other.lowest + difference), one.highest + 1)
        if each in one.standing and each - difference in other.standing
    )
    return one.standing[number], other.standing[number - difference]

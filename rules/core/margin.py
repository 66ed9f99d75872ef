"""The difference of two numbers that two sides came to, as `seen` of opposed parts.

A walk that folds two wide rolls pair by pair costs a product for each; folded by their difference they are two
polynomials, whose product is one multiplication of whole numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
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
        return self.floored(self.first(one) - self.second(other))

    def floored(self, margin: int) -> int:
        """A margin, not below the floor."""
        return margin if self.floor is None or margin > self.floor else self.floor


def folded_by_margin(margin: Margin[A, B], first: Chances[A], second: Chances[B]) -> Chances[tuple[A, B]]:
    """The distribution of the margin, each value with one pair to stand for it."""
    ones, others = _by_number(margin.first, first), _by_number(margin.second, second)
    denominator = first.denominator * second.denominator
    width = denominator.bit_length() // 8 + 1
    rising = _packed([_weight(ones, number) for number in range(min(ones), max(ones) + 1)], width)
    falling = _packed([_weight(others, number) for number in range(max(others), min(others) - 1, -1)], width)
    lowest, highest = min(ones) - max(others), max(ones) - min(others)
    packed = (rising * falling).to_bytes(width * (highest - lowest + 1), "little")
    weights: dict[int, int] = {}
    standing: dict[int, tuple[A, B]] = {}
    for at, difference in enumerate(range(lowest, highest + 1)):
        weight = int.from_bytes(packed[at * width : (at + 1) * width], "little")
        if weight:
            seen = margin.floored(difference)
            weights[seen] = weights.get(seen, 0) + weight
            if seen not in standing:
                standing[seen] = _pair_apart(difference, ones, others)
    return Chances(tuple(standing.values()), tuple(weights.values()), denominator)


def _by_number(read: Callable[[R], int], chances: Chances[R]) -> dict[int, tuple[R, int]]:
    """For each number one value that has it, and the weight of all that do."""
    found: dict[int, tuple[R, int]] = {}
    for value, weight in zip(chances.values, chances.weights, strict=True):
        number = read(value)
        standing, before = found.get(number, (value, 0))
        found[number] = (standing, before + weight)
    return found


def _weight(found: dict[int, tuple[R, int]], number: int) -> int:
    return found[number][1] if number in found else 0


def _packed(coefficients: list[int], width: int) -> int:
    """A polynomial as one whole number: each coefficient in as many bytes as any of the product may need."""
    return int.from_bytes(b"".join(each.to_bytes(width, "little") for each in coefficients), "little")


def _pair_apart(difference: int, ones: dict[int, tuple[A, int]], others: dict[int, tuple[B, int]]) -> tuple[A, B]:
    """One pair with this difference; the caller knows that there is one."""
    start = max(min(ones), min(others) + difference)
    number = next(each for each in range(start, max(ones) + 1) if each in ones and each - difference in others)
    return ones[number][0], others[number - difference][0]

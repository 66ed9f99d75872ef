"""Brute force over raw faces: a procedure run once for every row of faces that it can ask for.

The twin of the odds: nothing here knows sums, tallies or parts, only dice.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import prod
from random import Random
from typing import TypeVar

from rules.core.audit import AuditTrail
from rules.core.rule import Rule

R = TypeVar("R")


class TooManyFaces(Exception):
    """There are more rows of faces than were to be walked."""


class ScriptedDice:
    """Faces by a script, then ones; it keeps what it showed and the sides of each die."""

    def __init__(self, script: list[int]) -> None:
        self._script = script
        self.shown: list[int] = []
        self.sides: list[int] = []

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        at = len(self.shown)
        taken = self._script[at : at + count]
        taken += [1] * (count - len(taken))
        self.shown += taken
        self.sides += [sides] * count
        return taken

    def finish(self) -> None:
        """A script has no end."""


class ProbingDice:
    """Faces at random, and in how many ways the dice on their path could have fallen."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.ways = 1

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        self.ways *= sides**count
        return [self._random.randint(1, sides) for _ in range(count)]

    def finish(self) -> None:
        """Chance has no end."""


def estimated_leaves(run: Callable[[AuditTrail], object], probes: int = 12) -> float:
    """About how many rows of faces there are (Knuth's estimate), told without walking them."""
    random, ways = Random(2026), []
    for _ in range(probes):
        dice = ProbingDice(random)
        run(AuditTrail(dice))
        ways.append(dice.ways)
    return sum(ways) / probes


def leaves(run: Callable[[AuditTrail], R], most: int) -> Iterator[tuple[R, int]]:
    """What a procedure comes to for every row of faces, and the denominator of the row's chance."""
    script: list[int] = []
    for _ in range(most):
        dice = ScriptedDice(script)
        yield run(AuditTrail(dice)), prod(dice.sides)
        script = dice.shown
        while script and script[-1] == dice.sides[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1
    raise TooManyFaces


def distribution(run: Callable[[AuditTrail], R], most: int = 10_000) -> dict[R, Fraction]:
    """The exact chance of everything that a procedure can come to."""
    counts: dict[R, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for value, denominator in leaves(run, most):
        counts[value][denominator] += 1
    return {value: sum((Fraction(n, of) for of, n in parts.items()), Fraction(0)) for value, parts in counts.items()}

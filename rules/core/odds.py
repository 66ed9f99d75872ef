"""Exact odds: the rules run once for every reading of every roll, with whole-number weights."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Generic, TypeVar

from rules.core.faults import OddsTooWide
from rules.core.margin import Margin, folded_by_margin
from rules.core.reading import Chances, Pool, PoolRules, Tally, face_chances, pool_chances, sum_chances
from rules.core.rule import Kind, Rule
from rules.core.trail import Fact, Number, Part, Trail

MAX_RUNS = 100_000
MAX_PAIRS = 400_000
MAX_DENOMINATOR_BITS = 14_000

R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")


class _Unwalked(BaseException):
    """The walk came to a part whose distribution is not known yet."""

    def __init__(self, needed: Part[Any]) -> None:
        super().__init__()
        self.needed = needed


class Budget:
    """How many runs of the rules and how many pairs of opposed parts one walk may cost, so that it always ends."""

    __slots__ = ("pairs_left", "runs_left", "widest")

    def __init__(self, runs: int = MAX_RUNS, pairs: int = MAX_PAIRS) -> None:
        self.runs_left = runs
        self.pairs_left = pairs
        self.widest: tuple[int, str] = (0, "")

    def spend(self) -> None:
        """Count one run; `OddsTooWide`, with the roll that has most readings, when none is left."""
        self.runs_left -= 1
        if self.runs_left < 0:
            raise OddsTooWide("runs", rule=self.widest[1], readings=self.widest[0])

    def fold(self, pairs: int) -> None:
        """Count the pairs of two opposed parts; `OddsTooWide` when fewer are left."""
        self.pairs_left -= pairs
        if self.pairs_left < 0:
            raise OddsTooWide("pairs", pairs=pairs)

    def meet(self, rule: str, readings: int) -> None:
        """Remember the roll with most readings."""
        if readings > self.widest[0]:
            self.widest = (readings, rule)


class BranchingTrail(Trail):
    """A trail that takes one branch at every roll, as its script says, and keeps the weight of the path."""

    __slots__ = ("_at", "_budget", "_known", "_script", "_widths", "denominator", "weight")

    def __init__(self, known: dict[Hashable, Chances[Any]], budget: Budget) -> None:
        super().__init__()
        self._known = known
        self._budget = budget
        self._script: list[int] = []
        self._widths: list[int] = []
        self.restart()

    def restart(self) -> None:
        """Begin another run of the same script."""
        self.total = 0
        self.refusals = []
        self._at = 0
        self.weight = 1
        self.denominator = 1

    def next_branch(self) -> bool:
        """Turn to the next path through the rolls; False when all have been walked."""
        while self._script:
            self._script[-1] += 1
            if self._script[-1] < self._widths[-1]:
                self.restart()
                return True
            self._script.pop()
            self._widths.pop()
        return False

    def _roll(self, chances: Chances[R], rule: Rule) -> R:
        self._budget.meet(rule.id, len(chances.values))
        return self._choose(chances)

    def _choose(self, chances: Chances[R]) -> R:
        if self._at == len(self._script):
            self._script.append(0)
            self._widths.append(len(chances.values))
        branch = self._script[self._at]
        self._at += 1
        self.weight *= chances.weights[branch]
        self.denominator *= chances.denominator
        return chances.values[branch]

    def _record(
        self, rule: Rule, kind: Kind, value: Number | None, total: Number | None, facts: dict[str, Any]
    ) -> None:
        """Odds keep no steps."""

    def sum(self, rule: Rule, count: int, sides: int, **facts: Fact) -> int:
        """Take one of the sums."""
        return self._roll(sum_chances(count, sides), rule) if count else 0

    def faces(self, rule: Rule, count: int, sides: int, **facts: Fact) -> tuple[int, ...]:
        """Take one of the rows of faces."""
        return self._roll(face_chances(count, sides), rule) if count else ()

    def pool(self, pool: Pool, rules: PoolRules, **facts: Fact) -> Tally:
        """Take one of the tallies."""
        return self._roll(pool_chances(pool), rules.throw)

    def apart(self, procedure: Part[R]) -> R:
        """Take one of the values that the part comes to."""
        return self._choose(self._chances_of(procedure))

    def opposed(self, seen: Callable[[A, B], Hashable], first: Part[A], second: Part[B]) -> tuple[A, B]:
        """Take one of the pairs that `seen` tells apart."""
        key = (seen, first, second)
        folded: Chances[tuple[A, B]] | None = self._known.get(key)
        if folded is None:
            one, other = self._chances_of(first), self._chances_of(second)
            self._budget.fold(len(one.values) * len(other.values))
            folded = folded_by_margin(seen, one, other) if isinstance(seen, Margin) else _folded(seen, one, other)
            self._known[key] = folded
        return self._choose(folded)

    def _chances_of(self, needed: Part[R]) -> Chances[R]:
        chances: Chances[R] | None = self._known.get(needed)
        if chances is None:
            raise _Unwalked(needed)
        return chances


def _folded(seen: Callable[[A, B], Hashable], first: Chances[A], second: Chances[B]) -> Chances[tuple[A, B]]:
    weights: dict[Hashable, int] = {}
    standing: dict[Hashable, tuple[A, B]] = {}
    for a, weight_a in zip(first.values, first.weights, strict=True):
        for b, weight_b in zip(second.values, second.weights, strict=True):
            key = seen(a, b)
            if key in weights:
                weights[key] += weight_a * weight_b
            else:
                weights[key] = weight_a * weight_b
                standing[key] = (a, b)
    return Chances(tuple(standing.values()), tuple(weights.values()), first.denominator * second.denominator)


def walk(
    run: Callable[[Trail], R], known: dict[Hashable, Chances[Any]], budget: Budget
) -> tuple[Chances[R], tuple[str, ...]]:
    """The exact distribution of what `run` comes to over every path, and the refusals of its first path."""
    trail = BranchingTrail(known, budget)
    weights: dict[R, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    refusals: tuple[str, ...] | None = None
    while True:
        budget.spend()
        try:
            value = run(trail)
        except _Unwalked as stop:
            known[stop.needed], _ = walk(_of_part(stop.needed), known, budget)
            trail.restart()
            continue
        weights[value][trail.denominator] += trail.weight
        if refusals is None:
            refusals = tuple(trail.refusals)
        if not trail.next_branch():
            return _common(weights), refusals


def _of_part(needed: Part[R]) -> Callable[[Trail], R]:
    return lambda trail: needed.procedure(trail, *needed.arguments)


def _common(weights: dict[R, dict[int, int]]) -> Chances[R]:
    """Bring weights over several denominators to one, in lowest common terms."""
    denominator = lcm(*{part for parts in weights.values() for part in parts})
    summed = [sum(weight * (denominator // part) for part, weight in parts.items()) for parts in weights.values()]
    shared = gcd(denominator, *summed)
    return Chances(tuple(weights), tuple(weight // shared for weight in summed), _writable(denominator // shared))


def _writable(denominator: int) -> int:
    """The denominator; `OddsTooWide` for one with more digits than are written."""
    if denominator.bit_length() > MAX_DENOMINATOR_BITS:
        raise OddsTooWide("denominator", bits=denominator.bit_length())
    return denominator


@dataclass(frozen=True, slots=True)
class OddsOver(Generic[R]):
    """The fields whose joint distribution people ask about, and how they are read off an outcome."""

    fields: tuple[str, ...]
    read: Callable[[R], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """One joint value of the fields with its whole-number chance."""

    values: tuple[Any, ...]
    numerator: int


@dataclass(frozen=True, slots=True)
class Odds:
    """An exact joint distribution: numerators add up to the denominator; the likeliest row first, then by values."""

    refused_by: tuple[str, ...]
    fields: tuple[str, ...]
    denominator: int
    rows: tuple[Row, ...]
    mean: dict[str, Fraction]


def odds_of(fields: tuple[str, ...], chances: Chances[tuple[Any, ...]]) -> Odds:
    """Odds from a distribution of the fields' values: ordered, with the mean of each numeric field."""
    shared = gcd(chances.denominator, *chances.weights)
    rows = [
        Row(values, weight // shared) for values, weight in zip(chances.values, chances.weights, strict=True) if weight
    ]
    rows.sort(key=lambda row: (-row.numerator, tuple(map(_order, row.values))))
    denominator = _writable(chances.denominator // shared)
    mean = {
        name: Fraction(sum(row.numerator * row.values[at] for row in rows), denominator)
        for at, name in enumerate(fields)
        if rows and all(_is_number(row.values[at]) for row in rows)
    }
    return Odds((), fields, denominator, tuple(rows), mean)


def refused_odds(fields: tuple[str, ...], refused_by: tuple[str, ...]) -> Odds:
    """The odds of a request that the rules refuse: an empty distribution."""
    return Odds(refused_by, fields, 1, (), {})


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _order(value: Any) -> tuple[bool, Any]:
    return (value is not None, value if _is_number(value) else str(value))

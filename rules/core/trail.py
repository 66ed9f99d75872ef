"""The trail that rules roll and write on: rolling and recording are one act.

A rule gets a request and a trail. The trail's verbs are the kinds of step, and it keeps the running total. Whether the
dice come from a seed, from people, or whether every branch is walked with its chances, is the trail's business alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from rules.core.reading import Pool, PoolRules, Tally
from rules.core.rule import Kind, Rule

Number = int | Fraction
Fact = Number | str | StrEnum | tuple[int, ...] | None

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Part(Generic[R]):
    """A procedure with its arguments, all hashable: what it comes to depends on nothing else."""

    procedure: Callable[..., R]
    arguments: tuple[Hashable, ...]


def part(procedure: Callable[Concatenate["Trail", P], R], *arguments: P.args, **_: P.kwargs) -> Part[R]:
    """A part of a resolution; its arguments are positional and hashable."""
    return Part(procedure, arguments)


class Trail(ABC):
    """The verbs of the rules.

    Every verb takes the rule, then the value of the step, then facts for its text, named. `total` is the running total;
    a `base` begins a new one, a `modifier` adds to it, and any other step may set it with `total=`.
    """

    __slots__ = ("refusals", "total")

    def __init__(self) -> None:
        self.total: Number = 0
        self.refusals: list[str] = []

    @property
    def refused(self) -> bool:
        """Whether any rule has forbidden the choice."""
        return bool(self.refusals)

    def base(self, rule: Rule, value: Number, **facts: Fact) -> None:
        """Begin a running total with a starting value."""
        self.total = value
        self._record(rule, Kind.BASE, value, value, facts)

    def modifier(self, rule: Rule, value: Number, *, floor: Number | None = None, **facts: Fact) -> None:
        """Add a value to the running total, which does not go below `floor`."""
        total = self.total + value
        self.total = total if floor is None or total > floor else floor
        self._record(rule, Kind.MODIFIER, value, self.total, facts)

    def modifier_if_any(self, rule: Rule, value: Number, **facts: Fact) -> None:
        """Add a value to the running total; one of 0 leaves no step."""
        if value:
            self.total += value
            self._record(rule, Kind.MODIFIER, value, self.total, facts)

    def limit(self, rule: Rule, value: Number, *, total: Number | None = None, **facts: Fact) -> None:
        """Record a cap, a floor or a rounding, which sets the running total if `total` is given."""
        if total is not None:
            self.total = total
        self._record(rule, Kind.LIMIT, value, self.total, facts)

    def decision(self, rule: Rule, value: Number | None = None, *, total: Number | None = None, **facts: Fact) -> None:
        """Record that a rule chose a branch."""
        self._record(rule, Kind.DECISION, value, total, facts)

    def refuse(self, rule: Rule, **facts: Fact) -> None:
        """Record that a rule forbids the choice."""
        self.refusals.append(rule.id)
        self._record(rule, Kind.REFUSAL, None, None, facts)

    def effect(self, rule: Rule, value: Number | None = None, *, total: Number | None = None, **facts: Fact) -> None:
        """Record that something happens to a combatant or a weapon; `total` says what is left of it."""
        self._record(rule, Kind.EFFECT, value, total, facts)

    def result(self, rule: Rule, value: Number | None = None, **facts: Fact) -> None:
        """Record a conclusion."""
        self._record(rule, Kind.RESULT, value, None, facts)

    def carry(self, total: Number) -> None:
        """Take up a running total again without a step."""
        self.total = total

    @abstractmethod
    def _record(
        self, rule: Rule, kind: Kind, value: Number | None, total: Number | None, facts: dict[str, Any]
    ) -> None:
        """Write a step, where steps are kept."""

    @abstractmethod
    def sum(self, rule: Rule, count: int, sides: int, **facts: Fact) -> int:
        """Roll dice and read their sum, the value of the step; no dice make no step and a sum of 0."""

    @abstractmethod
    def faces(self, rule: Rule, count: int, sides: int, **facts: Fact) -> tuple[int, ...]:
        """Roll dice and read each face, in order; the value of the step is their sum."""

    @abstractmethod
    def pool(self, pool: Pool, rules: PoolRules, **facts: Fact) -> Tally:
        """Roll a pool with all its rerolls and read its tally; the value of each step is the hits among its faces."""

    @abstractmethod
    def apart(self, procedure: Part[R]) -> R:
        """Run a part that depends on nothing but its arguments.

        Odds walk it once for equal arguments, however many branches lead to it; so what a long chain of rolls may forget
        (how a net success came about) should not be among them.
        """

    @abstractmethod
    def opposed(self, seen: Callable[[A, B], Hashable], first: Part[A], second: Part[B]) -> tuple[A, B]:
        """Run two parts, one after the other, of which the rest may look only at what `seen` tells them apart by.

        Odds fold the two distributions into one of `seen`, each value with one pair to stand for it.
        """

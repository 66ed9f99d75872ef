"""The recording trail: dice are rolled and every step is kept."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.core.dice import Dice
from rules.core.reading import Pool, PoolRules, Tally, Throws, hits_among, rerolled_by_rote, tally
from rules.core.rule import Kind, Rule
from rules.core.trail import Fact, Number, Part, Trail

R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(slots=True)
class Step:
    """One step of the audit trail; `facts` are for its text, `faces` those of a roll of dice with `sides` sides."""

    rule: str
    kind: Kind
    value: Number | None
    total: Number | None
    facts: dict[str, Any]
    sides: int = 0
    faces: list[int] | None = None


class AuditTrail(Trail):
    """A trail that rolls the dice of one source and records each step."""

    __slots__ = ("dice", "steps")

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self.dice = dice
        self.steps: list[Step] = []

    def _record(
        self, rule: Rule, kind: Kind, value: Number | None, total: Number | None, facts: dict[str, Any]
    ) -> None:
        self.steps.append(Step(rule.id, kind, value, total, facts))

    def _roll(self, rule: Rule, count: int, sides: int, facts: dict[str, Any]) -> Step:
        faces = self.dice.faces(rule, count, sides)
        step = Step(rule.id, Kind.ROLL, sum(faces), None, facts, sides, faces)
        self.steps.append(step)
        return step

    def sum(self, rule: Rule, count: int, sides: int, **facts: Fact) -> int:
        """Roll dice and read their sum."""
        return sum(self._roll(rule, count, sides, facts).faces or ()) if count else 0

    def faces(self, rule: Rule, count: int, sides: int, **facts: Fact) -> tuple[int, ...]:
        """Roll dice and read each face."""
        return tuple(self._roll(rule, count, sides, facts).faces or ()) if count else ()

    def pool(self, pool: Pool, rules: PoolRules, **facts: Fact) -> Tally:
        """Roll a pool: the throw, its rote reroll, wave after wave."""
        if pool.count == 0:
            return Tally(0, botch=False)
        first = self._throw(pool, rules.throw, pool.count, facts)
        throws = Throws(first, self._rote(pool, rules, first, facts), [], limit_reached=False)
        if pool.again is not None:
            throws = self._waves(pool, rules, throws, facts)
        return tally(pool, throws)

    def _throw(self, pool: Pool, rule: Rule | None, count: int, facts: dict[str, Any]) -> list[int]:
        if rule is None:
            raise ValueError("dice are rolled again, but the pool names no rule for it")
        step = self._roll(rule, count, pool.sides, facts)
        faces = step.faces or []
        step.value = hits_among(pool, faces)
        return faces

    def _rote(self, pool: Pool, rules: PoolRules, first: list[int], facts: dict[str, Any]) -> list[int]:
        if not pool.rote:
            return []
        failed = sum(rerolled_by_rote(pool, face) for face in first)
        if failed:
            return self._throw(pool, rules.rote, failed, facts)
        if pool.rote_spares_ones and 1 in first and rules.rote_spared is not None:
            self.decision(rules.rote_spared, 1)
        return []

    def _waves(self, pool: Pool, rules: PoolRules, throws: Throws, facts: dict[str, Any]) -> Throws:
        again = pool.again or 0
        wave = throws.standing(pool)
        waves: list[list[int]] = []
        while (more := sum(face >= again for face in wave)) and len(waves) < pool.waves:
            wave = self._throw(pool, rules.again, more, facts)
            waves.append(wave)
        limit_reached = more > 0 and pool.waves > 0
        if limit_reached and rules.limit is not None:
            self._record(rules.limit, Kind.LIMIT, pool.waves, None, {})
        return Throws(throws.first, throws.rote, waves, limit_reached)

    def apart(self, procedure: Part[R]) -> R:
        """Run the part at its place."""
        return procedure.procedure(self, *procedure.arguments)

    def opposed(self, seen: Callable[[A, B], Hashable], first: Part[A], second: Part[B]) -> tuple[A, B]:
        """Run both parts, one after the other."""
        return first.procedure(self, *first.arguments), second.procedure(self, *second.arguments)

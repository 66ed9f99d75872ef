"""What does one pool come to against a difficulty?

Order of dice: the pool, then the tens of a specialty, wave by wave.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.options import Options
from rules.storyteller.pools import refuse_without_dice
from rules.storyteller.rolls import PlainRoll
from rules.storyteller.terms import Side
from rules.storyteller.throws import DICE, POOL_AND_THROW_RULES, Cast, RolledPool, throw

DEGREE = rule("storyteller.roll.degree", "published", Kind.RESULT)

RULES = (DEGREE,)


class Degree(StrEnum):
    """How well a roll succeeded."""

    NONE = "none"
    MARGINAL = "marginal"
    MODERATE = "moderate"
    COMPLETE = "complete"
    EXCEPTIONAL = "exceptional"
    PHENOMENAL = "phenomenal"


DEGREES = tuple(Degree)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRequest:
    """One pool against a difficulty."""

    roll: PlainRoll
    """The roll."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOutcome(RolledPool):
    """What the roll came to."""

    degree: Degree
    """How well it succeeded."""


def degree_of(successes: int) -> Degree:
    """1 is marginal, 2 moderate, 3 complete, 4 exceptional, 5 or more phenomenal."""
    return DEGREES[min(successes, len(DEGREES) - 1)]


def resolve(request: RollRequest, trail: Trail) -> RollOutcome | None:
    """POOL, DIFFICULTY, THROW, and the degree of success."""
    refuse_without_dice(request.roll, None, Side.ACTOR, trail)
    if trail.refused:
        return None
    rolled = throw(trail, Cast(DICE, request.roll, None), request.options)
    degree = degree_of(rolled.successes)
    trail.result(DEGREE, rolled.successes, degree=degree)
    return RollOutcome(
        result=rolled.result,
        pool=rolled.pool,
        difficulty=rolled.difficulty,
        hits=rolled.hits,
        ones=rolled.ones,
        rerolls=rolled.rerolls,
        successes=rolled.successes,
        degree=degree,
    )


ROLL = Action(
    slug="roll",
    request=RollRequest,
    outcome=RollOutcome,
    resolve=resolve,
    rules=(*POOL_AND_THROW_RULES, *RULES),
    odds_over=OddsOver(("result", "successes"), lambda outcome: (outcome.result, outcome.successes)),
    example={
        "roll": {
            "traits": {"attribute": 3, "ability": 2},
            "health": "hurt",
            "modifiers": [{"label": "good tools", "dice": 2}],
            "specialty": True,
        },
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

"""Does an action succeed, and with how many successes, resisted by a trait or not?

Order of dice: those of the pool (see `rolls`).
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.options import Options
from rules.chronicles.pools import (
    POOL_STEPS,
    WILLPOWER_BONUS_RESISTANCE,
    WILLPOWER_RESISTANCE,
    DicePool,
    begin_pool,
    finish_pool,
)
from rules.chronicles.rolls import ROLL_STEPS, RollResult, roll
from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

POOL_BASE = rule("chronicles.pool.base", "Пример", Kind.BASE)
RESISTANCE_SCORE = rule("chronicles.resistance.score", "published", Kind.BASE)
POOL_RESISTANCE = rule("chronicles.pool.resistance", "published", Kind.MODIFIER)

RULES = (POOL_BASE, RESISTANCE_SCORE, POOL_RESISTANCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resistance:
    """A trait that resists: it comes off the pool as dice."""

    value: Annotated[int, Ge(0), Le(15)]
    """The trait's dots."""
    willpower: bool = False
    """Whether the one who resists spends a point of Willpower: 2 more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRequest:
    """One pool, resisted or not."""

    pool: DicePool
    """The dice of the one who acts."""
    resistance: Resistance | None = None
    """The trait that comes off the pool; left out when nothing resists."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOutcome(RollResult):
    """One roll, and whether the resisting side spent Willpower."""

    resistance_willpower_spent: bool
    """Whether a point of Willpower was spent on the trait that resists."""


def resolve(request: RollRequest, trail: Trail) -> RollOutcome:
    """Sum what resists, then the pool, from which it comes off last; roll."""
    pool, resistance = request.pool, request.resistance
    resisted = resisting_dice(resistance, trail) if resistance else None
    begin_pool(POOL_BASE, pool, trail)
    finish_pool(pool, trail)
    if resisted is not None:
        trail.modifier(POOL_RESISTANCE, -resisted)
    rolled = roll(int(trail.total), pool, request.options, trail, willpower_spent=pool.willpower)
    return RollOutcome(
        result=rolled.result,
        successes=rolled.successes,
        pool=rolled.pool,
        dice_rolled=rolled.dice_rolled,
        chance_die=rolled.chance_die,
        faces=rolled.faces,
        again_limit_reached=rolled.again_limit_reached,
        willpower_spent=rolled.willpower_spent,
        resistance_willpower_spent=resistance is not None and resistance.willpower,
    )


def resisting_dice(resistance: Resistance, trail: Trail) -> int:
    """The resisting trait, and two more for a point of Willpower."""
    trail.base(RESISTANCE_SCORE, resistance.value)
    if resistance.willpower:
        trail.modifier(WILLPOWER_RESISTANCE, WILLPOWER_BONUS_RESISTANCE)
    return int(trail.total)


ROLL = Action(
    slug="roll",
    request=RollRequest,
    outcome=RollOutcome,
    resolve=resolve,
    rules=(RESISTANCE_SCORE, WILLPOWER_RESISTANCE, POOL_BASE, *POOL_STEPS, POOL_RESISTANCE, *ROLL_STEPS),
    odds_over=OddsOver(("result", "successes"), lambda outcome: (outcome.result, outcome.successes)),
    example={
        "pool": {
            "attribute": 3,
            "skill": 2,
            "again": "nine_again",
            "modifiers": [{"label": "good light", "value": 1}],
            "willpower": True,
        },
        "resistance": {"value": 2},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

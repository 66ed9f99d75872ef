"""One roll of a pool: every 8, 9 or 10 is a success; n-again, rote, chance die.

Order of dice: the pool; on a rote action its failed dice once more, in their order; then wave after wave of rolling again.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.chronicles.options import ChanceDieTen, Options
from rules.chronicles.pools import Again, RollQualities
from rules.core.reading import Botch, Pool, PoolRules, Tally
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

POOL = rule("chronicles.roll.pool", "published", Kind.ROLL)
SUCCESS = rule("chronicles.roll.success", "published")
AGAIN = rule("chronicles.roll.again", "Уклонение", Kind.ROLL)
AGAIN_LIMIT = rule("chronicles.roll.again_limit", "beyond the source", Kind.LIMIT)
ROTE = rule("chronicles.roll.rote", "Уклонение", Kind.ROLL)
CHANCE_DIE = rule("chronicles.roll.chance_die", "Уклонение", Kind.DECISION)
CHANCE_ROTE = rule("chronicles.roll.chance_rote", "published", Kind.DECISION)
DRAMATIC_FAILURE = rule("chronicles.roll.dramatic_failure", "Уклонение")
EXCEPTIONAL = rule("chronicles.roll.exceptional", "published")
RESULT = rule("chronicles.roll.result", "published", Kind.RESULT)

RULES = (
    POOL,
    SUCCESS,
    AGAIN,
    AGAIN_LIMIT,
    ROTE,
    CHANCE_DIE,
    CHANCE_ROTE,
    DRAMATIC_FAILURE,
    EXCEPTIONAL,
    RESULT,
)
ROLL_STEPS = (POOL, AGAIN, AGAIN_LIMIT, ROTE, CHANCE_DIE, CHANCE_ROTE, RESULT)

SUCCESS_NUMBER = 8
CHANCE_DIE_SUCCESS_NUMBER = 10
EXCEPTIONAL_SUCCESSES = 5
MOST_AGAIN_WAVES = 20
LOWEST_FACE_AGAIN: dict[Again, int | None] = {
    Again.TEN_AGAIN: 10,
    Again.NINE_AGAIN: 9,
    Again.EIGHT_AGAIN: 8,
    Again.NO_AGAIN: None,
}
STEPS_OF_DICE = PoolRules(throw=POOL, again=AGAIN, limit=AGAIN_LIMIT, rote=ROTE, rote_spared=CHANCE_ROTE)


class DegreeOfSuccess(StrEnum):
    """What a roll came to."""

    DRAMATIC_FAILURE = "dramatic_failure"
    FAILURE = "failure"
    SUCCESS = "success"
    EXCEPTIONAL_SUCCESS = "exceptional_success"


@dataclass(frozen=True, slots=True, kw_only=True)
class RollResult:
    """One roll."""

    result: DegreeOfSuccess
    """Five successes or more are an exceptional success; only a chance die can fail dramatically."""
    successes: int
    """All successes, those of dice rolled again included."""
    pool: int
    """The size of the pool after everything, also 0 or less."""
    dice_rolled: int
    """Dice of the first roll: `pool`, or 1 for a chance die."""
    chance_die: bool
    """Whether the pool had come to less than one die."""
    faces: tuple[int, ...]
    """All faces of this roll in the order in which they fell."""
    again_limit_reached: bool
    """Whether the 20th wave still had faces that would have been rolled again."""
    willpower_spent: bool
    """Whether a point of Willpower was spent on this roll."""


def roll(
    size: int,
    qualities: RollQualities,
    options: Options,
    trail: Trail,
    *,
    willpower_spent: bool,
    dodge: bool = False,
) -> RollResult:
    """Roll a pool of this size, or a chance die for one below one die; the steps say whether it is a Dodge's."""
    chance_die = size < 1
    if chance_die:
        trail.decision(CHANCE_DIE, size)
    pool = chance_die_with(qualities, options) if chance_die else pool_of(size, qualities)
    tally = trail.pool(pool, STEPS_OF_DICE, success=pool.success, dodge=dodge)
    result = degree_of_success(tally)
    trail.result(RESULT, tally.successes, result=result)
    return RollResult(
        result=result,
        successes=tally.successes,
        pool=size,
        dice_rolled=pool.count,
        chance_die=chance_die,
        faces=tally.detail.faces,
        again_limit_reached=tally.detail.limit_reached,
        willpower_spent=willpower_spent,
    )


def pool_of(size: int, qualities: RollQualities) -> Pool:
    """One d10 for each die: 8 and up succeed, whatever is rolled again."""
    return Pool(
        count=size,
        success=SUCCESS_NUMBER,
        again=LOWEST_FACE_AGAIN[qualities.again],
        waves=MOST_AGAIN_WAVES,
        rote=qualities.rote,
    )


def chance_die_with(qualities: RollQualities, options: Options) -> Pool:
    """One die on which only a 10 succeeds, a 1 is a dramatic failure, and a rote action does not save that 1."""
    again = options.chance_die_ten is ChanceDieTen.AGAIN and qualities.again is not Again.NO_AGAIN
    return Pool(
        count=1,
        success=CHANCE_DIE_SUCCESS_NUMBER,
        botch=Botch.NO_HITS,
        again=CHANCE_DIE_SUCCESS_NUMBER if again else None,
        waves=MOST_AGAIN_WAVES,
        rote=qualities.rote,
        rote_spares_ones=True,
    )


def degree_of_success(tally: Tally) -> DegreeOfSuccess:
    """Five or more successes are exceptional; a 1 on a chance die is a dramatic failure."""
    if tally.botch:
        return DegreeOfSuccess.DRAMATIC_FAILURE
    if tally.successes >= EXCEPTIONAL_SUCCESSES:
        return DegreeOfSuccess.EXCEPTIONAL_SUCCESS
    return DegreeOfSuccess.SUCCESS if tally.successes else DegreeOfSuccess.FAILURE

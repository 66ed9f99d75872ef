"""Dice that are thrown as an action: successes, the ones that take them away, botches, specialties, Willpower.

THROW is every roll but damage, soak and initiative. Order of dice: the pool, then the tens of a specialty, wave by wave.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from rules.core.reading import Botch, Ones, Pool, PoolRules, Tally
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller import pools
from rules.storyteller.options import BotchRule, Options, SpecialtyRule
from rules.storyteller.pools import EMPTY, Change, dice_of, difficulty, is_incapacitated, pool
from rules.storyteller.rolls import AnyRoll
from rules.storyteller.tables import MOST_WAVES, Reads
from rules.storyteller.terms import Side

DICE = rule("storyteller.roll.dice", "published", Kind.ROLL)
SUCCESSES = rule("storyteller.roll.successes", "published", Kind.BASE)
ONES = rule("storyteller.roll.ones", "published", Kind.MODIFIER)
RESULT = rule("storyteller.roll.result", "published", Kind.DECISION)
BOTCH = rule("storyteller.roll.botch", "published", Kind.DECISION)
SPECIALTY = rule("storyteller.roll.specialty", "published", Kind.ROLL)
SPECIALTY_LIMIT = rule("storyteller.roll.specialty_limit", "beyond the source", Kind.LIMIT)
WILLPOWER = rule("storyteller.roll.willpower", "published", Kind.MODIFIER)

RULES = (DICE, SUCCESSES, ONES, RESULT, BOTCH, SPECIALTY, SPECIALTY_LIMIT, WILLPOWER)
POOL_AND_THROW_RULES = (*pools.RULES, *RULES)
"""All that a roll from its pool to its result may write."""

WILLPOWER_SUCCESS = Change(WILLPOWER, 1)


class RollResult(StrEnum):
    """What a roll came to; `no_dice` is a side that had none to resist with."""

    SUCCESS = "success"
    FAILURE = "failure"
    BOTCH = "botch"
    NO_DICE = "no_dice"


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledPool:
    """A pool as it was rolled; what led to the successes stands in the record alone."""

    pool: int
    """The dice rolled, without rerolls."""
    difficulty: int
    """What each die had to show."""
    hits: int = field(compare=False)
    """Dice that succeeded, rerolled ones too; with the option `double` a 10 is two."""
    ones: int = field(compare=False)
    """Ones that counted."""
    rerolls: int = field(compare=False)
    """Dice rolled again for a specialty."""
    successes: int
    """Successes after ones were taken away and automatic ones added."""
    result: RollResult
    """What the roll came to."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll as an action makes it: whose, by which rule, of which traits, with what the action names."""

    rule: Rule
    roll: AnyRoll
    reads: Reads | None
    dice: tuple[Change, ...] = ()
    difficulty: tuple[Change, ...] = ()
    automatic: tuple[Change, ...] = ()


def throw(trail: Trail, cast: Cast, options: Options) -> RolledPool:
    """A part: POOL, DIFFICULTY and THROW of one who acts."""
    dice = pool(cast.roll, cast.reads, cast.dice, trail)
    goal = difficulty(cast.roll, cast.difficulty, trail)
    willpower = (WILLPOWER_SUCCESS,) if cast.roll.spend_willpower else ()
    automatic = (*willpower, *cast.automatic)
    return thrown(cast.rule, dice, goal, options, trail, specialty=cast.roll.specialty, automatic=automatic)


def throw_in_answer(trail: Trail, cast: Cast, options: Options) -> RolledPool:
    """A part: the same of one who only resists: without dice, 0 successes, and Willpower adds nothing."""
    if is_incapacitated(cast.roll) or dice_of(cast.roll, cast.reads, cast.dice) <= 0:
        pool(cast.roll, cast.reads, cast.dice, trail)
        goal = difficulty(cast.roll, cast.difficulty, trail)
        trail.decision(EMPTY, 0, side=Side.OPPONENT)
        return RolledPool(pool=0, difficulty=goal, hits=0, ones=0, rerolls=0, successes=0, result=RollResult.NO_DICE)
    return throw(trail, cast, options)


def thrown(
    rule: Rule,
    dice: int,
    goal: int,
    options: Options,
    trail: Trail,
    *,
    specialty: bool = False,
    automatic: tuple[Change, ...] = (),
) -> RolledPool:
    """THROW: so many dice at that difficulty, and what they come to."""
    tally = trail.pool(
        _reading(dice, goal, options, specialty=specialty),
        PoolRules(throw=rule, again=SPECIALTY, limit=SPECIALTY_LIMIT),
        difficulty=goal,
    )
    _count(tally, goal, trail)
    for change in automatic:
        change.write(trail)
    successes = int(trail.total)
    return RolledPool(
        pool=dice,
        difficulty=goal,
        hits=tally.detail.hits,
        ones=tally.detail.ones,
        rerolls=tally.detail.rerolls,
        successes=successes,
        result=_result(successes, tally, trail),
    )


def _reading(dice: int, goal: int, options: Options, *, specialty: bool) -> Pool:
    """How the faces are read: what ones and tens do, and when there is a botch, by the options."""
    reading = options.specialty
    rolls_again = specialty and reading is not SpecialtyRule.DOUBLE
    spares = rolls_again and reading is SpecialtyRule.REROLL_IGNORING_ONES
    return Pool(
        count=dice,
        success=goal,
        ones=Ones.CANCEL_ON_FIRST_THROW if spares else Ones.CANCEL,
        botch=Botch.NO_HITS if options.botch is BotchRule.REVISED else Botch.MORE_ONES_THAN_HITS,
        again=10 if rolls_again else None,
        waves=MOST_WAVES if rolls_again else 0,
        top_counts_twice=specialty and reading is SpecialtyRule.DOUBLE,
    )


def _count(tally: Tally, goal: int, trail: Trail) -> None:
    """A die at or over the difficulty is a success; each 1 takes one away, never below 0."""
    hits, ones = tally.detail.hits, tally.detail.ones
    trail.base(SUCCESSES, hits, difficulty=goal)
    if ones and hits:
        trail.modifier(ONES, -min(ones, hits), ones=ones)
    trail.carry(tally.successes)


def _result(successes: int, tally: Tally, trail: Trail) -> RollResult:
    """At least one success left is a success; a botch is a roll of none, as the option says; the rest fails."""
    if successes == 0 and tally.botch:
        trail.decision(BOTCH, 0)
        return RollResult.BOTCH
    result = RollResult.SUCCESS if successes > 0 else RollResult.FAILURE
    trail.decision(RESULT, successes, result=result)
    return result

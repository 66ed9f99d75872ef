"""Who wins when two characters act against each other, each with their own pool?

Order of dice: all of the actor's (see `rolls`), then all of the opponent's. A Dodge is no contest.
"""

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from rules.chronicles.options import ContestedTie, Options
from rules.chronicles.pools import POOL_STEPS, DicePool, begin_pool, finish_pool
from rules.chronicles.rolls import EXCEPTIONAL_SUCCESSES, ROLL_STEPS, RollResult, roll
from rules.core.action import Action
from rules.core.margin import Margin
from rules.core.odds import OddsOver
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail, part

ACTOR_POOL = rule("chronicles.contest.actor_pool", "published", Kind.BASE)
OPPONENT_POOL = rule("chronicles.contest.opponent_pool", "published", Kind.BASE)
COMPARE = rule("chronicles.contest.compare", "published")
TIE = rule("chronicles.contest.tie", "beyond the source", Kind.DECISION)
EXCEPTIONAL = rule("chronicles.contest.exceptional", "published")
RESULT = rule("chronicles.contest.result", "published", Kind.RESULT)

RULES = (ACTOR_POOL, OPPONENT_POOL, COMPARE, TIE, EXCEPTIONAL, RESULT)


class ContestResult(StrEnum):
    """Who won a contest; after a tie the two roll again."""

    ACTOR_WINS = "actor_wins"
    OPPONENT_WINS = "opponent_wins"
    TIE = "tie"


WINNER_OF_TIE = {
    ContestedTie.ROLL_AGAIN: ContestResult.TIE,
    ContestedTie.OPPONENT_WINS: ContestResult.OPPONENT_WINS,
    ContestedTie.ACTOR_WINS: ContestResult.ACTOR_WINS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedRollRequest:
    """Two pools against each other."""

    actor: DicePool
    """The dice of the one who acts."""
    opponent: DicePool
    """The dice of the other side."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedRollOutcome:
    """Who won, and by how much."""

    result: ContestResult
    """More successes win; equal ones are a `tie`, or go to the side that the option `contested_tie` names."""
    margin: int
    """The difference of the successes, 0 or more."""
    exceptional: bool
    """Whether the winner has five successes or more, the loser's not taken off."""
    actor: RollResult
    """The actor's roll."""
    opponent: RollResult
    """The opponent's roll."""


LEAD_OF_ACTOR = Margin(attrgetter("successes"), attrgetter("successes"))
"""By how many successes the actor is ahead."""


def resolve(request: ContestedRollRequest, trail: Trail) -> ContestedRollOutcome:
    """Both sides roll, first the actor; more successes win."""
    actor, opponent = trail.opposed(
        LEAD_OF_ACTOR,
        part(roll_side, ACTOR_POOL, request.actor, request.options),
        part(roll_side, OPPONENT_POOL, request.opponent, request.options),
    )
    lead = LEAD_OF_ACTOR(actor, opponent)
    result = winner_by(lead, request.options)
    if lead == 0:
        trail.decision(TIE, result=result)
    exceptional = is_exceptional(result, actor, opponent)
    trail.result(
        RESULT,
        abs(lead),
        result=result,
        actor=actor.successes,
        opponent=opponent.successes,
        exceptional=exceptional,
    )
    return ContestedRollOutcome(
        result=result,
        margin=abs(lead),
        exceptional=exceptional,
        actor=actor,
        opponent=opponent,
    )


def roll_side(trail: Trail, base: Rule, pool: DicePool, options: Options) -> RollResult:
    """One side's pool, rolled."""
    begin_pool(base, pool, trail)
    finish_pool(pool, trail)
    return roll(int(trail.total), pool, options, trail, willpower_spent=pool.willpower)


def winner_by(lead: int, options: Options) -> ContestResult:
    """More successes win; equal ones are nobody's, or as the table has it."""
    if lead == 0:
        return WINNER_OF_TIE[options.contested_tie]
    return ContestResult.ACTOR_WINS if lead > 0 else ContestResult.OPPONENT_WINS


def is_exceptional(result: ContestResult, actor: RollResult, opponent: RollResult) -> bool:
    """The winner is exceptional with five successes of their own."""
    if result is ContestResult.TIE:
        return False
    winner = actor if result is ContestResult.ACTOR_WINS else opponent
    return winner.successes >= EXCEPTIONAL_SUCCESSES


CONTESTED_ROLL = Action(
    slug="contested-roll",
    request=ContestedRollRequest,
    outcome=ContestedRollOutcome,
    resolve=resolve,
    rules=(ACTOR_POOL, OPPONENT_POOL, *POOL_STEPS, *ROLL_STEPS, TIE, RESULT),
    odds_over=OddsOver(("result", "margin"), lambda outcome: (outcome.result, outcome.margin)),
    example={"actor": {"attribute": 3, "skill": 2}, "opponent": {"total": 4, "willpower": True}, "seed": "table-7"},
    max_dice=1000,
    max_sides=10,
)

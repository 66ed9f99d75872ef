"""Who wins when two pools are rolled against each other?

Order of dice: the actor's pool with its rerolls, then the opponent's with its own.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.contests import LEAD, contest
from rules.storyteller.options import Options
from rules.storyteller.pools import refuse_without_dice
from rules.storyteller.rolls import PlainRoll
from rules.storyteller.terms import Side
from rules.storyteller.throws import POOL_AND_THROW_RULES, Cast, RolledPool

ACTOR = rule("storyteller.resisted.actor", "Защитные маневры; published", Kind.ROLL)
OPPONENT = rule("storyteller.resisted.opponent", "Защитные маневры; published", Kind.ROLL)
RESULT = rule("storyteller.resisted.result", "Защитные маневры; published", Kind.RESULT)

RULES = (ACTOR, OPPONENT, RESULT)


class ResistedResult(StrEnum):
    """Who won a resisted action."""

    ACTOR = "actor"
    OPPONENT = "opponent"
    TIE = "tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResistedRollRequest:
    """Two pools against each other."""

    actor: PlainRoll
    """The roll of the one who acts."""
    opponent: PlainRoll
    """The roll of the one who resists; without dice it scores 0."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResistedRollOutcome:
    """Who won, and by how much."""

    result: ResistedResult
    """Who won."""
    margin: int
    """The difference of the successes, never negative."""
    actor: RolledPool
    """The acting side's roll."""
    opponent: RolledPool
    """The opposing side's roll."""


def winner(lead: int) -> ResistedResult:
    """More successes win; equal is a tie."""
    if lead == 0:
        return ResistedResult.TIE
    return ResistedResult.ACTOR if lead > 0 else ResistedResult.OPPONENT


def resolve(request: ResistedRollRequest, trail: Trail) -> ResistedRollOutcome | None:
    """The actor's roll, the opponent's, and who has more successes."""
    refuse_without_dice(request.actor, None, Side.ACTOR, trail)
    if trail.refused:
        return None
    acting, answering = Cast(ACTOR, request.actor, None), Cast(OPPONENT, request.opponent, None)
    actor, opponent = contest(acting, answering, request.options, trail)
    lead = LEAD(actor, opponent)
    result = winner(lead)
    trail.result(RESULT, abs(lead), result=result, actor=actor.successes, opponent=opponent.successes)
    return ResistedRollOutcome(result=result, margin=abs(lead), actor=actor, opponent=opponent)


RESISTED_ROLL = Action(
    slug="resisted-roll",
    request=ResistedRollRequest,
    outcome=ResistedRollOutcome,
    resolve=resolve,
    rules=(*POOL_AND_THROW_RULES, *RULES),
    odds_over=OddsOver(("result", "margin"), lambda outcome: (outcome.result, outcome.margin)),
    example={
        "actor": {"traits": {"attribute": 3, "ability": 2}},
        "opponent": {"pool": 4, "difficulty": 7},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

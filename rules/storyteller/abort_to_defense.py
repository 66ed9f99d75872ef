"""May a character drop what was declared and defend instead?

Order of dice: the Willpower roll, if it is the way that was chosen.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.action import Action
from rules.core.faults import needed_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller import throws
from rules.storyteller.options import Options
from rules.storyteller.pools import DIFFICULTY, EMPTY
from rules.storyteller.tables import DEFAULT_DIFFICULTY
from rules.storyteller.terms import Side
from rules.storyteller.throws import RolledPool, RollResult, thrown

WILLPOWER = rule("storyteller.abort.willpower", "Уйти в защиту; Защитные маневры", Kind.BASE)
ROLL = rule("storyteller.abort.roll", "Уйти в защиту", Kind.ROLL)
SPEND = rule("storyteller.abort.spend", "Уйти в защиту; Защитные маневры", Kind.EFFECT)
NO_WILLPOWER = rule("storyteller.abort.no_willpower", "Уйти в защиту", Kind.REFUSAL)
ALREADY_ACTED = rule("storyteller.abort.already_acted", "Уйти в защиту; Защитные маневры", Kind.REFUSAL)
TOO_LATE = rule("storyteller.abort.too_late", "Защитные маневры", Kind.REFUSAL)
NOT_NEEDED = rule("storyteller.abort.not_needed", "Сложности защиты", Kind.RESULT)
ABORTED = rule("storyteller.abort.aborted", "Уйти в защиту", Kind.RESULT)
MUST_ACT = rule("storyteller.abort.must_act", "Защитные маневры", Kind.RESULT, Kind.REFUSAL)
REFLEXIVE = rule("storyteller.abort.reflexive", "Уйти в защиту")

RULES = (WILLPOWER, ROLL, SPEND, NO_WILLPOWER, ALREADY_ACTED, TOO_LATE, NOT_NEEDED, ABORTED, MUST_ACT, REFLEXIVE)


class AbortMethod(StrEnum):
    """How one aborts: with a Willpower roll, or with a Willpower point."""

    ROLL = "roll"
    SPEND = "spend"


class Declared(StrEnum):
    """What was declared for the round; `action` is also a multiple action without a defense in it."""

    ACTION = "action"
    MULTIPLE_WITH_DEFENSE = "multiple_with_defense"
    FULL_DEFENSE = "full_defense"
    NONE = "none"


class AbortResult(StrEnum):
    """What came of aborting."""

    ABORTED = "aborted"
    MUST_ACT = "must_act"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortRequest:
    """A character wants to defend instead of what was declared."""

    method: AbortMethod
    """How."""
    willpower_rating: Annotated[int, Ge(0), Le(10)] | None = None
    """The Willpower rating; needed for `roll`."""
    willpower_points: Annotated[int, Ge(0), Le(10)] | None = None
    """The Willpower points left; needed for `spend`."""
    declared: Declared = Declared.ACTION
    """What was declared for the round; `action` also of a multiple action without a defense."""
    has_acted: bool = False
    """Whether the character has acted this round."""
    attack_rolled: bool = False
    """Whether the attacker has rolled already."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        needed_with("method: roll", self.method is AbortMethod.ROLL, willpower_rating=self.willpower_rating)
        needed_with("method: spend", self.method is AbortMethod.SPEND, willpower_points=self.willpower_points)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortOutcome:
    """Whether the character may defend."""

    result: AbortResult
    """`must_act`: the declared action has to be carried out."""
    roll: RolledPool | None
    """The Willpower roll; null where none was made."""
    willpower_left: int | None
    """Willpower points after it; null if they were not sent."""


def refuse(request: AbortRequest, trail: Trail) -> None:
    """Too late once the attacker has rolled or one has acted; and something has to be there to abort with."""
    if request.attack_rolled:
        trail.refuse(TOO_LATE)
    if request.has_acted and request.declared in (Declared.ACTION, Declared.NONE):
        trail.refuse(ALREADY_ACTED)
    if request.declared is not Declared.ACTION:
        return
    if request.method is AbortMethod.SPEND and request.willpower_points == 0:
        trail.refuse(NO_WILLPOWER)
    if request.method is AbortMethod.ROLL and request.willpower_rating == 0:
        trail.refuse(EMPTY, side=Side.DEFENDER)


def resolve(request: AbortRequest, trail: Trail) -> AbortOutcome | None:
    """Nothing has to be aborted that was not declared; else a Willpower point, or a success of a Willpower roll."""
    refuse(request, trail)
    if trail.refused:
        return None
    points = request.willpower_points
    if request.declared is not Declared.ACTION:
        trail.result(NOT_NEEDED, declared=request.declared)
        return AbortOutcome(result=AbortResult.NOT_NEEDED, roll=None, willpower_left=points)
    if request.method is AbortMethod.SPEND and points is not None:
        trail.effect(SPEND, -1, total=points - 1)
        trail.result(ABORTED)
        return AbortOutcome(result=AbortResult.ABORTED, roll=None, willpower_left=points - 1)
    roll = rolled(request.willpower_rating or 0, request.options, trail)
    aborted = roll.result is RollResult.SUCCESS
    trail.result(ABORTED if aborted else MUST_ACT, roll.successes)
    result = AbortResult.ABORTED if aborted else AbortResult.MUST_ACT
    return AbortOutcome(result=result, roll=roll, willpower_left=points)


def rolled(rating: int, options: Options, trail: Trail) -> RolledPool:
    """A Willpower roll at difficulty 6; it is no action, so that no wound takes dice from it."""
    trail.base(WILLPOWER, rating)
    trail.base(DIFFICULTY, DEFAULT_DIFFICULTY)
    return thrown(ROLL, rating, DEFAULT_DIFFICULTY, options, trail)


ABORT_TO_DEFENSE = Action(
    slug="abort-to-defense",
    request=AbortRequest,
    outcome=AbortOutcome,
    resolve=resolve,
    rules=(EMPTY, DIFFICULTY, *throws.RULES, *RULES),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={"method": "roll", "willpower_rating": 6, "seed": "table-7"},
    max_dice=1000,
    max_sides=10,
)

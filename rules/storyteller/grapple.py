"""What comes of a later round of a clinch or a hold?

Order of dice: the actor's pool with its rerolls and the opponent's with its own, if rolls are needed; then soak and damage
in the order of the option `soak`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.action import Action
from rules.core.faults import Malformed, not_together
from rules.core.odds import OddsOver
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller.body import Body
from rules.storyteller.contests import LEAD, contest
from rules.storyteller.harm import HARM_RULES, Blow, DamageModifier, Harm, harm, storyteller_dice
from rules.storyteller.options import ClinchDamage, Options, SqueezeRule
from rules.storyteller.pools import refuse_without_dice
from rules.storyteller.rolls import Roll, need_attribute
from rules.storyteller.tables import STRENGTH_BRAWL
from rules.storyteller.terms import Condition, DamageType, Side
from rules.storyteller.throws import POOL_AND_THROW_RULES, Cast, RolledPool

INFLICT = rule("storyteller.clinch.inflict", "Борьба", Kind.DECISION)
CLINCH_ESCAPE = rule("storyteller.clinch.escape", "Борьба", Kind.DECISION)
HOLD_ESCAPE = rule("storyteller.hold.escape", "Захват", Kind.DECISION)
SQUEEZE = rule("storyteller.hold.squeeze", "Захват", Kind.DECISION)
CHOICE = rule("storyteller.grapple.choice", "Борьба; Захват", Kind.REFUSAL)
ACTOR = rule("storyteller.grapple.actor", "Борьба; Захват", Kind.ROLL)
OPPONENT = rule("storyteller.grapple.opponent", "Борьба; Захват", Kind.ROLL)
RESULT = rule("storyteller.grapple.result", "beyond the source", Kind.RESULT)

RULES = (INFLICT, CLINCH_ESCAPE, HOLD_ESCAPE, SQUEEZE, CHOICE, ACTOR, OPPONENT, RESULT)


class GrappleKind(StrEnum):
    """How two are bound to each other: both in a clinch, or one held by the other."""

    CLINCH = "clinch"
    HOLD = "hold"


class GrappleChoice(StrEnum):
    """What one does about it: harm the other in a clinch, squeeze whom one holds, get free."""

    INFLICT = "inflict"
    SQUEEZE = "squeeze"
    ESCAPE = "escape"


class GrappleResult(StrEnum):
    """What came of it; `no_grip` is a squeeze that was not won."""

    DAMAGED = "damaged"
    UNHARMED = "unharmed"
    ESCAPED = "escaped"
    STILL_GRAPPLED = "still_grappled"
    NO_GRIP = "no_grip"


CHOICE_RULES: dict[tuple[GrappleKind, GrappleChoice], Rule] = {
    (GrappleKind.CLINCH, GrappleChoice.INFLICT): INFLICT,
    (GrappleKind.CLINCH, GrappleChoice.ESCAPE): CLINCH_ESCAPE,
    (GrappleKind.HOLD, GrappleChoice.ESCAPE): HOLD_ESCAPE,
    (GrappleKind.HOLD, GrappleChoice.SQUEEZE): SQUEEZE,
}
BOUND = {GrappleKind.CLINCH: Condition.CLINCHED, GrappleKind.HOLD: Condition.HELD}


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleActor:
    """Who acts: either in a clinch, the victim of a hold that wants free, the holder that squeezes."""

    roll: Roll | None = None
    """Strength + Brawl; needed for `escape`, and for `squeeze` with the option `contested`."""
    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength, the damage of `inflict` and `squeeze`, which need exactly one of `strength` and `damage_pool`."""
    damage_pool: Annotated[int, Ge(0), Le(40)] | None = None
    """A finished damage pool in place of Strength."""
    damage_modifiers: Annotated[tuple[DamageModifier, ...], Len(0, 8)] = ()
    """The Storyteller's modifiers, applied in their order."""

    def __post_init__(self) -> None:
        not_together(strength=self.strength, damage_pool=self.damage_pool)

    @property
    def damage(self) -> int:
        """Base damage dice."""
        return self.damage_pool if self.damage_pool is not None else self.strength or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleOpponent:
    """The other one."""

    roll: Roll | None = None
    """Strength + Brawl; needed whenever the actor's is. Without dice it scores 0."""
    body: Body | None = None
    """What takes the damage of `inflict` and `squeeze`, which need it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleRequest:
    """A later round of a clinch or a hold; what the choice does not need may be sent and is ignored."""

    grapple: GrappleKind
    """How the two are bound."""
    choice: GrappleChoice
    """What the actor does: `inflict` belongs to a clinch, `squeeze` to a hold."""
    actor: GrappleActor
    """Who acts."""
    opponent: GrappleOpponent
    """The other one."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        if self.is_contested:
            _need("actor", "roll", self.actor.roll, self.choice)
            _need("opponent", "roll", self.opponent.roll, self.choice)
            need_attribute(self.actor.roll, STRENGTH_BRAWL, "actor/roll")
            need_attribute(self.opponent.roll, STRENGTH_BRAWL, "opponent/roll")
        if self.choice is not GrappleChoice.ESCAPE:
            if self.actor.strength is None and self.actor.damage_pool is None:
                raise Malformed("exactly_one", "actor", fields="strength, damage_pool")
            _need("opponent", "body", self.opponent.body, self.choice)

    @property
    def is_contested(self) -> bool:
        """Whether both roll first: to get free always, to squeeze by option."""
        if self.choice is GrappleChoice.SQUEEZE:
            return self.options.squeeze is SqueezeRule.CONTESTED
        return self.choice is GrappleChoice.ESCAPE


def _need(who: str, field: str, value: object, choice: GrappleChoice) -> None:
    if value is None:
        raise Malformed("needed_with", f"{who}/{field}", field=field, condition=f"choice: {choice}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleOutcome:
    """What came of the round."""

    result: GrappleResult
    """What came of the choice."""
    actor: RolledPool | None
    """The actor's roll; null where none was needed."""
    opponent: RolledPool | None
    """The opponent's roll; null where none was needed."""
    damage: Harm | None
    """The damage; null where none was done."""
    health_levels: int
    """Health levels that the opponent lost."""
    state_after: Condition
    """What the two are in afterwards."""


def resolve(request: GrappleRequest, trail: Trail) -> GrappleOutcome | None:
    """The choice; Strength + Brawl of both where it has to be won; then freedom or damage."""
    refuse(request, trail)
    if trail.refused:
        return None
    trail.decision(CHOICE_RULES[request.grapple, request.choice])
    rolls = _rolled(request, trail)
    won = rolls is None or LEAD(*rolls) > 0
    if request.choice is GrappleChoice.ESCAPE:
        result, damage = GrappleResult.ESCAPED if won else GrappleResult.STILL_GRAPPLED, None
    elif not won:
        result, damage = GrappleResult.NO_GRIP, None
    else:
        damage = _harmed(request, trail)
        result = GrappleResult.DAMAGED if damage.levels else GrappleResult.UNHARMED
    levels = damage.levels if damage else 0
    trail.result(RESULT, levels, result=result)
    actor, opponent = rolls or (None, None)
    return GrappleOutcome(
        result=result,
        actor=actor,
        opponent=opponent,
        damage=damage,
        health_levels=levels,
        state_after=Condition.FREE if result is GrappleResult.ESCAPED else BOUND[request.grapple],
    )


def refuse(request: GrappleRequest, trail: Trail) -> None:
    """Each choice belongs to its kind; and whoever has to roll needs dice."""
    if (request.grapple, request.choice) not in CHOICE_RULES:
        trail.refuse(CHOICE, grapple=request.grapple, choice=request.choice)
    if request.is_contested and request.actor.roll is not None:
        refuse_without_dice(request.actor.roll, STRENGTH_BRAWL, Side.ACTOR, trail)


def _rolled(request: GrappleRequest, trail: Trail) -> tuple[RolledPool, RolledPool] | None:
    actor, opponent = request.actor.roll, request.opponent.roll
    if not request.is_contested or actor is None or opponent is None:
        return None
    acting, answering = Cast(ACTOR, actor, STRENGTH_BRAWL), Cast(OPPONENT, opponent, STRENGTH_BRAWL)
    return contest(acting, answering, request.options, trail)


def _harmed(request: GrappleRequest, trail: Trail) -> Harm:
    """Strength damage without an attack roll; in a clinch by option as many levels as the pool has dice."""
    body = request.opponent.body
    if body is None:
        raise ValueError("damage needs a body")
    inflicts = request.choice is GrappleChoice.INFLICT
    blow = Blow(
        request.actor.damage,
        DamageType.BASHING,
        storyteller_dice(request.actor.damage_modifiers),
        automatic=inflicts and request.options.clinch_damage is ClinchDamage.AUTOMATIC,
    )
    return harm(blow, body, request.options, trail)[0]


GRAPPLE = Action(
    slug="grapple",
    request=GrappleRequest,
    outcome=GrappleOutcome,
    resolve=resolve,
    rules=(*POOL_AND_THROW_RULES, *HARM_RULES, *RULES),
    odds_over=OddsOver(("result", "health_levels"), lambda outcome: (outcome.result, outcome.health_levels)),
    example={
        "grapple": "clinch",
        "choice": "inflict",
        "actor": {"strength": 4},
        "opponent": {"body": {"nature": "mortal", "stamina": 2, "wounds": {"bashing": 1}}},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

"""What does a hit, a fall or a fire do to a body?

Order of dice: soak and then damage, or with the option `soak: removes_levels` damage and then soak.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.action import Action
from rules.core.faults import exactly_one, only_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.body import Body
from rules.storyteller.harm import HARM_RULES, Blow, DamageModifier, Harm, extra_dice, harm, storyteller_dice
from rules.storyteller.options import Options
from rules.storyteller.pools import MAXIMUM
from rules.storyteller.targeting import TARGETING_DAMAGE, Targeting, aimed_dice, is_past_armor
from rules.storyteller.terms import DamageType

RESULT = rule("storyteller.damage.result", "beyond the source", Kind.RESULT)

RULES = (RESULT,)


class DamageResult(StrEnum):
    """Whether any health level was lost."""

    DAMAGED = "damaged"
    UNHARMED = "unharmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRequest:
    """Damage, soak and armor alone: for a hit resolved elsewhere, for falls and fire."""

    damage_pool: Annotated[int, Ge(0), Le(40)] | None = None
    """Finished base damage. Exactly one of `damage_pool`, `strength`."""
    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength, the base damage of blows."""
    bonus: Annotated[int, Ge(0), Le(20)] | None = None
    """What a maneuver or a weapon adds to Strength, 0 unless said. Only with `strength`."""
    type: DamageType
    """The kind of damage."""
    net_successes: Annotated[int, Ge(1), Le(40)] = 1
    """Net successes of the attack; each after the first adds a die."""
    targeting: Targeting | None = None
    """How the attack was aimed: its size gives damage dice, its `bypass` may go past the armor."""
    damage_modifiers: Annotated[tuple[DamageModifier, ...], Len(0, 8)] = ()
    """The Storyteller's modifiers, applied in their order."""
    body: Body
    """What the damage meets."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        exactly_one(damage_pool=self.damage_pool, strength=self.strength)
        only_with("strength", self.strength is not None, bonus=self.bonus)

    @property
    def base(self) -> int:
        """Base damage dice: the finished pool, or Strength and the bonus."""
        return self.damage_pool if self.damage_pool is not None else (self.strength or 0) + (self.bonus or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageOutcome:
    """What was done."""

    result: DamageResult
    """Whether any health level was lost."""
    damage: Harm
    """How it came about."""
    health_levels: int
    """Health levels lost."""


def resolve(request: DamageRequest, trail: Trail) -> DamageOutcome:
    """HARM with the dice of the net successes, of the aimed size and of the Storyteller."""
    blow = Blow(
        request.base,
        request.type,
        (
            *extra_dice(request.net_successes),
            *aimed_dice(request.targeting, request.options),
            *storyteller_dice(request.damage_modifiers),
        ),
        past_armor=is_past_armor(request.targeting),
    )
    done, _ = harm(blow, request.body, request.options, trail)
    result = DamageResult.DAMAGED if done.levels else DamageResult.UNHARMED
    trail.result(RESULT, done.levels, result=result)
    return DamageOutcome(result=result, damage=done, health_levels=done.levels)


DAMAGE = Action(
    slug="damage",
    request=DamageRequest,
    outcome=DamageOutcome,
    resolve=resolve,
    rules=(MAXIMUM, TARGETING_DAMAGE, *HARM_RULES, *RULES),
    odds_over=OddsOver(
        ("health_levels", "damage.armor_destroyed"),
        lambda outcome: (outcome.health_levels, outcome.damage.armor_destroyed),
    ),
    example={
        "damage_pool": 6,
        "type": "lethal",
        "body": {"nature": "supernatural", "stamina": 3, "armor": 1, "wounds": {"bashing": 2}},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

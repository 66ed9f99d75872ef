"""What do points of damage do to a target, through armor onto the health track?

Order of dice: none.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.damage_points import DamagePoints
from rules.chronicles.options import Options
from rules.chronicles.target import TARGET_STEPS, Target, TargetResult, take_damage
from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

POINTS = rule("chronicles.damage.points", "beyond the source", Kind.BASE)
RESULT = rule("chronicles.damage.result", "beyond the source", Kind.RESULT)

RULES = (POINTS, RESULT)

Points = Annotated[int, Ge(0), Le(200)]


class DamageSource(StrEnum):
    """What does the damage: a kind of weapon, or something else."""

    UNARMED = "unarmed"
    MELEE = "melee"
    THROWN = "thrown"
    FIREARM = "firearm"
    OTHER = "other"


class DamageResult(StrEnum):
    """Whether anything came through."""

    DAMAGED = "damaged"
    NO_DAMAGE = "no_damage"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingDamage:
    """The points that come in; at least one of the fields has to be there."""

    bashing: Points | None = None
    """Points of bashing damage; left out, none."""
    lethal: Points | None = None
    """Points of lethal damage; left out, none."""
    aggravated: Points | None = None
    """Points of aggravated damage; left out, none."""

    def __post_init__(self) -> None:
        if self.bashing is None and self.lethal is None and self.aggravated is None:
            raise Malformed("at_least_one", fields="bashing, lethal, aggravated")

    @property
    def points(self) -> DamagePoints:
        """What was left out is 0."""
        return DamagePoints(bashing=self.bashing or 0, lethal=self.lethal or 0, aggravated=self.aggravated or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRequest:
    """Points of damage and who takes them."""

    damage: IncomingDamage
    """The points before armor."""
    kind: DamageSource = DamageSource.OTHER
    """What does the damage; only a `firearm` meets ballistic armor."""
    armor_piercing: Annotated[int, Ge(0), Le(10)] = 0
    """Points of armor that do not count."""
    target: Target
    """Who takes them; leave `armor` out for what armor does not stop."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageOutcome:
    """What the target took."""

    result: DamageResult
    """`damaged` if any point is left after armor."""
    target: TargetResult
    """What it did to the target."""


def resolve(request: DamageRequest, trail: Trail) -> DamageOutcome:
    """The points, what armor leaves of them, and the boxes that they mark."""
    points = request.damage.points
    trail.base(POINTS, points.total, bashing=points.bashing, lethal=points.lethal, aggravated=points.aggravated)
    firearm = request.kind is DamageSource.FIREARM
    hurt = take_damage(points, firearm, request.armor_piercing, request.target, trail)
    taken = hurt.damage_taken.total
    result = DamageResult.DAMAGED if taken else DamageResult.NO_DAMAGE
    trail.result(RESULT, taken, result=result)
    return DamageOutcome(result=result, target=hurt)


DAMAGE = Action(
    slug="damage",
    request=DamageRequest,
    outcome=DamageOutcome,
    resolve=resolve,
    rules=(POINTS, *TARGET_STEPS, RESULT),
    odds_over=OddsOver(("result", "damage_taken"), lambda outcome: (outcome.result, outcome.target.damage_taken.total)),
    example={
        "damage": {"lethal": 5},
        "kind": "firearm",
        "armor_piercing": 1,
        "target": {
            "armor": {"general": 1, "ballistic": 3},
            "health": {"stamina": 2, "size": 5, "bashing": 4},
        },
        "dice": [],
    },
    max_dice=1000,
    max_sides=10,
)

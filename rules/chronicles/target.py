"""Who is hit: damage comes through armor onto the health track."""

from dataclasses import dataclass

from rules.chronicles.armor import RULES as ARMOR_STEPS
from rules.chronicles.armor import Armor, after_armor
from rules.chronicles.damage_points import DamagePoints
from rules.chronicles.health import (
    CONDITION,
    TRACK_STEPS,
    WOUND_PENALTY,
    Condition,
    Health,
    HealthTrack,
    Marking,
    condition_of,
    wound_penalty_of,
)
from rules.core.faults import Malformed
from rules.core.trail import Trail

TARGET_STEPS = (*ARMOR_STEPS, *TRACK_STEPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Who takes the damage: `armor`, `health` or both."""

    armor: Armor | None = None
    """What is worn; leave it out for what armor does not stop."""
    health: Health | None = None
    """The health track with the boxes marked now; without it damage is only brought through the armor."""

    def __post_init__(self) -> None:
        if self.armor is None and self.health is None:
            raise Malformed("at_least_one", fields="armor, health")


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetResult:
    """What damage did to a target; all but `damage_taken` is null without a health track."""

    damage_taken: DamagePoints
    """The points after armor."""
    health: HealthTrack | None
    """The track with the new marks."""
    wound_penalty: int | None
    """What comes off the rolls of the wounded from now on: 0 to -3."""
    condition: Condition | None
    """`fading`: a Stamina roll each turn to stay conscious; `dying`: one point more each minute untended."""
    upgrades: int | None
    """Points that made a marked box worse."""
    excess: int | None
    """Points for which there was nothing left."""


def take_damage(points: DamagePoints, firearm: bool, piercing: int, target: Target, trail: Trail) -> TargetResult:
    """Armor, then the track, then what the track says of the one who has it."""
    taken = points
    if target.armor is not None and points.total:
        taken = after_armor(points, firearm, piercing, target.armor, trail)
    if target.health is None:
        return TargetResult(
            damage_taken=taken, health=None, wound_penalty=None, condition=None, upgrades=None, excess=None
        )
    marking = Marking(target.health)
    marking.take(taken, trail)
    track = marking.track()
    penalty, condition = wound_penalty_of(track), condition_of(track)
    trail.result(WOUND_PENALTY, penalty, marked=track.boxes - marking.empty, boxes=track.boxes)
    trail.result(CONDITION, condition=condition)
    return TargetResult(
        damage_taken=taken,
        health=track,
        wound_penalty=penalty,
        condition=condition,
        upgrades=marking.upgrades,
        excess=marking.excess,
    )

"""What armor does to damage: piercing comes off it, ballistic turns lethal into bashing, general stops points."""

from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.damage_points import DamagePoints
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

PIERCING = rule("chronicles.armor.piercing", "published", Kind.MODIFIER)
BALLISTIC = rule("chronicles.armor.ballistic", "published", Kind.MODIFIER)
GENERAL = rule("chronicles.armor.general", "published", Kind.MODIFIER)
SHOCK = rule("chronicles.armor.shock", "published", Kind.LIMIT)

RULES = (PIERCING, BALLISTIC, GENERAL, SHOCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Armor:
    """Armor as it is written: general/ballistic."""

    general: Annotated[int, Ge(0), Le(20)] = 0
    """Points of damage that it stops, the worst first."""
    ballistic: Annotated[int, Ge(0), Le(20)] = 0
    """Against firearms: points of lethal damage that it turns into bashing."""


def after_armor(points: DamagePoints, firearm: bool, piercing: int, armor: Armor, trail: Trail) -> DamagePoints:
    """What comes through: first piercing, then ballistic, then general armor; a stopped lethal blow leaves a bruise."""
    left = after_piercing(armor if firearm else replace(armor, ballistic=0), piercing, trail)
    turned = after_ballistic(points, left.ballistic, trail)
    through = after_general(turned, left.general, trail)
    if points.lethal and not through.total:
        trail.limit(SHOCK, 1, total=1)
        return DamagePoints(bashing=1)
    return through


def after_piercing(armor: Armor, piercing: int, trail: Trail) -> Armor:
    """Piercing comes off ballistic armor first, the rest off general."""
    worn = armor.ballistic + armor.general
    taken = min(piercing, worn)
    if not taken:
        return armor
    off_ballistic = min(taken, armor.ballistic)
    trail.carry(worn)
    trail.modifier(PIERCING, -taken, piercing=piercing)
    return Armor(general=armor.general - (taken - off_ballistic), ballistic=armor.ballistic - off_ballistic)


def after_ballistic(points: DamagePoints, ballistic: int, trail: Trail) -> DamagePoints:
    """Each point turns one lethal point into bashing; aggravated points stay."""
    turned = min(ballistic, points.lethal)
    if not turned:
        return points
    trail.carry(points.lethal)
    trail.modifier(BALLISTIC, -turned)
    return replace(points, bashing=points.bashing + turned, lethal=points.lethal - turned)


def after_general(points: DamagePoints, general: int, trail: Trail) -> DamagePoints:
    """Each point stops one point, the worst first."""
    if not general:
        return points
    aggravated = min(general, points.aggravated)
    lethal = min(general - aggravated, points.lethal)
    bashing = min(general - aggravated - lethal, points.bashing)
    trail.carry(points.total)
    trail.modifier(GENERAL, -(aggravated + lethal + bashing))
    return DamagePoints(
        bashing=points.bashing - bashing,
        lethal=points.lethal - lethal,
        aggravated=points.aggravated - aggravated,
    )

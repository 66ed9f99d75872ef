"""The dice of a blow: damage and soak, in either order, and the health levels that are lost in the end.

Order of dice: soak before damage, or damage before soak, by the option `soak`.
"""

from dataclasses import dataclass, field

from rules.core.reading import Pool, PoolRules
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.disarm import disarms
from rules.storyteller.options import BashingRounding, SoakRule
from rules.storyteller.tables import DAMAGE_DIFFICULTY

DAMAGE_ROLL = rule("storyteller.damage.roll", "Повреждения", Kind.ROLL)
NO_DAMAGE_BOTCH = rule("storyteller.damage.no_botch", "Повреждения (непоглощаемые)")
LEVELS = rule("storyteller.damage.levels", "Повреждения", Kind.EFFECT)
HALVED = rule("storyteller.bashing.halved", "Повреждения (тупые)", Kind.LIMIT)
SOAK_ROLL = rule("storyteller.soak.roll", "Поглощение", Kind.ROLL)
NO_SOAK_BOTCH = rule("storyteller.soak.no_botch", "Поглощение")
REMOVES_DICE = rule("storyteller.soak.removes_dice", "Поглощение", Kind.MODIFIER)
REMOVES_LEVELS = rule("storyteller.soak.removes_levels", "published", Kind.MODIFIER)
ARMOR_DESTROYED = rule("storyteller.armor.destroyed", "Броня", Kind.EFFECT)

RULES = (
    DAMAGE_ROLL,
    NO_DAMAGE_BOTCH,
    LEVELS,
    HALVED,
    SOAK_ROLL,
    NO_SOAK_BOTCH,
    REMOVES_DICE,
    REMOVES_LEVELS,
    ARMOR_DESTROYED,
)

DAMAGE_ROLL_RULES = PoolRules(throw=DAMAGE_ROLL)
SOAK_ROLL_RULES = PoolRules(throw=SOAK_ROLL)


@dataclass(frozen=True, slots=True)
class Exposure:
    """All that decides what the dice of a blow come to: equal ones have equal chances."""

    pool: int
    soak: int
    soak_difficulty: int
    soak_rule: SoakRule
    automatic: bool
    disarms_over: int | None
    breaks_at: int | None
    halved: BashingRounding | None


@dataclass(frozen=True, slots=True)
class Losses:
    """What the dice of a blow came to; how they came to it stands in the record alone."""

    levels: int
    armor_destroyed: bool
    disarmed: bool
    soak_successes: int = field(compare=False)
    rolled: int = field(compare=False)
    successes: int = field(compare=False)


def losses(trail: Trail, exposure: Exposure) -> Losses:
    """A part: the rolls of damage and soak in the order of the option, and the levels that are lost in the end."""
    if exposure.soak_rule is SoakRule.REMOVES_DICE:
        return _soak_first(trail, exposure)
    return _damage_first(trail, exposure)


def _soak_first(trail: Trail, exposure: Exposure) -> Losses:
    """Each soak success takes a die from the damage roll."""
    soaked = _roll_soak(exposure, trail)
    trail.carry(exposure.pool)
    trail.modifier_if_any(REMOVES_DICE, -min(soaked, exposure.pool), soaked=soaked)
    rolled = max(0, exposure.pool - soaked)
    successes = _roll_damage(rolled, trail)
    disarmed = _disarms(successes, exposure, trail)
    return _lost(exposure, successes, successes, trail, disarmed=disarmed, soaked=soaked, rolled=rolled)


def _damage_first(trail: Trail, exposure: Exposure) -> Losses:
    """Each soak success takes a level from the damage done; what did none is not soaked."""
    rolled = 0 if exposure.automatic else exposure.pool
    successes = exposure.pool if exposure.automatic else _roll_damage(rolled, trail)
    disarmed = _disarms(successes, exposure, trail)
    soaked = _roll_soak(exposure, trail) if successes and not disarmed else 0
    trail.carry(successes)
    trail.modifier_if_any(REMOVES_LEVELS, -min(soaked, successes), soaked=soaked)
    left = max(0, successes - soaked)
    return _lost(exposure, successes, left, trail, disarmed=disarmed, soaked=soaked, rolled=rolled)


def _roll_soak(exposure: Exposure, trail: Trail) -> int:
    """Soak is rolled at 6 unless said otherwise; a 1 means nothing."""
    goal = exposure.soak_difficulty
    return trail.pool(Pool(exposure.soak, goal), SOAK_ROLL_RULES, difficulty=goal).successes


def _roll_damage(dice: int, trail: Trail) -> int:
    """Damage is rolled at 6; a 1 means nothing but that this die does no harm."""
    goal = DAMAGE_DIFFICULTY
    return trail.pool(Pool(dice, goal), DAMAGE_ROLL_RULES, difficulty=goal).successes


def _disarms(successes: int, exposure: Exposure, trail: Trail) -> bool:
    return exposure.disarms_over is not None and disarms(successes, exposure.disarms_over, trail)


def _lost(
    exposure: Exposure, successes: int, left: int, trail: Trail, *, disarmed: bool, soaked: int, rolled: int
) -> Losses:
    """Armor that breaks, bashing halved, the levels lost; none of it for one who is disarmed instead."""
    levels, destroyed = (0, False) if disarmed else (left, _breaks(exposure, successes, trail))
    if levels and exposure.halved is not None:
        levels = (levels + 1) // 2 if exposure.halved is BashingRounding.UP else levels // 2
        trail.limit(HALVED, levels, total=levels, rounding=exposure.halved)
    trail.effect(LEVELS, levels)
    return Losses(levels, destroyed, disarmed, soaked, rolled, successes)


def _breaks(exposure: Exposure, successes: int, trail: Trail) -> bool:
    if exposure.breaks_at is None or successes < exposure.breaks_at:
        return False
    trail.effect(ARMOR_DESTROYED, successes, rating=exposure.breaks_at // 2)
    return True

"""What an attack that gets through does: damage, Damage Resistance, injury."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part

ROLL = rule("gurps.damage.roll", "Броски защиты; published", Kind.ROLL)
MINIMUM_DAMAGE = rule("gurps.damage.minimum", "published", Kind.LIMIT)
DR = rule("gurps.damage.dr", "published", Kind.MODIFIER)
INJURY = rule("gurps.damage.injury", "published", Kind.RESULT)

DAMAGE_RULES = (ROLL, MINIMUM_DAMAGE, DR, INJURY)


class DamageType(StrEnum):
    """Types of damage, each with what it multiplies penetrating damage by."""

    CRUSHING = "crushing"
    CUTTING = "cutting"
    IMPALING = "impaling"
    PIERCING_SMALL = "piercing_small"
    PIERCING = "piercing"
    PIERCING_LARGE = "piercing_large"
    PIERCING_HUGE = "piercing_huge"
    BURNING = "burning"
    CORROSION = "corrosion"
    TOXIC = "toxic"
    FATIGUE = "fatigue"


MULTIPLIERS = {
    DamageType.CRUSHING: Fraction(1),
    DamageType.CUTTING: Fraction(3, 2),
    DamageType.IMPALING: Fraction(2),
    DamageType.PIERCING_SMALL: Fraction(1, 2),
    DamageType.PIERCING: Fraction(1),
    DamageType.PIERCING_LARGE: Fraction(3, 2),
    DamageType.PIERCING_HUGE: Fraction(2),
    DamageType.BURNING: Fraction(1),
    DamageType.CORROSION: Fraction(1),
    DamageType.TOXIC: Fraction(1),
    DamageType.FATIGUE: Fraction(1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageDice:
    """The damage that a weapon does."""

    dice: Annotated[int, Ge(1), Le(20)]
    """Six-sided dice."""
    adds: Annotated[int, Ge(-20), Le(50)] = 0
    """Added to the sum of the dice."""
    type: DamageType
    """The type, which multiplies what penetrates: cutting and large piercing by 1.5, impaling and huge piercing by 2, small
    piercing by 0.5, the others by 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage(DamageDice):
    """The damage of an attack, and what protects from it."""

    dr: Annotated[int, Ge(0), Le(200)] = 0
    """Damage Resistance of the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageDone:
    """What the damage came to."""

    basic: int
    """The dice with their adds, at least 1 (crushing: 0)."""
    penetrating: int
    """Basic damage less Damage Resistance, at least 0."""
    injury: int
    """Penetrating damage times the multiplier of its type, rounded down, at least 1 if anything penetrated."""


def damage_done(trail: Trail, damage: Damage | None) -> DamageDone | None:
    """The damage of an attack that got through, if its dice are known; it depends on nothing that came before."""
    return None if damage is None else trail.apart(part(_rolled, damage))


def _rolled(trail: Trail, damage: Damage) -> DamageDone:
    rolled = trail.sum(ROLL, damage.dice, 6, adds=damage.adds)
    basic = at_least_the_minimum(trail, rolled + damage.adds, damage.type)
    if damage.dr:
        trail.carry(basic)
        trail.modifier(DR, -damage.dr, floor=0)
    penetrating = max(basic - damage.dr, 0)
    injury = injury_of(penetrating, damage.type)
    trail.result(INJURY, injury, penetrating=penetrating, type=damage.type, multiplier=MULTIPLIERS[damage.type])
    return DamageDone(basic=basic, penetrating=penetrating, injury=injury)


def at_least_the_minimum(trail: Trail, basic: int, kind: DamageType) -> int:
    """Basic damage is at least 1, crushing damage at least 0."""
    minimum = 0 if kind is DamageType.CRUSHING else 1
    if basic >= minimum:
        return basic
    trail.limit(MINIMUM_DAMAGE, minimum, total=minimum, basic=basic)
    return minimum


def injury_of(penetrating: int, kind: DamageType) -> int:
    """Penetrating damage times the multiplier, rounded down, at least 1 if anything penetrated."""
    multiplier = MULTIPLIERS[kind]
    return max(penetrating * multiplier.numerator // multiplier.denominator, min(penetrating, 1))

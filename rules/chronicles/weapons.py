"""What strikes: its kind, what it adds to a hit, and the severity of its damage."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.rule import Kind, rule

RATING = rule("chronicles.weapon.rating", "Уклонение", Kind.MODIFIER)
DAMAGE_TYPE = rule("chronicles.weapon.damage_type", "Пример", Kind.DECISION)

RULES = (RATING, DAMAGE_TYPE)


class WeaponKind(StrEnum):
    """How an attack is made; it decides about Defense, all-out attacks and ballistic armor."""

    UNARMED = "unarmed"
    MELEE = "melee"
    THROWN = "thrown"
    FIREARM = "firearm"


class DamageType(StrEnum):
    """How severe damage is, from the least to the worst."""

    BASHING = "bashing"
    LETHAL = "lethal"
    AGGRAVATED = "aggravated"


CLOSE_COMBAT = frozenset({WeaponKind.UNARMED, WeaponKind.MELEE})
USUAL_DAMAGE = {
    WeaponKind.UNARMED: DamageType.BASHING,
    WeaponKind.MELEE: DamageType.LETHAL,
    WeaponKind.THROWN: DamageType.LETHAL,
    WeaponKind.FIREARM: DamageType.LETHAL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon, or bare hands."""

    kind: WeaponKind = WeaponKind.UNARMED
    """Decides whether Defense counts (not against a firearm), whether an attack can be all-out (only `unarmed` and
    `melee`) and whether ballistic armor counts (only against a `firearm`). Bows are what the table makes them."""
    rating: Annotated[int, Ge(0), Le(20)] = 0
    """The weapon modifier: damage added on a hit."""
    damage_type: DamageType | None = None
    """The severity of all its damage; left out, `bashing` for `unarmed` and `lethal` for any other."""
    armor_piercing: Annotated[int, Ge(0), Le(10)] = 0
    """Points of armor that do not count."""

    @property
    def severity(self) -> DamageType:
        """Bare hands do bashing damage, weapons lethal, unless the weapon says otherwise."""
        return self.damage_type or USUAL_DAMAGE[self.kind]

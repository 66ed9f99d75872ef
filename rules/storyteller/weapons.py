"""Weapons in hand: those of the table, and any other that is described."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.faults import all_or_none, exactly_one, only_with
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.tables import WEAPONS, Arms
from rules.storyteller.terms import DamageBase, DamageType, Range, WeaponPreset

WEAPON_DAMAGE = rule("storyteller.weapon.damage", "Маневры ближнего боя; published")
AGGRAVATED_WEAPON = rule("storyteller.weapon.aggravated", "Маневры ближнего боя", Kind.REFUSAL)

RULES = (WEAPON_DAMAGE, AGGRAVATED_WEAPON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon: a `preset` alone, or all of `class`, `damage_base`, `damage_dice` and `damage_type`."""

    preset: WeaponPreset | None = None
    """A weapon of the published table; nothing else beside it."""
    class_: Range | None = None
    """Whether it is used hand to hand or shoots."""
    damage_base: DamageBase | None = None
    """`strength`: its damage is Strength + `damage_dice`; `fixed`: `damage_dice` alone."""
    damage_dice: Annotated[int, Ge(0), Le(20)] | None = None
    """The weapon's own damage dice."""
    damage_type: DamageType | None = None
    """The damage that it does. The rules refuse `aggravated` of one that is not supernatural."""
    supernatural: bool | None = None
    """Whether its nature is supernatural; false unless said."""

    def __post_init__(self) -> None:
        kind = {"class": self.class_}
        exactly_one(preset=self.preset, **kind)
        all_or_none(**kind, damage_base=self.damage_base, damage_dice=self.damage_dice, damage_type=self.damage_type)
        only_with("class", self.preset is None, supernatural=self.supernatural)

    @property
    def arms(self) -> Arms:
        """What the weapon is, whichever way it was said."""
        if self.preset is not None:
            return WEAPONS[self.preset]
        if self.class_ is None or self.damage_base is None or self.damage_dice is None or self.damage_type is None:
            raise ValueError("a weapon without a preset has all of its properties")
        return Arms(self.class_, self.damage_base, self.damage_dice, self.damage_type, bool(self.supernatural))


def base_damage(arms: Arms, strength: int | None) -> int:
    """A weapon's damage: Strength and its dice, or its dice alone."""
    return arms.dice + ((strength or 0) if arms.base is DamageBase.STRENGTH else 0)


def refuse_ordinary_aggravated(weapons: Iterable[Weapon | None], trail: Trail) -> None:
    """A weapon that is not supernatural never does aggravated damage."""
    if any(weapon.arms.type is DamageType.AGGRAVATED and not weapon.arms.supernatural for weapon in weapons if weapon):
        trail.refuse(AGGRAVATED_WEAPON)

"""The maneuvers: what each of them rolls, how hard it is, what damage it does and of which kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.faults import Malformed, only_with
from rules.core.rule import Kind, Rule, rule
from rules.storyteller.tables import ARMED, UNARMED, Arms, Form, Reads
from rules.storyteller.terms import DamageBase, DamageType, HitEffect, Maneuver, Range, Trait

ACCURACY = rule("storyteller.maneuver.accuracy", "Характеристики маневра (Точность)", Kind.MODIFIER)
DIFFICULTY = rule("storyteller.maneuver.difficulty", "Характеристики маневра (Трудность)", Kind.MODIFIER)
UNARMED_BASHING = rule("storyteller.maneuver.unarmed_bashing", "Маневры ближнего боя")
STRIKE = rule("storyteller.maneuver.strike", "published", Kind.DECISION)
KICK = rule("storyteller.maneuver.kick", "Пинок", Kind.DECISION)
CLINCH = rule("storyteller.maneuver.clinch", "Борьба", Kind.DECISION)
HOLD = rule("storyteller.maneuver.hold", "Захват", Kind.DECISION)
DISARM = rule("storyteller.maneuver.disarm", "Обезоружить", Kind.DECISION)
WEAPON_STRIKE = rule("storyteller.maneuver.weapon_strike", "published", Kind.DECISION)
SHOT = rule("storyteller.maneuver.shot", "published", Kind.DECISION)
CUSTOM = rule("storyteller.maneuver.custom", "Маневры ближнего боя", Kind.DECISION)

RULES = (
    ACCURACY,
    DIFFICULTY,
    UNARMED_BASHING,
    STRIKE,
    KICK,
    CLINCH,
    HOLD,
    DISARM,
    WEAPON_STRIKE,
    SHOT,
    CUSTOM,
)

MANEUVER_RULES: Mapping[Maneuver, Rule] = {
    Maneuver.STRIKE: STRIKE,
    Maneuver.KICK: KICK,
    Maneuver.CLINCH: CLINCH,
    Maneuver.HOLD: HOLD,
    Maneuver.DISARM: DISARM,
    Maneuver.WEAPON_STRIKE: WEAPON_STRIKE,
    Maneuver.SHOT: SHOT,
    Maneuver.CUSTOM: CUSTOM,
}


class CustomAttribute(StrEnum):
    """The Attribute that a maneuver of one's own rolls."""

    DEXTERITY = "dexterity"
    STRENGTH = "strength"


class CustomAbility(StrEnum):
    """The Ability that a maneuver of one's own rolls."""

    BRAWL = "brawl"
    MELEE = "melee"
    FIREARMS = "firearms"
    ATHLETICS = "athletics"


class CustomDamage(StrEnum):
    """What the damage of a maneuver of one's own is based on; `none` does no damage."""

    STRENGTH = "strength"
    WEAPON = "weapon"
    FIXED = "fixed"
    NONE = "none"


DAMAGE_BASES: Mapping[CustomDamage, DamageBase] = {
    CustomDamage.STRENGTH: DamageBase.STRENGTH,
    CustomDamage.FIXED: DamageBase.FIXED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomManeuver:
    """A maneuver of one's own, if the Storyteller agrees."""

    range: Range
    """Whether it is fought hand to hand or shot."""
    armed: bool
    """Whether it is an attack with a weapon, for blocks and parries; true with `damage_base: weapon`."""
    attribute: CustomAttribute = CustomAttribute.DEXTERITY
    """The Attribute that the attack roll reads."""
    ability: CustomAbility = CustomAbility.BRAWL
    """The Ability that the attack roll reads."""
    accuracy: Annotated[int, Ge(-10), Le(10)] = 0
    """Dice that it adds to the attack roll."""
    difficulty: Annotated[int, Ge(-4), Le(4)] = 0
    """What it adds to the difficulty."""
    damage_base: CustomDamage
    """`strength`, `weapon` (the attacker's, whose class has to be `range`) or `fixed` (nothing), each with `damage_dice`
    added; or `none`."""
    damage_dice: Annotated[int, Ge(0), Le(20)] = 0
    """Damage dice added to the base."""
    damage_type: DamageType | None = None
    """The kind of damage, `bashing` unless said; with `damage_base: weapon` it is the weapon's and may not be sent."""
    effect: HitEffect = HitEffect.NONE
    """What a hit does beside damage."""

    def __post_init__(self) -> None:
        with_weapon = self.damage_base is CustomDamage.WEAPON
        if with_weapon and not self.armed:
            raise Malformed("armed_with_weapon", "armed")
        only_with("damage_base: strength, fixed, none", not with_weapon, damage_type=self.damage_type)


def needs_weapon(maneuver: Maneuver, custom: CustomManeuver | None) -> bool:
    """Whether a maneuver cannot be without the attacker's weapon."""
    if custom is not None:
        return custom.damage_base is CustomDamage.WEAPON
    return maneuver in ARMED and maneuver not in UNARMED


def class_needed(maneuver: Maneuver, custom: CustomManeuver | None) -> Range | None:
    """Of which class the attacker's weapon has to be; None where it is not used."""
    if custom is not None:
        return custom.range if custom.damage_base is CustomDamage.WEAPON else None
    return ARMED[maneuver][0] if maneuver in ARMED else None


def form_of(maneuver: Maneuver, custom: CustomManeuver | None, arms: Arms | None) -> Form:
    """What the attack is: the maneuver's line of the table, with the weapon where it is made with one."""
    if custom is not None:
        return _form_of_custom(custom, arms)
    if arms is None or maneuver not in ARMED:
        return UNARMED[maneuver]
    reach, reads, difficulty = ARMED[maneuver]
    return Form(reach, True, reads, arms.base, arms.dice, arms.type, difficulty=difficulty)


def _form_of_custom(custom: CustomManeuver, arms: Arms | None) -> Form:
    reads = Reads(Trait(custom.attribute.value), Trait(custom.ability.value))
    armed = arms if custom.damage_base is CustomDamage.WEAPON else None
    return Form(
        custom.range,
        custom.armed,
        reads,
        base=armed.base if armed else DAMAGE_BASES.get(custom.damage_base),
        dice=custom.damage_dice + (armed.dice if armed else 0),
        type=armed.type if armed else custom.damage_type or DamageType.BASHING,
        accuracy=custom.accuracy,
        difficulty=custom.difficulty,
        effect=custom.effect,
    )

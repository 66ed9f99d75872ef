"""What parries: a weapon, bare hands, or a part of the body that counts as a weapon."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, only_with, unique
from rules.gurps.scores import SkillScore


class Hand(StrEnum):
    """The hand that holds a thing, or both."""

    RIGHT = "right"
    LEFT = "left"
    BOTH = "both"


class ToolKind(StrEnum):
    """What parries."""

    WEAPON = "weapon"
    UNARMED = "unarmed"
    NATURAL_WEAPON = "natural_weapon"


class ParrySkill(StrEnum):
    """The skill with which one parries, where a rule asks for it by name."""

    OTHER = "other"
    MAIN_GAUCHE = "main_gauche"
    RAPIER = "rapier"
    SABER = "saber"
    SMALLSWORD = "smallsword"
    PARRY_MISSILE_WEAPONS = "parry_missile_weapons"
    DX = "dx"
    BOXING = "boxing"
    BRAWLING = "brawling"
    JUDO = "judo"
    KARATE = "karate"
    SUMO_WRESTLING = "sumo_wrestling"
    WRESTLING = "wrestling"


class WeaponType(StrEnum):
    """The types of weapon that have a modifier to Parry."""

    OTHER = "other"
    BOLAS = "bolas"
    KUSARI = "kusari"
    WHIP = "whip"
    SHORT_STICK = "short_stick"
    KNIFE = "knife"
    STAFF = "staff"


class ToolTrait(StrEnum):
    """What the table of weapons marks a weapon with; improvised: no weapon by make."""

    FENCING = "fencing"
    UNBALANCED = "unbalanced"
    IMPROVISED = "improvised"


class Quality(StrEnum):
    """How well a weapon is made."""

    CHEAP = "cheap"
    GOOD = "good"
    FINE = "fine"
    VERY_FINE = "very_fine"


WRESTLING_SKILLS = frozenset({ParrySkill.SUMO_WRESTLING, ParrySkill.WRESTLING})
ART_SKILLS = frozenset({ParrySkill.JUDO, ParrySkill.KARATE})
UNARMED_SKILLS = WRESTLING_SKILLS | ART_SKILLS | {ParrySkill.DX, ParrySkill.BOXING, ParrySkill.BRAWLING}
FENCING_SKILLS = frozenset({ParrySkill.MAIN_GAUCHE, ParrySkill.RAPIER, ParrySkill.SABER, ParrySkill.SMALLSWORD})
WEAPON_TYPE_MODIFIERS = {
    WeaponType.OTHER: 0,
    WeaponType.BOLAS: -2,
    WeaponType.KUSARI: -2,
    WeaponType.WHIP: -2,
    WeaponType.SHORT_STICK: -1,
    WeaponType.KNIFE: -1,
    WeaponType.STAFF: 2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTool:
    """A weapon, a bare hand (both for wrestling), or a part of the body that counts as a weapon, as it stands on a sheet."""

    name: Annotated[str, Len(1, 60)] | None = None
    """A label; no effect."""
    kind: ToolKind = ToolKind.WEAPON
    """`natural_weapon` is a body part that counts as a weapon: every rule of weapons holds for it, but it does not break and
    is not dropped; it is knocked back as bare hands are."""
    hand: Hand = Hand.RIGHT
    """The hand that holds it; `both` for a two-handed weapon, a head or a tail. Bare hands are `both` exactly with
    `wrestling` and `sumo_wrestling`."""
    parry: SkillScore
    """Parry: the score of the sheet, or the skill to figure it from."""
    skill_name: ParrySkill = ParrySkill.OTHER
    """The skill used. Bare hands need one of `dx`, `boxing`, `brawling`, `judo`, `karate`, `sumo_wrestling`, `wrestling` or
    `parry_missile_weapons`; a weapon has none of the first seven. `main_gauche`, `rapier`, `saber` and `smallsword` make
    the parry a fencing parry."""
    weapon_type: WeaponType | None = None
    """Gives the weapon's own modifier to Parry; a `knife` cannot parry flails. Absent: `other`. Not for bare hands."""
    parry_modifier: Annotated[int, Ge(-6), Le(6)] | None = None
    """The weapon's own modifier to Parry; absent: that of `weapon_type`. Only beside `parry.skill`; not for bare hands."""
    traits: Annotated[tuple[ToolTrait, ...], Len(0, 3)] | None = None
    """`fencing` makes the parry a fencing parry, whatever the skill; `unbalanced` does not parry after it attacked;
    `improvised` counts as cheap when it may break. Absent: none. Not for bare hands."""
    quality: Quality | None = None
    """How well it resists a heavy weapon. Absent: `good`. Not for bare hands."""
    weight_g: Annotated[int, Ge(1), Le(100_000_000)] | None = None
    """Its weight in grams; without it nothing breaks. Not for bare hands."""

    def __post_init__(self) -> None:
        if self.traits:
            unique("traits", self.traits)
        if self.kind is ToolKind.UNARMED:
            self._check_bare_hands()
        elif self.kind is ToolKind.WEAPON and self.skill_name in UNARMED_SKILLS:
            raise Malformed("weapon_skill", "skill_name", skill=self.skill_name)
        only_with("parry.skill", self.parry.skill is not None, parry_modifier=self.parry_modifier)

    def _check_bare_hands(self) -> None:
        skill = self.skill_name
        if skill not in UNARMED_SKILLS and skill is not ParrySkill.PARRY_MISSILE_WEAPONS:
            raise Malformed("unarmed_skill", "skill_name", skill=skill)
        if (self.hand is Hand.BOTH) is not (skill in WRESTLING_SKILLS):
            raise Malformed("unarmed_hands", "hand", skill=skill)
        only_with(
            "kind: weapon, natural_weapon",
            False,
            weapon_type=self.weapon_type,
            parry_modifier=self.parry_modifier,
            traits=self.traits,
            quality=self.quality,
            weight_g=self.weight_g,
        )

    def has(self, trait: ToolTrait) -> bool:
        """Whether it is marked with the trait."""
        return self.traits is not None and trait in self.traits

    @property
    def own_modifier(self) -> int:
        """The weapon's own modifier to Parry; one that is stated wins over that of the type."""
        if self.parry_modifier is not None:
            return self.parry_modifier
        return WEAPON_TYPE_MODIFIERS[self.weapon_type] if self.weapon_type is not None else 0

    @property
    def fencing(self) -> bool:
        """Whether a parry with it is a fencing parry: by its mark or by the skill."""
        return self.skill_name in FENCING_SKILLS or self.has(ToolTrait.FENCING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(SheetTool):
    """A weapon, a bare hand (both for wrestling), or a part of the body that counts as a weapon."""

    ready: bool = True
    """Whether it can be used now."""
    attacked_with: bool = False
    """Whether it, or the hand that holds it, attacked in its owner's last turn."""
    previous_parries: Annotated[int, Ge(0), Le(50)] = 0
    """Parries already tried with it since its owner's last turn began."""

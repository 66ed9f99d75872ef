"""What a combatant brings into a fight: the sheet, and what is said when the fight opens."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, unique
from rules.core.nullable import NULL_ALLOWED
from rules.storyteller.body import Nature, Wounds
from rules.storyteller.options import Options
from rules.storyteller.rolls import Traits
from rules.storyteller.weapons import Weapon

Rating = Annotated[int, Ge(0), Le(10)]
WeaponId = Annotated[str, Len(1, 64)]


class AttributeName(StrEnum):
    """The Attributes of a sheet."""

    STRENGTH = "strength"
    DEXTERITY = "dexterity"
    STAMINA = "stamina"
    PERCEPTION = "perception"
    WITS = "wits"


class AbilityName(StrEnum):
    """The Abilities of a sheet."""

    BRAWL = "brawl"
    DODGE = "dodge"
    MELEE = "melee"
    FIREARMS = "firearms"
    ATHLETICS = "athletics"
    STEALTH = "stealth"
    ALERTNESS = "alertness"


ATTRIBUTES = frozenset(each.value for each in AttributeName)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What is settled when a fight opens."""

    options: Options = Options()
    """House rules; they hold for the whole fight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTraits:
    """The traits that a fight rolls: all five Attributes, and the Abilities, 0 where they are left out."""

    strength: Rating
    """Strength, an Attribute."""
    dexterity: Rating
    """Dexterity, an Attribute."""
    stamina: Rating
    """Stamina, an Attribute."""
    perception: Rating
    """Perception, an Attribute."""
    wits: Rating
    """Wits, an Attribute."""
    brawl: Rating = 0
    """Brawl, an Ability."""
    dodge: Rating = 0
    """Dodge, an Ability."""
    melee: Rating = 0
    """Melee, an Ability."""
    firearms: Rating = 0
    """Firearms, an Ability."""
    athletics: Rating = 0
    """Athletics, an Ability."""
    stealth: Rating = 0
    """Stealth, an Ability."""
    alertness: Rating = 0
    """Alertness, an Ability."""

    def rating(self, trait: str | None) -> int:
        """The rating of a trait; that of no trait is 0."""
        rating: int = 0 if trait is None else getattr(self, trait)
        return rating

    def sent(self) -> Traits:
        """The whole sheet of traits, as a roll reads them."""
        ratings = {each.name: self.rating(each.name) for each in fields(self)}
        return Traits(**{name: rating for name, rating in ratings.items() if rating or name in ATTRIBUTES})


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetArmor:
    """What is worn; 0 and 0 is nothing."""

    rating: Rating
    """Added to the soak pool."""
    penalty: Rating
    """Dice that it takes from Dexterity pools."""


NO_ARMOR = SheetArmor(rating=0, penalty=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWeapon(Weapon):
    """A weapon that a command can name: a `preset`, or all of its properties."""

    id: WeaponId
    """How a command names it; unique on the sheet."""
    name: Annotated[str, Len(1, 64)]
    """What people call it."""

    @property
    def weapon(self) -> Weapon:
        """The weapon itself, as a request has it."""
        return Weapon(**{each.name: getattr(self, each.name) for each in fields(Weapon)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Willpower:
    """Willpower: the rating, which is rolled, and the points, which are spent."""

    rating: Rating
    """The rating."""
    points: Rating
    """The points that are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One who fights, hurt and with Willpower left as when the fight is joined."""

    traits: SheetTraits
    """Attributes and Abilities."""
    nature: Nature
    """Who soaks what: a mortal's Stamina does not soak lethal damage."""
    aggravated_soak: Annotated[int, Ge(0), Le(20)] = 0
    """Dice that a power grants against aggravated damage."""
    armor: SheetArmor | None = None
    """What is worn; left out, nothing."""
    weapons: Annotated[tuple[SheetWeapon, ...], Len(0, 10)] = ()
    """The weapons at hand."""
    wielded: Annotated[WeaponId | None, NULL_ALLOWED] = None
    """The id of the weapon in hand; null or left out, none."""
    willpower: Willpower
    """Willpower."""
    wounds: Wounds = Wounds()
    """Health levels that are filled already."""
    specialties: Annotated[tuple[AbilityName, ...], Len(0, 7)] = ()
    """Abilities in which there is a specialty."""

    def __post_init__(self) -> None:
        unique("weapons", (each.id for each in self.weapons))
        unique("specialties", self.specialties)
        if self.wielded is not None and self.weapon(self.wielded) is None:
            raise Malformed("weapon_not_listed", "wielded", weapon=self.wielded)

    def weapon(self, weapon_id: str | None) -> SheetWeapon | None:
        """The weapon with this id, or None."""
        return next((each for each in self.weapons if each.id == weapon_id), None)

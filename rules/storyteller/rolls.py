"""What a request says of a roll: a finished pool or traits, difficulty, wounds, the Storyteller's modifiers."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, exactly_one
from rules.storyteller.tables import DEFAULT_DIFFICULTY, Reads
from rules.storyteller.terms import HealthLevel, Trait


@dataclass(frozen=True, slots=True, kw_only=True)
class RollModifier:
    """What the Storyteller adds to a roll or takes from it."""

    label: Annotated[str, Len(1, 64)] | None = None
    """What it is for; shown in the audit trail."""
    dice: Annotated[int, Ge(-10), Le(10)] = 0
    """Added to the pool."""
    difficulty: Annotated[int, Ge(-8), Le(8)] = 0
    """Added to the difficulty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitPair:
    """The Attribute and the Ability that are rolled together."""

    attribute: Annotated[int, Ge(0), Le(10)]
    """The Attribute."""
    ability: Annotated[int, Ge(0), Le(10)] = 0
    """The Ability; without it the Attribute alone is rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Ratings of a character; a whole sheet may be sent, and the action reads the two that it names."""

    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength, an Attribute."""
    dexterity: Annotated[int, Ge(0), Le(10)] | None = None
    """Dexterity, an Attribute."""
    stamina: Annotated[int, Ge(0), Le(10)] | None = None
    """Stamina, an Attribute."""
    perception: Annotated[int, Ge(0), Le(10)] | None = None
    """Perception, an Attribute."""
    wits: Annotated[int, Ge(0), Le(10)] | None = None
    """Wits, an Attribute."""
    brawl: Annotated[int, Ge(0), Le(10)] | None = None
    """Brawl, an Ability; 0 when it is left out, like every Ability."""
    dodge: Annotated[int, Ge(0), Le(10)] | None = None
    """Dodge, an Ability."""
    melee: Annotated[int, Ge(0), Le(10)] | None = None
    """Melee, an Ability."""
    firearms: Annotated[int, Ge(0), Le(10)] | None = None
    """Firearms, an Ability."""
    athletics: Annotated[int, Ge(0), Le(10)] | None = None
    """Athletics, an Ability."""
    stealth: Annotated[int, Ge(0), Le(10)] | None = None
    """Stealth, an Ability."""
    alertness: Annotated[int, Ge(0), Le(10)] | None = None
    """Alertness, an Ability."""

    def rating(self, trait: Trait) -> int:
        """The rating of a trait; one that was not sent is 0."""
        rating: int | None = getattr(self, trait.value)
        return rating or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledAsAction:
    """What every roll says beside its traits."""

    pool: Annotated[int, Ge(0), Le(40)] | None = None
    """A finished pool in place of Attribute + Ability; every modifier still applies. Exactly one of `pool`, `traits`."""
    difficulty: Annotated[int, Ge(2), Le(10)] = DEFAULT_DIFFICULTY
    """The difficulty before modifiers."""
    health: HealthLevel = HealthLevel.HEALTHY
    """How badly the character is hurt, for the wound penalty; leave it out if `pool` has the penalty already."""
    allotted: Annotated[int, Ge(1), Le(40)] | None = None
    """The dice put to this roll in a multiple action."""
    modifiers: Annotated[tuple[RollModifier, ...], Len(0, 8)] = ()
    """The Storyteller's modifiers, applied in their order."""
    specialty: bool = False
    """Whether a specialty fits; see the option `specialty`."""
    spend_willpower: bool = False
    """Whether a Willpower point is spent for one automatic success."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRoll(RolledAsAction):
    """A pool of any Attribute and Ability that someone rolls as an action."""

    traits: TraitPair | None = None
    """The Attribute and the Ability."""

    def __post_init__(self) -> None:
        exactly_one(pool=self.pool, traits=self.traits)

    def ingredients(self, reads: Reads | None) -> tuple[int, int]:
        """The Attribute and the Ability."""
        return (self.traits.attribute, self.traits.ability) if self.traits else (0, 0)

    def hampered(self, reads: Reads | None) -> int:
        """Dice lost in armor: this roll knows of none."""
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(RolledAsAction):
    """A pool that someone rolls as an action; which pair of traits it reads is told by the action."""

    traits: Traits | None = None
    """The character's traits, of which the action reads two. The Attribute of them is needed, a missing Ability is 0."""
    armor_penalty: Annotated[int, Ge(0), Le(10)] = 0
    """Dice lost in armor; taken only where the roll's Attribute is Dexterity, also from a `pool` in its place."""

    def __post_init__(self) -> None:
        exactly_one(pool=self.pool, traits=self.traits)

    def ingredients(self, reads: Reads | None) -> tuple[int, int]:
        """The Attribute and the Ability that the action names."""
        if self.traits is None or reads is None:
            return 0, 0
        return self.traits.rating(reads.attribute), self.traits.rating(reads.ability)

    def hampered(self, reads: Reads | None) -> int:
        """Dice lost in armor: heavier armor makes moving harder, so they are taken from Dexterity pools."""
        return self.armor_penalty if reads is not None and reads.attribute is Trait.DEXTERITY else 0


AnyRoll = PlainRoll | Roll


def need_attribute(roll: Roll | None, reads: Reads, path: str) -> None:
    """Demand the Attribute that the action reads, if it reads traits."""
    traits = roll.traits if roll else None
    if traits is not None and getattr(traits, reads.attribute.value) is None:
        raise Malformed("attribute_needed", f"{path}/traits/{reads.attribute.value}", attribute=reads.attribute)

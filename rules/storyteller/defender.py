"""What a request says of whoever is attacked, and of the defense that was chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.faults import Malformed, only_with
from rules.storyteller.body import Body
from rules.storyteller.rolls import Roll, need_attribute
from rules.storyteller.tables import DEXTERITY_BRAWL, DEXTERITY_DODGE, DEXTERITY_MELEE, Reads
from rules.storyteller.terms import Condition, DamageBase, DamageType, Range
from rules.storyteller.weapons import Weapon


class DefenseManeuver(StrEnum):
    """How someone defends: with the body, by getting out of the way, with a weapon."""

    BLOCK = "block"
    DODGE = "dodge"
    PARRY = "parry"


class DefenseMode(StrEnum):
    """What the defense is in its round: the one action, a share of a multiple action, one of a round of defending."""

    ACTION = "action"
    MULTIPLE = "multiple"
    FULL_ROUND = "full_round"


class Room(StrEnum):
    """Whether there is at least a meter to move in."""

    OPEN = "open"
    CRAMPED = "cramped"


class Refuge(StrEnum):
    """Where a dodge from shots ends: on one's feet, on the ground, in cover of that kind."""

    NONE = "none"
    GROUND = "ground"
    LIGHT = "light"
    GOOD = "good"
    SUPERIOR = "superior"


class Awareness(StrEnum):
    """What the defender knows of the attack: of it, nothing of it, or surprised by an ambush."""

    AWARE = "aware"
    UNAWARE = "unaware"
    AMBUSHED = "ambushed"


DEFENSE_READS: Mapping[DefenseManeuver, Reads] = {
    DefenseManeuver.BLOCK: DEXTERITY_BRAWL,
    DefenseManeuver.DODGE: DEXTERITY_DODGE,
    DefenseManeuver.PARRY: DEXTERITY_MELEE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Defense:
    """A defensive maneuver that was chosen: it is rolled whatever the attack came to."""

    maneuver: DefenseManeuver
    """How one defends: a block reads Dexterity + Brawl, a dodge Dexterity + Dodge, a parry Dexterity + Melee."""
    roll: Roll
    """The roll, which reads the maneuver's traits."""
    mode: DefenseMode = DefenseMode.ACTION
    """`action`: the one action of the round, planned or aborted to; `multiple`: a share of a multiple action, if and only
    if `roll.allotted` is sent; `full_round`: nothing but defending this round, one die less for each further defense."""
    earlier_defenses: Annotated[int, Ge(0), Le(20)] = 0
    """Defenses already made this round."""
    opponents: Annotated[int, Ge(1), Le(20)] = 1
    """Opponents fought at the same time: each after the first adds 1 to the difficulty, at most 4."""
    room: Room | None = None
    """Whether there is room to move, `open` unless said. Only with a dodge."""
    refuge: Refuge | None = None
    """Where a dodge from shots means to end, `none` unless said. Only with a dodge."""

    def __post_init__(self) -> None:
        shared, multiple = self.roll.allotted is not None, self.mode is DefenseMode.MULTIPLE
        if shared != multiple:
            code = "only_with" if shared else "needed_with"
            raise Malformed(code, "roll/allotted", field="allotted", condition="mode: multiple")
        only_with("maneuver: dodge", self.maneuver is DefenseManeuver.DODGE, room=self.room, refuge=self.refuge)
        need_attribute(self.roll, self.reads, "roll")

    @property
    def reads(self) -> Reads:
        """The traits that the maneuver names."""
        return DEFENSE_READS[self.maneuver]

    @property
    def cramped(self) -> bool:
        """Whether there is no room to move."""
        return self.room is Room.CRAMPED


@dataclass(frozen=True, slots=True, kw_only=True)
class Defender:
    """Whoever is attacked; everything may be left out."""

    awareness: Awareness = Awareness.AWARE
    """What the defender knows of the attack."""
    condition: Condition = Condition.FREE
    """Whether the defender is in a clinch or held: then there is no defense, but soak there is."""
    defense: Defense | None = None
    """The defensive maneuver; without it nobody defends."""
    weapon: Weapon | None = None
    """The weapon in the defender's hand, for a parry or against a disarm."""
    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength: the damage of a parry with a weapon that is based on it, and what a disarm is compared with."""
    body: Body | None = None
    """What takes the damage; without it none is rolled."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a defender sees of an attack."""

    range: Range
    armed: bool
    type: DamageType
    past_armor: bool = False


def demand_of_defense(defender: Defender, incoming: Incoming, path: str = "defender") -> None:
    """A block of what is not bashing needs the body, a parry that could cut bare hands the Strength behind it."""
    defense, weapon = defender.defense, defender.weapon
    if defense is None:
        return
    if defense.maneuver is DefenseManeuver.BLOCK and incoming.type is not DamageType.BASHING and defender.body is None:
        raise Malformed("needed_with", f"{path}/body", field="body", condition="maneuver: block")
    if defense.maneuver is DefenseManeuver.PARRY and not incoming.armed and weapon and defender.strength is None:
        arms = weapon.arms
        if arms.range is Range.CLOSE and arms.type is not DamageType.BASHING and arms.base is DamageBase.STRENGTH:
            raise Malformed("needed_with", f"{path}/strength", field="strength", condition="maneuver: parry")

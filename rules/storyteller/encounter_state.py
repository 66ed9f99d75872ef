"""What a fight keeps of a combatant: what lasts, and what counts for a round."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypedDict

from annotated_types import Ge, Le, Len

from rules.core.encounter import CombatantId
from rules.storyteller.attack_roll import Visibility
from rules.storyteller.body import HealthStatus, Wounds
from rules.storyteller.defender import Awareness, DefenseManeuver, Refuge, Room
from rules.storyteller.encounter_said import AttackSaid, RollTerms
from rules.storyteller.encounter_sheet import (
    NO_ARMOR,
    AbilityName,
    AttributeName,
    Sheet,
    SheetArmor,
    WeaponId,
    Willpower,
)
from rules.storyteller.grapple import GrappleKind
from rules.storyteller.tables import HEALTH_LEVELS
from rules.storyteller.terms import Cover, Maneuver


class Declaration(StrEnum):
    """What was declared for the round, or what became of it."""

    NONE = "none"
    ACTION = "action"
    MULTIPLE = "multiple"
    FULL_DEFENSE = "full_defense"
    ABORTED = "aborted"


class ShareUse(StrEnum):
    """What a share of a multiple action is for."""

    ATTACK = "attack"
    BLOCK = "block"
    DODGE = "dodge"
    PARRY = "parry"
    ROLL = "roll"


DEFENSES = frozenset({ShareUse.BLOCK, ShareUse.DODGE, ShareUse.PARRY})


class GrappleRole(StrEnum):
    """What somebody is in a clinch or a hold."""

    BOTH = "both"
    HOLDER = "holder"
    HELD = "held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What one does with an action, by which a share of a multiple action is found."""

    for_: ShareUse
    maneuver: Maneuver | None = None
    attribute: AttributeName | None = None
    ability: AbilityName | None = None


# Dictionaries, here and below: `for` and `with` cannot be fields of a class.
KeptShare = TypedDict(
    "KeptShare",
    {
        "for": ShareUse,
        "maneuver": Maneuver | None,
        "attribute": AttributeName | None,
        "ability": AbilityName | None,
        "dice": int,
        "used": bool,
    },
)
"""A share of a multiple action: the dice put to one deed, and whether it is done."""


def deed_of(share: KeptShare) -> Deed:
    """What a share is for."""
    return Deed(for_=share["for"], maneuver=share["maneuver"], attribute=share["attribute"], ability=share["ability"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadiedDefense(RollTerms):
    """What a combatant does against the next attack."""

    maneuver: DefenseManeuver
    """How one defends."""
    against: CombatantId | None = None
    """Against whose attack; left out, anyone's."""
    weapon: WeaponId | None = None
    """The weapon of a parry; left out, the one in hand. Only with a parry."""
    refuge: Refuge | None = None
    """Where a dodge from shots means to end, on one's feet unless said. Only with a dodge."""
    room: Room | None = None
    """Whether there is room to move, `open` unless said. Only with a dodge; the game master's."""
    opponents: Annotated[int, Ge(1), Le(20)] | None = None
    """Opponents fought at the same time; left out, as many as close attacks were exchanged with. The game master's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedAttack(AttackSaid):
    """An attack that was announced, and is not rolled yet."""

    target: CombatantId
    """Who is attacked."""
    maneuver: Maneuver
    """How one attacks."""


GrappleBond = TypedDict("GrappleBond", {"kind": GrappleKind, "with": str, "role": GrappleRole})
"""A clinch or a hold: with whom, and as what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAmbush:
    """An ambush that was won or tied, until the attack on its target or the end of `last_round`."""

    target: str
    bonus: int
    awareness: Awareness
    last_round: int


@dataclass(slots=True, kw_only=True)
class State:
    """What lasts for the fight, until it ends or the game master changes it.

    `dropped` has the ids of weapons that were lost and lie where they fell.
    """

    wounds: Wounds
    status: HealthStatus
    armor: SheetArmor
    wielded: str | None
    willpower: Willpower
    engaged: bool = False
    grapple: GrappleBond | None = None
    cover: Cover = Cover.NONE
    prone: bool = False
    visibility: Visibility = Visibility.CLEAR
    ambush: KeptAmbush | None = None
    dropped: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Turn:
    """What counts within a round.

    `has_acted` says that the one action is used; the shares of a multiple action tell for themselves. `willpower_spent` says
    that a point was spent for a success. `foes` are those with whom close attacks were exchanged, either way.
    """

    declared: Declaration = Declaration.NONE
    shares: Annotated[list[KeptShare], Len(0, 10)] = field(default_factory=list)
    has_acted: bool = False
    abort_failed: bool = False
    defenses_made: int = 0
    readied_defense: ReadiedDefense | None = None
    announced: AnnouncedAttack | None = None
    willpower_spent: bool = False
    foes: list[str] = field(default_factory=list)


def begin(sheet: Sheet) -> tuple[State, Turn]:
    """One who joins: all as on the sheet, and a round in which nothing has happened."""
    state = State(
        wounds=sheet.wounds,
        status=status_of(sheet.wounds),
        armor=sheet.armor or NO_ARMOR,
        wielded=sheet.wielded,
        willpower=sheet.willpower,
    )
    return state, Turn()


def status_of(wounds: Wounds) -> HealthStatus:
    """What a track leaves one able to: a full one with bashing damage means unconscious, without it incapacitated."""
    if wounds.filled < HEALTH_LEVELS:
        return HealthStatus.ABLE
    return HealthStatus.UNCONSCIOUS if wounds.bashing else HealthStatus.INCAPACITATED

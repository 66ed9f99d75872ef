"""What a fight keeps of a combatant, and of an attack that waits for its defense."""

from dataclasses import dataclass, field

from rules.gurps.encounter_sheet import Sheet
from rules.gurps.encounter_weapon import WeaponStatus
from rules.gurps.incoming_attack import Attack
from rules.gurps.posture import Posture
from rules.gurps.sheet import DefenderState, Maneuver
from rules.gurps.turn import OptionKind


@dataclass(slots=True, kw_only=True)
class State:
    """What lasts until something changes it.

    `hp` and `fp` are None where the sheet tells none. `weapons` has the status of each weapon by its id, `alert_to` the hidden
    foes that this one is on guard against. `maneuver` is that of the own last turn. `covered` is a mark for people.
    """

    hp: int | None = None
    fp: int | None = None
    posture: Posture = Posture.STANDING
    state: DefenderState = DefenderState.ABLE
    stunned: bool = False
    blind: bool = False
    shock: int = 0
    maneuver: Maneuver = Maneuver.OTHER
    weapons: dict[str, WeaponStatus] = field(default_factory=dict)
    covered: bool = False
    hidden: bool = False
    alert_to: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionUsed:
    """The retreat or drop of this turn; `against` is the foe, None after a dive for cover whose bonus does not last."""

    kind: OptionKind
    against: str | None
    posture_before: Posture


@dataclass(slots=True, kw_only=True)
class Turn:
    """What counts from the beginning of one's own turn to that of the next.

    `parries` are counted by weapon, those of bare hands by hand. `attacked_with` has ids of weapons and hands.
    """

    parries: dict[str, int] = field(default_factory=dict)
    attacked_with: list[str] = field(default_factory=list)
    block_used: bool = False
    acrobatic_dodge_used: bool = False
    double_defense_used: bool = False
    option: OptionUsed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingAttack:
    """An attack that hits unless it is defended: whose it is, whom it would strike, with which weapon, and how it came."""

    attacker: str
    target: str
    weapon: str
    attack: Attack


def begin(sheet: Sheet) -> tuple[State, Turn]:
    """One who joins: unhurt, standing, every weapon ready, and a turn in which nothing has happened."""
    weapons = {weapon.id: WeaponStatus.READY for weapon in sheet.weapons}
    return State(hp=sheet.hp, fp=sheet.fp, weapons=weapons), Turn()

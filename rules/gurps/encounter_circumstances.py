"""An attack as a command tells it: what neither the weapon nor the state of the fight knows."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.encounter import Play
from rules.core.faults import Malformed, only_with, unique
from rules.gurps.encounter_fighter import Fighter
from rules.gurps.encounter_weapon import SheetWeapon
from rules.gurps.incoming_attack import (
    Attack,
    AttackerStep,
    Awareness,
    Detection,
    Direction,
    ForbiddenDefense,
    Height,
    Runaround,
    Strike,
)


class SaidAwareness(StrEnum):
    """What the target knows of an attack, where that does not follow from the attacker being hidden."""

    PARTLY_SEES = "partly_sees"
    SURPRISE = "surprise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """How an attack is made; the rest follows from the weapon, the sheets and the state."""

    direction: Direction = Direction.FRONT
    """Where it comes from, seen by the defender."""
    runaround: Runaround = Runaround.NONE
    """The attacker began the turn elsewhere and came round on that side, which makes it a side attack; only with
    `direction: rear`."""
    height: Height | None = None
    """The difference in height; it counts in melee only."""
    strike: Strike | None = None
    """Whether it is a thrust; absent: as the weapon says."""
    attacker_step: AttackerStep = AttackerStep.NONE
    """`available`: the attacker's maneuver allows a step that is still to come, so the attacker may follow a retreat."""
    forbids: Annotated[tuple[ForbiddenDefense, ...], Len(0, 2)] = ()
    """Defenses that the attack rules out by its nature."""
    launcher_in_reach: bool = False
    """Whether the bow itself can be parried; only with a weapon that is a `launcher`."""
    feint: Annotated[int, Ge(0), Le(30)] = 0
    """The margin of an earlier feint, taken off the defense."""
    deceptive: Annotated[int, Ge(0), Le(10)] = 0
    """Points that a Deceptive Attack takes off the defense; the attack pays two for each."""
    awareness: SaidAwareness | None = None
    """Absent: the target sees an attacker who is not hidden, is on guard against a hidden one whom it knows of, and knows
    nothing of another. Not to be said of an attacker who is hidden. `surprise` is for the game master to say."""
    detection: Detection | None = None
    """A roll to notice a `surprise`, if the game master allows one; for the game master to say."""

    def __post_init__(self) -> None:
        only_with("awareness: surprise", self.surprising, detection=self.detection)
        unique("forbids", self.forbids)
        if self.runaround is not Runaround.NONE and self.direction is not Direction.REAR:
            raise Malformed("only_with", "runaround", field="runaround", condition="direction: rear")

    @property
    def surprising(self) -> bool:
        """Whether it is a trap, the blow of a treacherous friend and the like."""
        return self.awareness is SaidAwareness.SURPRISE


def demand_leave(play: Play, said: Circumstances) -> None:
    """A surprise, and a roll to notice one, are the game master's to say."""
    play.gm_only(awareness=said.awareness if said.surprising else None, detection=said.detection)


def attack_with(weapon: SheetWeapon, attacker: Fighter, target: Fighter, said: Circumstances) -> Attack:
    """The attack as a stateless request says it."""
    if said.launcher_in_reach and not weapon.attack.launcher:
        raise Malformed("only_with", "attack/launcher_in_reach", field="launcher_in_reach", condition="launcher")
    body = weapon.body_of(attacker.sheet.st)
    awareness = None if said.awareness is None else Awareness(said.awareness)
    return Attack(
        kind=weapon.attack.kind,
        means=weapon.means,
        strike=said.strike or weapon.attack.strike,
        weapon_class=weapon.attack.weapon_class,
        unarmed_skill=weapon.attack.unarmed_skill,
        weight_g=None if body is not None else weapon.weight_g(launcher_in_reach=said.launcher_in_reach),
        body=body,
        direction=said.direction,
        runaround=said.runaround,
        awareness=target.awareness_of(attacker, awareness),
        detection=said.detection,
        height=said.height,
        forbids=said.forbids,
        launcher_in_reach=said.launcher_in_reach,
        attacker_step=said.attacker_step,
        deceptive=said.deceptive,
        feint=said.feint,
    )

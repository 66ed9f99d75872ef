"""Defenses as a command names them: the weapon instead of what parries, a yes instead of a skill."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Len

from rules.core.faults import needed_with, only_with
from rules.gurps.defense_choice import Defense, DefenseChoice, DefenseKind, LimbStrike
from rules.gurps.encounter_fighter import Fighter, fields_of
from rules.gurps.encounter_weapon import WeaponId


class InjureLimb(StrEnum):
    """Whether the limb is struck that a weapon has parried."""

    NO = "no"
    YES = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class FightDefense(DefenseChoice):
    """One active defense against one attack; the scores are the sheet's, and what the turn has used the fight knows."""

    weapon: WeaponId | None = None
    """The weapon of the sheet that parries, bare hands included; needed for a `parry`, and only for it."""
    injure_limb: InjureLimb | None = None
    """After a successful parry of an unarmed attack with a weapon, roll its skill to injure the limb. Only for a `parry`;
    absent: `no`."""

    def __post_init__(self) -> None:
        self.check_kind()
        parry = self.kind is DefenseKind.PARRY
        needed_with("kind: parry", parry, weapon=self.weapon)
        only_with("kind: parry", parry, weapon=self.weapon, injure_limb=self.injure_limb)


FightDefenses = Annotated[tuple[FightDefense, ...], Len(0, 2)]


def defenses_of(defender: Fighter, chosen: tuple[FightDefense, ...]) -> tuple[Defense, ...]:
    """The defenses as a stateless request says them."""
    return tuple(_defense(defender, each) for each in chosen)


def _defense(defender: Fighter, chosen: FightDefense) -> Defense:
    said = fields_of(chosen, DefenseChoice)
    if chosen.weapon is None:
        return Defense(**said)
    weapon = defender.weapon(chosen.weapon)
    limb = LimbStrike(skill=weapon.skill) if chosen.injure_limb is InjureLimb.YES else None
    return Defense(**said, tool=defender.tool(weapon), injure_limb=limb)

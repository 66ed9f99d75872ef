"""The fighter: one sheet for every action, and what follows from it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.conditions import (
    Characteristic,
    Condition,
    ConditionCause,
    ConditionState,
    immobilised_by_other,
    in_state,
    is_low,
    reduction,
)
from rules.action_points.exact import ApNumber, exact, only_tenths
from rules.action_points.sheet import Sheet
from rules.action_points.tables import GROUPS, LEVELS, CreatureKind, Level
from rules.core.faults import Malformed, needed_with, not_together
from rules.core.nullable import NULL_ALLOWED
from rules.core.trail import Number


class EarlierDefenseType(StrEnum):
    """How an attack was answered."""

    DODGE = "dodge"
    DASH = "dash"
    PARRY = "parry"
    DISARM = "disarm"
    ABSORB_SPELL = "absorb_spell"


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierDefense:
    """A defense made since the last AP refresh."""

    type: EarlierDefenseType
    """How the attack was answered."""
    ap: Annotated[ApNumber | None, NULL_ALLOWED] = None
    """The AP that it cost, one decimal at most; null is the same as left out. Option `escalation_base` `first_defense` needs
    that of the first one that counts."""

    def __post_init__(self) -> None:
        only_tenths(ap=self.ap)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """One sheet for every action: what an action does not need, it accepts and ignores.

    The dead and the stunned look alike to a request that stands alone: a fighter with 0 HP is dead only by option
    `at_zero_hp` `dies`, and one whom a critical attack killed is for the caller to leave out.
    """

    kind: CreatureKind | None = None
    """What the fighter is; needed with `level` and to change shape."""
    level: Annotated[int, Ge(1), Le(5)] | None = None
    """Gives maximum HP and AP, regeneration and circle of power of the kind, so none of these four goes with it."""
    hp_max: Annotated[int, Ge(1), Le(100_000)] | None = None
    """Maximum HP, where `level` does not give it."""
    ap_max: ApNumber | None = None
    """Maximum AP of a turn, where `level` does not give it; one decimal at most."""
    regeneration: Annotated[int, Ge(0), Le(10_000)] | None = None
    """HP regained each round, where `level` does not give it; 0 unless told."""
    circle_of_power: Annotated[int, Ge(0), Le(100)] | None = None
    """Circle of power, where `level` does not give it; read with option `magic_resistance` `threshold`."""
    hp: Annotated[int, Ge(0), Le(100_000)] | None = None
    """HP now, the maximum unless told; goes only with a known maximum and is not above it. Reductions are not in it."""
    ap: ApNumber | None = None
    """AP left now, final: reductions are already in it. One decimal at most, not above a known maximum."""
    ap_spent: ApNumber | None = None
    """AP spent since the last refresh, instead of `ap`: left is maximum − reductions of AP − this, 0 at least. 0 unless told;
    needs the maximum. One decimal at most."""
    magic_resistance: Annotated[int, Ge(0), Le(100)] = 0
    """Magic resistance: per cent of a reduction that is resisted, or by option `threshold` what the circle of power has to
    exceed."""
    passive_protection: Annotated[int, Ge(0), Le(100_000)] = 0
    """HP taken off the damage of each hit, in every state."""
    conditions: Annotated[tuple[Condition, ...], Len(0, 32)] = ()
    """What the fighter is in; at most one of cause `whip`. The stun of low HP need not be listed to count."""
    earlier_defenses: Annotated[tuple[EarlierDefense, ...], Len(0, 20)] = ()
    """Defenses made since the last AP refresh, in order: each makes the next one dearer."""
    dash_used: bool = False
    """A dash was made this turn, as movement or as a defense; a `dash` in `earlier_defenses` says so too."""
    disarm_used: bool = False
    """The one disarm of this fight is used; a `disarm` in `earlier_defenses` says so too."""
    has_cold_weapon: bool = True
    """Has a melee weapon to parry with; read only when option `parry_reading` is not the default."""
    hidden: bool = False
    """In stealth."""

    def __post_init__(self) -> None:
        only_tenths(ap_max=self.ap_max, ap=self.ap, ap_spent=self.ap_spent)
        self._level_gives_maxima()
        not_together(ap=self.ap, ap_spent=self.ap_spent)
        needed_with("ap_spent", self.ap_spent is not None and self.level is None, ap_max=self.ap_max)
        needed_with("hp", self.hp is not None and self.level is None, hp_max=self.hp_max)
        self._not_above_maxima()
        self._held_by_one_whip()

    def _level_gives_maxima(self) -> None:
        if self.level is None:
            return
        needed_with("level", self.kind is None, kind=self.kind)
        not_together(level=self.level, hp_max=self.hp_max)
        not_together(level=self.level, ap_max=self.ap_max)
        not_together(level=self.level, regeneration=self.regeneration)
        not_together(level=self.level, circle_of_power=self.circle_of_power)

    def _not_above_maxima(self) -> None:
        hp_maximum, ap_maximum = self.hp_maximum, self.ap_maximum
        if self.hp is not None and hp_maximum is not None and self.hp > hp_maximum:
            raise Malformed("less_than_equal", "hp", le=hp_maximum)
        if self.ap is not None and ap_maximum is not None and exact(self.ap) > ap_maximum:
            raise Malformed("less_than_equal", "ap", le=float(ap_maximum))

    def _held_by_one_whip(self) -> None:
        whips = [at for at, each in enumerate(self.conditions) if each.cause is ConditionCause.WHIP]
        if len(whips) > 1:
            raise Malformed("duplicate", f"conditions/{whips[1]}/cause", value=ConditionCause.WHIP.value)

    @property
    def of_level(self) -> Level | None:
        """What the kind has at the level."""
        if self.kind is None or self.level is None:
            return None
        return LEVELS[GROUPS[self.kind]][self.level - 1]

    @property
    def hp_maximum(self) -> int | None:
        """Maximum HP, if known."""
        given = self.of_level
        return given.hp if given is not None else self.hp_max

    @property
    def ap_maximum(self) -> Number | None:
        """Maximum AP, if known, without reductions."""
        given = self.of_level
        if given is not None:
            return given.ap
        return None if self.ap_max is None else exact(self.ap_max)

    @property
    def regenerates(self) -> int:
        """HP regained each round."""
        given = self.of_level
        return given.regeneration if given is not None else self.regeneration or 0

    @property
    def circle(self) -> int | None:
        """The circle of power, if known: a level is one."""
        return self.level if self.level is not None else self.circle_of_power

    @property
    def ap_full(self) -> Number | None:
        """The maximum less the reductions of AP, 0 at least, if known."""
        maximum = self.ap_maximum
        return None if maximum is None else max(0, maximum - reduction(self.conditions, Characteristic.AP))

    @property
    def ap_available(self) -> Number | None:
        """What may be spent now: what is said to be left, or full AP less those spent, 0 at least, if known."""
        if self.ap is not None:
            return exact(self.ap)
        full = self.ap_full
        return None if full is None else max(0, full - exact(self.ap_spent or 0))

    @property
    def hp_now(self) -> int | None:
        """HP now, the maximum unless told, if known."""
        return self.hp if self.hp is not None else self.hp_maximum

    @property
    def effective_hp(self) -> int | None:
        """HP less the reductions of HP, 0 at least, if known."""
        hp = self.hp_now
        return None if hp is None else max(0, hp - reduction(self.conditions, Characteristic.HP))

    @property
    def has_low_hp(self) -> bool:
        """Whether HP are low enough to stun; unknown HP never are."""
        hp_max, effective = self.hp_maximum, self.effective_hp
        return hp_max is not None and effective is not None and is_low(effective, hp_max)

    @property
    def immobilised(self) -> bool:
        """Whether anything immobilises."""
        return in_state(self.conditions, ConditionState.IMMOBILISED)

    @property
    def immobilised_without_whip(self) -> bool:
        """Whether anything but a whip immobilises."""
        return immobilised_by_other(self.conditions)

    @property
    def bound(self) -> bool:
        """Whether anything binds."""
        return in_state(self.conditions, ConditionState.BOUND)

    @property
    def stunned(self) -> bool:
        """Whether anything stuns, listed or by low HP."""
        return in_state(self.conditions, ConditionState.STUNNED) or self.has_low_hp

    @property
    def whip_hold(self) -> Condition | None:
        """The hold of a whip, if there is one."""
        return next((each for each in self.conditions if each.cause is ConditionCause.WHIP), None)

    @property
    def dash_made(self) -> bool:
        """Whether a dash was made this turn."""
        return self.dash_used or self._has_made(EarlierDefenseType.DASH)

    @property
    def disarm_made(self) -> bool:
        """Whether the disarm of this fight is used."""
        return self.disarm_used or self._has_made(EarlierDefenseType.DISARM)

    def _has_made(self, defense: EarlierDefenseType) -> bool:
        return any(each.type is defense for each in self.earlier_defenses)

    def sheet(self) -> Sheet:
        """The numbers that change while something happens to the fighter, whose maximum HP have to be known."""
        return Sheet(
            hp_max=self.hp_maximum or 0,
            hp=self.hp_now or 0,
            ap=self.ap_available,
            conditions=[each.kept() for each in self.conditions],
        )


def known_ap(path: str, fighter: Fighter, condition: str) -> None:
    """Demand that the AP available of the fighter at this path are known."""
    if fighter.ap_available is None:
        raise Malformed("needed_with", f"{path}/ap", field="ap", condition=condition)


def known_hp(path: str, fighter: Fighter, condition: str) -> None:
    """Demand that the maximum HP of the fighter at this path are known."""
    if fighter.hp_maximum is None:
        raise Malformed("needed_with", f"{path}/hp_max", field="hp_max", condition=condition)

"""Defenses: the target's answer to an attack."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.action_points.exact import only_tenths
from rules.action_points.fighter import EarlierDefenseType, Fighter
from rules.action_points.options import AbsorbCost, DashEscalation, DefenseCounter, EscalationBase, Options
from rules.action_points.tables import Direction
from rules.core.faults import Malformed, only_with


class DefenseType(StrEnum):
    """How an attack is answered."""

    NONE = "none"
    DODGE = "dodge"
    DASH = "dash"
    PARRY = "parry"
    DISARM = "disarm"
    ABSORB_SPELL = "absorb_spell"


EVASIONS = (DefenseType.DODGE, DefenseType.DASH)
WEAPON_DEFENSES = (DefenseType.PARRY, DefenseType.DISARM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defense:
    """The target's answer: blows land unless it is paid for."""

    type: DefenseType
    """`dash` jumps out of the way of a shot or spell for 5 AP; `disarm` is a parry that knocks the weapon away as well."""
    direction: Direction | None = None
    """Where a dash goes, `sideways` unless told; only with `dash`."""
    absorb_ap: Annotated[float, Ge(0), Le(200)] | None = None
    """The price of Absorb Spell itself, one decimal at most; only with `absorb_spell`, where option `absorb_cost` `own_price`
    needs it and the default forbids it."""
    needs_hands: bool | None = None
    """False for an absorption that the bound can make, true unless told; only with `absorb_spell`."""

    def __post_init__(self) -> None:
        only_tenths(absorb_ap=self.absorb_ap)
        absorbs = self.type is DefenseType.ABSORB_SPELL
        only_with("type dash", self.type is DefenseType.DASH, direction=self.direction)
        only_with("type absorb_spell", absorbs, absorb_ap=self.absorb_ap, needs_hands=self.needs_hands)

    @property
    def goes(self) -> Direction:
        """Where a dash goes."""
        return self.direction if self.direction is not None else Direction.SIDEWAYS

    @property
    def frees_hands(self) -> bool:
        """Whether the bound can do it: Absorb Spell that is said to need no hands."""
        return self.needs_hands is False


NO_DEFENSE = Defense(type=DefenseType.NONE)

EVADED = frozenset({EarlierDefenseType.DODGE, EarlierDefenseType.DASH})
STOPPED = frozenset({EarlierDefenseType.PARRY, EarlierDefenseType.DISARM, EarlierDefenseType.ABSORB_SPELL})
FAMILIES: Mapping[DefenseType, frozenset[EarlierDefenseType]] = {
    DefenseType.DODGE: EVADED,
    DefenseType.DASH: EVADED,
    DefenseType.PARRY: STOPPED,
    DefenseType.DISARM: STOPPED,
    DefenseType.ABSORB_SPELL: STOPPED,
}


def counted(defense: Defense, defender: Fighter, options: Options) -> tuple[int, ...]:
    """Which earlier defenses make this one dearer: all but dashes, or by option those of its family, or dashes too."""
    dashes = options.dash_escalation is DashEscalation.COUNTS
    shared = options.defense_counter is DefenseCounter.SHARED
    return tuple(
        at
        for at, earlier in enumerate(defender.earlier_defenses)
        if (dashes or earlier.type is not EarlierDefenseType.DASH)
        and (shared or earlier.type in FAMILIES[defense.type])
    )


def price_is_known(path: str, defense: Defense, defender: Fighter, options: Options) -> None:
    """Demand what the price needs: Absorb Spell's own AP, or the AP of the first defense that counts."""
    own_price = options.absorb_cost is AbsorbCost.OWN_PRICE
    absorbs = defense.type is DefenseType.ABSORB_SPELL
    if absorbs and own_price != (defense.absorb_ap is not None):
        code = "needed_with" if own_price else "only_with"
        raise Malformed(code, "defense/absorb_ap", field="absorb_ap", condition="options.absorb_cost own_price")
    if priced_by_first(defense, options):
        first = next(iter(counted(defense, defender, options)), None)
        if first is not None and defender.earlier_defenses[first].ap is None:
            field = f"{path}/earlier_defenses/{first}/ap"
            raise Malformed("needed_with", field, field="ap", condition="options.escalation_base first_defense")


def priced_by_first(defense: Defense, options: Options) -> bool:
    """Whether a second defense of this type is priced by the first one, as the literal wording has it."""
    own_price = defense.type is DefenseType.ABSORB_SPELL and options.absorb_cost is AbsorbCost.OWN_PRICE
    literal = options.escalation_base is EscalationBase.FIRST_DEFENSE
    return literal and not own_price and defense.type not in (DefenseType.NONE, DefenseType.DASH)

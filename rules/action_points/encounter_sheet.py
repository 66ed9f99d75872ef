"""What a combatant brings into a fight: the sheet, and what is said when the fight opens."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

from annotated_types import Ge, Le, Len

from rules.action_points.conditions import Condition, ConditionCause
from rules.action_points.exact import ApNumber, only_tenths
from rules.action_points.fighter import Fighter
from rules.action_points.options import Options
from rules.action_points.tables import CreatureKind
from rules.core.encounter import CombatantId
from rules.core.faults import Malformed, only_with
from rules.core.nullable import NULL_ALLOWED

MOST_CONDITIONS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What is settled when a fight opens."""

    options: Options = Options()
    """House rules; they hold for the whole fight."""
    attacker: CombatantId | None = None
    """Who starts the fight and has its first turn: the id of a combatant, who may join later. Left out, the first to join."""
    situation: Annotated[str, Len(0, 2000)] = ""
    """The situation, as the attacker describes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FightCondition(Condition):
    """A condition that a combatant is in."""

    holder: Annotated[CombatantId | None, NULL_ALLOWED] = None
    """Whose whip it is; only with cause `whip`. Left out, nobody of the fight: only 15 AP and the game master end it."""

    def __post_init__(self) -> None:
        Condition.__post_init__(self)
        only_with("cause whip", self.cause is ConditionCause.WHIP, holder=self.holder)

    def told(self) -> Condition:
        """The condition as a stateless request tells it."""
        return Condition(**{each.name: getattr(self, each.name) for each in fields(Condition)})


FightConditions = Annotated[tuple[FightCondition, ...], Len(0, MOST_CONDITIONS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterSheet:
    """One who fights; the fight itself keeps AP, defenses, dashes and disarms.

    Either `kind` and `level`, or `hp_max` and `ap_max` have to be there.
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
    """HP when the fight is joined, the maximum unless told and not above it. Reductions are not in it."""
    magic_resistance: Annotated[int, Ge(0), Le(100)] = 0
    """Magic resistance: per cent of a reduction that is resisted, or by option `threshold` what the circle of power has to
    exceed."""
    passive_protection: Annotated[int, Ge(0), Le(100_000)] = 0
    """HP taken off the damage of each hit, in every state."""
    conditions: FightConditions = ()
    """What the fighter is in when the fight is joined; at most one of cause `whip`."""
    has_cold_weapon: bool = True
    """Has a melee weapon to parry with; read only when option `parry_reading` is not the default."""
    hidden: bool = False
    """In stealth when the fight is joined."""

    def __post_init__(self) -> None:
        only_tenths(ap_max=self.ap_max)
        if self.level is None and (self.hp_max is None or self.ap_max is None):
            raise Malformed("maxima_needed")
        self.fighter()

    def fighter(self, **now: Any) -> Fighter:
        """The sheet as a stateless request tells it, with what is different now."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        conditions = tuple(each.told() for each in self.conditions)
        return Fighter(**{**said, "conditions": conditions, **now})

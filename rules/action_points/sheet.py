"""A fighter's numbers while something happens to them: HP, AP and conditions, and the stun of low HP."""

from dataclasses import dataclass, field

from rules.action_points.conditions import (
    STUN_OF_LOW_HP,
    Characteristic,
    ConditionCause,
    ConditionState,
    KeptCondition,
    in_state,
    is_low,
    reduction,
)
from rules.action_points.sources import BEYOND, ON_PARAMETERS, ON_STATES
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

AP_AVAILABLE = rule("action_points.ap.available", ON_PARAMETERS, Kind.BASE)
AP_SPENT = rule("action_points.ap.spent", ON_PARAMETERS, Kind.EFFECT)
HP_LOSS = rule("action_points.hp.loss", ON_PARAMETERS, Kind.EFFECT)
HP_FLOOR = rule("action_points.hp.floor", BEYOND, Kind.LIMIT)
HP_ZERO = rule("action_points.hp.zero", BEYOND, Kind.EFFECT)
LOW_HP_STUNS = rule("action_points.stun.below_tenth", ON_STATES, Kind.DECISION, Kind.EFFECT, Kind.LIMIT)


@dataclass(slots=True)
class Sheet:
    """HP, AP (None: unknown) and conditions as they change; `dead` once they are."""

    hp_max: int
    hp: int
    ap: Number | None
    conditions: list[KeptCondition]
    dead: bool = field(default=False)

    @property
    def effective_hp(self) -> int:
        """HP less the reductions of HP, 0 at least."""
        return max(0, self.hp - reduction(self.conditions, Characteristic.HP))

    @property
    def has_low_hp(self) -> bool:
        """Whether HP are low enough to stun."""
        return is_low(self.effective_hp, self.hp_max)

    @property
    def stunned(self) -> bool:
        """Whether anything stuns; the dead are not stunned."""
        return not self.dead and (in_state(self.conditions, ConditionState.STUNNED) or self.has_low_hp)

    @property
    def low_hp_listed(self) -> bool:
        """Whether the stun of low HP is listed."""
        return any(each.cause is ConditionCause.LOW_HP for each in self.conditions)


def stun_if_low(sheet: Sheet, trail: Trail) -> None:
    """The living with low HP are stunned, until HP are at a tenth again."""
    if sheet.has_low_hp and not sheet.dead and not sheet.low_hp_listed:
        sheet.conditions.append(STUN_OF_LOW_HP)
        trail.effect(LOW_HP_STUNS, sheet.effective_hp, hp_max=sheet.hp_max)

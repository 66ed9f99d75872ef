"""What a hit does beside its damage: reductions, which meet magic resistance, and states, which do not."""

from rules.action_points.conditions import Characteristic, ConditionState, InflictedCondition
from rules.action_points.fighter import Fighter
from rules.action_points.options import MagicResistance, Options
from rules.action_points.sheet import Sheet
from rules.action_points.sources import ON_STATES
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

APPLIED = rule("action_points.reduction.applied", ON_STATES, Kind.EFFECT)
RESISTANCE = rule("action_points.reduction.magic_resistance", ON_STATES, Kind.MODIFIER)
RESISTED = rule("action_points.reduction.resisted", ON_STATES, Kind.DECISION)
INFLICTED = rule("action_points.state.inflicted", ON_STATES, Kind.EFFECT)
INFLICTION_RULES = (RESISTANCE, APPLIED, RESISTED, INFLICTED)


def inflict(
    inflicted: InflictedCondition, attacker: Fighter, defender: Fighter, target: Sheet, options: Options, trail: Trail
) -> None:
    """A reduction takes hold as far as magic resistance lets it, any other state as it is."""
    if inflicted.state is not ConditionState.REDUCED:
        target.conditions.append(inflicted.kept())
        trail.effect(INFLICTED, state=inflicted.state, turns=inflicted.turns)
        return
    amount = inflicted.amount or 0
    remaining = what_resistance_leaves(amount, defender.magic_resistance, attacker.circle, options)
    trail.carry(amount)
    trail.modifier_if_any(RESISTANCE, remaining - amount, resistance=defender.magic_resistance)
    if not remaining:
        trail.decision(RESISTED)
        return
    target.conditions.append(inflicted.kept(remaining))
    left = lower(inflicted.parameter, remaining, target)
    trail.effect(APPLIED, -remaining, total=left, parameter=inflicted.parameter, turns=inflicted.turns)


def what_resistance_leaves(amount: int, resistance: int, circle: int | None, options: Options) -> int:
    """That per cent less, rounded down; or by option all or nothing against the attacker's circle of power."""
    if options.magic_resistance is MagicResistance.PERCENT:
        return amount * (100 - resistance) // 100
    if options.magic_resistance is MagicResistance.THRESHOLD:
        return 0 if resistance >= (circle or 0) else amount
    return amount


def lower(parameter: Characteristic | None, amount: int, target: Sheet) -> Number | None:
    """A reduction of AP lowers those left at once, 0 at least; what is left of the characteristic, if that is known."""
    if parameter is Characteristic.AP and target.ap is not None:
        target.ap = max(0, target.ap - amount)
    if parameter is Characteristic.AP:
        return target.ap
    return target.effective_hp if parameter is Characteristic.HP else None

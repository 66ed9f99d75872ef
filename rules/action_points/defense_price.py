"""What a defense costs: a percentage of the AP of the attack, 50 points more for each defense before it.

Every price says what it was before it was rounded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.action_points.defenses import EVASIONS, Defense, DefenseType, counted, priced_by_first
from rules.action_points.exact import AP_ROUNDING, PriceUnit, divided, exact, rounded_price
from rules.action_points.fighter import Fighter
from rules.action_points.options import AbsorbCost, DashEscalation, DisarmCost, Options
from rules.action_points.plan_items import DASH
from rules.action_points.sources import ON_COMBAT
from rules.action_points.tables import DASH_AP
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

BASE = rule("action_points.defense.base", ON_COMBAT, Kind.BASE)
ESCALATION = rule("action_points.defense.escalation", ON_COMBAT, Kind.MODIFIER)
PRICE = rule("action_points.defense.price", ON_COMBAT, Kind.DECISION)
DODGE_COST = rule("action_points.dodge.cost", ON_COMBAT, Kind.BASE)
PARRY_COST = rule("action_points.parry.cost", ON_COMBAT, Kind.BASE)
ABSORB_COST = rule("action_points.absorb.cost", ON_COMBAT, Kind.BASE)
DISARM_COST = rule("action_points.disarm.cost", ON_COMBAT, Kind.BASE)
DEFENSE_PRICE_RULES = (
    BASE,
    DODGE_COST,
    PARRY_COST,
    ABSORB_COST,
    DISARM_COST,
    DASH,
    ESCALATION,
    PRICE,
    AP_ROUNDING,
)

COST_RULES: Mapping[DefenseType, Rule] = {
    DefenseType.DODGE: DODGE_COST,
    DefenseType.DASH: DASH,
    DefenseType.PARRY: PARRY_COST,
    DefenseType.DISARM: DISARM_COST,
    DefenseType.ABSORB_SPELL: ABSORB_COST,
}
ESCALATION_POINTS = 50
EVASION_PERCENT = 100
PARRY_PERCENT = 120
DISARM_PERCENT = 150


class DefenseBase(StrEnum):
    """Whose AP a defense is priced by."""

    ATTACK = "attack"
    FIRST_DEFENSE = "first_defense"
    DASH = "dash"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefensePrice:
    """What a defense costs now; `ordinal` and `percent` are None for a price that is not counted or no percentage."""

    ordinal: int | None
    percent: int | None
    base_ap: Number
    exact_ap: Number
    cost_ap: Number


def price_defense(defense: Defense, attack_ap: int, defender: Fighter, options: Options, trail: Trail) -> DefensePrice:
    """A dash and, by option, Absorb Spell have prices of their own; everything else is a percentage."""
    if defense.type is DefenseType.DASH and options.dash_escalation is DashEscalation.SEPARATE:
        trail.base(DASH, DASH_AP, unit=PriceUnit.AP)
        return DefensePrice(ordinal=None, percent=None, base_ap=DASH_AP, exact_ap=DASH_AP, cost_ap=DASH_AP)
    earlier = counted(defense, defender, options)
    ordinal = len(earlier) + 1
    if defense.type is DefenseType.ABSORB_SPELL and options.absorb_cost is AbsorbCost.OWN_PRICE:
        return own_price(exact(defense.absorb_ap or 0), ordinal, options, trail)
    by = priced_by(defense, ordinal, options)
    trail.base(BASE, base_ap(by, attack_ap, earlier, defender), by=by)
    return escalated(defense.type, own_percent(defense.type, by, options), ordinal, options, trail)


def own_price(price: Number, ordinal: int, options: Options, trail: Trail) -> DefensePrice:
    """Absorb Spell at the spell's own AP does not rise with the number of defenses."""
    trail.base(ABSORB_COST, price, unit=PriceUnit.AP)
    cost = rounded_price(price, options.ap_rounding, trail)
    return DefensePrice(ordinal=ordinal, percent=None, base_ap=price, exact_ap=price, cost_ap=cost)


def priced_by(defense: Defense, ordinal: int, options: Options) -> DefenseBase:
    """A defense is priced by its attack, a dash by its own 5 AP; by option a further defense by the first one."""
    if defense.type is DefenseType.DASH:
        return DefenseBase.DASH
    return DefenseBase.FIRST_DEFENSE if ordinal > 1 and priced_by_first(defense, options) else DefenseBase.ATTACK


def base_ap(by: DefenseBase, attack_ap: int, earlier: tuple[int, ...], defender: Fighter) -> Number:
    """The AP of the attack, of a dash, or of the first defense that counts."""
    if by is DefenseBase.FIRST_DEFENSE:
        return exact(defender.earlier_defenses[earlier[0]].ap or 0)
    return DASH_AP if by is DefenseBase.DASH else attack_ap


def own_percent(defense: DefenseType, by: DefenseBase, options: Options) -> int:
    """A dodge costs the attack's AP, a parry 20 % more, a disarm 150 %, by option on top of the parry.

    The literal wording gives one price for a further defense, whatever it is: the 20 % are not added again.
    """
    if defense in EVASIONS:
        return EVASION_PERCENT
    parry = EVASION_PERCENT if by is DefenseBase.FIRST_DEFENSE else PARRY_PERCENT
    if defense is DefenseType.DISARM:
        return DISARM_PERCENT + (parry if options.disarm_cost is DisarmCost.IN_ADDITION else 0)
    return parry


def escalated(defense: DefenseType, own: int, ordinal: int, options: Options, trail: Trail) -> DefensePrice:
    """Base × percent, for each further defense 50 percentage points more; rounded at the end."""
    base = trail.total
    trail.base(COST_RULES[defense], own, unit=PriceUnit.PERCENT)
    if ordinal > 1:
        trail.modifier(ESCALATION, ESCALATION_POINTS * (ordinal - 1), ordinal=ordinal)
    percent = int(trail.total)
    price = divided(base * percent, 100)
    trail.decision(PRICE, price, base=base, percent=percent)
    cost = rounded_price(price, options.ap_rounding, trail)
    return DefensePrice(ordinal=ordinal, percent=percent, base_ap=base, exact_ap=price, cost_ap=cost)

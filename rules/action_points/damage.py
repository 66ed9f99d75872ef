"""A blow that lands: the damage of the table, what is added and taken off, and the HP that it costs."""

from rules.action_points.attack_kinds import Attack
from rules.action_points.conditions import Characteristic
from rules.action_points.fighter import Fighter
from rules.action_points.sheet import HP_FLOOR, HP_LOSS, Sheet
from rules.action_points.sources import BEYOND, ON_ATTACKS, ON_STATES
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

DAMAGE_BASE = rule("action_points.damage.base", ON_ATTACKS, Kind.BASE)
DAMAGE_BONUS = rule("action_points.damage.bonus", ON_ATTACKS, Kind.MODIFIER)
DAMAGE_REDUCED = rule("action_points.reduction.damage", ON_STATES, Kind.MODIFIER)
DAMAGE_FLOOR = rule("action_points.damage.floor", BEYOND, Kind.LIMIT)
DAMAGE_NONE = rule("action_points.damage.none", BEYOND, Kind.DECISION)
PASSIVE_PROTECTION = rule("action_points.state.passive_protection", ON_STATES, Kind.MODIFIER)
DAMAGE_RULES = (
    DAMAGE_NONE,
    DAMAGE_BASE,
    DAMAGE_BONUS,
    DAMAGE_REDUCED,
    DAMAGE_FLOOR,
    PASSIVE_PROTECTION,
    HP_FLOOR,
    HP_LOSS,
)


def wound(attack: Attack, attacker: Fighter, protection: int, target: Sheet, trail: Trail) -> int:
    """The damage that gets through is taken off the HP; an attack without damage deals none and takes no bonus."""
    if not attack.damage:
        trail.decision(DAMAGE_NONE, 0)
        return 0
    damage = damage_of(attack, attacker, protection, trail)
    left = target.hp - damage
    if left < 0:
        trail.limit(HP_FLOOR, 0, total=0, hp=target.hp, damage=damage)
    lost = min(damage, target.hp)
    target.hp -= lost
    trail.effect(HP_LOSS, -lost, total=target.hp)
    return damage


def damage_of(attack: Attack, attacker: Fighter, protection: int, trail: Trail) -> int:
    """Base, bonuses, the attacker's reductions, then passive protection; never below 0."""
    trail.base(DAMAGE_BASE, attack.damage, type=attack.type)
    for bonus in attack.damage_bonuses:
        trail.modifier(DAMAGE_BONUS, bonus.value, source=bonus.source)
    for condition in attacker.conditions:
        if condition.parameter is Characteristic.DAMAGE:
            trail.modifier(DAMAGE_REDUCED, -(condition.amount or 0))
    not_below_zero(trail)
    if protection:
        trail.modifier(PASSIVE_PROTECTION, -protection)
        not_below_zero(trail)
    return int(trail.total)


def not_below_zero(trail: Trail) -> None:
    """Damage does not go below 0."""
    if trail.total < 0:
        trail.limit(DAMAGE_FLOOR, 0, total=0)

"""One attack against one target, from Defense to the marked boxes: what `attack` and `dodge` share.

Order of dice: all of the attack's (see `rolls`), then all of the Dodge's.
"""

from dataclasses import dataclass
from operator import attrgetter

from rules.chronicles.attack_outcome import AttackOutcome, AttackResult, DefenseMode, DefenseUsed
from rules.chronicles.damage_points import NO_DAMAGE, DamagePoints, points_of
from rules.chronicles.defense_score import AVAILABILITY, FIREARMS, SCORE_STEPS, Defense, defense_score, denied_by
from rules.chronicles.dodge_roll import (
    DODGE_STEPS,
    EQUAL_MISSES,
    NOT_SUBTRACTED,
    SUBTRACT,
    loses_balance,
    roll_dodge,
)
from rules.chronicles.options import Options
from rules.chronicles.pools import WILLPOWER_DICE, WILLPOWER_RESISTANCE, DicePool, begin_pool, finish_pool
from rules.chronicles.rolls import EXCEPTIONAL_SUCCESSES, RollResult, roll
from rules.chronicles.target import TARGET_STEPS, Target, TargetResult, take_damage
from rules.chronicles.turn import ActionState
from rules.chronicles.weapons import DAMAGE_TYPE, RATING, Weapon, WeaponKind
from rules.core.margin import Margin
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail, part

PASSIVE = rule("chronicles.defense.passive", "Уклонение", Kind.MODIFIER)
CHOICE = rule("chronicles.defense.choice", "published", Kind.DECISION)
POOL = rule("chronicles.attack.pool", "Пример", Kind.BASE)
KNOWN_SUCCESSES = rule("chronicles.attack.known_successes", "beyond the source", Kind.BASE)
HIT = rule("chronicles.attack.hit", "Уклонение", Kind.DECISION)
MISS = rule("chronicles.attack.miss", "Уклонение", Kind.DECISION)
DAMAGE = rule("chronicles.attack.damage", "Пример", Kind.BASE)
EXCEPTIONAL = rule("chronicles.attack.exceptional", "published", Kind.DECISION)
ALL_OUT_BONUS = rule("chronicles.all_out.bonus", "published", Kind.MODIFIER)
ALL_OUT_DEFENSE_LOST = rule("chronicles.all_out.defense_lost", "published", Kind.EFFECT)

RULES = (PASSIVE, CHOICE, POOL, KNOWN_SUCCESSES, HIT, MISS, DAMAGE, EXCEPTIONAL, ALL_OUT_BONUS, ALL_OUT_DEFENSE_LOST)
STRIKE_STEPS = (
    *SCORE_STEPS,
    KNOWN_SUCCESSES,
    *DODGE_STEPS,
    SUBTRACT,
    EQUAL_MISSES,
    HIT,
    DAMAGE,
    RATING,
    DAMAGE_TYPE,
    EXCEPTIONAL,
    *TARGET_STEPS,
)
ATTACK_STEPS = (
    CHOICE,
    AVAILABILITY,
    FIREARMS,
    WILLPOWER_RESISTANCE,
    POOL,
    ALL_OUT_BONUS,
    WILLPOWER_DICE,
    PASSIVE,
    NOT_SUBTRACTED,
    MISS,
    ALL_OUT_DEFENSE_LOST,
)

ALL_OUT_BONUS_DICE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """One attack that may be made: `pool`, or `successes` that were rolled already."""

    pool: DicePool | None
    successes: int
    all_out: bool
    weapon: Weapon
    mode: DefenseMode
    defense: Defense
    target: Target | None
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSide:
    """The attacker's successes, and the roll that they came from if it was made now."""

    successes: int
    roll: RollResult | None


NET_SUCCESSES = Margin(attrgetter("successes"), attrgetter("successes"), floor=0)
"""Each success of the Dodge takes one from the attack, down to 0; more do nothing."""


def resolve_strike(strike: Strike, conclusion: Rule, trail: Trail) -> AttackOutcome:
    """Defense, attack, Dodge, hit or miss, damage, target."""
    score = defense_against(strike, trail)
    attack, dodge = attack_and_dodge(strike, score, trail)
    net = attack.successes if dodge is None else subtract_dodge(attack, dodge, trail)
    hit = hits(net, dodge, trail)
    damage = damage_of(net, strike.weapon, trail) if hit else NO_DAMAGE
    if strike.all_out:
        trail.effect(ALL_OUT_DEFENSE_LOST)
    target = damage_target(damage, strike, trail)
    result = AttackResult.HIT if hit else AttackResult.MISS
    trail.result(conclusion, damage.total, result=result)
    return AttackOutcome(
        result=result,
        attack_successes=attack.successes,
        dodge_successes=0 if dodge is None else dodge.successes,
        net_successes=net,
        exceptional=is_exceptional(net),
        damage=damage,
        damage_total=damage.total,
        attack_roll=attack.roll,
        defense=defense_used(strike, score, dodge),
        attacker_defense_lost=strike.all_out,
        target=target,
    )


def defense_against(strike: Strike, trail: Trail) -> int | None:
    """The Defense that is used against this attack; None when it is left out or does not apply."""
    if strike.mode is DefenseMode.NONE:
        trail.decision(CHOICE)
        return None
    denied = denied_by(strike.defense, strike.weapon.kind, strike.options)
    if denied is not None:
        trail.decision(denied, availability=strike.defense.availability)
        return None
    return defense_score(strike.defense, strike.options, trail, passive=strike.mode is DefenseMode.PASSIVE)


def attack_and_dodge(strike: Strike, score: int | None, trail: Trail) -> tuple[AttackSide, RollResult | None]:
    """The attack with all its dice, then the Dodge, which is rolled also against an attack without successes."""
    if strike.mode is not DefenseMode.DODGE or score is None:
        return attack_side(trail, strike, score), None
    return trail.opposed(
        NET_SUCCESSES,
        part(attack_side, strike, score),
        part(roll_dodge, strike.defense, score, strike.options),
    )


def attack_side(trail: Trail, strike: Strike, score: int | None) -> AttackSide:
    """Known successes, or the pool: passive Defense comes off it as dice, a Dodge leaves it alone."""
    pool = strike.pool
    if pool is None:
        trail.base(KNOWN_SUCCESSES, strike.successes)
        return AttackSide(successes=strike.successes, roll=None)
    begin_pool(POOL, pool, trail)
    if strike.all_out:
        trail.modifier(ALL_OUT_BONUS, ALL_OUT_BONUS_DICE)
    finish_pool(pool, trail)
    if strike.mode is DefenseMode.PASSIVE and score is not None:
        trail.modifier(PASSIVE, -score)
    if strike.mode is DefenseMode.DODGE:
        trail.decision(NOT_SUBTRACTED, score=score)
    rolled = roll(int(trail.total), pool, strike.options, trail, willpower_spent=pool.willpower)
    return AttackSide(successes=rolled.successes, roll=rolled)


def subtract_dodge(attack: AttackSide, dodge: RollResult, trail: Trail) -> int:
    """The attacker keeps only the difference."""
    trail.carry(attack.successes)
    trail.modifier(SUBTRACT, -dodge.successes, floor=0, successes=attack.successes)
    return NET_SUCCESSES(attack, dodge)


def hits(net: int, dodge: RollResult | None, trail: Trail) -> bool:
    """At least one success left is a hit; a Dodge with at least as many successes as the attack makes it miss."""
    if net:
        trail.decision(HIT, net)
    else:
        trail.decision(MISS if dodge is None else EQUAL_MISSES, net)
    return net > 0


def damage_of(net: int, weapon: Weapon, trail: Trail) -> DamagePoints:
    """One point for each success left, then the weapon's rating; all of one severity."""
    trail.base(DAMAGE, net)
    trail.modifier_if_any(RATING, weapon.rating)
    points = points_of(weapon.severity, int(trail.total))
    trail.decision(DAMAGE_TYPE, points.total, severity=weapon.severity, weapon=weapon.kind)
    if is_exceptional(net):
        trail.decision(EXCEPTIONAL, net)
    return points


def is_exceptional(net: int) -> bool:
    """Five or more successes left after the Dodge; the weapon's rating is not counted."""
    return net >= EXCEPTIONAL_SUCCESSES


def damage_target(damage: DamagePoints, strike: Strike, trail: Trail) -> TargetResult | None:
    """The damage goes onto the target; on a miss its track is told as it is."""
    if strike.target is None:
        return None
    firearm = strike.weapon.kind is WeaponKind.FIREARM
    return take_damage(damage, firearm, strike.weapon.armor_piercing, strike.target, trail)


def defense_used(strike: Strike, score: int | None, dodge: RollResult | None) -> DefenseUsed:
    """The defender's side; the counter that this attack raises is the one of whether Defense was used."""
    defense, applied = strike.defense, score is not None
    return DefenseUsed(
        mode=strike.mode,
        applied=applied,
        score=score,
        roll=dodge,
        willpower_spent=dodge.willpower_spent if dodge is not None else applied and defense.willpower,
        gives_up_action=dodge is not None and defense.action_state is ActionState.UNSPENT,
        off_balance_next_turn=dodge is not None and loses_balance(dodge),
        attacks_defended=defense.attacks_defended + applied,
        attacks_undefended=defense.attacks_undefended + (not applied),
    )

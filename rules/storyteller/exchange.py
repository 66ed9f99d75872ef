"""Attack against defense: who strikes, with how much, and whom a parry wounds."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

from rules.core.rule import Kind, rule
from rules.core.trail import Part, Trail, part
from rules.storyteller import defense_refusals, defenses, holds, weapons
from rules.storyteller.attack_roll import AttackRoll
from rules.storyteller.body import Body
from rules.storyteller.defender import Defender, DefenseManeuver, Incoming
from rules.storyteller.defenses import defend
from rules.storyteller.harm import Blow, Harm, damage_dice, harm
from rules.storyteller.options import DefenseTie, Options
from rules.storyteller.pools import Change
from rules.storyteller.terms import DamageType
from rules.storyteller.throws import RolledPool
from rules.storyteller.weapons import base_damage

COMPARE = rule("storyteller.defense.compare", "Защитные маневры", Kind.MODIFIER)
TIE = rule("storyteller.defense.tie", "published", Kind.DECISION)
HIT = rule("storyteller.attack.hit", "Защитные маневры", Kind.DECISION)
MISS = rule("storyteller.attack.miss", "Защитные маневры", Kind.DECISION)
COUNTER = rule("storyteller.parry.counter", "Парировать", Kind.DECISION)
COUNTER_DICE = rule("storyteller.parry.counter_dice", "Парировать", Kind.MODIFIER)

RULES = (COMPARE, TIE, HIT, MISS, COUNTER, COUNTER_DICE)
EXCHANGE_RULES = (*weapons.RULES, *holds.RULES, *defense_refusals.RULES, *defenses.RULES, *RULES)
"""All that an attack against a defense may write, but for the rolls and the harm."""


class AttackResult(StrEnum):
    """Whether an attack strikes."""

    HIT = "hit"
    MISS = "miss"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParryCounter:
    """What a parry does to an unarmed attacker."""

    type: DamageType
    """The kind of damage of the parrying weapon."""
    pool: int
    """Damage dice before soak."""
    damage: Harm | None
    """What it did; null without the attacker's body."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Attack and defense as they were rolled, and what comes of them; `net` is 0 on a miss."""

    attack: AttackRoll
    defense: RolledPool | None
    hit: bool
    net: int

    @property
    def lead(self) -> int:
        """By how many successes the defense is ahead."""
        return self.defense.successes - self.attack.successes if self.defense else 0

    @property
    def result(self) -> AttackResult:
        """Whether the attack strikes."""
        return AttackResult.HIT if self.hit else AttackResult.MISS


def seen(attack: AttackRoll, defense: RolledPool) -> Hashable:
    """What the rest of an exchange tells apart: net successes, a tie, a defense ahead, how the attack itself ended.

    By how much a defense is ahead decides the damage of a parry, of which the odds of an exchange do not speak.
    """
    net = attack.successes - defense.successes
    return max(net, 0), net == 0 and attack.successes > 0, net < 0, attack.result


def exchange(attack: Part[AttackRoll], defender: Defender, options: Options, trail: Trail) -> Exchange:
    """The attack, and the defense if one was chosen, whatever the attack came to."""
    if defender.defense is None:
        rolled = trail.apart(attack)
        return _decided(rolled, None, rolled.successes, trail, hit=rolled.successes > 0)
    rolled, defense = trail.opposed(seen, attack, part(defend, defender.defense, options))
    net = rolled.successes - defense.successes
    trail.carry(rolled.successes)
    trail.modifier_if_any(COMPARE, -defense.successes, attack=rolled.successes)
    tie = net == 0 and rolled.successes > 0
    if tie:
        trail.decision(TIE, 0, reading=options.defense_tie)
    hit = net > 0 or (tie and options.defense_tie is DefenseTie.HIT)
    return _decided(rolled, defense, net, trail, hit=hit)


def _decided(attack: AttackRoll, defense: RolledPool | None, net: int, trail: Trail, *, hit: bool) -> Exchange:
    if hit:
        trail.decision(HIT, net)
    else:
        trail.decision(MISS)
    return Exchange(attack, defense, hit, net if hit else 0)


def parry_counter(
    defender: Defender, incoming: Incoming, lead: int, body: Body | None, options: Options, trail: Trail
) -> ParryCounter | None:
    """An unarmed attacker out-rolled by a parry with a weapon that does no bashing is hurt by it."""
    defense, weapon = defender.defense, defender.weapon
    if defense is None or defense.maneuver is not DefenseManeuver.PARRY or weapon is None:
        return None
    arms = weapon.arms
    if lead <= 0 or incoming.armed or arms.type is DamageType.BASHING:
        return None
    trail.decision(COUNTER, lead, damage=arms.type)
    blow = Blow(base_damage(arms, defender.strength), arms.type, (Change(COUNTER_DICE, lead),))
    done = harm(blow, body, options, trail)[0] if body is not None else None
    return ParryCounter(type=arms.type, pool=damage_dice(blow), damage=done)

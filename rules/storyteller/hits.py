"""What an attack does that strikes, and what a disarm does that fails."""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.trail import Trail
from rules.storyteller.attacker import Attacker
from rules.storyteller.body import Body
from rules.storyteller.defender import Defender
from rules.storyteller.disarm import BACKFIRE, Backfire, disarms
from rules.storyteller.harm import Blow, Harm, damage_dice, extra_dice, harm, storyteller_dice
from rules.storyteller.holds import CLINCH_BEGINS, HOLD_BEGINS
from rules.storyteller.options import ClinchExtraSuccesses, DisarmBackfire, DisarmCompare, Options
from rules.storyteller.pools import Change
from rules.storyteller.tables import Form
from rules.storyteller.targeting import Targeting, aimed_dice, is_past_armor
from rules.storyteller.terms import DamageBase, HitEffect, Maneuver
from rules.storyteller.throws import RollResult
from rules.storyteller.weapons import base_damage


class AttackEffect(StrEnum):
    """What a hit did beside damage."""

    NONE = "none"
    CLINCHED = "clinched"
    HELD = "held"
    DISARMED = "disarmed"


class BackfireEffect(StrEnum):
    """What a failed disarm did to the attacker."""

    STORYTELLER_DECIDES = "storyteller_decides"
    WEAPON_DROPPED = "weapon_dropped"
    STRUCK = "struck"


BACKFIRE_EFFECTS = {
    Backfire.REPORT: BackfireEffect.STORYTELLER_DECIDES,
    Backfire.DROP_WEAPON: BackfireEffect.WEAPON_DROPPED,
    Backfire.STRUCK: BackfireEffect.STRUCK,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DisarmBackfired:
    """What a failed disarm did to the attacker."""

    effect: BackfireEffect
    """What happened."""
    pool: int | None
    """Damage dice of the opponent's weapon before soak; null unless struck."""
    damage: Harm | None
    """What they did; null unless struck, and without the attacker's body."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attack as all that follows its rolls looks at it."""

    maneuver: Maneuver
    form: Form
    attacker: Attacker
    defender: Defender
    targeting: Targeting | None
    backfire: Backfire

    @property
    def opposing_strength(self) -> int:
        """What a disarm is compared with."""
        return self.defender.strength or 0

    @property
    def base_dice(self) -> int:
        """The base damage: a finished pool, or the maneuver's with Strength where it is based on it."""
        if self.attacker.damage_pool is not None:
            return self.attacker.damage_pool
        strength = self.attacker.strength or 0
        return self.form.dice + (strength if self.form.base is DamageBase.STRENGTH else 0)


def struck(attempt: Attempt, net: int, options: Options, trail: Trail) -> tuple[AttackEffect, Harm | None]:
    """On a hit: a clinch or a hold begins, a disarm is compared, and damage is done."""
    effect = _bound(attempt.form.effect, trail)
    disarming = attempt.maneuver is Maneuver.DISARM
    by_attack = options.disarm_compare is DisarmCompare.ATTACK_SUCCESSES
    if disarming and by_attack and disarms(net, attempt.opposing_strength, trail):
        return AttackEffect.DISARMED, None
    body = attempt.defender.body
    if body is None or attempt.form.base is None:
        return effect, None
    disarms_over = attempt.opposing_strength if disarming and not by_attack else None
    done, disarmed = harm(_blow(attempt, net, disarms_over, options), body, options, trail)
    return (AttackEffect.DISARMED if disarmed else effect), done


def _bound(effect: HitEffect, trail: Trail) -> AttackEffect:
    if effect is HitEffect.CLINCH:
        trail.effect(CLINCH_BEGINS)
        return AttackEffect.CLINCHED
    if effect is HitEffect.HOLD:
        trail.effect(HOLD_BEGINS)
        return AttackEffect.HELD
    return AttackEffect.NONE


def _blow(attempt: Attempt, net: int, disarms_over: int | None, options: Options) -> Blow:
    """The base damage; dice for net successes, for the aimed size, and the Storyteller's."""
    return Blow(
        attempt.base_dice,
        attempt.form.type,
        (
            *_for_successes(attempt.maneuver, net, options),
            *aimed_dice(attempt.targeting, options),
            *storyteller_dice(attempt.attacker.damage_modifiers),
        ),
        past_armor=is_past_armor(attempt.targeting),
        disarms_over=disarms_over,
    )


def _for_successes(maneuver: Maneuver, net: int, options: Options) -> tuple[Change, ...]:
    """Each net success after the first adds a die; in the round that begins a clinch only by option."""
    if maneuver is Maneuver.CLINCH and options.clinch_extra_successes is ClinchExtraSuccesses.IGNORED:
        return ()
    return extra_dice(net)


def backfired(
    attempt: Attempt, result: RollResult, body: Body | None, options: Options, trail: Trail
) -> DisarmBackfired | None:
    """A disarm whose attack roll was a botch, or by option a failure: the weapon dropped, or a blow of the opponent's."""
    failed = result is RollResult.FAILURE and options.disarm_backfire is DisarmBackfire.ON_FAILURE
    if attempt.maneuver is not Maneuver.DISARM or not (failed or result is RollResult.BOTCH):
        return None
    effect = BACKFIRE_EFFECTS[attempt.backfire]
    trail.effect(BACKFIRE, effect=effect)
    weapon = attempt.defender.weapon
    if effect is not BackfireEffect.STRUCK or weapon is None:
        return DisarmBackfired(effect=effect, pool=None, damage=None)
    arms = weapon.arms
    blow = Blow(base_damage(arms, attempt.defender.strength), arms.type)
    done = harm(blow, body, options, trail)[0] if body is not None else None
    return DisarmBackfired(effect=effect, pool=damage_dice(blow), damage=done)

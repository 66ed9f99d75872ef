"""An attack that nothing stopped: it kills, grabs, or wounds and inflicts."""

from rules.action_points.attack_kinds import Attack
from rules.action_points.conditions import ConditionCause
from rules.action_points.critical import KILLS
from rules.action_points.damage import DAMAGE_NONE, wound
from rules.action_points.fighter import Fighter
from rules.action_points.inflictions import inflict
from rules.action_points.options import AtZeroHp, Options
from rules.action_points.sheet import HP_ZERO, stun_if_low
from rules.action_points.tables import WHIP_RELEASE_AP, AttackType
from rules.action_points.target import Target
from rules.action_points.whip import GRAB, HELD, RELEASE, WhipStatus, held_by_whip
from rules.core.trail import Trail


def land(
    attack: Attack, attacker: Fighter, defender: Fighter, target: Target, options: Options, trail: Trail, *, pays: bool
) -> None:
    """A critical attack kills, a grab holds, everything else wounds and does what it does beside."""
    if attack.critical is not None:
        kill(target, trail)
        return
    if attack.type is AttackType.WHIP_GRAB:
        grab(attack, target, trail, pays=pays)
        return
    target.damage = wound(attack, attacker, defender.passive_protection, target.sheet, trail)
    if attack.inflicts is not None:
        inflict(attack.inflicts, attacker, defender, target.sheet, options, trail)


def kill(target: Target, trail: Trail) -> None:
    """The target dies, whatever its HP."""
    target.damage = target.sheet.hp
    target.sheet.hp = 0
    target.sheet.dead = True
    trail.effect(KILLS, -target.damage, total=0)


def grab(attack: Attack, target: Target, trail: Trail, *, pays: bool) -> None:
    """A grab does no damage: it holds whoever does not pay the 15 AP at once, or, by option, has paid them in part."""
    if attack.damage_bonuses:
        trail.decision(DAMAGE_NONE, 0)
    trail.effect(GRAB)
    if pays:
        target.pay(RELEASE, min(WHIP_RELEASE_AP, target.sheet.ap or 0), trail)
    if target.spent == WHIP_RELEASE_AP:
        target.grab = WhipStatus.FREED
        return
    target.grab = WhipStatus.HELD
    if not any(each.cause is ConditionCause.WHIP for each in target.sheet.conditions):
        target.sheet.conditions.append(held_by_whip(target.spent))
    trail.effect(HELD, missing=WHIP_RELEASE_AP - target.spent)


def settle(target: Target, options: Options, trail: Trail) -> None:
    """At 0 HP one is stunned or, by option, dead; low HP stun the living."""
    sheet = target.sheet
    if sheet.hp == 0 and not sheet.dead:
        sheet.dead = options.at_zero_hp is AtZeroHp.DIES
        if target.hp_before > 0:
            trail.effect(HP_ZERO, fate=options.at_zero_hp)
    stun_if_low(sheet, trail)

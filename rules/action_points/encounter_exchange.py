"""One attack on one target in a fight, from the sheets of both to what it leaves behind.

Order of dice: as in the stateless action.
"""

from dataclasses import replace
from fractions import Fraction

from rules.action_points.answers import ONCE_PER_FIGHT
from rules.action_points.attack import ATTACK, AttackRequest, missed_by_distance, refuse_attack
from rules.action_points.attack_kinds import Attack
from rules.action_points.attack_outcome import AttackOutcome, AttackResult
from rules.action_points.critical import INTERRUPTED, KILLS, PROGRESS, due_now, ends_early, paid_so_far
from rules.action_points.defense_price import ESCALATION
from rules.action_points.encounter_aftermath import lose_critical, weapon_of
from rules.action_points.encounter_state import (
    Participant,
    PendingCritical,
    ShotCount,
    as_number,
    set_conditions,
    spend,
    use_disarm,
)
from rules.action_points.fighter import EarlierDefense
from rules.action_points.inflictions import APPLIED, INFLICTED
from rules.action_points.plan_items import DASH_ONCE
from rules.action_points.range_bands import CADENCE, NO_BANDS, RangeBand, reach
from rules.action_points.sheet import AP_SPENT, HP_LOSS, HP_ZERO, LOW_HP_STUNS
from rules.action_points.tables import AttackType
from rules.action_points.target import DEFENSE_AP_SPENT, DISARM_DROPS
from rules.action_points.whip import GRAB, RELEASE, WhipStatus
from rules.core.audit import AuditTrail
from rules.core.encounter import NotAllowed, Play
from rules.core.rule import Rule
from rules.core.trail import Number

MOST_DEFENSES = 20


def judge(play: Play, request: AttackRequest, forbidden: list[Rule]) -> bool:
    """Refuse what the attacker may not do; otherwise say whether an answer could change what comes of it."""
    attack, trail = request.attack, AuditTrail(play.dice)
    due = due_now(attack, request.attacker.ap_available)
    refuse_attack(request, due, trail)
    if forbidden or trail.refused:
        raise NotAllowed([*[each.id for each in forbidden], *trail.refusals])
    early = ends_early(attack, paid_so_far(attack, due), trail)
    shot = reach(attack, request.options, trail) if early is None else NO_BANDS
    return early is None and missed_by_distance(shot) is None


def exchange(play: Play, attacker: Participant, target: Participant, request: AttackRequest) -> None:
    """Resolve one attack on one target, and keep what it leaves with both."""
    outcome = play.ask(ATTACK, request)
    _keep_attacker(play, attacker, target, request.attack, outcome)
    _keep_defender(play, attacker, target, request.attack, outcome)
    wounded = outcome.result is AttackResult.HIT and outcome.defender.hp_after < outcome.defender.hp_before
    critical = target.state.pending_critical
    if wounded and critical is not None and critical.target == attacker.id:
        lose_critical(play, target, INTERRUPTED)


def _keep_attacker(
    play: Play, attacker: Participant, target: Participant, attack: Attack, outcome: AttackOutcome
) -> None:
    after = outcome.attacker
    spend(play, attacker, after.ap_spent, AP_SPENT)
    _count_shot(play, attacker, target, outcome.range_band)
    if attack.critical is not None:
        play.set(attacker.id, "pending_critical", _still_to_pay(attack, target, after.critical_paid_ap), PROGRESS)
    if after.weapon_dropped:
        _drop(play, attacker, weapon_of(attack.type, attack.custom))


def _still_to_pay(attack: Attack, target: Participant, paid: Number | None) -> PendingCritical | None:
    """A critical attack that goes on, with what was paid for it."""
    if paid is None:
        return None
    return PendingCritical(target=target.id, type=attack.type, custom=attack.custom, paid_ap=Fraction(paid))


def _count_shot(play: Play, attacker: Participant, target: Participant, band: RangeBand) -> None:
    """Shots are counted for each shooter, target and band, where not every one hits and not none."""
    fired = attacker.state.shots.get(target.id, ShotCount())
    if band is RangeBand.EVERY_SECOND:
        play.set(attacker.id, f"shots.{target.id}", replace(fired, every_second=fired.every_second + 1), CADENCE)
    elif band is RangeBand.EVERY_THIRD:
        play.set(attacker.id, f"shots.{target.id}", replace(fired, every_third=fired.every_third + 1), CADENCE)


def _drop(play: Play, attacker: Participant, weapon: str | None) -> None:
    """The weapon falls, on those that lie there already."""
    before = attacker.state.dropped_weapon
    if before is not None:
        play.set(attacker.id, "dropped_before", [*attacker.state.dropped_before, before], DISARM_DROPS)
    play.set(attacker.id, "dropped_weapon", weapon, DISARM_DROPS)
    play.set(attacker.id, "disarmed", True, DISARM_DROPS)


def _keep_defender(
    play: Play, attacker: Participant, target: Participant, attack: Attack, outcome: AttackOutcome
) -> None:
    after = outcome.defender
    spend(play, target, after.ap_spent, RELEASE if outcome.grab is not WhipStatus.NONE else DEFENSE_AP_SPENT)
    defenses = [
        EarlierDefense(type=each.type, ap=None if each.ap is None else as_number(each.ap))
        for each in after.earlier_defenses
    ]
    play.set(target.id, "earlier_defenses", defenses[:MOST_DEFENSES], ESCALATION)
    play.set(target.id, "dash_used", after.dash_used, DASH_ONCE)
    if after.disarm_used:
        use_disarm(play, target.id, ONCE_PER_FIGHT)
    play.set(target.id, "hp", after.hp_after, KILLS if attack.critical is not None else HP_LOSS)
    set_conditions(play, target, after.conditions_after, _rule_of_conditions(attack), holder=attacker.id)
    if after.dead:
        play.set(target.id, "dead", True, KILLS if attack.critical is not None else HP_ZERO)


def _rule_of_conditions(attack: Attack) -> Rule:
    """What brought about that the target is in other conditions than before."""
    if attack.type is AttackType.WHIP_GRAB:
        return GRAB
    if attack.inflicts is not None:
        return APPLIED if attack.reduces else INFLICTED
    return LOW_HP_STUNS

"""Critical attacks: twice the AP, paid over as many turns as it takes; the target dies unless something saves it."""

from rules.action_points.attack_kinds import Attack, CriticalResponse
from rules.action_points.attack_outcome import AttackResult
from rules.action_points.exact import exact
from rules.action_points.sources import ON_ATTACKS
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

SCOPE = rule("action_points.critical.scope", ON_ATTACKS, Kind.REFUSAL)
PROGRESS = rule("action_points.critical.progress", ON_ATTACKS, Kind.DECISION)
CONTINUES = rule("action_points.critical.continues", ON_ATTACKS, Kind.DECISION)
INTERRUPTED = rule("action_points.critical.interrupted", ON_ATTACKS, Kind.DECISION)
COVERED = rule("action_points.critical.covered", ON_ATTACKS, Kind.DECISION)
KILLS = rule("action_points.critical.kills", ON_ATTACKS, Kind.EFFECT)
CRITICAL_RULES = (SCOPE, PROGRESS, INTERRUPTED, COVERED, CONTINUES, KILLS)


def due_now(attack: Attack, available: Number | None) -> Number:
    """What the attacker pays this turn: the price, or of a critical attack what is missing, as far as it is put in."""
    if attack.already_paid:
        return 0
    if attack.critical is None:
        return attack.price
    missing = attack.price - exact(attack.critical.paid_ap)
    put_in = exact(attack.critical.pay_ap) if attack.critical.pay_ap is not None else available
    return min(missing, put_in if put_in is not None else missing)


def paid_so_far(attack: Attack, due: Number) -> Number:
    """The AP put into the attack, those of earlier turns and of this one."""
    return due if attack.critical is None else exact(attack.critical.paid_ap) + due


def ends_early(attack: Attack, paid: Number, trail: Trail) -> AttackResult | None:
    """Interrupted or under cover it is lost; not yet paid, it goes on next turn."""
    critical = attack.critical
    if critical is None:
        return None
    trail.decision(PROGRESS, paid, price=attack.price)
    if critical.response is CriticalResponse.INTERRUPTED:
        trail.decision(INTERRUPTED)
        return AttackResult.INTERRUPTED
    if critical.response is CriticalResponse.TOOK_COVER:
        trail.decision(COVERED)
        return AttackResult.COVERED
    if paid < attack.price:
        trail.decision(CONTINUES, missing=attack.price - paid)
        return AttackResult.CONTINUES
    return None

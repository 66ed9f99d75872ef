"""What follows from a change in a fight: holds that nobody holds any more, critical attacks that cannot go on.

Order of dice: none.
"""

from rules.action_points.attack_kinds import ARMED, CustomAttack
from rules.action_points.critical import INTERRUPTED
from rules.action_points.encounter_state import Participant, end_hold, participants
from rules.action_points.tables import AttackType
from rules.action_points.whip import FREED
from rules.core.encounter import Play
from rules.core.rule import Rule

WHIP = AttackType.WHIP.value
WEAPONS = {
    AttackType.KNIFE: AttackType.KNIFE.value,
    AttackType.SWORD: AttackType.SWORD.value,
    AttackType.SWORD_SWING: AttackType.SWORD.value,
    AttackType.CLUB: AttackType.CLUB.value,
    AttackType.CLUB_SWING: AttackType.CLUB.value,
    AttackType.TWO_HANDED: AttackType.TWO_HANDED.value,
    AttackType.WHIP: WHIP,
    AttackType.WHIP_GRAB: WHIP,
}


def weapon_of(kind: AttackType, custom: CustomAttack | None) -> str | None:
    """The weapon that can be knocked out of the hand: of the table, or a custom one by its name; None for anything else."""
    if custom is None:
        return WEAPONS.get(kind)
    return (custom.name or kind.value) if custom.delivery in ARMED else None


def settle(play: Play, *, gone: str | None = None) -> None:
    """See to everything that has lost its ground; `gone` is one who leaves."""
    here = {each.id: each for each in participants(play, without=gone)}
    for each in here.values():
        hold = each.hold
        if hold is not None and hold.holder is not None and not _holds(here.get(hold.holder)):
            play.trail.effect(FREED)
            end_hold(play, each, FREED)
    for each in here.values():
        critical = each.state.pending_critical
        if critical is not None and not (_goes_on(each) and _stands(here.get(critical.target))):
            lose_critical(play, each, INTERRUPTED)


def lose_critical(play: Play, owner: Participant, rule: Rule) -> None:
    """A critical attack is lost, and all that was paid for it."""
    play.trail.decision(rule)
    play.set(owner.id, "pending_critical", None, rule)


def _holds(holder: Participant | None) -> bool:
    """Whose whip is dropped, who is dead or can do nothing holds nobody."""
    if holder is None or not _stands(holder) or WHIP in holder.dropped:
        return False
    now = holder.told()
    return not (now.immobilised or now.stunned)


def _goes_on(owner: Participant) -> bool:
    """A critical attack is interrupted when its owner is dead, paralysed, bound or stunned, or loses the weapon."""
    now, critical = owner.told(), owner.state.pending_critical
    if critical is None or not _stands(owner) or now.immobilised or now.bound or now.stunned:
        return False
    return weapon_of(critical.type, critical.custom) not in owner.dropped


def _stands(each: Participant | None) -> bool:
    return each is not None and not each.state.dead

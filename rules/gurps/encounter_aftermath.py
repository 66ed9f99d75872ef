"""What an attack and its defense leave behind in a fight."""

from rules.core.encounter import Play
from rules.core.rule import Rule
from rules.gurps.awareness import NOW_ALERT
from rules.gurps.damage import INJURY, DamageDone, DamageType
from rules.gurps.defending import SECOND_ALLOWED
from rules.gurps.defense_outcome import DefenseAttempt, DefenseOutcome, WeaponAfter
from rules.gurps.encounter_choice import FightDefense
from rules.gurps.encounter_fighter import MOST_PARRIES, Fighter
from rules.gurps.encounter_state import OptionUsed
from rules.gurps.encounter_weapon import SheetWeapon, WeaponStatus
from rules.gurps.heavy_weapon import BROKEN, DROPPED, FALL
from rules.gurps.modifiers import REPEATED, SHOCK
from rules.gurps.option_refusals import ONCE_PER_TURN
from rules.gurps.refusals import ACROBATICS_ONCE, BLOCK_ONCE
from rules.gurps.retreat_and_drop import DROP_COVER, DROP_POSTURE
from rules.gurps.turn import OptionAgainst, OptionKind, TurnState

MOST_SHOCK = 4
LOST_WEAPONS: dict[WeaponAfter, tuple[WeaponStatus, Rule]] = {
    WeaponAfter.BROKEN: (WeaponStatus.BROKEN, BROKEN),
    WeaponAfter.DROPPED: (WeaponStatus.DROPPED, DROPPED),
}


def mark_attack(play: Play, attacker: Fighter, weapon: SheetWeapon) -> None:
    """The weapon and the hands that hold it have attacked this turn."""
    used = dict.fromkeys((*attacker.turn.attacked_with, weapon.id, *(hand.value for hand in weapon.hands)))
    play.set(attacker.id, "attacked_with", list(used))


def become_alert(play: Play, target: Fighter, attacker: Fighter) -> None:
    """Whoever was attacked by an unseen and unknown foe is on guard against that foe from then on."""
    if attacker.id not in target.state.alert_to:
        play.set(target.id, "alert_to", [*target.state.alert_to, attacker.id], NOW_ALERT)


def take_defense(
    play: Play, defender: Fighter, attacker: Fighter, chosen: tuple[FightDefense, ...], outcome: DefenseOutcome
) -> None:
    """What was used, what broke, how one stands now."""
    for each, attempt in zip(chosen, outcome.attempts, strict=False):
        if each.weapon is not None:
            _take_parry(play, defender, defender.weapon(each.weapon), attempt)
    option = outcome.turn.option if defender.turn.option is None else None
    dropped = option is not None and option.kind is OptionKind.DROP
    play.set(defender.id, "posture", outcome.posture, DROP_POSTURE if dropped else FALL)
    _take_turn(play, defender, attacker, outcome.turn)
    if outcome.later_cover:
        play.set(defender.id, "covered", True, DROP_COVER)
    if outcome.now_alert:
        become_alert(play, defender, attacker)


def _take_parry(play: Play, defender: Fighter, weapon: SheetWeapon, attempt: DefenseAttempt) -> None:
    """A parry that was tried counts for the weapon, or for each bare hand; a heavy attack may have cost the weapon."""
    if attempt.parries_after is None:
        return
    for counter in weapon.parry_counters:
        count = min(MOST_PARRIES, defender.turn.parries.get(counter, 0) + 1)
        play.set(defender.id, f"parries.{counter}", count, REPEATED)
    lost = LOST_WEAPONS.get(attempt.weapon) if attempt.weapon is not None else None
    if lost is not None:
        status, rule = lost
        play.set(defender.id, f"weapons.{weapon.id}", status, rule)


def _take_turn(play: Play, defender: Fighter, attacker: Fighter, turn: TurnState) -> None:
    play.set(defender.id, "block_used", turn.block_used, BLOCK_ONCE)
    play.set(defender.id, "acrobatic_dodge_used", turn.acrobatic_dodge_used, ACROBATICS_ONCE)
    play.set(defender.id, "double_defense_used", turn.double_defense_used, SECOND_ALLOWED)
    if turn.option is not None and defender.turn.option is None:
        used = turn.option
        foe = attacker.id if used.against is OptionAgainst.THIS_ATTACKER else None
        option = OptionUsed(kind=used.kind, against=foe, posture_before=used.posture_before)
        play.set(defender.id, "option", option, ONCE_PER_TURN)


def take_damage(play: Play, target: Fighter, kind: DamageType, damage: DamageDone) -> None:
    """Injury comes off HP and is a shock; fatigue comes off FP and is none."""
    state, injury = target.state, damage.injury
    if kind is DamageType.FATIGUE:
        if state.fp is not None:
            play.set(target.id, "fp", state.fp - injury, INJURY)
        return
    if state.hp is not None:
        play.set(target.id, "hp", state.hp - injury, INJURY)
    if state.shock < MOST_SHOCK:
        play.set(target.id, "shock", min(MOST_SHOCK, state.shock + injury), SHOCK)

"""The defender's side of an attack in a fight: what may be chosen against it, and what it leaves behind."""

from dataclasses import replace

from rules.chronicles.attack_outcome import AttackOutcome, DefenseMode
from rules.chronicles.defense_score import DROP
from rules.chronicles.dodge_roll import GIVES_UP_ACTION, OFF_BALANCE
from rules.chronicles.dodge_roll import WILLPOWER as WILLPOWER_ON_DODGE
from rules.chronicles.encounter_costs import mark_health, spend_willpower, willpower_missing
from rules.chronicles.encounter_stance import keeps_dodging
from rules.chronicles.encounter_state import DefenseChoice, Fighter, options_of
from rules.chronicles.options import DodgeScope, Options
from rules.chronicles.pools import WILLPOWER_RESISTANCE
from rules.chronicles.turn import DODGE_SCOPE, ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.encounter import Play
from rules.core.rule import Rule

MOST_ATTACKS = 50
MOST_OFF_BALANCE = 10


def choice_forbidden(defender: Fighter, choice: DefenseChoice, against: WeaponKind, options: Options) -> list[Rule]:
    """What forbids a defense within a fight, beside the rules of the attack itself."""
    forbidden = willpower_missing(defender, options) if choice.willpower else []
    leaves_dodge = choice.mode is not DefenseMode.DODGE and keeps_dodging(defender, options)
    if leaves_dodge and defender.has_defense(against, options):
        forbidden.append(DODGE_SCOPE)
    return forbidden


def take_attack(play: Play, defender: Fighter, outcome: AttackOutcome, *, by_stance: bool) -> None:
    """What an attack leaves with the defender: counters, the action, balance, Willpower, damage."""
    used = outcome.defense
    play.set(defender.id, "attacks_defended", min(MOST_ATTACKS, used.attacks_defended), DROP)
    play.set(defender.id, "attacks_undefended", min(MOST_ATTACKS, used.attacks_undefended))
    if used.gives_up_action:
        play.set(defender.id, "action_state", ActionState.GIVEN_UP, GIVES_UP_ACTION)
    if used.mode is DefenseMode.DODGE:
        _keep_dodging(play, defender)
    if used.off_balance_next_turn:
        pending = min(MOST_OFF_BALANCE, defender.turn.off_balance_pending + 1)
        play.set(defender.id, "off_balance_pending", pending, OFF_BALANCE)
    if used.willpower_spent:
        rule = WILLPOWER_ON_DODGE if used.mode is DefenseMode.DODGE else WILLPOWER_RESISTANCE
        spend_willpower(play, defender, rule)
        if by_stance:
            play.set(defender.id, "stance", replace(defender.turn.stance, willpower=False), rule)
    mark_health(play, defender, outcome.target)


def _keep_dodging(play: Play, defender: Fighter) -> None:
    """Where a Dodge is chosen for the rest of the turn, the first one is a stance from then on.

    The point that another stance would have spent it does not spend.
    """
    if options_of(play).dodge_scope is DodgeScope.REST_OF_TURN and defender.turn.stance.mode is not DefenseMode.DODGE:
        play.set(defender.id, "stance", DefenseChoice(mode=DefenseMode.DODGE), DODGE_SCOPE)

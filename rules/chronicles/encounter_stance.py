"""What a combatant does against attacks for which nothing else is said.

Order of dice: none.
"""

from dataclasses import dataclass

from rules.chronicles.attack_outcome import DefenseMode
from rules.chronicles.dodge_roll import GIVES_UP_ACTION
from rules.chronicles.encounter_costs import willpower_missing
from rules.chronicles.encounter_state import DefenseChoice, Fighter, options_of, own_fighter
from rules.chronicles.options import DodgeScope, Options
from rules.chronicles.turn import DODGE_SCOPE, WILLPOWER_ONE_PER_TURN, WILLPOWER_POINTS, ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.encounter import CombatantId, Command, Play
from rules.core.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceCommand(DefenseChoice):
    """What the character does from now on against attacks for which nothing else is said, until the turn is over.

    `dodge` gives up the action of the turn at once.
    """

    actor: CombatantId
    """Who takes the stance."""


def stance(play: Play, body: StanceCommand) -> None:
    """Take a stance; to Dodge costs the action now, Willpower is spent when an attack comes."""
    actor, options = own_fighter(play, body.actor), options_of(play)
    dodging = body.mode is DefenseMode.DODGE
    play.refuse(*_refusals(actor, body, options))
    if dodging and actor.action_state is ActionState.UNSPENT:
        play.trail.effect(GIVES_UP_ACTION)
        play.set(actor.id, "action_state", ActionState.GIVEN_UP, GIVES_UP_ACTION)
    play.set(actor.id, "stance", DefenseChoice(mode=body.mode, willpower=body.willpower))


def _refusals(actor: Fighter, body: StanceCommand, options: Options) -> list[Rule]:
    dodging = body.mode is DefenseMode.DODGE
    refusals = [GIVES_UP_ACTION] if dodging and actor.action_state is ActionState.SPENT else []
    if body.willpower:
        refusals += willpower_missing(actor, options)
    if not dodging and keeps_dodging(actor, options):
        refusals.append(DODGE_SCOPE)
    return refusals


def keeps_dodging(defender: Fighter, options: Options) -> bool:
    """Where the table says so, who has dodged once this turn does nothing else for the rest of it."""
    stays = options.dodge_scope is DodgeScope.REST_OF_TURN
    return stays and defender.action_state is ActionState.GIVEN_UP


def standing_choice(defender: Fighter, against: WeaponKind, options: Options) -> DefenseChoice:
    """The stance as it meets an attack.

    To Dodge counts as passive where Defense does not apply. Willpower that has since been spent on something else is left out.
    """
    taken = defender.turn.stance
    dodges_nothing = taken.mode is DefenseMode.DODGE and not defender.has_defense(against, options)
    return DefenseChoice(
        mode=DefenseMode.PASSIVE if dodges_nothing else taken.mode,
        willpower=taken.willpower and not willpower_missing(defender, options),
    )


STANCE = Command(
    slug="stance",
    body=StanceCommand,
    play=stance,
    example={"actor": "mira", "mode": "dodge", "willpower": True},
    rules=(GIVES_UP_ACTION, WILLPOWER_POINTS, WILLPOWER_ONE_PER_TURN, DODGE_SCOPE),
)

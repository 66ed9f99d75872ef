"""Rolls in a fight that are no attacks: against a difficulty, and against another combatant.

Order of dice: as in the stateless actions.
"""

from dataclasses import dataclass

from rules.core.encounter import CombatantId, Command, Play
from rules.core.rule import Rule
from rules.storyteller.encounter_costs import FREE, Allowance, allowance, pay_willpower, willpower_missing
from rules.storyteller.encounter_fighter import Fighter, another, options_of, own_fighter
from rules.storyteller.encounter_harm import let_go
from rules.storyteller.encounter_said import RollTerms
from rules.storyteller.encounter_sheet import AbilityName, AttributeName
from rules.storyteller.encounter_state import Deed, ShareUse
from rules.storyteller.resisted_roll import RESISTED_ROLL, ResistedRollRequest
from rules.storyteller.roll import ROLL, RollRequest
from rules.storyteller.throws import RollResult
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND, ONE_ACTION, TURN_ORDER


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCommand(RollTerms):
    """One pool of the sheet against a difficulty, on one's own turn; the game master rolls for anyone at any time."""

    actor: CombatantId
    """Who rolls."""
    attribute: AttributeName
    """The Attribute."""
    ability: AbilityName | None = None
    """The Ability; without it the Attribute alone is rolled."""
    reflexive: bool = False
    """Whether it takes no action. The game master's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResistedRollCommand(RollCommand):
    """Two pools of two sheets against each other."""

    opponent: CombatantId
    """Who resists."""
    opponent_attribute: AttributeName
    """The Attribute of the one who resists."""
    opponent_ability: AbilityName | None = None
    """The Ability of the one who resists; without it the Attribute alone is rolled."""
    resisting: RollTerms = RollTerms()
    """What is said of the opponent's roll; its Willpower is its player's and the game master's to spend."""


def roll(play: Play, body: RollCommand) -> None:
    """One pool, which takes the action of the round or its share."""
    actor = own_fighter(play, body.actor)
    takes = _takes(play, actor, body)
    request = RollRequest(
        roll=actor.plain_roll(body, body.attribute, body.ability, takes.dice), options=options_of(play)
    )
    play.ask(ROLL, request, [*_forbidden(actor, takes), *willpower_missing(actor, body)])
    _pay(play, actor, body, takes)


def resisted_roll(play: Play, body: ResistedRollCommand) -> None:
    """Two pools; to resist takes no action."""
    actor = own_fighter(play, body.actor)
    opponent = another(play, body.opponent, actor, "opponent")
    body.resisting.demand_sender(play)
    if body.resisting.spend_willpower:
        play.act_for(opponent.id)
    takes = _takes(play, actor, body)
    request = ResistedRollRequest(
        actor=actor.plain_roll(body, body.attribute, body.ability, takes.dice),
        opponent=opponent.plain_roll(body.resisting, body.opponent_attribute, body.opponent_ability, resists=True),
        options=options_of(play),
    )
    missing = [*willpower_missing(actor, body), *willpower_missing(opponent, body.resisting)]
    outcome = play.ask(RESISTED_ROLL, request, [*_forbidden(actor, takes), *missing])
    _pay(play, actor, body, takes)
    if outcome.opponent.result is not RollResult.NO_DICE:
        pay_willpower(play, opponent, body.resisting)


def _takes(play: Play, actor: Fighter, body: RollCommand) -> Allowance:
    """The turn is demanded of players alone, an action of all that is not reflexive."""
    body.demand_sender(play)
    play.gm_only(reflexive=body.reflexive or None)
    if not play.by_gm:
        play.demand_turn(actor.id, TURN_ORDER)
    if body.reflexive:
        return FREE
    let_go(play, actor)
    return allowance(actor, Deed(for_=ShareUse.ROLL, attribute=body.attribute, ability=body.ability))


def _forbidden(actor: Fighter, takes: Allowance) -> list[Rule]:
    return [*actor.hindrances, *takes.forbidden] if takes.costs else []


def _pay(play: Play, actor: Fighter, body: RollCommand, takes: Allowance) -> None:
    takes.spend(play, actor)
    pay_willpower(play, actor, body)


RULES = (TURN_ORDER, ONE_ACTION, NO_POINTS, ONE_A_ROUND)
ROLL_COMMAND = Command(
    slug="roll",
    body=RollCommand,
    play=roll,
    action=ROLL,
    example={"actor": "mira", "attribute": "dexterity", "ability": "athletics"},
    rules=RULES,
)
RESISTED_ROLL_COMMAND = Command(
    slug="resisted-roll",
    body=ResistedRollCommand,
    play=resisted_roll,
    action=RESISTED_ROLL,
    example={
        "actor": "mira",
        "attribute": "strength",
        "opponent": "ogre",
        "opponent_attribute": "strength",
        "reflexive": True,
    },
    rules=RULES,
)

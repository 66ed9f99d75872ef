"""Later rounds of a clinch or a hold in a fight, and letting go.

Order of dice: as in the stateless action; none for letting go.
"""

from dataclasses import dataclass

from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import only_with
from rules.core.rule import Rule
from rules.storyteller.encounter_costs import pay_willpower, willpower_missing
from rules.storyteller.encounter_fighter import Fighter, fighter, options_of, own_fighter
from rules.storyteller.encounter_harm import take_harm, unbind
from rules.storyteller.encounter_said import DamageModifiers, RollTerms
from rules.storyteller.encounter_state import GrappleBond, GrappleRole
from rules.storyteller.grapple import (
    GRAPPLE,
    GrappleActor,
    GrappleChoice,
    GrappleOpponent,
    GrappleRequest,
    GrappleResult,
)
from rules.storyteller.holds import HOLD_IMMOBILE
from rules.storyteller.options import SqueezeRule
from rules.storyteller.pools import INCAPACITATED
from rules.storyteller.tables import STRENGTH_BRAWL
from rules.storyteller.throws import RollResult
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND, ONE_ACTION, TURN_ORDER


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleCommand(RollTerms):
    """What one does about the clinch or the hold that one is in; it takes the action of the round."""

    actor: CombatantId
    """Who acts."""
    choice: GrappleChoice
    """`inflict` in a clinch, `squeeze` of one who holds another, `escape` in a clinch and of one who is held."""
    damage_modifiers: DamageModifiers = ()
    """Damage dice that the Storyteller adds or takes. The game master's."""
    resisting: RollTerms = RollTerms()
    """What is said of the other's roll, where one is made; its Willpower is its player's and the game master's to spend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCommand:
    """Who holds another lets go; it takes no action."""

    actor: CombatantId
    """Who lets go."""


def grapple(play: Play, body: GrappleCommand) -> None:
    """Harm, squeeze or get free, as the fight knows with whom and of what."""
    actor, options = own_fighter(play, body.actor), options_of(play)
    body.demand_sender(play)
    body.resisting.demand_sender(play)
    play.gm_only(damage_modifiers=body.damage_modifiers or None)
    play.demand_turn(actor.id, TURN_ORDER)
    bond = _bond(actor, body.choice)
    other = fighter(play, bond["with"])
    if body.resisting.spend_willpower:
        play.act_for(other.id)
    escaping = body.choice is GrappleChoice.ESCAPE
    rolled = escaping or (body.choice is GrappleChoice.SQUEEZE and options.squeeze is SqueezeRule.CONTESTED)
    _demand_rolls(body, rolled=rolled)
    request = GrappleRequest(
        grapple=bond["kind"],
        choice=body.choice,
        actor=GrappleActor(
            roll=actor.roll(body, STRENGTH_BRAWL.ability) if rolled else None,
            strength=None if escaping else actor.sheet.traits.strength,
            damage_modifiers=body.damage_modifiers,
        ),
        opponent=GrappleOpponent(
            roll=other.roll(body.resisting, STRENGTH_BRAWL.ability, resists=True) if rolled else None,
            body=None if escaping else other.body(),
        ),
        options=options,
    )
    missing = [*willpower_missing(actor, body), *willpower_missing(other, body.resisting)]
    outcome = play.ask(GRAPPLE, request, [*_forbidden(actor, bond, body.choice), *missing])
    play.set(actor.id, "has_acted", True, ONE_ACTION)
    pay_willpower(play, actor, body)
    if outcome.opponent is not None and outcome.opponent.result is not RollResult.NO_DICE:
        pay_willpower(play, other, body.resisting)
    take_harm(play, other, outcome.damage)
    if outcome.result is GrappleResult.ESCAPED:
        unbind(play, actor)


def _bond(actor: Fighter, choice: GrappleChoice) -> GrappleBond:
    bond = actor.state.grapple
    if bond is None:
        raise NotAllowed([], "not_grappling", combatant=actor.id)
    if bond["role"] is GrappleRole.HOLDER and choice is GrappleChoice.ESCAPE:
        raise NotAllowed([], "holder_releases", combatant=actor.id)
    return bond


def _demand_rolls(body: GrappleCommand, *, rolled: bool) -> None:
    """Nothing is said of a roll that is not made."""
    if not rolled:
        said = {each: True for each in ("specialty", "spend_willpower", "modifiers") if getattr(body, each)}
        only_with("choice: escape", False, **said, difficulty=body.difficulty)
        only_with("choice: escape", False, resisting=body.resisting.any_said or None)


def _forbidden(actor: Fighter, bond: GrappleBond, choice: GrappleChoice) -> list[Rule]:
    """The unable do nothing, the held nothing but try to get free, and nobody acts twice."""
    forbidden = [] if actor.able else [INCAPACITATED]
    if bond["role"] is GrappleRole.HELD and choice is GrappleChoice.SQUEEZE:
        forbidden.append(HOLD_IMMOBILE)
    return [*forbidden, ONE_ACTION] if actor.acted else forbidden


def release(play: Play, body: ReleaseCommand) -> None:
    """The hold is over."""
    actor = own_fighter(play, body.actor)
    play.demand_turn(actor.id, TURN_ORDER)
    play.refuse(*actor.hindrances)
    bond = actor.state.grapple
    if bond is None or bond["role"] is not GrappleRole.HOLDER:
        raise NotAllowed([], "holds_nobody", combatant=actor.id)
    unbind(play, actor)


GRAPPLE_COMMAND = Command(
    slug="grapple",
    body=GrappleCommand,
    play=grapple,
    action=GRAPPLE,
    example={"actor": "mira", "choice": "escape", "specialty": True},
    rules=(TURN_ORDER, ONE_ACTION, HOLD_IMMOBILE, NO_POINTS, ONE_A_ROUND),
)
RELEASE_COMMAND = Command(
    slug="release",
    body=ReleaseCommand,
    play=release,
    example={"actor": "ogre"},
    rules=(TURN_ORDER,),
)

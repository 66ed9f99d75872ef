"""Sneaking up to an enemy in a fight, or before it begins.

Order of dice: as in the stateless action.
"""

from dataclasses import dataclass

from rules.core.encounter import CombatantId, Command, Play
from rules.storyteller.ambush import AMBUSH, RESULT_RULES, AmbushRequest, AmbushResult, AmbushSide
from rules.storyteller.encounter_costs import pay_willpower, willpower_missing
from rules.storyteller.encounter_fighter import another, options_of, own_fighter
from rules.storyteller.encounter_said import RollTerms
from rules.storyteller.encounter_state import KeptAmbush
from rules.storyteller.tables import DEXTERITY_STEALTH, PERCEPTION_ALERTNESS
from rules.storyteller.throws import RollResult
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND

MOST_BONUS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbushCommand(RollTerms):
    """Someone sneaks up to someone: in round 0, or later if the house rules allow it."""

    actor: CombatantId
    """Who sneaks up."""
    target: CombatantId
    """Who may notice."""
    resisting: RollTerms = RollTerms()
    """What is said of the target's roll; its Willpower is its player's and the game master's to spend."""


def ambush(play: Play, body: AmbushCommand) -> None:
    """Won, it is an attack at once that cannot be hindered; tied, the ambusher comes first in the next initiative."""
    actor = own_fighter(play, body.actor)
    target = another(play, body.target, actor, "target")
    body.demand_sender(play)
    body.resisting.demand_sender(play)
    if body.resisting.spend_willpower:
        play.act_for(target.id)
    request = AmbushRequest(
        attacker=AmbushSide(roll=actor.roll(body, DEXTERITY_STEALTH.ability), engaged=actor.state.engaged),
        target=AmbushSide(
            roll=target.roll(body.resisting, PERCEPTION_ALERTNESS.ability, resists=True), engaged=target.state.engaged
        ),
        options=options_of(play),
    )
    missing = [*willpower_missing(actor, body), *willpower_missing(target, body.resisting)]
    outcome = play.ask(AMBUSH, request, [*actor.hindrances, *missing])
    pay_willpower(play, actor, body)
    if outcome.target.result is not RollResult.NO_DICE:
        pay_willpower(play, target, body.resisting)
    if outcome.result is AmbushResult.SPOTTED:
        play.set(actor.id, "ambush", None, RESULT_RULES[outcome.result])
        return
    kept = KeptAmbush(
        target=target.id,
        bonus=min(outcome.bonus, MOST_BONUS),
        awareness=outcome.awareness,
        last_round=play.fight.round + 1,
    )
    play.set(actor.id, "ambush", kept, RESULT_RULES[outcome.result])


AMBUSH_COMMAND = Command(
    slug="ambush",
    body=AmbushCommand,
    play=ambush,
    action=AMBUSH,
    example={"actor": "mira", "target": "ogre"},
    rules=(NO_POINTS, ONE_A_ROUND),
)

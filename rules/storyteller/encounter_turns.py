"""Turns and rounds: the order goes round, and each round begins with a new one.

Order of dice: as in the stateless initiative, in the order of joining.
"""

from dataclasses import fields, replace

from rules.core.encounter import NotAllowed, Play
from rules.storyteller.encounter_fighter import Fighter, fighter, options_of
from rules.storyteller.encounter_harm import unbind
from rules.storyteller.encounter_state import Turn
from rules.storyteller.initiative import INITIATIVE, ORDER, Combatant, InitiativeRequest
from rules.storyteller.turn import THREE_SECONDS

MOST_COMBATANTS = 50


def joined(play: Play, _combatant_id: str) -> None:
    """No more than can roll initiative together."""
    if len(play.fight.combatants) > MOST_COMBATANTS:
        raise NotAllowed([], "too_many_combatants", most=MOST_COMBATANTS)


def end_turn(play: Play) -> None:
    """The next who is able to act has the turn; after the last one, and from round 0, a new round begins."""
    if not play.fight.combatants:
        raise NotAllowed([], "nobody_fights")
    if play.fight.turn is not None:
        play.set(play.fight.turn, "announced", None)
    following = _following(play)
    play.set(None, "turn", _new_round(play) if following is None else following)


def _following(play: Play) -> str | None:
    """The next in the order who is able to act."""
    order, turn = play.fight.order, play.fight.turn
    rest = order[order.index(turn) + 1 :] if turn in order else []
    return next((each for each in rest if fighter(play, each).able), None)


def _new_round(play: Play) -> str | None:
    """What is per round is reset, then initiative is rolled: the first in the order, None where nobody is able to act."""
    ended = play.fight.round
    play.set(None, "round", ended + 1, THREE_SECONDS)
    for name in play.fight.combatants:
        _reset(play, fighter(play, name), ended)
    fighting = [fighter(play, name) for name in play.fight.combatants]
    combatants = tuple(_in_initiative(each) for each in fighting)
    outcome = play.ask(INITIATIVE, InitiativeRequest(combatants=combatants, options=options_of(play)))
    order = [place.id for place in outcome.order]
    play.set(None, "order", order, ORDER)
    return order[0] if order else None


def _reset(play: Play, each: Fighter, ended: int) -> None:
    """A round in which nothing has happened; an ambush that nothing came of is forgotten."""
    fresh = Turn()
    for counter in fields(fresh):
        play.set(each.id, counter.name, getattr(fresh, counter.name), THREE_SECONDS)
    if each.state.ambush is not None and each.state.ambush.last_round <= ended:
        play.set(each.id, "ambush", None, THREE_SECONDS)


def _in_initiative(each: Fighter) -> Combatant:
    """Dexterity and Wits of one who rolls; who tied an ambush comes before the rest."""
    traits = each.sheet.traits
    return Combatant(
        id=each.id,
        health=each.health,
        strikes_first=each.strikes_first,
        dexterity=traits.dexterity,
        wits=traits.wits,
    )


def left(play: Play, combatant_id: str) -> None:
    """Who leaves lets go and is let go, is nobody's foe or aim any more, and hands on the turn if another can have it."""
    unbind(play, fighter(play, combatant_id))
    for name in play.fight.combatants:
        _forget(play, fighter(play, name), combatant_id)
    if play.fight.turn == combatant_id:
        play.set(None, "turn", _following(play))


def _forget(play: Play, each: Fighter, gone: str) -> None:
    if gone in each.turn.foes:
        play.set(each.id, "foes", [foe for foe in each.turn.foes if foe != gone])
    if each.state.ambush is not None and each.state.ambush.target == gone:
        play.set(each.id, "ambush", None)
    if each.turn.announced is not None and each.turn.announced.target == gone:
        play.set(each.id, "announced", None)
    if each.turn.readied_defense is not None and each.turn.readied_defense.against == gone:
        play.set(each.id, "readied_defense", replace(each.turn.readied_defense, against=None))

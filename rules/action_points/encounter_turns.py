"""Turns and rounds: who comes when, and what the borders between them do.

Order of dice: those of `initiative`, at the start of the fight, and by option at the start of each round.
"""

from collections.abc import Sequence
from fractions import Fraction

from rules.action_points.border import AP_REFRESH, REGENERATION, RUNS_DOWN, STUN_ENDS
from rules.action_points.encounter_aftermath import settle
from rules.action_points.encounter_state import (
    Participant,
    demand_nothing_waits,
    opening_of,
    options_of,
    participant,
    participants,
    set_conditions,
)
from rules.action_points.fight import DECLARATION, TURN_BASED
from rules.action_points.initiative import DESCENDING_AP, INITIATIVE, Combatant, InitiativeRequest
from rules.action_points.initiative import RESULT as INITIATIVE_RESULT
from rules.action_points.options import LaterRounds
from rules.action_points.sheet import LOW_HP_STUNS
from rules.action_points.upkeep import UPKEEP, Boundary, UpkeepOutcome, UpkeepRequest
from rules.core.encounter import NotAllowed, Play
from rules.core.rule import Rule

LAST_ROUND = 10_000


def end_turn(play: Play) -> None:
    """The fight begins, or the next in the order has the turn."""
    demand_nothing_waits(play)
    if not play.fight.round:
        _start(play)
    else:
        active = play.fight.turn
        if active is not None and not participant(play, active).state.dead:
            pass_border(play, participant(play, active), Boundary.TURN_END)
        _hand_on(play)
    settle(play)


def hand_on_from(play: Play, leaver: str) -> None:
    """Who leaves while having the turn hands it on."""
    if play.fight.turn == leaver:
        _hand_on(play, leaver)


def _start(play: Play) -> None:
    """The attacker begins, then everybody by AP."""
    fighting = participants(play)
    if len(fighting) < 2:
        raise NotAllowed([], "two_needed")
    attacker = opening_of(play).attacker or fighting[0].id
    if attacker not in play.fight.combatants:
        raise NotAllowed([], "attacker_missing", combatant=attacker)
    play.set(None, "round", 1)
    play.set(attacker, "started_fight", True, DECLARATION)
    _fix_order(play, fighting, attacker)
    play.trail.decision(DECLARATION, attacker=participant(play, attacker).name, situation=opening_of(play).situation)
    _give_turn(play, _first_alive(play, play.fight.order))


def _fix_order(play: Play, fighting: Sequence[Participant], attacker: str) -> None:
    request = InitiativeRequest(
        combatants=tuple(Combatant(id=each.id, fighter=each.rested()) for each in fighting),
        attacker=attacker,
        round=min(LAST_ROUND, play.fight.round),
        options=options_of(play),
    )
    outcome = play.ask(INITIATIVE, request)
    play.set(None, "order", [place.id for place in outcome.order], INITIATIVE_RESULT)


def _hand_on(play: Play, leaver: str | None = None) -> None:
    """The next one alive; after the last one the round ends, and the next begins."""
    order, turn = play.fight.order, play.fight.turn
    rest = order[order.index(turn) + 1 :] if turn in order else []
    found = _first_alive(play, rest)
    if found is None:
        _end_round(play, leaver)
        found = _first_alive(play, [each for each in play.fight.order if each != leaver])
    _give_turn(play, found)


def _first_alive(play: Play, places: Sequence[str]) -> str | None:
    """The stunned and the paralysed keep their turn; the dead are skipped."""
    return next((each for each in places if not participant(play, each).state.dead), None)


def _end_round(play: Play, leaver: str | None) -> None:
    """Everybody alive passes the end of the round, in turn order."""
    for each in play.fight.order:
        passing = participant(play, each)
        if each != leaver and not passing.state.dead:
            pass_border(play, passing, Boundary.ROUND_END)
    play.set(None, "round", play.fight.round + 1)
    fighting = participants(play, without=leaver)
    if options_of(play).later_rounds is LaterRounds.BY_AP and len(fighting) > 1:
        _fix_order(play, fighting, fighting[0].id)


def _give_turn(play: Play, found: str | None) -> None:
    play.set(None, "turn", found, TURN_BASED)
    if found is not None:
        active = participant(play, found)
        play.trail.decision(TURN_BASED, round=play.fight.round, combatant=active.name)
        pass_border(play, active, Boundary.TURN_START)


def pass_border(play: Play, passing: Participant, boundary: Boundary) -> None:
    """What the border does to one who passes it."""
    request = UpkeepRequest(boundary=boundary, fighter=passing.told(), options=options_of(play))
    outcome = play.ask(UPKEEP, request)
    play.set(passing.id, "hp", outcome.hp_after, REGENERATION)
    set_conditions(play, passing, outcome.conditions_after, _rule_of_conditions(passing, boundary, outcome))
    if outcome.counters_reset:
        play.set(passing.id, "ap_spent", Fraction(0), AP_REFRESH)
        play.set(passing.id, "earlier_defenses", [], AP_REFRESH)
        play.set(passing.id, "dash_used", False, AP_REFRESH)
    elif passing.told().ap_available != outcome.ap_after:
        # A reduction has run out before AP are restored: what it took is not given back until then.
        play.set(passing.id, "ap_spent", Fraction(passing.ap_full - outcome.ap_after), RUNS_DOWN)


def _rule_of_conditions(passing: Participant, boundary: Boundary, outcome: UpkeepOutcome) -> Rule:
    """What brought about that there are other conditions than before."""
    if boundary is Boundary.TURN_END and any(each.turns is not None for each in passing.state.conditions):
        return RUNS_DOWN
    return STUN_ENDS if outcome.ended else LOW_HP_STUNS


def place_latecomer(play: Play, combatant_id: str) -> None:
    """Behind the last one with at least as high an AP full, but not before an attacker who leads the order."""
    order, latecomer = list(play.fight.order), participant(play, combatant_id)
    full = latecomer.ap_full
    faster = [at for at, each in enumerate(order) if participant(play, each).ap_full >= full]
    at = max([*faster, 0 if _attacker_leads(play) else -1]) + 1
    order.insert(at, combatant_id)
    play.trail.decision(DESCENDING_AP, full, id=combatant_id)
    play.set(None, "order", order, DESCENDING_AP)


def _attacker_leads(play: Play) -> bool:
    """Whether the first in the order stands there as the attacker."""
    by_ap = options_of(play).later_rounds is LaterRounds.BY_AP and play.fight.round > 1
    return not by_ap and any(participant(play, each).state.started_fight for each in play.fight.order[:1])

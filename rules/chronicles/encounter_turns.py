"""Turns: the order goes round, and with each turn the action and full Defense come back."""

from rules.chronicles.encounter_state import PASSIVE, Fighter, fighter, options_of
from rules.chronicles.options import TurnReset
from rules.chronicles.turn import TURN_OFF_BALANCE, TURN_RESET, ActionState
from rules.core.encounter import NotAllowed, Play


def end_turn(play: Play) -> None:
    """The next in the order has the turn; after the last one the next turn begins."""
    if not play.fight.order:
        raise NotAllowed([], "no_order")
    _go_on(play)


def left(play: Play, combatant_id: str) -> None:
    """Who leaves while having the turn hands it on."""
    if play.fight.turn == combatant_id:
        _go_on(play)


def _go_on(play: Play) -> None:
    order, turn = play.fight.order, play.fight.turn
    rest = order[order.index(turn) + 1 :] if turn in order else []
    found = _come_to(play, rest)
    if found is None:
        _begin_turn(play)
        found = _come_to(play, order)
    play.set(None, "turn", found)


def _come_to(play: Play, places: list[str]) -> str | None:
    """The first who can act; those who are out are passed over, but their place has come all the same."""
    for each in places:
        if options_of(play).turn_reset is TurnReset.OWN_INITIATIVE:
            comes = fighter(play, each)
            play.trail.effect(TURN_RESET, scope="place", combatant=comes.name)
            _restore_defense(play, comes)
        if not fighter(play, each).out:
            return each
    return None


def _begin_turn(play: Play) -> None:
    """Everyone's action comes back, and full Defense, unless it waits for the character's own place."""
    at_own_place = options_of(play).turn_reset is TurnReset.OWN_INITIATIVE
    play.set(None, "round", play.fight.round + 1, TURN_RESET)
    scope = "actions" if at_own_place else "everything"
    play.trail.effect(TURN_RESET, play.fight.round, scope=scope, combatant="")
    for name in play.fight.combatants:
        play.set(name, "action_state", ActionState.UNSPENT, TURN_RESET)
        play.set(name, "stance", PASSIVE, TURN_RESET)
        play.set(name, "willpower_spent_this_turn", 0, TURN_RESET)
        play.set(name, "rolled_stamina", False, TURN_RESET)
        if not at_own_place or name not in play.fight.order:
            _restore_defense(play, fighter(play, name))


def _restore_defense(play: Play, each: Fighter) -> None:
    """Full Defense comes back; balance lost last turn counts in this one, and is forgotten with the next."""
    play.set(each.id, "attacks_defended", 0, TURN_RESET)
    play.set(each.id, "attacks_undefended", 0, TURN_RESET)
    play.set(each.id, "sacrificed", False, TURN_RESET)
    play.set(each.id, "off_balance", each.turn.off_balance_pending, TURN_OFF_BALANCE)
    play.set(each.id, "off_balance_pending", 0, TURN_OFF_BALANCE)
    if each.turn.off_balance:
        play.trail.effect(TURN_OFF_BALANCE, each.turn.off_balance, combatant=each.name)

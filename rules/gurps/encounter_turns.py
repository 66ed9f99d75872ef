"""Turns: who comes when, the maneuver of a turn, and what a turn gives back.

Order of dice: none.
"""

from dataclasses import dataclass, replace

from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import only_with
from rules.gurps.defending import SECOND_ALLOWED
from rules.gurps.encounter_fighter import Fighter, demand_nothing_pending, fighter, own_fighter
from rules.gurps.modifiers import REPEATED, SHOCK
from rules.gurps.option_refusals import ONCE_PER_TURN
from rules.gurps.posture import Posture
from rules.gurps.refusals import ACROBATICS_ONCE, BLOCK_ONCE
from rules.gurps.sheet import Maneuver


@dataclass(frozen=True, slots=True, kw_only=True)
class ManeuverCommand:
    """The maneuver of this turn, by the one whose turn it is."""

    actor: CombatantId
    """Whose maneuver it is."""
    maneuver: Maneuver
    """What is done this turn; it decides about defenses until the own next turn."""
    posture: Posture | None = None
    """The new posture, only with `maneuver: change_posture`; left out, it is changed later by the game master."""

    def __post_init__(self) -> None:
        only_with("maneuver: change_posture", self.maneuver is Maneuver.CHANGE_POSTURE, posture=self.posture)


def maneuver(play: Play, body: ManeuverCommand) -> None:
    """Declare the maneuver of the turn."""
    actor = own_fighter(play, body.actor)
    demand_nothing_pending(play)
    play.demand_turn(body.actor)
    play.set(actor.id, "maneuver", body.maneuver)
    if body.posture is not None:
        play.set(actor.id, "posture", body.posture)


def fix_order(play: Play) -> None:
    """Basic Speed, then DX, then the order of joining."""
    fighters = [fighter(play, each) for each in play.fight.combatants]
    in_order = sorted(fighters, key=lambda each: each.combatant.joined)
    in_order.sort(key=lambda each: each.sheet.place, reverse=True)
    play.set(None, "order", [each.id for each in in_order])


def joined(play: Play, _combatant_id: str) -> None:
    """Whoever joins has a place in the turn order."""
    demand_nothing_pending(play)
    fix_order(play)


def left(play: Play, combatant_id: str) -> None:
    """Whoever leaves hands the turn on, and is nobody's foe any more."""
    demand_nothing_pending(play)
    if play.fight.turn == combatant_id and len(play.fight.order) > 1:
        _hand_on(play, combatant_id)
    for each in list(play.fight.combatants):
        forget(play, fighter(play, each), combatant_id)
        option = fighter(play, each).turn.option
        if option is not None and option.against == combatant_id:
            play.set(each, "option", replace(option, against=None))


def forget(play: Play, watcher: Fighter, foe_id: str) -> None:
    """Nobody is on guard against a foe who does not hide."""
    if foe_id in watcher.state.alert_to:
        play.set(watcher.id, "alert_to", [each for each in watcher.state.alert_to if each != foe_id])


def end_turn(play: Play) -> None:
    """The next in the order has the turn; after the last one the next round begins."""
    demand_nothing_pending(play)
    if not play.fight.order:
        raise NotAllowed([], "nobody_fights")
    if play.fight.turn is not None:
        play.set(play.fight.turn, "shock", 0, SHOCK)
    _hand_on(play, play.fight.turn)


def _hand_on(play: Play, ends: str | None) -> None:
    order = play.fight.order
    place = 0 if ends is None else order.index(ends) + 1
    if ends is None or place == len(order):
        place = 0
        play.set(None, "round", play.fight.round + 1)
    play.set(None, "turn", order[place])
    _begin_turn(play, fighter(play, order[place]))


def _begin_turn(play: Play, actor: Fighter) -> None:
    """With the own turn the counters begin anew."""
    play.set(actor.id, "maneuver", Maneuver.OTHER)
    play.set(actor.id, "parries", {}, REPEATED)
    play.set(actor.id, "attacked_with", [])
    play.set(actor.id, "block_used", False, BLOCK_ONCE)
    play.set(actor.id, "acrobatic_dodge_used", False, ACROBATICS_ONCE)
    play.set(actor.id, "double_defense_used", False, SECOND_ALLOWED)
    play.set(actor.id, "option", None, ONCE_PER_TURN)


MANEUVER = Command(
    slug="maneuver",
    body=ManeuverCommand,
    play=maneuver,
    example={"actor": "mira", "maneuver": "change_posture", "posture": "kneeling"},
)

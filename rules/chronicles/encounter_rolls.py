"""Rolls in a fight that are no attacks: alone, resisted, contested.

Order of dice: as in the stateless actions.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.chronicles.contested_roll import CONTESTED_ROLL, ContestedRollRequest
from rules.chronicles.dodge_roll import ACTION_GIVEN_UP
from rules.chronicles.encounter_costs import (
    action_missing,
    demand_place,
    spend_action,
    spend_willpower,
    willpower_missing,
)
from rules.chronicles.encounter_sheet import FightPool
from rules.chronicles.encounter_state import Fighter, fighter, options_of, own_fighter
from rules.chronicles.pools import WILLPOWER_DICE, WILLPOWER_RESISTANCE
from rules.chronicles.roll import ROLL, Resistance, RollRequest
from rules.chronicles.turn import ONE_ACTION, WILLPOWER_ONE_PER_TURN, WILLPOWER_POINTS
from rules.core.encounter import CombatantId, Command, Play
from rules.core.faults import only_with
from rules.core.rule import Rule


class ActionType(StrEnum):
    """What a roll costs."""

    INSTANT = "instant"
    REFLEXIVE = "reflexive"


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCommand:
    """One pool, resisted or not."""

    actor: CombatantId
    """Who rolls."""
    pool: FightPool
    """The actor's dice."""
    resistance: Resistance | None = None
    """The trait that comes off the pool; left out when nothing resists."""
    target: CombatantId | None = None
    """Whose trait resists and whose Willpower is spent on it; left out when that is nobody in the fight."""
    action_type: ActionType = ActionType.INSTANT
    """`instant` needs and spends the actor's action of this turn, `reflexive` does not."""

    def __post_init__(self) -> None:
        only_with("resistance", self.resistance is not None, target=self.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedRollCommand:
    """Two pools against each other."""

    actor: CombatantId
    """Who acts."""
    actor_pool: FightPool
    """The actor's dice."""
    opponent: CombatantId | None = None
    """The other side, whose wounds count and whose Willpower is spent; left out when that is nobody in the fight."""
    opponent_pool: FightPool
    """The other side's dice."""
    action_type: ActionType = ActionType.INSTANT
    """`instant` needs and spends the actor's action of this turn, `reflexive` does not."""


def roll(play: Play, body: RollCommand) -> None:
    """One pool with the actor's wounds; Willpower of both sides is spent."""
    actor, options = own_fighter(play, body.actor), options_of(play)
    resists = body.resistance is not None and body.resistance.willpower
    resisting = _other_side(play, body.target, willpower=resists)
    forbidden = _action_forbidden(play, actor, body.action_type)
    if body.pool.willpower:
        forbidden += willpower_missing(actor, options)
    if resisting is not None and resists:
        forbidden += willpower_missing(resisting, options)
    pool = body.pool.rolled_by(actor.wound_penalty, willpower=body.pool.willpower)
    play.ask(ROLL, RollRequest(pool=pool, resistance=body.resistance, options=options), forbidden)
    _pay(play, actor, body.action_type, willpower=body.pool.willpower)
    if resisting is not None and resists:
        spend_willpower(play, resisting, WILLPOWER_RESISTANCE)


def contested_roll(play: Play, body: ContestedRollCommand) -> None:
    """Both pools with the wounds of both sides; each spends their own Willpower."""
    actor, options = own_fighter(play, body.actor), options_of(play)
    opponent = _other_side(play, body.opponent, willpower=body.opponent_pool.willpower)
    forbidden = _action_forbidden(play, actor, body.action_type)
    if body.actor_pool.willpower:
        forbidden += willpower_missing(actor, options)
    if opponent is not None and body.opponent_pool.willpower:
        forbidden += willpower_missing(opponent, options)
    wounds = 0 if opponent is None else opponent.wound_penalty
    request = ContestedRollRequest(
        actor=body.actor_pool.rolled_by(actor.wound_penalty, willpower=body.actor_pool.willpower),
        opponent=body.opponent_pool.rolled_by(wounds, willpower=body.opponent_pool.willpower),
        options=options,
    )
    play.ask(CONTESTED_ROLL, request, forbidden)
    _pay(play, actor, body.action_type, willpower=body.actor_pool.willpower)
    if opponent is not None and body.opponent_pool.willpower:
        spend_willpower(play, opponent, WILLPOWER_DICE)


def _other_side(play: Play, combatant_id: str | None, *, willpower: bool) -> Fighter | None:
    """The other side, whose Willpower only the game master and their own player spend."""
    if combatant_id is None:
        return None
    return own_fighter(play, combatant_id) if willpower else fighter(play, combatant_id)


def _action_forbidden(play: Play, actor: Fighter, action_type: ActionType) -> list[Rule]:
    if action_type is ActionType.REFLEXIVE:
        return []
    demand_place(play, actor)
    return action_missing(actor)


def _pay(play: Play, actor: Fighter, action_type: ActionType, *, willpower: bool) -> None:
    if action_type is ActionType.INSTANT:
        spend_action(play, actor)
    if willpower:
        spend_willpower(play, actor, WILLPOWER_DICE)


REFUSALS = (ACTION_GIVEN_UP, ONE_ACTION, WILLPOWER_POINTS, WILLPOWER_ONE_PER_TURN)
ROLL_COMMAND = Command(
    slug="roll",
    body=RollCommand,
    play=roll,
    action=ROLL,
    example={"actor": "mira", "pool": {"attribute": 2, "skill": 1}, "action_type": "reflexive"},
    rules=REFUSALS,
)
CONTESTED_ROLL_COMMAND = Command(
    slug="contested-roll",
    body=ContestedRollCommand,
    play=contested_roll,
    action=CONTESTED_ROLL,
    example={
        "actor": "mira",
        "actor_pool": {"attribute": 2, "skill": 1, "willpower": True},
        "opponent": "ogre",
        "opponent_pool": {"total": 5},
    },
    rules=REFUSALS,
)

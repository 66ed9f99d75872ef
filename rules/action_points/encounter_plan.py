"""What somebody does in a turn beside attacking: moving, drawing, picking up, getting free from a whip.

Order of dice: none.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.encounter_state import (
    Participant,
    as_number,
    demand_alive,
    demand_nothing_waits,
    end_hold,
    options_of,
    own_participant,
    spend,
)
from rules.action_points.exact import exact
from rules.action_points.fight import TURN_BASED
from rules.action_points.plan_items import DASH_ONCE, DRAW_OR_STOW, PICK_UP, SWAP_WEAPON, Ability, PlanItem
from rules.action_points.sheet import AP_SPENT
from rules.action_points.tables import Direction, ItemType
from rules.action_points.turn import RUN_BREAKS, TOO_EXPENSIVE, StealthStatus
from rules.action_points.turn_plan import TURN_PLAN, TurnPlanOutcome, TurnPlanRequest, TurnPlanResult
from rules.action_points.whip import FREED, HELD, WhipStatus
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed
from rules.core.trail import Number

TAKEN_IN_HAND = {
    ItemType.PICK_UP: PICK_UP,
    ItemType.DRAW_WEAPON: DRAW_OR_STOW,
    ItemType.SWAP_WEAPON: SWAP_WEAPON,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FightItem:
    """One thing to be done in the turn."""

    type: ItemType
    """What is done, not `attack`, which is a command of its own."""
    distance_m: Annotated[float, Ge(0), Le(1000)] | None = None
    """Metres, one decimal at most: needed with `walk`, `run`, `fly`, `climb` (0.1 or more), `throw` and `telekinetic_throw`,
    and only with these."""
    direction: Direction | None = None
    """Where a dash goes, `sideways` unless told; only with `dash`."""
    ability: Ability | None = None
    """With `ability`, and only then."""

    def __post_init__(self) -> None:
        if self.type is ItemType.ATTACK:
            raise Malformed("attack_in_plan", "type")
        self.told()

    def told(self) -> PlanItem:
        """The item as a stateless request tells it."""
        return PlanItem(type=self.type, distance_m=self.distance_m, direction=self.direction, ability=self.ability)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlanCommand:
    """What the one whose turn it is does beside attacking; all of it has to fit into the AP that are left."""

    actor: CombatantId
    """Who acts."""
    items: Annotated[tuple[FightItem, ...], Len(1, 50)]
    """What is done, in this order."""


def turn_plan(play: Play, body: TurnPlanCommand) -> None:
    """Do everything, or nothing."""
    actor = own_participant(play, body.actor)
    demand_nothing_waits(play)
    play.demand_turn(body.actor, TURN_BASED)
    demand_alive(actor)
    items = tuple(each.told() for each in body.items)
    if actor.sheet.kind is None and any(each.type is ItemType.CHANGE_SHAPE for each in items):
        raise NotAllowed([], "kind_unknown", combatant=actor.id)
    request = TurnPlanRequest(fighter=actor.told(), items=items, options=options_of(play))
    outcome = play.ask(TURN_PLAN, request)
    if outcome.result is not TurnPlanResult.FITS:
        play.refuse(TOO_EXPENSIVE)
    _keep(play, actor, outcome)


def _keep(play: Play, actor: Participant, outcome: TurnPlanOutcome) -> None:
    spend(play, actor, outcome.ap_spent, AP_SPENT)
    play.set(actor.id, "dash_used", outcome.dash_used, DASH_ONCE)
    if outcome.stealth is StealthStatus.LOST:
        play.set(actor.id, "hidden", False, RUN_BREAKS)
    if outcome.whip is WhipStatus.FREED:
        end_hold(play, actor, FREED)
    elif outcome.whip is WhipStatus.HELD:
        _pay_in_part(play, actor, outcome)
    for each in outcome.items:
        if each.type in TAKEN_IN_HAND:
            play.set(actor.id, "disarmed", False, TAKEN_IN_HAND[each.type])
        if each.type is ItemType.PICK_UP:
            _pick_up(play, actor)


def _pay_in_part(play: Play, actor: Participant, outcome: TurnPlanOutcome) -> None:
    """All a plan of one who stays held can be is a part of the release: everything that is spent is paid for it."""
    paid: Number = outcome.ap_spent
    conditions = [
        replace(each, paid_ap=as_number(exact(each.paid_ap or 0) + paid)) if each == actor.hold else each
        for each in actor.state.conditions
    ]
    play.set(actor.id, "conditions", conditions, HELD)


def _pick_up(play: Play, actor: Participant) -> None:
    """The weapon that fell last is in the hand again."""
    *under, last = [*actor.state.dropped_before, actor.state.dropped_weapon]
    if last is None:
        return
    play.set(actor.id, "dropped_weapon", under[-1] if under else None, PICK_UP)
    play.set(actor.id, "dropped_before", under[:-1], PICK_UP)


TURN_PLAN_COMMAND = Command(
    slug="turn-plan",
    body=TurnPlanCommand,
    play=turn_plan,
    action=TURN_PLAN,
    example={"actor": "mira", "items": [{"type": "walk", "distance_m": 2}, {"type": "draw_weapon"}]},
    rules=(TURN_BASED,),
)

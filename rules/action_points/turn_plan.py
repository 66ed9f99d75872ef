"""What does a list of actions cost, and how much of it fits into the turn?

No dice. The plan stops at the first item that does not fit; an item that the rules forbid is left out, and the plan goes on.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Len

from rules.action_points.attack_kinds import ATTACK_PRICE_RULES
from rules.action_points.critical import CONTINUES, SCOPE
from rules.action_points.exact import AP_ROUNDING
from rules.action_points.fighter import Fighter, known_ap
from rules.action_points.options import Options
from rules.action_points.permissions import STATE_RULES, Role, note_low_hp
from rules.action_points.plan_items import CHANGE_SHAPE_KINDS, DASH_ONCE, ITEM_PRICE_RULES, PlanItem, price_item
from rules.action_points.sheet import AP_AVAILABLE, AP_SPENT
from rules.action_points.sources import ON_PARAMETERS
from rules.action_points.tables import ItemType
from rules.action_points.turn import (
    NOT_REACHED,
    RUN_BREAKS,
    TOO_EXPENSIVE,
    WALK_KEEPS,
    ItemStatus,
    StealthStatus,
    Turn,
    begin_turn,
)
from rules.action_points.whip import FREED, HELD, NOT_HELD, RELEASE, WhipStatus
from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

RESULT = rule("action_points.turn.result", ON_PARAMETERS, Kind.RESULT)


class TurnPlanResult(StrEnum):
    """Whether the whole plan fits into the turn; `not_allowed` when the rules forbid any item."""

    FITS = "fits"
    EXCEEDS = "exceeds"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlanRequest:
    """A list of actions for one turn of about ten seconds."""

    fighter: Fighter
    """Who acts; the AP available have to be known. `kind` is needed to change shape."""
    items: Annotated[tuple[PlanItem, ...], Len(1, 50)]
    """What is done, in this order."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        known_ap("fighter", self.fighter, "turn-plan")
        if self.fighter.kind is None and any(item.type is ItemType.CHANGE_SHAPE for item in self.items):
            raise Malformed("needed_with", "fighter/kind", field="kind", condition="type change_shape")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """What became of one item."""

    type: ItemType
    """What was to be done."""
    cost_ap: Number
    """Its price; of a critical attack or a release in instalments what was still to be paid."""
    status: ItemStatus
    """`continues`: paid in part, the rest next turn; `too_expensive` ends the plan, what stands after it is `not_reached`."""
    total_ap: Number
    """AP spent up to and with this item."""
    ap_left: Number
    """AP left after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlanOutcome:
    """What the plan comes to; answered as well when items were refused, because a list is judged."""

    result: TurnPlanResult
    """Whether everything fits; `not_allowed` if any item was refused, whatever fits beside it."""
    ap_available: Number
    """AP at the start of the plan."""
    ap_spent: Number
    """AP of everything that was paid, in part or whole."""
    ap_left: Number
    """AP left at the end."""
    ap_needed: Number
    """All prices but those of refused items."""
    stealth: StealthStatus
    """What became of stealth; `not_hidden` for one who did not begin in it."""
    dash_used: bool
    """Whether the one dash of the turn is used, now or before."""
    moved_m: Number
    """Metres moved by what was paid, dashes included."""
    whip: WhipStatus
    """Whether a whip holds the fighter at the end."""
    items: tuple[PlannedItem, ...]
    """What became of each item, in order."""


def resolve(request: TurnPlanRequest, trail: Trail) -> TurnPlanOutcome:
    """Price, permission and payment of each item in order."""
    turn = begin_turn(request.fighter, request.options)
    available = turn.left
    trail.base(AP_AVAILABLE, available, who=Role.FIGHTER)
    note_low_hp(request.fighter, Role.FIGHTER, trail)
    items = tuple(planned(item, turn, trail) for item in request.items)
    result = conclusion(items)
    trail.result(RESULT, turn.spent, result=result, available=available, needed=turn.needed)
    return TurnPlanOutcome(
        result=result,
        ap_available=available,
        ap_spent=turn.spent,
        ap_left=turn.left,
        ap_needed=turn.needed,
        stealth=turn.stealth,
        dash_used=turn.dash_used,
        moved_m=turn.moved,
        whip=turn.whip,
        items=items,
    )


def planned(item: PlanItem, turn: Turn, trail: Trail) -> PlannedItem:
    """One item, priced and done as far as it goes."""
    price = price_item(item, turn.paid_to_whip, turn.options, trail)
    status = turn.do(item, price, trail)
    return PlannedItem(type=item.type, cost_ap=price, status=status, total_ap=turn.spent, ap_left=turn.left)


def conclusion(items: tuple[PlannedItem, ...]) -> TurnPlanResult:
    """Refused items come before those that do not fit."""
    seen = {item.status for item in items}
    if ItemStatus.NOT_ALLOWED in seen:
        return TurnPlanResult.NOT_ALLOWED
    if ItemStatus.TOO_EXPENSIVE in seen or ItemStatus.NOT_REACHED in seen:
        return TurnPlanResult.EXCEEDS
    return TurnPlanResult.FITS


TURN_PLAN = Action(
    slug="turn-plan",
    request=TurnPlanRequest,
    outcome=TurnPlanOutcome,
    resolve=resolve,
    rules=(
        AP_AVAILABLE,
        *STATE_RULES,
        *ITEM_PRICE_RULES,
        RELEASE,
        *ATTACK_PRICE_RULES,
        AP_ROUNDING,
        NOT_REACHED,
        NOT_HELD,
        CHANGE_SHAPE_KINDS,
        SCOPE,
        TOO_EXPENSIVE,
        AP_SPENT,
        CONTINUES,
        HELD,
        DASH_ONCE,
        FREED,
        WALK_KEEPS,
        RUN_BREAKS,
        RESULT,
    ),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={
        "fighter": {"kind": "fae", "level": 2, "hidden": True},
        "items": [
            {"type": "walk", "distance_m": 2},
            {"type": "draw_weapon"},
            {"type": "run", "distance_m": 3},
            {"type": "attack", "attack": {"type": "sword"}},
        ],
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=20,
)

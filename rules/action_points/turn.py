"""A turn as it is planned: the AP that are left, and what each item does to them."""

from dataclasses import dataclass
from enum import StrEnum

from rules.action_points.critical import CONTINUES, SCOPE
from rules.action_points.exact import exact
from rules.action_points.fighter import Fighter
from rules.action_points.options import BoundMovement, Options, StealthRule
from rules.action_points.permissions import Role, refuse_by_state
from rules.action_points.plan_items import CHANGE_SHAPE_KINDS, DASH_ONCE, PlanItem
from rules.action_points.sheet import AP_SPENT
from rules.action_points.sources import ON_MOVEMENT, ON_PARAMETERS
from rules.action_points.tables import PACES, SHAPE_CHANGERS, ItemType
from rules.action_points.whip import FREED, HELD, NOT_HELD, WhipStatus, in_instalments
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

WALK_KEEPS = rule("action_points.stealth.walk_keeps", ON_MOVEMENT, Kind.DECISION)
RUN_BREAKS = rule("action_points.stealth.run_breaks", ON_MOVEMENT, Kind.EFFECT)
TOO_EXPENSIVE = rule("action_points.turn.too_expensive", ON_PARAMETERS, Kind.DECISION)
NOT_REACHED = rule("action_points.turn.not_reached", ON_PARAMETERS, Kind.DECISION)

WITHOUT_HANDS = (ItemType.CHANGE_SHAPE, ItemType.TELEKINETIC_THROW)
FEET_AND_WINGS = (ItemType.WALK, ItemType.RUN, ItemType.FLY)
BREAKS_STEALTH = {
    StealthRule.ONLY_RUN_BREAKS: (ItemType.RUN,),
    StealthRule.ONLY_WALK_KEEPS: (ItemType.RUN, ItemType.FLY, ItemType.CLIMB, ItemType.DASH),
}


class ItemStatus(StrEnum):
    """What became of an item: done, paid in part, too expensive, behind the end of the plan, or forbidden."""

    DONE = "done"
    CONTINUES = "continues"
    TOO_EXPENSIVE = "too_expensive"
    NOT_REACHED = "not_reached"
    NOT_ALLOWED = "not_allowed"


class StealthStatus(StrEnum):
    """What became of stealth."""

    KEPT = "kept"
    LOST = "lost"
    NOT_HIDDEN = "not_hidden"


@dataclass(slots=True)
class Turn:
    """The AP of a turn and what else changes while it is planned; `immobilised`: by anything but a whip."""

    fighter: Fighter
    options: Options
    immobilised: bool
    stunned: bool
    bound: bool
    left: Number
    dash_used: bool
    whip: WhipStatus
    paid_to_whip: Number
    stealth: StealthStatus
    spent: Number = 0
    needed: Number = 0
    moved: Number = 0
    running: bool = True

    def do(self, item: PlanItem, price: Number, trail: Trail) -> ItemStatus:
        """Do an item of that price, unless the plan has stopped, the rules forbid it or it is too expensive."""
        if not self.running:
            trail.decision(NOT_REACHED, price)
            self.needed += price
            return ItemStatus.NOT_REACHED
        if self._refused(item, trail):
            return ItemStatus.NOT_ALLOWED
        self.needed += price
        paid = self._payment(item, price)
        if paid is None:
            trail.decision(TOO_EXPENSIVE, price, left=self.left)
            self.running = False
            return ItemStatus.TOO_EXPENSIVE
        self.spent += paid
        self.left -= paid
        trail.effect(AP_SPENT, -paid, total=self.left)
        if paid < price:
            self._continue(item, price, paid, trail)
            return ItemStatus.CONTINUES
        self._finish(item, trail)
        return ItemStatus.DONE

    def _refused(self, item: PlanItem, trail: Trail) -> bool:
        before = len(trail.refusals)
        if item.type is ItemType.WHIP_RELEASE:
            self._refuse_release(trail)
        else:
            self._refuse_item(item, trail)
        return len(trail.refusals) > before

    def _refuse_release(self, trail: Trail) -> None:
        """Who is not held has nothing to pay; what else immobilises, stuns or binds forbids paying."""
        if self.whip is not WhipStatus.HELD:
            trail.refuse(NOT_HELD)
            return
        refuse_by_state(Role.FIGHTER, trail, immobilised=self.immobilised, stunned=self.stunned, bound=self.bound)

    def _refuse_item(self, item: PlanItem, trail: Trail) -> None:
        refuse_by_state(
            Role.FIGHTER,
            trail,
            immobilised=self.immobilised or self.whip is WhipStatus.HELD,
            stunned=self.stunned,
            bound=self.bound and not self._possible_while_bound(item),
        )
        if item.type is ItemType.DASH and self.dash_used:
            trail.refuse(DASH_ONCE)
        if item.type is ItemType.CHANGE_SHAPE and self.fighter.kind not in SHAPE_CHANGERS:
            trail.refuse(CHANGE_SHAPE_KINDS, kind=self.fighter.kind)
        attack = item.attack
        if attack and attack.critical and not attack.may_be_critical(self.options.critical_scope):
            trail.refuse(SCOPE, type=attack.type)

    def _possible_while_bound(self, item: PlanItem) -> bool:
        """Magic and abilities that need no hands, and by option moving along."""
        if item.attack is not None:
            return not item.attack.needs_hands
        if item.ability is not None:
            return not item.ability.needs_hands
        moves = item.type in FEET_AND_WINGS and self.options.bound_movement is BoundMovement.ALLOWED
        return moves or item.type in WITHOUT_HANDS

    def _payment(self, item: PlanItem, price: Number) -> Number | None:
        """What is paid now: the price, or a part of what may be paid in parts; None if it is too expensive."""
        critical = item.attack.critical if item.attack is not None else None
        if critical is not None and critical.pay_ap is not None:
            due = min(exact(critical.pay_ap), price)
            return due if due <= self.left else None
        if price <= self.left:
            return price
        release = item.type is ItemType.WHIP_RELEASE and in_instalments(self.options)
        return self.left if (critical is not None or release) and self.left > 0 else None

    def _continue(self, item: PlanItem, price: Number, paid: Number, trail: Trail) -> None:
        """A part is paid; the plan stops when it was all that was left."""
        critical = item.attack.critical if item.attack is not None else None
        if critical is None:
            self.paid_to_whip += paid
            trail.decision(HELD, self.paid_to_whip, paid=self.paid_to_whip)
            self.running = False
            return
        trail.decision(CONTINUES, exact(critical.paid_ap) + paid, missing=price - paid)
        self.running = critical.pay_ap is not None

    def _finish(self, item: PlanItem, trail: Trail) -> None:
        """What a thing done does beside its price."""
        if item.type in PACES or item.type is ItemType.DASH:
            self.moved += item.metres
        if item.type is ItemType.DASH:
            self.dash_used = True
            trail.effect(DASH_ONCE)
        if item.type is ItemType.WHIP_RELEASE:
            self.whip = WhipStatus.FREED
            self.paid_to_whip = 0
            trail.effect(FREED)
        self._stealth(item, trail)

    def _stealth(self, item: PlanItem, trail: Trail) -> None:
        """Walking does not end stealth, running does; other movement by option."""
        if self.fighter.hidden and item.type is ItemType.WALK:
            trail.decision(WALK_KEEPS)
        elif self.stealth is StealthStatus.KEPT and item.type in BREAKS_STEALTH[self.options.stealth_rule]:
            self.stealth = StealthStatus.LOST
            trail.effect(RUN_BREAKS, item=item.type)


def begin_turn(fighter: Fighter, options: Options) -> Turn:
    """The turn before anything is done in it; the AP of the fighter have to be known."""
    hold = fighter.whip_hold
    return Turn(
        fighter=fighter,
        options=options,
        immobilised=fighter.immobilised_without_whip,
        stunned=fighter.stunned,
        bound=fighter.bound,
        left=fighter.ap_available or 0,
        dash_used=fighter.dash_made,
        whip=WhipStatus.NONE if hold is None else WhipStatus.HELD,
        paid_to_whip=0 if hold is None else exact(hold.paid_ap or 0),
        stealth=StealthStatus.KEPT if fighter.hidden else StealthStatus.NOT_HIDDEN,
    )

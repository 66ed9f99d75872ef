"""What may be done in a turn, and what it costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.attack_kinds import Attack, price_attack
from rules.action_points.exact import PriceUnit, divided, exact, only_tenths, rounded_price
from rules.action_points.options import Options
from rules.action_points.sources import BEYOND, ON_ABILITIES, ON_ACTIONS, ON_MOVEMENT
from rules.action_points.tables import (
    DASH_METRES,
    FIXED_AP,
    PACES,
    STRONG_THROW_AP,
    THROWS,
    WEAK_THROW_AP,
    WEAK_THROW_METRES,
    Direction,
    ItemType,
)
from rules.action_points.whip import RELEASE, release_price
from rules.core.faults import Malformed, needed_with, only_with
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

WALK = rule("action_points.move.walk", ON_MOVEMENT, Kind.BASE)
RUN = rule("action_points.move.run", ON_MOVEMENT, Kind.BASE)
FLY = rule("action_points.move.fly", ON_MOVEMENT, Kind.BASE)
CLIMB = rule("action_points.move.climb", ON_MOVEMENT, Kind.BASE)
DASH = rule("action_points.move.dash", ON_MOVEMENT, Kind.BASE)
DASH_ONCE = rule("action_points.dash.once_per_turn", ON_MOVEMENT, Kind.REFUSAL, Kind.EFFECT)
DRAW_OR_STOW = rule("action_points.act.draw_or_stow", ON_ACTIONS, Kind.BASE)
SWAP_WEAPON = rule("action_points.act.swap_weapon", ON_ACTIONS, Kind.BASE)
RELOAD = rule("action_points.act.reload", ON_ACTIONS, Kind.BASE)
RELOAD_CROSSBOW = rule("action_points.act.reload_crossbow", ON_ACTIONS, Kind.BASE)
PICK_UP = rule("action_points.act.pick_up", ON_ACTIONS, Kind.BASE)
INTERACT = rule("action_points.act.interact", ON_ACTIONS, Kind.BASE)
WEAK_THROW = rule("action_points.act.weak_throw", ON_ACTIONS, Kind.BASE)
STRONG_THROW = rule("action_points.act.strong_throw", ON_ACTIONS, Kind.BASE)
CHANGE_SHAPE = rule("action_points.ability.change_shape", ON_ABILITIES, Kind.BASE)
CHANGE_SHAPE_KINDS = rule("action_points.ability.change_shape_kinds", ON_ABILITIES, Kind.REFUSAL, Kind.DECISION)
WEAK_TELEKINESIS = rule("action_points.ability.weak_telekinesis", ON_ABILITIES, Kind.BASE)
STRONG_TELEKINESIS = rule("action_points.ability.strong_telekinesis", ON_ABILITIES, Kind.BASE)
CUSTOM_ABILITY = rule("action_points.ability.custom", BEYOND, Kind.BASE)

FIXED_RULES: Mapping[ItemType, Rule] = {
    ItemType.DASH: DASH,
    ItemType.DRAW_WEAPON: DRAW_OR_STOW,
    ItemType.STOW_WEAPON: DRAW_OR_STOW,
    ItemType.SWAP_WEAPON: SWAP_WEAPON,
    ItemType.RELOAD: RELOAD,
    ItemType.RELOAD_CROSSBOW: RELOAD_CROSSBOW,
    ItemType.PICK_UP: PICK_UP,
    ItemType.INTERACT: INTERACT,
    ItemType.CHANGE_SHAPE: CHANGE_SHAPE,
}
MOVE_RULES: Mapping[ItemType, Rule] = {
    ItemType.WALK: WALK,
    ItemType.RUN: RUN,
    ItemType.FLY: FLY,
    ItemType.CLIMB: CLIMB,
}
THROW_RULES: Mapping[ItemType, tuple[Rule, Rule]] = {
    ItemType.THROW: (WEAK_THROW, STRONG_THROW),
    ItemType.TELEKINETIC_THROW: (WEAK_TELEKINESIS, STRONG_TELEKINESIS),
}
ITEM_PRICE_RULES = (
    *MOVE_RULES.values(),
    *dict.fromkeys(FIXED_RULES.values()),
    *(each for pair in THROW_RULES.values() for each in pair),
    CUSTOM_ABILITY,
)

MEASURED = f"type {', '.join((*PACES, *THROWS))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """A spell, a power or an ability with a price of its own."""

    ap: Annotated[int, Ge(0), Le(200)]
    """What it costs."""
    name: Annotated[str, Len(1, 64)] | None = None
    """What it is called; shown in the audit trail."""
    needs_hands: bool = True
    """False for what the bound can do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """One thing to be done in the turn."""

    type: ItemType
    """What is done."""
    distance_m: Annotated[float, Ge(0), Le(1000)] | None = None
    """Metres, one decimal at most: needed with `walk`, `run`, `fly`, `climb` (0.1 or more), `throw` and `telekinetic_throw`,
    and only with these."""
    direction: Direction | None = None
    """Where a dash goes, `sideways` unless told; only with `dash`."""
    attack: Attack | None = None
    """With `attack`, and only then: its price and permission are all that matters; response, range and damage are not read."""
    ability: Ability | None = None
    """With `ability`, and only then."""

    def __post_init__(self) -> None:
        only_tenths(distance_m=self.distance_m)
        moves = self.type in PACES
        measured = moves or self.type in THROWS
        only_with(MEASURED, measured, distance_m=self.distance_m)
        needed_with(f"type {self.type}", measured, distance_m=self.distance_m)
        if moves and self.metres == 0:
            raise Malformed("greater_than_equal", "distance_m", ge=0.1)
        only_with("type dash", self.type is ItemType.DASH, direction=self.direction)
        only_with("type attack", self.type is ItemType.ATTACK, attack=self.attack)
        needed_with("type attack", self.type is ItemType.ATTACK, attack=self.attack)
        only_with("type ability", self.type is ItemType.ABILITY, ability=self.ability)
        needed_with("type ability", self.type is ItemType.ABILITY, ability=self.ability)

    @property
    def metres(self) -> Number:
        """The metres of the item, those of a dash by its direction."""
        if self.type is ItemType.DASH:
            return DASH_METRES[self.goes]
        return exact(self.distance_m or 0)

    @property
    def goes(self) -> Direction:
        """Where a dash goes."""
        return self.direction if self.direction is not None else Direction.SIDEWAYS


def price_item(item: PlanItem, paid_to_whip: Number, options: Options, trail: Trail) -> Number:
    """What the item costs: by the table, movement by its metres and rounded."""
    if item.attack is not None:
        return price_of_attack(item.attack, trail)
    if item.ability is not None:
        trail.base(CUSTOM_ABILITY, item.ability.ap, name=item.ability.name or item.type)
        return item.ability.ap
    if item.type in PACES:
        return price_of_movement(item, options, trail)
    if item.type in THROWS:
        return price_of_throw(item, trail)
    if item.type is ItemType.WHIP_RELEASE:
        price = release_price(paid_to_whip, options)
        trail.base(RELEASE, price)
        return price
    trail.base(FIXED_RULES[item.type], FIXED_AP[item.type], item=item.type, unit=PriceUnit.AP)
    return FIXED_AP[item.type]


def price_of_attack(attack: Attack, trail: Trail) -> Number:
    """The price of the attack less what was paid in earlier turns; nothing for further targets of a mass attack."""
    price = price_attack(attack, trail)
    if attack.already_paid:
        return 0
    return price - exact(attack.critical.paid_ap) if attack.critical is not None else price


def price_of_movement(item: PlanItem, options: Options, trail: Trail) -> Number:
    """Walking 2 AP a metre, running 1, flight 1 for two metres, climbing 3; rounded by itself."""
    pace = PACES[item.type]
    price = divided(item.metres * pace.ap, pace.metres)
    trail.base(MOVE_RULES[item.type], price, metres=item.metres)
    return rounded_price(price, options.ap_rounding, trail)


def price_of_throw(item: PlanItem, trail: Trail) -> Number:
    """Up to and including 3 m a throw is weak, beyond it strong."""
    weak, strong = THROW_RULES[item.type]
    if item.metres <= WEAK_THROW_METRES:
        trail.base(weak, WEAK_THROW_AP, metres=item.metres)
        return WEAK_THROW_AP
    trail.base(strong, STRONG_THROW_AP, metres=item.metres)
    return STRONG_THROW_AP

"""What would a defense cost now?

No dice. That a defense is too expensive is an answer here, not a refusal.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.action_points.answers import ANSWER_RULES, refuse_answer
from rules.action_points.attack_kinds import ATTACK_PRICE_RULES, Attack, price_attack
from rules.action_points.defense_price import DEFENSE_PRICE_RULES, DefensePrice, price_defense
from rules.action_points.defenses import Defense, DefenseType, price_is_known
from rules.action_points.fighter import Fighter
from rules.action_points.options import Options
from rules.action_points.permissions import Role, note_low_hp
from rules.action_points.sources import ON_COMBAT
from rules.core.action import Action
from rules.core.faults import Malformed, exactly_one
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

RESULT = rule("action_points.defense.result", ON_COMBAT, Kind.RESULT)


class DefenseCostResult(StrEnum):
    """Whether the defense can be paid; `quoted`: the AP of the fighter are not known."""

    AFFORDABLE = "affordable"
    TOO_EXPENSIVE = "too_expensive"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseCostRequest:
    """A defense, and the attack or the price that it would answer."""

    attack: Attack | None = None
    """The attack to answer; either this or `attack_ap`."""
    attack_ap: Annotated[int, Ge(1), Le(400)] | None = None
    """Only the price of the attack, twice its AP if critical: then only the defender is judged, not whether such an attack can
    be answered this way."""
    defense: Defense
    """The defense to price, not `none`."""
    fighter: Fighter = Fighter()
    """The defender: what is told of AP, states and earlier defenses counts, nothing has to be told."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        exactly_one(attack=self.attack, attack_ap=self.attack_ap)
        if self.defense.type is DefenseType.NONE:
            raise Malformed("defense_needed", "defense/type")
        price_is_known("fighter", self.defense, self.fighter, self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseCostOutcome:
    """The price and how it came about."""

    result: DefenseCostResult
    """Whether it can be paid; too expensive is an answer here, not a refusal."""
    type: DefenseType
    """The defense that was asked for."""
    ordinal: int | None
    """The how-manieth counted defense it would be; null for a dash that is not counted."""
    percent: int | None
    """The percentage of `base_ap`; null for a price that is none."""
    base_ap: Number
    """The AP that the percentage is taken of."""
    exact_ap: Number
    """The price before rounding."""
    cost_ap: Number
    """The price."""
    ap_left: Number | None
    """AP left after it; null unless `affordable`."""


def resolve(request: DefenseCostRequest, trail: Trail) -> DefenseCostOutcome | None:
    """Is the answer allowed, what does it cost, and are there enough AP for it?"""
    attack, fighter, options = request.attack, request.fighter, request.options
    attack_ap = price_attack(attack, trail) if attack is not None else request.attack_ap or 0
    note_low_hp(fighter, Role.DEFENDER, trail)
    refuse_answer(request.defense, attack, fighter, options, trail)
    if trail.refused:
        trail.result(RESULT, 0, result="refused")
        return None
    price = price_defense(request.defense, attack_ap, fighter, options, trail)
    available = fighter.ap_available
    result = afforded(price, available)
    left = available - price.cost_ap if available is not None and result is DefenseCostResult.AFFORDABLE else None
    trail.result(RESULT, price.cost_ap, result=result, available=available)
    return DefenseCostOutcome(
        result=result,
        type=request.defense.type,
        ordinal=price.ordinal,
        percent=price.percent,
        base_ap=price.base_ap,
        exact_ap=price.exact_ap,
        cost_ap=price.cost_ap,
        ap_left=left,
    )


def afforded(price: DefensePrice, available: Number | None) -> DefenseCostResult:
    """A defense that cannot be paid is not possible."""
    if available is None:
        return DefenseCostResult.QUOTED
    return DefenseCostResult.AFFORDABLE if price.cost_ap <= available else DefenseCostResult.TOO_EXPENSIVE


DEFENSE_COST = Action(
    slug="defense-cost",
    request=DefenseCostRequest,
    outcome=DefenseCostOutcome,
    resolve=resolve,
    rules=(*ATTACK_PRICE_RULES, *ANSWER_RULES, *DEFENSE_PRICE_RULES, RESULT),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={
        "attack": {"type": "sword"},
        "defense": {"type": "parry"},
        "fighter": {"kind": "lycan", "level": 2, "earlier_defenses": [{"type": "dodge", "ap": 10}]},
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=20,
)

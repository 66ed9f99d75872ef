"""What does the border between turns or rounds do to one fighter?

No dice. At the start of a turn a whip may be paid off; at its end conditions run down and AP are restored; at the end of a
round the fighter regenerates. Options move the last two.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.action_points.border import BORDER_RULES, Border
from rules.action_points.conditions import KeptCondition
from rules.action_points.fighter import Fighter, known_hp
from rules.action_points.options import AtZeroHp, Options
from rules.action_points.sources import BEYOND
from rules.action_points.whip import WhipAnswer, WhipStatus
from rules.core.action import Action
from rules.core.faults import Malformed, only_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

RESULT = rule("action_points.upkeep.result", BEYOND, Kind.RESULT)


class Boundary(StrEnum):
    """The start or end of the fighter's own turn, or the end of the round."""

    TURN_START = "turn_start"
    TURN_END = "turn_end"
    ROUND_END = "round_end"


class UpkeepResult(StrEnum):
    """Nothing can go wrong but a refused payment."""

    OK = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepRequest:
    """A border that one fighter passes."""

    boundary: Boundary
    """Which border it is."""
    fighter: Fighter
    """Who passes it; the maxima of HP and AP have to be known. A request does not tell the dead from the stunned: at 0 HP the
    fighter regenerates, unless option `at_zero_hp` is `dies`. Leave out one whom a critical attack killed."""
    whip_release: WhipAnswer | None = None
    """`pay`: 15 AP to get free from a whip, `stay` unless told; only with `turn_start`."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        known_hp("fighter", self.fighter, "upkeep")
        if self.fighter.ap_maximum is None:
            raise Malformed("needed_with", "fighter/ap_max", field="ap_max", condition="upkeep")
        starts = self.boundary is Boundary.TURN_START
        only_with("boundary turn_start", starts, whip_release=self.whip_release)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepOutcome:
    """The sheet behind the border."""

    result: UpkeepResult
    """Always `ok`; a payment that is not possible is a refusal, without an outcome."""
    ap_after: Number
    """AP left, restored if this border restores them."""
    hp_after: int
    """HP with what was regained."""
    hp_regained: int
    """HP that regeneration gave, less than the regeneration near the maximum."""
    hp_effective: int
    """`hp_after` less the reductions of HP: what decides the stun."""
    stunned: bool
    """Stunned by any cause; the dead are not stunned."""
    counters_reset: bool
    """AP were restored: empty `earlier_defenses` and set `dash_used` to false."""
    whip: WhipStatus
    """Whether a whip still holds the fighter."""
    ended: tuple[KeptCondition, ...]
    """Conditions that ended, in order; the hold of a whip as it was before the last payment."""
    conditions_after: tuple[KeptCondition, ...]
    """Conditions that last."""


def resolve(request: UpkeepRequest, trail: Trail) -> UpkeepOutcome | None:
    """What happens at the border, in its order."""
    fighter, options = request.fighter, request.options
    sheet = fighter.sheet()
    hp_before = sheet.hp
    sheet.dead = hp_before == 0 and options.at_zero_hp is AtZeroHp.DIES
    border = Border(fighter, options, sheet)
    if request.boundary is Boundary.TURN_START:
        border.start_turn(request.whip_release, trail)
    elif request.boundary is Boundary.TURN_END:
        border.end_turn(trail)
    else:
        border.end_round(trail)
    if trail.refused:
        trail.result(RESULT, 0, result="refused")
        return None
    trail.result(RESULT, sheet.hp, result=UpkeepResult.OK, ap=sheet.ap)
    return UpkeepOutcome(
        result=UpkeepResult.OK,
        ap_after=sheet.ap or 0,
        hp_after=sheet.hp,
        hp_regained=sheet.hp - hp_before,
        hp_effective=sheet.effective_hp,
        stunned=sheet.stunned,
        counters_reset=border.counters_reset,
        whip=border.whip,
        ended=tuple(border.ended),
        conditions_after=tuple(sheet.conditions),
    )


UPKEEP = Action(
    slug="upkeep",
    request=UpkeepRequest,
    outcome=UpkeepOutcome,
    resolve=resolve,
    rules=(*BORDER_RULES, RESULT),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={
        "boundary": "turn_end",
        "fighter": {
            "kind": "fae",
            "level": 1,
            "ap_spent": 13,
            "conditions": [
                {"state": "bound", "turns": 1},
                {"state": "reduced", "parameter": "ap", "amount": 2, "turns": 3},
            ],
        },
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=20,
)

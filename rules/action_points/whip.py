"""The whip's hold: 15 AP free from it, at once or by option in parts."""

from enum import StrEnum

from rules.action_points.conditions import ConditionCause, ConditionState, KeptCondition
from rules.action_points.options import Options, WhipRelease
from rules.action_points.sources import BEYOND, ON_ATTACKS
from rules.action_points.tables import WHIP_RELEASE_AP
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

GRAB = rule("action_points.whip.grab", ON_ATTACKS, Kind.EFFECT)
RELEASE = rule("action_points.whip.release", ON_ATTACKS, Kind.BASE, Kind.EFFECT)
HELD = rule("action_points.whip.held", ON_ATTACKS, Kind.DECISION, Kind.EFFECT)
FREED = rule("action_points.whip.freed", ON_ATTACKS, Kind.EFFECT)
RELEASE_AP = rule("action_points.whip.release_ap", ON_ATTACKS, Kind.REFUSAL)
NOT_HELD = rule("action_points.whip.not_held", BEYOND, Kind.REFUSAL)


class WhipAnswer(StrEnum):
    """Whether one who is held pays 15 AP to get free."""

    STAY = "stay"
    PAY = "pay"


class WhipStatus(StrEnum):
    """Whether a whip holds the fighter: none did, it does, or it does no longer."""

    NONE = "none"
    HELD = "held"
    FREED = "freed"


def in_instalments(options: Options) -> bool:
    """Whether the 15 AP may be paid in parts."""
    return options.whip_release is WhipRelease.INSTALMENTS


def release_price(paid: Number, options: Options) -> Number:
    """15 AP, by option less what was paid in earlier turns."""
    return WHIP_RELEASE_AP - paid if in_instalments(options) else WHIP_RELEASE_AP


def refuse_too_few(ap: Number, options: Options, trail: Trail) -> None:
    """Less than 15 AP do not free, unless they may be paid in parts."""
    if not in_instalments(options) and ap < WHIP_RELEASE_AP:
        trail.refuse(RELEASE_AP, ap=ap)


def held_by_whip(paid: Number) -> KeptCondition:
    """As long as the 15 AP are not spent, the victim is immobilised."""
    return KeptCondition(state=ConditionState.IMMOBILISED, cause=ConditionCause.WHIP, turns=None, paid_ap=paid)

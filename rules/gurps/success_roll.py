"""Does a roll of Hearing, DX, Acrobatics, a weapon skill or anything else succeed?

Order of dice: 3.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.options import Options
from rules.gurps.rolls import (
    CAP,
    CRITICAL,
    CUSTOM_MODIFIER,
    LOWEST_ATTEMPTED,
    MINIMUM,
    Check,
    Critical,
    critical_of,
    effective_score,
    succeeds,
)

SKILL = rule("gurps.success.skill", "published", Kind.BASE)
ROLL = rule("gurps.success.roll", "published", Kind.ROLL)
RESULT = rule("gurps.success.result", "published", Kind.RESULT)


class Purpose(StrEnum):
    """What a roll is for; in an encounter it picks the score from the sheet."""

    OTHER = "other"
    DX = "dx"
    HEARING = "hearing"
    ACROBATICS = "acrobatics"
    BLIND_FIGHTING = "blind_fighting"
    WEAPON_SKILL = "weapon_skill"
    DETECTION = "detection"


class SuccessResult(StrEnum):
    """What a success roll came to."""

    CRITICAL_SUCCESS = "critical_success"
    SUCCESS = "success"
    FAILURE = "failure"
    CRITICAL_FAILURE = "critical_failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRollRequest:
    """3d against a target number."""

    roll: Check
    """The score to roll against."""
    purpose: Purpose = Purpose.OTHER
    """What the roll is for; it changes nothing here."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRollOutcome:
    """What the roll came to: `margin` is the effective score less the sum of the dice."""

    result: SuccessResult
    effective: int
    roll: int
    margin: int


def resolve(request: SuccessRollRequest, trail: Trail) -> SuccessRollOutcome | None:
    """3d against a target number: equal or lower succeeds. An effective score below 3 is not attempted."""
    effective = effective_score(SKILL, request.roll, trail)
    if effective < LOWEST_ATTEMPTED:
        trail.refuse(MINIMUM, effective=effective)
        return None
    roll = trail.sum(ROLL, 3, 6, effective=effective)
    critical = critical_of(roll, effective)
    if critical is not Critical.NONE:
        trail.decision(CRITICAL, critical=critical)
    result = named_result(roll, effective, critical)
    trail.result(RESULT, effective - roll, result=result)
    return SuccessRollOutcome(result=result, effective=effective, roll=roll, margin=effective - roll)


def named_result(roll: int, effective: int, critical: Critical) -> SuccessResult:
    """A critical roll is named for it; otherwise success or failure."""
    if critical is Critical.SUCCESS:
        return SuccessResult.CRITICAL_SUCCESS
    if critical is Critical.FAILURE:
        return SuccessResult.CRITICAL_FAILURE
    return SuccessResult.SUCCESS if succeeds(roll, effective) else SuccessResult.FAILURE


SUCCESS_ROLL = Action(
    slug="success-roll",
    request=SuccessRollRequest,
    outcome=SuccessRollOutcome,
    resolve=resolve,
    rules=(SKILL, CUSTOM_MODIFIER, CAP, MINIMUM, ROLL, CRITICAL, RESULT),
    odds_over=OddsOver(("result", "margin"), lambda outcome: (outcome.result, outcome.margin)),
    example={
        "roll": {"skill": 12, "modifiers": [{"name": "unseen attacker", "value": -2}]},
        "purpose": "hearing",
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=6,
)

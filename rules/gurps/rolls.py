"""Rolls against a score: 3d, a low sum is good; critical bands; checks with their modifiers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import exactly_one, only_with
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail

CUSTOM_MODIFIER = rule("gurps.modifier.custom", "Броски защиты", Kind.MODIFIER)
CRITICAL = rule("gurps.success.critical", "published", Kind.DECISION)
MINIMUM = rule("gurps.success.minimum", "published", Kind.REFUSAL, Kind.DECISION)
CAP = rule("gurps.success.cap", "published", Kind.LIMIT)

LOWEST_ATTEMPTED = 3
MOST_MODIFIERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    """A named bonus or penalty."""

    name: Annotated[str, Len(1, 80)]
    """What it is for; shown in the audit trail."""
    value: Annotated[int, Ge(-20), Le(20)]
    """Added to the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A roll of a skill: either the `skill` with its modifiers, or the final `effective` score."""

    skill: Annotated[int, Ge(0), Le(60)] | None = None
    """The skill before modifiers."""
    effective: Annotated[int, Ge(-20), Le(60)] | None = None
    """The final target number; no modifiers beside it."""
    modifiers: Annotated[tuple[Modifier, ...], Len(0, MOST_MODIFIERS)] | None = None
    """Bonuses and penalties to the skill."""
    cap: Annotated[int, Ge(1), Le(60)] | None = None
    """The highest effective score allowed, as 9 after Move and Attack."""

    def __post_init__(self) -> None:
        exactly_one(skill=self.skill, effective=self.effective)
        only_with("skill", self.skill is not None, modifiers=self.modifiers, cap=self.cap)

    @property
    def score(self) -> int:
        """The score before modifiers."""
        return (self.skill if self.skill is not None else self.effective) or 0


class Critical(StrEnum):
    """Whether a roll was critical."""

    NONE = "none"
    SUCCESS = "success"
    FAILURE = "failure"


def effective_score(base: Rule, check: Check, trail: Trail) -> int:
    """Effective = skill + modifiers, then not more than the cap."""
    modified_score(base, check, trail)
    return capped(check.cap, trail)


def modified_score(base: Rule, check: Check, trail: Trail) -> None:
    """Begin the running total with skill + modifiers."""
    trail.base(base, check.score)
    for modifier in check.modifiers or ():
        trail.modifier_if_any(CUSTOM_MODIFIER, modifier.value, name=modifier.name)


def capped(cap: int | None, trail: Trail) -> int:
    """An upper limit on the effective score, as of Move and Attack (9)."""
    if cap is not None and trail.total > cap:
        trail.limit(CAP, cap, total=cap)
    return int(trail.total)


def succeeds(roll: int, effective: int) -> bool:
    """Success is a sum not above the effective score; 17 and 18 are never a success."""
    return roll <= effective and roll < 17


def critical_of(roll: int, effective: int) -> Critical:
    """Critical success on 3-4, on 5 from 15, on 6 from 16; critical failure on 18, on 17 up to 15, on ten over the score."""
    if roll <= 4 or (roll == 5 and effective >= 15) or (roll == 6 and effective >= 16):
        return Critical.SUCCESS
    if roll == 18 or (roll == 17 and effective <= 15) or roll - effective >= 10:
        return Critical.FAILURE
    return Critical.NONE

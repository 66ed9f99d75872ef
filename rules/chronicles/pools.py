"""How many dice a pool has: ingredients, bonuses and penalties, Willpower, wounds.

All are summed before anything is judged, and nothing is capped: a pool may come to 0 or less, which is a chance die.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import all_or_none, exactly_one
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail

POOL_MODIFIER = rule("chronicles.pool.modifier", "published", Kind.MODIFIER)
WILLPOWER_DICE = rule("chronicles.willpower.dice", "Уклонение", Kind.MODIFIER)
WILLPOWER_RESISTANCE = rule("chronicles.willpower.resistance", "published", Kind.MODIFIER)
WILLPOWER_ONE_PER_ROLL = rule("chronicles.willpower.one_per_roll", "published")
WOUND_PENALTY = rule("chronicles.wounds.penalty", "published", Kind.MODIFIER)

RULES = (POOL_MODIFIER, WILLPOWER_DICE, WILLPOWER_RESISTANCE, WILLPOWER_ONE_PER_ROLL, WOUND_PENALTY)
POOL_STEPS = (POOL_MODIFIER, WILLPOWER_DICE, WOUND_PENALTY)

WILLPOWER_BONUS_DICE = 3
WILLPOWER_BONUS_RESISTANCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    """A labelled bonus or penalty."""

    value: Annotated[int, Ge(-20), Le(20)]
    """Added to the pool or score that it stands with."""
    label: Annotated[str, Len(1, 64)] = "modifier"
    """What it is for; shown in the audit trail."""


class Again(StrEnum):
    """Which faces of a pool are rolled again: 10, 9 and up, 8 and up, or none."""

    TEN_AGAIN = "ten_again"
    NINE_AGAIN = "nine_again"
    EIGHT_AGAIN = "eight_again"
    NO_AGAIN = "no_again"


@dataclass(frozen=True, slots=True, kw_only=True)
class RollQualities:
    """What Merits, powers and circumstances do to a roll."""

    again: Again = Again.TEN_AGAIN
    """Which faces count and are rolled again; it changes no target number. A chance die has none of it."""
    rote: bool = False
    """The rote quality: each die of the first roll that failed is rolled once more."""
    modifiers: Annotated[tuple[Modifier, ...], Len(0, 8)] = ()
    """Bonus and penalty dice."""
    wound_penalty: Annotated[int, Ge(-3), Le(0)] = 0
    """The wound penalty of the one who rolls, as `damage` gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool(RollQualities):
    """A pool: either its `total`, or `attribute` and `skill`."""

    total: Annotated[int, Ge(0), Le(50)] | None = None
    """The pool before modifiers, precomputed."""
    attribute: Annotated[int, Ge(0), Le(15)] | None = None
    """The Attribute of the pool; `skill` beside it."""
    skill: Annotated[int, Ge(0), Le(15)] | None = None
    """The Skill of the pool, 0 when untrained; `attribute` beside it."""
    willpower: bool = False
    """Whether a point of Willpower is spent on this roll: 3 more dice."""

    def __post_init__(self) -> None:
        exactly_one(
            **{"total": self.total, "attribute + skill": self.skill if self.attribute is None else self.attribute}
        )
        all_or_none(attribute=self.attribute, skill=self.skill)

    @property
    def dice(self) -> int:
        """A pool is an Attribute plus a Skill, or a precomputed total."""
        return self.total if self.total is not None else (self.attribute or 0) + (self.skill or 0)

    @property
    def ingredients(self) -> str:
        """The sum as the text of its step begins it; nothing before a precomputed total."""
        return "" if self.total is not None else f"{self.attribute} + {self.skill} = "


def begin_pool(base: Rule, pool: DicePool, trail: Trail) -> None:
    """The ingredients, then each bonus and penalty in the order in which they were given."""
    trail.base(base, pool.dice, ingredients=pool.ingredients)
    modify_pool(pool, trail)


def modify_pool(qualities: RollQualities, trail: Trail) -> None:
    """Each bonus or penalty changes the number of dice."""
    for modifier in qualities.modifiers:
        trail.modifier(POOL_MODIFIER, modifier.value, label=modifier.label)


def finish_pool(pool: DicePool, trail: Trail) -> None:
    """Willpower adds three dice, then the wound penalty comes off."""
    if pool.willpower:
        trail.modifier(WILLPOWER_DICE, WILLPOWER_BONUS_DICE)
    trail.modifier_if_any(WOUND_PENALTY, pool.wound_penalty)

"""May the dice of a multiple action be divided like this? No dice are rolled."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.action import Action
from rules.core.faults import exactly_one, only_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.options import Options
from rules.storyteller.pools import EMPTY, INCAPACITATED, wound_penalty
from rules.storyteller.terms import HealthLevel, Side

SMALLEST = rule("storyteller.multiple.smallest", "Сложности защиты; published", Kind.LIMIT)
SPLIT = rule("storyteller.multiple.split", "published", Kind.RESULT)
EXCEEDS = rule("storyteller.multiple.exceeds", "published", Kind.REFUSAL)

RULES = (SMALLEST, SPLIT, EXCEEDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One action of a multiple action, with the dice put to it."""

    label: Annotated[str, Len(1, 64)] | None = None
    """What it is; it changes nothing."""
    dice: Annotated[int, Ge(1), Le(40)]
    """The dice put to it."""
    pool: Annotated[int, Ge(0), Le(40)] | None = None
    """Its finished pool before wounds. Exactly one of `pool`, `attribute`."""
    attribute: Annotated[int, Ge(0), Le(10)] | None = None
    """The Attribute of its pool."""
    ability: Annotated[int, Ge(0), Le(10)] | None = None
    """The Ability of its pool, 0 unless said. Only with `attribute`."""

    def __post_init__(self) -> None:
        exactly_one(pool=self.pool, attribute=self.attribute)
        only_with("attribute", self.attribute is not None, ability=self.ability)

    @property
    def full_pool(self) -> int:
        """The pool that it would have alone, before wounds."""
        return self.pool if self.pool is not None else (self.attribute or 0) + (self.ability or 0)


class MultipleActionResult(StrEnum):
    """What a multiple action may be: what may not be is refused."""

    ALLOWED = "allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleActionRequest:
    """How the dice of several actions in one round are divided."""

    health: HealthLevel = HealthLevel.HEALTHY
    """How badly the character is hurt."""
    actions: Annotated[tuple[Share, ...], Len(2, 10)]
    """The actions, each with at least one die."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleActionOutcome:
    """The division that is allowed; its dice are then sent as `allotted` with each roll of that round."""

    result: MultipleActionResult
    """Always `allowed`."""
    smallest_pool: int
    """The dice of the smallest pool after wounds: as many as may be divided."""
    allotted: int
    """The dice put to all actions together."""
    spare: int
    """Dice that were put to none."""


def resolve(request: MultipleActionRequest, trail: Trail) -> MultipleActionOutcome | None:
    """As many dice as the smallest pool has after wounds are divided, at least one to each action."""
    smallest = min(share.full_pool for share in request.actions) + wound_penalty(request.health)
    allotted = sum(share.dice for share in request.actions)
    if request.health is HealthLevel.INCAPACITATED:
        trail.refuse(INCAPACITATED, side=Side.ACTOR)
    elif smallest <= 0:
        trail.refuse(EMPTY, side=Side.ACTOR)
    elif allotted > smallest:
        trail.refuse(EXCEEDS, allotted=allotted, smallest=smallest)
    if trail.refused:
        return None
    trail.limit(SMALLEST, smallest, total=smallest)
    trail.result(SPLIT, allotted, spare=smallest - allotted)
    return MultipleActionOutcome(
        result=MultipleActionResult.ALLOWED,
        smallest_pool=smallest,
        allotted=allotted,
        spare=smallest - allotted,
    )


MULTIPLE_ACTION = Action(
    slug="multiple-action",
    request=MultipleActionRequest,
    outcome=MultipleActionOutcome,
    resolve=resolve,
    rules=(INCAPACITATED, EMPTY, *RULES),
    odds_over=OddsOver(("result", "spare"), lambda outcome: (outcome.result, outcome.spare)),
    example={
        "health": "hurt",
        "actions": [
            {"label": "strike", "attribute": 3, "ability": 3, "dice": 3},
            {"label": "dodge", "attribute": 3, "ability": 2, "dice": 1},
        ],
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

"""Which place does a combatant get in the order of the fight?

Order of dice: 1.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.chronicles.options import Options
from rules.chronicles.pools import WOUND_PENALTY, Modifier
from rules.core.action import Action
from rules.core.faults import exactly_one
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

SCORE = rule("chronicles.initiative.score", "published", Kind.BASE)
MODIFIER = rule("chronicles.initiative.modifier", "published", Kind.MODIFIER)
ROLL = rule("chronicles.initiative.roll", "published", Kind.ROLL)
RESULT = rule("chronicles.initiative.result", "published", Kind.RESULT)

RULES = (SCORE, MODIFIER, ROLL, RESULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeTraits:
    """The ingredients of Initiative."""

    dexterity: Annotated[int, Ge(0), Le(15)]
    """Dexterity."""
    composure: Annotated[int, Ge(0), Le(15)]
    """Composure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Initiative:
    """The Initiative modifier of a combatant: either its `score` or its `traits`."""

    score: Annotated[int, Ge(-10), Le(30)] | None = None
    """The Initiative modifier, precomputed."""
    traits: InitiativeTraits | None = None
    """Its ingredients: Dexterity + Composure."""
    modifiers: Annotated[tuple[Modifier, ...], Len(0, 8)] = ()
    """What weapons and Merits add."""
    wound_penalty: Annotated[int, Ge(-3), Le(0)] = 0
    """The wound penalty, as `damage` gives it."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, traits=self.traits)

    @property
    def base(self) -> int:
        """Dexterity + Composure, or a precomputed score."""
        if self.traits is not None:
            return self.traits.dexterity + self.traits.composure
        return self.score or 0

    @property
    def ingredients(self) -> str:
        """The sum as the text of its step begins it; nothing before a precomputed score."""
        return f"{self.traits.dexterity} + {self.traits.composure} = " if self.traits is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRequest:
    """One combatant's roll for the order."""

    initiative: Initiative
    """The combatant's Initiative modifier."""
    options: Options = Options()
    """House rules."""


class InitiativeResult(StrEnum):
    """There is only one end to it."""

    ROLLED = "rolled"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeOutcome:
    """The place in the order: the highest goes first."""

    result: InitiativeResult
    face: int
    """The die, which is never rolled again."""
    modifier: int
    """Everything but the die."""
    initiative: int
    """The die plus the modifier, also below 0."""


def resolve(request: InitiativeRequest, trail: Trail) -> InitiativeOutcome:
    """One d10, never rolled again, plus the score with what weapons, Merits and wounds do to it."""
    initiative = request.initiative
    trail.base(SCORE, initiative.base, ingredients=initiative.ingredients)
    for each in initiative.modifiers:
        trail.modifier(MODIFIER, each.value, label=each.label)
    trail.modifier_if_any(WOUND_PENALTY, initiative.wound_penalty)
    modifier = int(trail.total)
    face = trail.sum(ROLL, 1, 10)
    trail.result(RESULT, face + modifier, face=face, modifier=modifier)
    return InitiativeOutcome(result=InitiativeResult.ROLLED, face=face, modifier=modifier, initiative=face + modifier)


INITIATIVE = Action(
    slug="initiative",
    request=InitiativeRequest,
    outcome=InitiativeOutcome,
    resolve=resolve,
    rules=(SCORE, MODIFIER, WOUND_PENALTY, ROLL, RESULT),
    odds_over=OddsOver(("initiative",), lambda outcome: (outcome.initiative,)),
    example={
        "initiative": {
            "traits": {"dexterity": 3, "composure": 2},
            "modifiers": [{"label": "machete", "value": -2}],
            "wound_penalty": -1,
        },
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

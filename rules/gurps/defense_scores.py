"""Which Dodge, Block and Parries does one write on the sheet?

No dice.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Len

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.base_scores import (
    BLOCK_SCORE_RULES,
    DODGE_SCORE_RULES,
    PARRY_SCORE_RULES,
    block_score,
    dodge_score,
    parry_score,
)
from rules.gurps.defense_bonus import best_magic_db, ready_db
from rules.gurps.options import Options
from rules.gurps.sheet import Defender
from rules.gurps.tool import Tool

RESULT = rule("gurps.scores.result", "Защита (Подвиги); Уклонение; Блокирование; Парирование", Kind.RESULT)


class ScoresResult(StrEnum):
    """The scores were figured."""

    COMPUTED = "computed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseScoresRequest:
    """A sheet, and what its owner parries with."""

    defender: Defender
    """The sheet."""
    tools: Annotated[tuple[Tool, ...], Len(0, 20)] = ()
    """Weapons, bare hands and natural weapons to figure a Parry for."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParryScore:
    """The Parry of one tool."""

    index: int
    """Its place in `tools`, from 0."""
    name: str | None
    """Its label."""
    score: int
    """Parry, with the weapon's own modifier, the bonus, the off hand and encumbrance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseScoresOutcome:
    """The scores of a sheet; no Defense Bonus is in them."""

    result: ScoresResult
    """Always `computed`."""
    dodge: int | None
    """Dodge; null if the sheet says nothing of it."""
    block: int | None
    """Block; null without a shield that blocks."""
    parries: tuple[ParryScore, ...]
    """The Parry of each tool, in order."""
    shield_db: int
    """The DB of the shield or cloak; 0 if there is none that is ready."""
    magic_db: int
    """The best magical DB, or 0."""


def resolve(request: DefenseScoresRequest, trail: Trail) -> DefenseScoresOutcome:
    """Dodge, Block and each Parry of a sheet are figured in advance."""
    defender = request.defender
    block = None if defender.shield is None else defender.shield.block
    outcome = DefenseScoresOutcome(
        result=ScoresResult.COMPUTED,
        dodge=None if defender.dodge is None else dodge_score(trail, defender.dodge, defender),
        block=None if block is None else block_score(trail, block),
        parries=tuple(
            ParryScore(index=index, name=tool.name, score=parry_score(trail, tool, defender, request.options))
            for index, tool in enumerate(request.tools)
        ),
        shield_db=ready_db(defender.shield),
        magic_db=best_magic_db(defender),
    )
    parries = tuple(each.score for each in outcome.parries) or None
    trail.result(RESULT, dodge=outcome.dodge, block=outcome.block, parries=parries)
    return outcome


DEFENSE_SCORES = Action(
    slug="defense-scores",
    request=DefenseScoresRequest,
    outcome=DefenseScoresOutcome,
    resolve=resolve,
    rules=tuple(dict.fromkeys((*DODGE_SCORE_RULES, *BLOCK_SCORE_RULES, *PARRY_SCORE_RULES, RESULT))),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={
        "defender": {
            "dodge": {"basic_speed": 6.75},
            "encumbrance": "light",
            "shield": {"block": {"skill": 15}, "db": 2},
        },
        "tools": [
            {"name": "sword", "parry": {"skill": 17}},
            {"name": "staff", "parry": {"skill": 17}, "weapon_type": "staff", "hand": "both"},
        ],
    },
    max_dice=0,
    max_sides=6,
)

"""How much Defense is there against the next attack and those after it, passive and as a Dodge?

Order of dice: none.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.defense_score import (
    AVAILABILITY,
    FIREARMS,
    SCORE_STEPS,
    Defense,
    defense_score,
    denied_by,
    dropped,
    plain_score,
)
from rules.chronicles.dodge_roll import DOUBLED, ZERO_DEFENSE, double, expected_dodge_size
from rules.chronicles.options import Options
from rules.chronicles.pools import WILLPOWER_BONUS_RESISTANCE, WILLPOWER_RESISTANCE
from rules.chronicles.turn import ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

ATTACK = rule("chronicles.defense.attack", "Пример", Kind.RESULT)
RESULT = rule("chronicles.defense.result", "Пример", Kind.RESULT)

RULES = (ATTACK, RESULT)


class DefenseResult(StrEnum):
    """Whether there is Defense at all."""

    APPLIES = "applies"
    DOES_NOT_APPLY = "does_not_apply"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseRequest:
    """A defender, and what kind of attacks are to come."""

    defense: Defense
    """The defender."""
    against: WeaponKind = WeaponKind.MELEE
    """What the attacks are made with."""
    attacks: Annotated[int, Ge(1), Le(20)] = 1
    """How many attacks to list, Defense being used against each."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseAgainst:
    """Defense against one of the next attacks."""

    number: int
    """Which attack of the turn it is, counted as those that lower Defense are."""
    score: int
    """Defense before any doubling and without Willpower."""
    passive: int
    """What comes off the attacker's pool; Willpower counts for the first attack only."""
    dodge_pool: int | None
    """The size of the Dodge's pool; Willpower counts for the first attack only. Null if there can be no Dodge."""
    dodge_chance_die: bool | None
    """Whether the Dodge is a chance die; null if there can be no Dodge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseOutcome:
    """The Defense against each of the next attacks."""

    result: DefenseResult
    base: int
    """Defense before modifiers."""
    dodge_allowed: bool
    """Whether the defender may Dodge: Defense applies and the action is not spent."""
    attacks: tuple[DefenseAgainst, ...]
    """One for each attack asked for; empty where Defense does not apply."""


def resolve(request: DefenseRequest, trail: Trail) -> DefenseOutcome:
    """Whether Defense applies, the score against the first attack, and one less for each that follows."""
    defense, options = request.defense, request.options
    denied = denied_by(defense, request.against, options)
    if denied is not None:
        trail.decision(denied, availability=defense.availability)
        return conclude(DefenseResult.DOES_NOT_APPLY, request, (), trail, dodge_allowed=False)
    defense_score(defense, options, trail, passive=True)
    dodge_allowed = defense.action_state is not ActionState.SPENT
    attacks = tuple(defense_against(at, request, dodge_allowed=dodge_allowed) for at in range(request.attacks))
    if dodge_allowed:
        double(attacks[0].score, options, trail)
    for each in attacks:
        trail.result(ATTACK, each.passive, number=each.number, score=each.score, dodge=each.dodge_pool)
    return conclude(DefenseResult.APPLIES, request, attacks, trail, dodge_allowed=dodge_allowed)


def defense_against(at: int, request: DefenseRequest, *, dodge_allowed: bool) -> DefenseAgainst:
    """Defense drops by one for each attack before; Willpower helps against the first only."""
    defense, options = request.defense, request.options
    plain = plain_score(defense, options) - at
    willpower = defense.willpower and at == 0
    score = max(0, plain)
    dodge = expected_dodge_size(defense, score, options, willpower=willpower) if dodge_allowed else None
    return DefenseAgainst(
        number=dropped(defense, options) + at + 1,
        score=score,
        passive=max(0, plain + willpower * WILLPOWER_BONUS_RESISTANCE),
        dodge_pool=dodge,
        dodge_chance_die=None if dodge is None else dodge < 1,
    )


def conclude(
    result: DefenseResult,
    request: DefenseRequest,
    attacks: tuple[DefenseAgainst, ...],
    trail: Trail,
    *,
    dodge_allowed: bool,
) -> DefenseOutcome:
    """Whether Defense applies, and whether it may be a Dodge."""
    trail.result(RESULT, result=result, dodge="allowed" if dodge_allowed else "forbidden")
    base = request.defense.base(request.options)
    return DefenseOutcome(result=result, base=base, dodge_allowed=dodge_allowed, attacks=attacks)


DEFENSE = Action(
    slug="defense",
    request=DefenseRequest,
    outcome=DefenseOutcome,
    resolve=resolve,
    rules=(AVAILABILITY, FIREARMS, *SCORE_STEPS, WILLPOWER_RESISTANCE, DOUBLED, ZERO_DEFENSE, ATTACK, RESULT),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={"defense": {"traits": {"dexterity": 2, "wits": 3, "athletics": 1}}, "attacks": 4, "dice": []},
    max_dice=1000,
    max_sides=10,
)

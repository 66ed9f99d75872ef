"""The envelope: a request resolved on the dice of one source, with its audit trail."""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from rules.core.action import Action
from rules.core.audit import AuditTrail, Step
from rules.core.dice import Dice, SeededDice, SuppliedDice
from rules.core.odds import Budget, Odds, odds_of, refused_odds, walk
from rules.core.stream import ALGORITHM
from rules.core.system import System
from rules.core.trail import Trail


@dataclass(slots=True)
class Randomness:
    """Where the faces came from: a `seed` with its `algorithm`, or supplied `dice` (both null)."""

    source: str
    algorithm: str | None
    seed: str | None
    faces: list[int]


@dataclass(slots=True)
class Resolution:
    """The answer to one request: `options` are the house rules that differ from the defaults."""

    system: str
    action: str
    ruleset: str
    options: dict[str, Any]
    refused_by: list[str]
    outcome: Any
    audit: list[Step]
    randomness: Randomness


def resolve_with_seed(system: System, action: Action[Any, Any], request: Any, seed: str) -> Resolution:
    """Resolve a request on the stream of a seed."""
    return _resolve(system, action, request, SeededDice(seed), "seed", ALGORITHM, seed)


def resolve_with_dice(system: System, action: Action[Any, Any], request: Any, faces: list[int]) -> Resolution:
    """Resolve a request on supplied dice; `DiceNeeded`, `DiceLeftOver` or `Malformed` when they do not fit."""
    return _resolve(system, action, request, SuppliedDice(faces), "dice", None, None)


def _resolve(
    system: System,
    action: Action[Any, Any],
    request: Any,
    dice: Dice,
    source: str,
    algorithm: str | None,
    seed: str | None,
) -> Resolution:
    trail = AuditTrail(dice)
    outcome = action.resolve(request, trail)
    dice.finish()
    return resolution_of(system, action, request, outcome, trail, (source, algorithm, seed))


def resolution_of(
    system: System,
    action: Action[Any, Any],
    request: Any,
    outcome: Any,
    trail: AuditTrail,
    origin: tuple[str, str | None, str | None],
) -> Resolution:
    """The envelope around an outcome and its trail; `origin` is the source of the faces, its algorithm and its seed."""
    rolled = [face for step in trail.steps if step.faces for face in step.faces]
    return Resolution(
        system.slug,
        action.slug,
        system.ruleset,
        chosen_options(request.options),
        list(dict.fromkeys(trail.refusals)),
        outcome,
        trail.steps,
        Randomness(*origin, rolled),
    )


def chosen_options(options: Any) -> dict[str, Any]:
    """The house rules that differ from the ruleset's defaults."""
    kind: Any = type(options)
    if options == _defaults(kind):
        return {}
    return {each.name: value for each in fields(kind) if (value := getattr(options, each.name)) != each.default}


@lru_cache(maxsize=32)
def _defaults(kind: type[Any]) -> Any:
    return kind()


def odds(action: Action[Any, Any], request: Any, budget: Budget | None = None) -> Odds:
    """The exact odds of a request; `OddsTooWide` when there is more to walk than the budget, the largest by default, allows."""
    if action.odds is not None:
        return action.odds(request)
    over = action.odds_over

    def run(trail: Trail) -> tuple[Any, ...]:
        outcome = action.resolve(request, trail)
        return () if outcome is None else over.read(outcome)

    chances, refused_by = walk(run, {}, budget or Budget())
    if refused_by:
        return refused_odds(over.fields, tuple(dict.fromkeys(refused_by)))
    return odds_of(over.fields, chances)

"""An action: one question that a client can ask a system, defined once for every surface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules.core.odds import Odds, OddsOver
from rules.core.rule import Rule
from rules.core.trail import Trail

Q = TypeVar("Q")
O = TypeVar("O")  # noqa: E741 - the outcome, beside Q for the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Generic[Q, O]):
    """One question and how the rules answer it.

    `request` and `outcome` are frozen dataclasses; `request` has a field `options`. `resolve` answers the outcome, or None
    when the rules refuse. `odds_over` names the fields of `…/odds`; `odds` answers them in closed form where a walk
    through every branch would not do. `example` is a request as a client sends it. `max_dice` faces, each from 1 to
    `max_sides`, may be supplied. `rules` are those that its steps may name.
    """

    slug: str
    request: type[Q]
    outcome: type[O]
    resolve: Callable[[Q, Trail], O | None]
    rules: tuple[Rule, ...]
    odds_over: OddsOver[O]
    example: Mapping[str, Any]
    max_dice: int
    max_sides: int
    odds: Callable[[Q], Odds] | None = field(default=None)

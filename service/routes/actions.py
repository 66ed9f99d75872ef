"""`POST /v1/{system}/{action}` and `…/odds`, for every action of the catalogue."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread

from rules.core.faults import OddsTooWide
from rules.core.odds import MAX_PAIRS, MAX_RUNS, Budget
from service.answers import encode, odds_body, resolution_body
from service.catalogue import path_of
from service.http import Costly, JsonEndpoint
from service.observability.metrics import count_resolution
from service.questions import QUESTIONS, Question
from service.routes.raw import RawRoute
from service.schemas import action_name
from service.texts import Texts, texts_in

CONCURRENT_ODDS = 2
QUICK_RUNS = 400
QUICK_PAIRS = 4_000
RUNS_FOR_ONE = 4
PAIRS_FOR_ONE = 100
"""So many runs of the rules, or pairs of opposed parts, take about as long as a resolution with its HTTP."""


def action_routes(max_body_bytes: int) -> list[RawRoute]:
    """The routes of every action."""
    english = texts_in("en")
    lanes = Lanes(CapacityLimiter(CONCURRENT_ODDS), CapacityLimiter(CONCURRENT_ODDS))
    routes = []
    for question in QUESTIONS.values():
        words = english.systems[question.system.slug]["actions"][question.action.slug]
        name, path, tag = action_name(question), path_of(question), question.system.slug
        routes += [
            RawRoute(
                path,
                JsonEndpoint(partial(resolved, question), max_body_bytes),
                operation_id=f"resolve{name}",
                summary=words["title"],
                description=words["summary"],
                tags=[tag],
            ),
            RawRoute(
                f"{path}/odds",
                JsonEndpoint(partial(odds_of, question, lanes), max_body_bytes),
                operation_id=f"oddsOf{name}",
                summary=f"{words['title']}: exact odds",
                description=f"The exact joint distribution of {', '.join(question.action.odds_over.fields)}.",
                tags=[tag],
            ),
        ]
    return routes


def resolved(question: Question, value: Any, texts: Texts) -> bytes:
    """The resolution of one request."""
    resolution = question.resolve(question.read(value))
    count_resolution(resolution)
    return encode(resolution_body(resolution, texts))


@dataclass(frozen=True, slots=True)
class Lanes:
    """Two lanes for odds, so that those which are soon walked do not wait behind those which are not."""

    quick: CapacityLimiter
    slow: CapacityLimiter


async def odds_of(question: Question, lanes: Lanes, value: Any, _: Texts) -> Costly:
    """The exact odds of one request, walked beside the event loop, and what they cost."""
    request = question.read_for_odds(value)
    quick = partial(_odds, question, request, QUICK_RUNS, QUICK_PAIRS)
    answered = await to_thread.run_sync(quick, limiter=lanes.quick)
    if isinstance(answered.error, OddsTooWide) and answered.error.reason in ("runs", "pairs"):
        return await to_thread.run_sync(partial(_odds, question, request, MAX_RUNS, MAX_PAIRS), limiter=lanes.slow)
    return answered


def _odds(question: Question, request: Any, runs: int, pairs: int) -> Costly:
    budget = Budget(runs, pairs)
    body, error = b"", None
    try:
        body = encode(odds_body(question.system, question.action.slug, question.odds(request, budget)))
    except OddsTooWide as wide:
        error = wide
    return Costly(body, (runs - budget.runs_left) // RUNS_FOR_ONE + (pairs - budget.pairs_left) // PAIRS_FOR_ONE, error)

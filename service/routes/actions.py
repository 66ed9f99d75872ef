"""`POST /v1/{system}/{action}` and `…/odds`, for every action of the catalogue."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread

from rules.core.faults import OddsTooWide
from rules.core.odds import Budget
from service.answers import encode, odds_body, resolution_body
from service.catalogue import path_of
from service.http import JsonEndpoint
from service.questions import QUESTIONS, Question
from service.routes.raw import RawRoute
from service.schemas import action_name
from service.texts import Texts, texts_in

CONCURRENT_ODDS = 2
QUICK_RUNS = 400
QUICK_PAIRS = 4_000


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
    return encode(resolution_body(question.resolve(question.read(value)), texts))


@dataclass(frozen=True, slots=True)
class Lanes:
    """Two lanes for odds, so that those which are soon walked do not wait behind those which are not."""

    quick: CapacityLimiter
    slow: CapacityLimiter


async def odds_of(question: Question, lanes: Lanes, value: Any, _: Texts) -> bytes:
    """The exact odds of one request, walked beside the event loop."""
    request = question.read_for_odds(value)
    try:
        quick = partial(_odds, question, request, Budget(QUICK_RUNS, QUICK_PAIRS))
        return await to_thread.run_sync(quick, limiter=lanes.quick)
    except OddsTooWide as wide:
        if wide.reason not in ("runs", "pairs"):
            raise
    return await to_thread.run_sync(partial(_odds, question, request, Budget()), limiter=lanes.slow)


def _odds(question: Question, request: Any, budget: Budget) -> bytes:
    return encode(odds_body(question.system, question.action.slug, question.odds(request, budget)))

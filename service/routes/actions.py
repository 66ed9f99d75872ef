"""`POST /v1/{system}/{action}` and `…/odds`, for every action of the catalogue."""

from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread

from service.answers import encode, odds_body, resolution_body
from service.catalogue import path_of
from service.http import JsonEndpoint
from service.questions import QUESTIONS, Question
from service.routes.raw import RawRoute
from service.schemas import action_name
from service.texts import Texts, texts_in

CONCURRENT_ODDS = 2


def action_routes(max_body_bytes: int) -> list[RawRoute]:
    """The routes of every action."""
    english = texts_in("en")
    odds_limiter = CapacityLimiter(CONCURRENT_ODDS)
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
                JsonEndpoint(partial(odds_of, question, odds_limiter), max_body_bytes),
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


async def odds_of(question: Question, limiter: CapacityLimiter, value: Any, _: Texts) -> bytes:
    """The exact odds of one request, walked beside the event loop."""
    request = question.read_for_odds(value)
    return await to_thread.run_sync(partial(_odds, question, request), limiter=limiter)


def _odds(question: Question, request: Any) -> bytes:
    return encode(odds_body(question.system, question.action.slug, question.odds(request)))

"""`POST /v1/{system}/{action}` and `…/odds`, for every action of the catalogue."""

from functools import partial
from typing import Any

from service.answers import encode, resolution_body
from service.catalogue import path_of
from service.http import JsonEndpoint
from service.observability.metrics import count_resolution
from service.questions import QUESTIONS, Question
from service.routes.odds import Lanes
from service.routes.raw import RawRoute
from service.schemas import action_name
from service.texts import Texts, texts_in


def action_routes(max_body_bytes: int) -> list[RawRoute]:
    """The routes of every action."""
    english = texts_in("en")
    lanes = Lanes()
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
                JsonEndpoint(partial(lanes.odds_of, question), max_body_bytes),
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

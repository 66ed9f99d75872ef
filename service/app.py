"""The service: one composition root, and the application that uvicorn serves."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules.catalogue import SYSTEMS
from service import problems
from service.answers import encode
from service.cors import Cors
from service.drain import drained
from service.encounters.changes import Changes
from service.encounters.desk import Desk
from service.encounters.limits import limits_of
from service.faults import Malformations
from service.gate.admission import Admission
from service.http import COMMON_HEADERS, PROBLEM_JSON, ProblemsForErrors, known_problem, texts_for
from service.json_input import printable
from service.observability import logs, tracing
from service.observability.access_log import access_log, lowest_status
from service.observability.metrics import count_problem, count_waiting
from service.observability.watch import Watch
from service.openapi import document
from service.parent import end_with_starter
from service.problems import Problem, problem_body
from service.readiness import Check, Readiness, state_of_store
from service.routes import catalogue, contract, health, metrics, pages
from service.routes.actions import action_routes
from service.routes.batch_and_verify import batch_and_verify_routes
from service.routes.encounters import encounter_routes
from service.routes.head import HeadAsGet
from service.routes.made_once import MadeOnce
from service.routes.raw import ExactPaths, RawRoute
from service.settings import MetricsAccess, Settings, load_settings
from service.store.connect import store_at, url_of_store
from service.wire import fault_of


class Application(FastAPI):
    """FastAPI, with the guards of every request outside, and the exact paths before its own layers.

    Its layers (an exit stack, error handlers, a router of regular expressions) cost more than an action's answer.
    """

    exact: Sequence[RawRoute] = ()
    guards: Callable[[ExactPaths], ASGIApp]

    def build_middleware_stack(self) -> ASGIApp:
        """Guards, exact paths, FastAPI's own stack."""
        return self.guards(ExactPaths(HeadAsGet(super().build_middleware_stack()), self.exact))


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application, put together from its settings."""
    settings = settings or load_settings()
    logs.take_over(settings)
    changes, admission = Changes(limits_of(settings)), Admission(settings)
    app = Application(
        title="Rulewright",
        lifespan=_lifespan(settings, changes, admission),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        telemetry=tracing.telemetry(),
    )
    stateless = [*action_routes(settings.max_body_bytes), *batch_and_verify_routes(settings.max_body_bytes)]
    exact = [*stateless, *_fights(changes, settings.max_body_bytes)]
    app.router.routes[:0] = exact
    for each in (catalogue, contract, health, pages):
        app.include_router(each.router)
    if settings.metrics is not MetricsAccess.OFF:
        app.include_router(metrics.router)
    app.state.made_once = MadeOnce()
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.add_middleware(ProblemsForErrors)
    app.exact = exact
    checks: dict[str, Check] = {"store": partial(state_of_store, changes), "keys": admission.state_of_keys}
    app.state.readiness = Readiness(checks, tolerated=["store"] if settings.ready_without_store else [])
    app.guards = _guards(settings, admission, [route.path for route in stateless])
    app.add_exception_handler(HTTPException, _http_exception)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.openapi = _documented(app)  # type: ignore[method-assign]
    return app


def _guards(settings: Settings, admission: Admission, resolving: Sequence[str]) -> Callable[[ExactPaths], ASGIApp]:
    """What every request passes first, from the outside in."""
    tell, tells_from = access_log(settings), lowest_status(settings)
    return lambda app: Watch(Cors(admission.guard(app, resolving), settings.cors_origins), tell, tells_from)


def _fights(changes: Changes, max_body_bytes: int) -> list[RawRoute]:
    desks = [Desk(system, changes) for system in SYSTEMS if system.encounter is not None]
    return [route for desk in desks for route in encounter_routes(desk, max_body_bytes)]


def _lifespan(
    settings: Settings, changes: Changes, admission: Admission
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        end_with_starter()
        with url_of_store(settings) as url, drained(settings.drain_seconds):
            store = None if url is None else store_at(url)
            changes.keep_in(store)
            await admission.start(store)
            yield
            await admission.stop()
            count_waiting()
            changes.keep_in(None)
            if store is not None:
                await store.close()

    return lifespan


def _documented(app: FastAPI) -> Callable[[], dict[str, Any]]:
    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = document(app)
        return app.openapi_schema

    return openapi


def _answer(request: Request, problem: Problem) -> Response:
    count_problem(problem.kind.name)
    texts = texts_for(request.scope)
    body = encode(problem_body(problem, texts, printable(request.url.path)))
    response = Response(body, problem.kind.status)
    length = [(b"content-length", b"%d" % len(body))]
    response.raw_headers = [*COMMON_HEADERS[texts.language, PROBLEM_JSON], *problem.headers, *length]
    return response


def _problem(request: Request, error: Exception) -> Response:
    return _answer(request, known_problem(error))


def _http_exception(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _answer(request, known_problem(error))
    if error.status_code == 405:
        allowed = _allowed(request, (error.headers or {}).get("Allow", ""))
        facts = {"method": request.method, "allowed": allowed}
        header = ((b"allow", allowed.encode("latin-1")),)
        return _answer(request, Problem(problems.METHOD_NOT_ALLOWED, facts, headers=header))
    if error.status_code == 404:
        return _answer(request, Problem(problems.NOT_FOUND))
    return _answer(request, Problem(problems.INVALID_JSON, {}))


def _allowed(request: Request, named: str) -> str:
    """The methods of a path: Starlette names only those of the first route that has it."""
    routes = [each for each in request.app.router.routes if isinstance(each, APIRoute)]
    others = {
        method for each in routes if each.matches(request.scope)[0] is Match.PARTIAL for method in each.methods or ()
    }
    allowed = {*filter(None, named.split(", ")), *others}
    return ", ".join(sorted(allowed | {"HEAD"} if "GET" in allowed else allowed))


def _validation_error(request: Request, error: Exception) -> Response:
    faults = [fault_of(each) for each in error.errors()] if isinstance(error, RequestValidationError) else []
    return _answer(request, known_problem(Malformations(faults)))


app = create_app()

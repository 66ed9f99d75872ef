"""Routes whose endpoint is plain ASGI, documented as any other, found by one look-up of their exact path."""

from collections.abc import Awaitable, Iterable
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from service.observability.tracing import name_span

Shape = tuple[tuple[int, ...], str]
"""Where the parameters of a path stand, and the path without them."""


class RawRoute(APIRoute):
    """A documented route, of POST unless said otherwise, that hands the connection to an ASGI endpoint.

    FastAPI's own handling (exit stacks, dependencies, response models) is not for it: what guards these endpoints has to be
    a middleware.
    """

    def __init__(self, path: str, app: ASGIApp, *, method: str = "POST", **documented: Any) -> None:
        super().__init__(path, _never_called, methods=[method], response_model=None, **documented)
        self.app = app


async def _never_called(request: Request) -> Response:
    raise NotImplementedError(request.url.path)


class ExactPaths:
    """ASGI: a POST to one of the paths goes straight to its endpoint, by a look-up or two; everything else to the application.

    It stands behind whatever guards the application (CORS), and before its router and exception handlers, which these
    endpoints do without: they answer for their errors themselves.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[RawRoute]) -> None:
        self._app = app
        posts = [route for route in routes if "POST" in (route.methods or ())]
        self._routes = {route.path: route for route in posts if not _places(route.path)}
        self._shaped: dict[Shape, RawRoute] = {_shape(route.path): route for route in posts if _places(route.path)}
        self._places = {places: None for places, _ in self._shaped}  # an ordered set

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass one request on."""
        if scope["type"] == "http" and scope["method"] == "POST":
            route = self.route_of(scope)
            if route is not None:
                scope["route"] = route
                name_span(scope, route.path)
                return route.app(scope, receive, send)  # awaited by the caller: a coroutine less
        return self._app(scope, receive, send)

    def route_of(self, scope: Scope) -> RawRoute | None:
        """The route that a POST takes, with its parameters in the scope; None when it is the application's to find."""
        return self._routes.get(scope["path"]) or self._with_parameters(scope)

    def _with_parameters(self, scope: Scope) -> RawRoute | None:
        parts = scope["path"].split("/")
        for places in self._places:
            if places[-1] < len(parts) and all(parts[place] for place in places):
                route = self._shaped.get((places, _blanked(parts, places)))
                if route is not None:
                    names = route.path.split("/")
                    scope["path_params"] = {names[place][1:-1]: parts[place] for place in places}
                    return route
        return None


def _places(path: str) -> tuple[int, ...]:
    """Where the parameters of a path stand."""
    return tuple(place for place, part in enumerate(path.split("/")) if part.startswith("{"))


def _shape(path: str) -> Shape:
    return _places(path), _blanked(path.split("/"), _places(path))


def _blanked(parts: list[str], places: tuple[int, ...]) -> str:
    return "/".join("" if place in places else part for place, part in enumerate(parts))

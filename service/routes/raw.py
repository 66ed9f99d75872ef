"""Routes whose endpoint is plain ASGI, documented as any other, found by one look-up of their exact path."""

from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import ASGIApp, Receive, Scope, Send


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


class ExactPaths(BaseRoute):
    """The first route of the router: one look-up instead of a regular expression for each route."""

    def __init__(self, routes: list[RawRoute]) -> None:
        self._routes = {route.path: route for route in routes}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """A full match for a POST to one of the paths."""
        if scope["type"] == "http" and scope["method"] == "POST":
            route = self._routes.get(scope["path"])
            if route is not None:
                return Match.FULL, {"endpoint": route.endpoint, "route": route}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the connection to the endpoint."""
        await scope["route"].app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """Nothing: the routes themselves answer for their names."""
        raise NoMatchFound(name, path_params)

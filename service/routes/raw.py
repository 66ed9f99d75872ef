"""Routes whose endpoint is plain ASGI, documented as any other, found by one look-up of their exact path."""

from collections.abc import Iterable
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
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


class ExactPaths:
    """ASGI: a POST to one of the paths goes straight to its endpoint, by one look-up; everything else to the application.

    It stands behind whatever guards the application (CORS), and before its router and exception handlers, which these
    endpoints do without: they answer for their errors themselves.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[RawRoute]) -> None:
        self._app = app
        self._routes = {route.path: route for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] == "http" and scope["method"] == "POST":
            route = self._routes.get(scope["path"])
            if route is not None:
                scope["route"] = route
                await route.app(scope, receive, send)
                return
        await self._app(scope, receive, send)

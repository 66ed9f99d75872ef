"""Which pages of other origins may read the answers: Starlette's, with a shorter way for what is asked most."""

from collections.abc import Awaitable, Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from service.answer_head import Header, add_to_head
from service.http import header

METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE")
EXPOSED_HEADERS = (
    "Content-Language",
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Allow",
    "X-Request-Id",
)
PREFLIGHT_SECONDS = 86_400


class Cors(CORSMiddleware):
    """ASGI: when every origin may read the answers, what tells so is the same for all, and costs no copy of the headers."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=["*"],
            allow_private_network=True,
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
        self._always: list[Header] = [
            (name.lower().encode(), value.encode()) for name, value in self.simple_headers.items()
        ]

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:  # type: ignore[override]
        """Pass one request on, or answer a preflight."""
        if scope["type"] != "http" or scope["method"] == "OPTIONS" or not self.allow_all_origins:
            return super().__call__(scope, receive, send)
        if header(scope, b"origin"):
            add_to_head(scope, self._tell)
        return self.app(scope, receive, send)  # awaited by the caller: a coroutine less

    def _tell(self, _: int, headers: list[Header]) -> None:
        headers += self._always

"""Which pages of other origins may read the answers: Starlette's, with a shorter way for what is asked most."""

from collections.abc import Awaitable, Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from service.answer_head import Header, Hook, add_to_head
from service.http import header
from service.settings import ANY_ORIGIN

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
    """ASGI: preflights are answered by Starlette's; every other answer gets lines that were made beforehand.

    They do not depend on whether a request names its origin: a cache may give the answer to a page afterwards.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=["*"],
            allow_private_network=True,
            max_age=PREFLIGHT_SECONDS,
        )
        self._of_named = {} if self.allow_all_origins else {each.encode(): _telling(each) for each in origins}
        self._of_others = _telling(ANY_ORIGIN) if self.allow_all_origins else _vary

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:  # type: ignore[override]
        """Pass one request on, or answer a preflight."""
        if scope["type"] != "http" or _is_preflight(scope):
            return super().__call__(scope, receive, send)
        add_to_head(scope, self._of_named.get(header(scope, b"origin"), self._of_others))
        return self.app(scope, receive, send)  # awaited by the caller: a coroutine less


def _is_preflight(scope: Scope) -> bool:
    return (
        scope["method"] == "OPTIONS"
        and header(scope, b"origin") != b""
        and header(scope, b"access-control-request-method") != b""
    )


def _telling(origin: str) -> Hook:
    """What tells the pages of an origin, or of any, that they may read an answer."""
    told: list[Header] = [
        (b"access-control-allow-origin", origin.encode()),
        (b"access-control-expose-headers", ", ".join(EXPOSED_HEADERS).encode()),
    ]

    def tell(status: int, headers: list[Header]) -> None:
        headers += told
        if origin != ANY_ORIGIN:
            _vary(status, headers)

    return tell


def _vary(_: int, headers: list[Header]) -> None:
    """Say that the answer to another origin differs, in the line that is there already: not every cache reads two."""
    for at, (name, value) in enumerate(headers):
        if name == b"vary":
            headers[at] = name, value + b", Origin"
            return
    headers.append((b"vary", b"Origin"))

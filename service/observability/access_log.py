"""A line in the log for a request: what was asked of which route and how it went, and nothing that the client sent."""

from collections.abc import Callable

from starlette.types import Scope

from service.gate.keys import KEY_ID
from service.observability.logs import request_logger
from service.settings import AccessLines, Settings

SLOW_SECONDS = 1.0
REFUSED = (401, 403, 429)
FAILED = 500

Tell = Callable[[str, str, int, float, Scope], None]
"""Method, template of the route, status, seconds, scope."""


def access_log(settings: Settings) -> Tell:
    """What tells of a request that was answered, if it is one of those that the settings want."""
    wanted = settings.access_log
    if wanted is AccessLines.NONE:
        return _silent
    everything = wanted is AccessLines.ALL
    log = request_logger(settings)

    def tell(method: str, route: str, status: int, seconds: float, scope: Scope) -> None:
        if status >= FAILED:
            say = log.error
        elif status in REFUSED or seconds > SLOW_SECONDS:
            say = log.warning
        elif everything:
            say = log.info
        else:
            return
        say("request", method=method, route=route, status=status, seconds=round(seconds, 6), **_key(scope))

    return tell


def _silent(_method: str, _route: str, _status: int, _seconds: float, _scope: Scope) -> None:
    return


def _key(scope: Scope) -> dict[str, str]:
    key = scope.get(KEY_ID)
    return {"key": key} if key else {}

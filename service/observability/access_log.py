"""A line in the log for a request: what was asked of which route and how it went, and nothing that the client sent."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any

from starlette.types import Scope

from service.gate.keys import KEY_ID
from service.observability.logs import request_logger
from service.settings import AccessLines, Settings

SLOW_SECONDS = 1.0
REFUSED = (401, 403, 429)
FLOODS = (*REFUSED, 503)
FAILED = 500
LINES_PER_SECOND = 20
UNTOLD_SECONDS = 1.0
UNWRITABLE = (OSError, ValueError)
"""What a full disk, or a stderr that is closed, does to a line: it is lost, and the request is answered all the same."""

Tell = Callable[[str, str, int, float, Scope], None]
"""Method, template of the route, status, seconds, scope."""


def access_log(settings: Settings) -> Tell:
    """What tells of a request that was answered, if it is one of those that the settings want."""
    wanted = settings.access_log
    if wanted is AccessLines.NONE:
        return _silent
    everything = wanted is AccessLines.ALL
    log = request_logger(settings)

    refusals = _Flood(log)

    def tell(method: str, route: str, status: int, seconds: float, scope: Scope) -> None:
        if status in FLOODS and not everything and refusals.is_one():
            return
        if status >= FAILED:
            say = log.error
        elif status in REFUSED or seconds > SLOW_SECONDS:
            say = log.warning
        elif everything:
            say = log.info
        else:
            return
        with contextlib.suppress(*UNWRITABLE):
            say("request", method=method, route=route, status=status, seconds=round(seconds, 6), **_key(scope))

    return tell


def lowest_status(settings: Settings) -> int:
    """The lowest status of which the log may want a line for its own sake."""
    return min(REFUSED) if settings.access_log is AccessLines.FAILED else 0


class _Flood:
    """Tells when there are so many refusals that a line for each would fill the disk; how many had none is told later."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._second = 0
        self._lines = 0
        self._untold = 0

    def is_one(self) -> bool:
        """Whether the next refusal gets no line of its own."""
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._lines = second, 0
        self._lines += 1
        if self._lines <= LINES_PER_SECOND:
            return False
        self._untold += 1
        if self._untold == 1:
            # Of no request: the first one of many, whose context this is, has no part in it.
            asyncio.get_running_loop().call_later(UNTOLD_SECONDS, self._tell, context=Context())
        return True

    def _tell(self) -> None:
        count, self._untold = self._untold, 0
        with contextlib.suppress(*UNWRITABLE):
            self._log.warning("requests were refused without a line for each", count=count)


def _silent(_method: str, _route: str, _status: int, _seconds: float, _scope: Scope) -> None:
    return


def _key(scope: Scope) -> dict[str, str]:
    key = scope.get(KEY_ID)
    return {"key": key} if key else {}

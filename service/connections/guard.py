"""What holds for every connection, whoever parses its requests: it waits for nobody for long, and ends politely."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from starlette.types import Scope

from service import problems
from service.connections.limits import facts_of, last_answer
from service.connections.watch import Watch, watch_of
from service.http import texts_for
from service.json_input import printable
from service.observability.metrics import count_problem, count_shed
from service.problems import Problem, ProblemType

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Protocol
else:
    Protocol = object

LAST_WORDS_SECONDS = 2.0
"""For how long a client that was told its last answer is listened to: closing at once would take it away from them."""
LATE_REQUEST_SECONDS = 0.05
"""What was sent before a connection is closed for the end of the service has arrived by then."""


class Guarded(Protocol):
    """A connection of uvicorn with limits. Beside the class that parses, it is the first base."""

    watch: Watch
    owed_since: float | None
    """Since when the client owes the rest of a request, or its first one."""
    served: int = 0
    """How many requests have begun on it."""
    fed: int = 0
    """The bytes that arrived since the request began, or since something of its body did."""
    deaf_until: float | None = None
    """Until when nothing that arrives is looked at; the connection ends then, or after the answer that is under way."""
    ending: bool = False
    """Whether the service takes no more requests than have begun to arrive."""
    _address: str | None = None
    _unsent: int = 0
    _stuck_since: float = 0.0

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._application, self.app = self.app, self._unless_refused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, if there is room for it."""
        super().connection_made(transport)
        self.watch = watch = watch_of(self.server_state, self.loop)
        self._address = self.client[0] if self.client else None
        admitted = watch.admit(self, self._address)
        self.owed_since = watch.now  # which was old, if there was no connection for a while
        if not admitted:
            self.deaf_until = watch.now
            count_shed("connections")
            count_problem(problems.TOO_MANY_CONNECTIONS.name)
            transport.write(watch.crowded)
            transport.close()  # at once, since those that wait for last words to be read take room too

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.watch.forget(self, self._address)
        super().connection_lost(exc)

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Answer a client that sent its request and will send no more; a stream, or half a request, ends."""
        cycle = self.cycle
        if not self._answering or cycle.response_started or cycle.more_body:
            return None
        cycle.keep_alive = False
        return True

    def shutdown(self) -> None:
        """End after what is under way, and after what the client had sent before it could know."""
        self.ending = True
        if self._answering:
            self.cycle.keep_alive = False
        else:
            self.loop.call_later(LATE_REQUEST_SECONDS, self._end_if_idle)

    def look(self, now: float) -> None:
        """End what takes too long, at this time of the event loop."""
        if self._is_stuck(now):
            self.transport.abort()
            return
        if self.transport.is_closing():
            return
        if self.deaf_until is not None:
            if now > self.deaf_until and not self._answering:
                self.transport.abort()
        elif self.owed_since is None:
            if not self._answering and self.timeout_keep_alive_task is None:
                self.owed_since = now
        elif self.flow.read_paused or (self._answering and not self.cycle.more_body):
            self.owed_since = now  # it is we who take long
        elif now - self.owed_since > self.watch.patience:
            self._too_slow()

    def _is_stuck(self, now: float) -> bool:
        """Whether the client takes nothing of what is sent, for longer than it may."""
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        if not before or not unsent or unsent < before:
            self._stuck_since = now
        return now - self._stuck_since > self.watch.patience

    async def _unless_refused(self, scope: Any, receive: Any, send: Any) -> None:
        """Begin a request, unless it was refused while its turn came: what the client was told is what happens."""
        if not receive.__self__.disconnected:
            await self._application(scope, receive, send)

    @property
    def _answering(self) -> bool:
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.disconnected

    def _end_if_idle(self) -> None:
        begun = self.owed_since is not None and (self.fed or self.scope)  # of such a request the rest is awaited
        if self._answering:
            self.cycle.keep_alive = False
        elif not begun:
            self.transport.close()

    def _too_slow(self) -> None:
        if self._answering:
            self.refuse(problems.REQUEST_TOO_SLOW)
        else:
            self.transport.close()

    def refuse(self, kind: ProblemType) -> None:
        """End the connection because of what arrived; with a problem, if nothing else is to be answered first."""
        path, texts = "/", None
        if self._answering:
            if not self.cycle.more_body or self.drop_waiting():  # others came before what is wrong, and are answered
                self.cycle.keep_alive = False
                self.deaf_until = self.watch.now
                return
            if self.cycle.response_started:
                self.transport.close()
                return
            scope = cast("Scope", self.cycle.scope)
            path, texts = printable(scope["path"]), texts_for(scope)
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        count_problem(kind.name)
        self._say_last(last_answer(Problem(kind, facts_of(kind, self.watch.limits)), path, texts))

    def drop_waiting(self) -> bool:
        """Forget a request that waits for others, which are answered; whether there was one. h11 reads one at a time."""
        return False

    def _say_last(self, answer: bytes) -> None:
        self.deaf_until = self.watch.now + LAST_WORDS_SECONDS
        self._unset_keepalive_if_required()
        self.transport.write(answer)
        if self.transport.can_write_eof():
            self.transport.write_eof()

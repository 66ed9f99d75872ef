"""One connection that everybody in this process shares: commands go out together, answers come back in their order.

A pool gives each caller a connection of its own, waits for it, checks it and takes it back. Here the commands that many
callers have at the same moment travel together, which doubles what one process can do, and one fsync serves them all.
"""

import asyncio
from collections import deque
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, RedisError, ResponseError  # noqa: A004 - redis-py's words

from service.store.errors import LostAnswer

WATCH_SECONDS = 0.1

ASKING = pack_command(("ASKING",))

Answer = asyncio.Future[Any]
Command = tuple[str | bytes | int, ...]


class Line:
    """A connection in use; once it was closed or found broken, it stays so."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._outgoing: list[tuple[Answer, float, bytes, bool]] = []
        self._waiting: deque[tuple[Answer | None, float]] = deque()
        self._work = asyncio.Event()
        self._refusal: str | None = None
        self._closing: asyncio.Task[None] | None = None
        self._watch = self._loop.call_later(WATCH_SECONDS, self._look)
        self._tasks = (self._loop.create_task(self._write()), self._loop.create_task(self._read()))

    @property
    def usable(self) -> bool:
        """Whether it takes commands."""
        return self._refusal is None

    @property
    def ended(self) -> bool:
        """Whether its connection is closed, or about to be."""
        return self._closing is not None

    @property
    def load(self) -> int:
        """How many commands are under way."""
        return len(self._outgoing) + len(self._waiting)

    async def call(self, command: Command, deadline: float, *, asking: bool = False) -> Any:
        """What the server answers to a command until the deadline, in the event loop's time.

        LostAnswer says that the command may have been carried out all the same; after any other error it was not.
        """
        if self._refusal is not None:
            raise ConnectionError(self._refusal)
        answer = self._loop.create_future()
        packed = pack_command(command)  # type: ignore[arg-type] # its stub knows tuples of one
        self._outgoing.append((answer, deadline, packed, asking))
        self._work.set()
        return await answer

    def retire(self) -> None:
        """Take no more commands, and close the connection when what is under way was answered."""
        self._refusal = self._refusal or "the connection is about to be closed"

    async def close(self) -> None:
        """Close the connection; what is still waited for is lost."""
        self._end("the connection was closed")
        if self._closing is not None:
            await self._closing

    async def _write(self) -> None:
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                if not self._connection.is_connected:  # or sending would open it again, with answers out of step
                    raise ConnectionError("the connection is closed")
                given, self._outgoing = self._outgoing, []
                await self._connection.send_packed_command(self._taken(given), check_health=False)
        except (RedisError, OSError) as error:
            self._end(str(error))

    def _taken(self, given: list[tuple[Answer, float, bytes, bool]]) -> bytes:
        parts = []
        for answer, deadline, packed, asking in given:
            if answer.done():  # its caller went away before it was sent
                continue
            if asking:
                self._waiting.append((None, deadline))
                parts.append(ASKING)
            self._waiting.append((answer, deadline))
            parts.append(packed)
        return b"".join(parts)

    async def _read(self) -> None:
        read_response = self._connection.read_response
        try:
            while True:
                try:
                    value = await read_response()
                except ResponseError as error:
                    self._fail_next(error)
                else:
                    answer, _ = self._waiting.popleft()
                    if answer is not None and not answer.done():
                        answer.set_result(value)
        except (RedisError, OSError) as error:
            if self._waiting and getattr(error, "status_code", None):  # an answer, such as LOADING
                self._fail_next(error)
            self._end(str(error))

    def _fail_next(self, error: Exception) -> None:
        answer, _ = self._waiting.popleft()
        if answer is not None:
            _fail(answer, error)

    def _look(self) -> None:
        now = self._loop.time()
        if any(deadline < now for _, deadline in self._waiting) or any(each[1] < now for each in self._outgoing):
            self._end("no answer in time")
        elif self._refusal is not None and not self.load:
            self._end(self._refusal)
        else:
            self._watch = self._loop.call_later(WATCH_SECONDS, self._look)

    def _end(self, reason: str) -> None:
        if self._closing is not None:
            return
        self._refusal = reason
        self._watch.cancel()
        for task in self._tasks:
            if task is not asyncio.current_task(self._loop):
                task.cancel()
        for answer, _ in self._waiting:
            if answer is not None:
                _fail(answer, LostAnswer(reason))
        for answer, *_ in self._outgoing:
            _fail(answer, ConnectionError(reason))
        self._waiting.clear()
        self._outgoing.clear()
        self._closing = self._loop.create_task(self._connection.disconnect(nowait=True))


def _fail(answer: Answer, error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)

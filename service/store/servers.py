"""Which server a command goes to: the only one or Sentinel's master, or the owner of a slot in a cluster."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, Protocol

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, ReadOnlyError, ResponseError  # noqa: A004 - named as redis-py does

from service.store.keys import news_channel, record_key
from service.store.line import Command, Line
from service.store.scripts import CHECK

CALL_SECONDS = 1.6
"""From a call to its answer or error; with what a busy event loop is late, it stays well below 2."""
OPEN_SECONDS = 0.9
LINES = 16
BUSY = 3
"""With so many commands under way on each line another one is opened: of one connection, a server reads 16 KB at a time."""


class Servers(Protocol):
    """Where commands are carried out, by the key that they are about."""

    async def call(self, key: bytes, command: Command) -> Any:
        """What the server that owns the key answers; what its errors mean stands at Line.call."""

    async def subscriber(self) -> AbstractConnection:
        """A connection on which the news of all encounters can be heard."""

    async def close(self) -> None:
        """Close all connections."""


class OneServer:
    """One server; behind Sentinel, whichever is the master when the connection is opened."""

    def __init__(
        self, connection: Callable[[], AbstractConnection], close: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self._connection = connection
        self._close = close
        self._lines: list[Line] = []
        self._opening: asyncio.Task[Line] | None = None

    async def call(self, key: bytes, command: Command) -> Any:
        """What the server answers."""
        return await self.send(command, asyncio.get_running_loop().time() + CALL_SECONDS)

    async def send(self, command: Command, deadline: float, *, asking: bool = False) -> Any:
        """What the server answers until the deadline."""
        line = self._least_busy()
        if line is None:
            async with asyncio.timeout_at(deadline):
                line = await asyncio.shield(self._one_more())
        elif line.load >= BUSY and sum(each.usable for each in self._lines) < LINES:
            self._one_more()
        try:
            return await line.call(command, deadline, asking=asking)
        except ReadOnlyError:
            # A master that became a replica stays so for its open connections: the next ones are told where to go.
            for each in self._lines:
                each.retire()
            raise

    async def subscriber(self) -> AbstractConnection:
        """A connection on which the news can be heard."""
        return await opened(self._connection())

    async def close(self) -> None:
        """Close the connections."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.wait([self._opening])
        for line in self._lines:
            await line.close()
        if self._close is not None:
            await self._close()

    def _least_busy(self) -> Line | None:
        least: Line | None = None
        for line in self._lines:
            if line.usable and (least is None or line.load < least.load):
                least = line
        return least

    def _one_more(self) -> asyncio.Task[Line]:
        """Another line, opened once for all who wait for it, and even if they go away."""
        if self._opening is None or self._opening.done():
            # Of no request, though one is the first that needs it: the line would keep that one as long as it lasts.
            self._opening = asyncio.create_task(self._open(), context=Context())
            self._opening.add_done_callback(retrieve)
        return self._opening

    async def _open(self) -> Line:
        line = Line(await opened(self._connection()))
        self._lines = [*(each for each in self._lines if not each.ended), line]
        return line


async def opened(connection: AbstractConnection) -> AbstractConnection:
    """The connection, open to a server that can do what will be asked of it."""
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            await connection.connect()  # type: ignore[no-untyped-call]
            check = CHECK.in_full((), (record_key("any"), news_channel("any")))
            await connection.send_command(*check, check_health=False)
            try:
                await connection.read_response()
            except ResponseError as error:
                if "compiling script" in str(error):
                    raise ConnectionError("Redis 7.0 is the oldest that works") from error
                raise
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return connection


def retrieve(task: asyncio.Task[Any]) -> None:
    """Take note of a task's error, which asyncio would otherwise log when nobody waits for it any more."""
    if not task.cancelled():
        task.exception()

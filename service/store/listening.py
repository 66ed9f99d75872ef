"""Following many logs at once on one connection.

A change publishes the number of its last event on its encounter's channel. That is only a hint: what listeners get is read
from the log, after the last that was read, so a hint may be lost with a connection, or come twice, without harm. Every
confirmed subscription counts as a hint too, and each connection subscribes anew, so nothing is missed while there was none.
(Blocking reads of the log would need a connection for each slot of a cluster, and all their keys again at each event.)
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextvars import Context

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, RedisError  # noqa: A004 - named as redis-py does

from service.store.errors import SlowReader, StoreError
from service.store.keys import news_channel

Event = tuple[int, bytes]

QUIET_SECONDS = 2.0
PAGE = 500
QUEUE = 2_000
LOOK_AGAIN_SECONDS = 5.0
"""How often all logs are read without a hint, since servers of a cluster can lose each other's."""
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)

log = logging.getLogger("rulewright.store")


class _Listener:
    """Where the events for one listener wait until it takes them; too many are not kept but end it."""

    __slots__ = ("_arrived", "_count", "_pages", "begin", "too_slow")

    def __init__(self) -> None:
        self.begin: int | None = None
        """Up to here the listener reads the log itself; what follows arrives here."""
        self.too_slow = False
        self._pages: deque[list[Event]] = deque()
        self._count = 0
        self._arrived = asyncio.Event()

    def give(self, page: list[Event]) -> None:
        self._count += len(page)
        if self._count > QUEUE:
            self.too_slow = True
            self._pages.clear()
        else:
            self._pages.append(page)
        self._arrived.set()

    def begin_at(self, sequence: int) -> None:
        self.begin = sequence
        self._arrived.set()

    async def arrival(self) -> None:
        """Return when something arrived, at the latest when it was quiet for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIET_SECONDS):
                await self._arrived.wait()

    def take(self) -> list[Event]:
        """Everything that arrived."""
        self._arrived.clear()
        if self.too_slow:
            raise SlowReader
        events = [event for page in self._pages for event in page]
        self._pages.clear()
        self._count = 0
        return events


class _Followed:
    """One log that somebody listens to."""

    __slots__ = ("encounter", "fetching", "hinted", "listeners", "position")

    def __init__(self, encounter: str) -> None:
        self.encounter = encounter
        self.listeners: set[_Listener] = set()
        self.position: int | None = None
        """The last event that was read; None until the subscription is confirmed."""
        self.hinted = False
        self.fetching: asyncio.Task[None] | None = None

    def begin_at(self, sequence: int) -> None:
        self.position = sequence
        for listener in self.listeners:
            listener.begin_at(sequence)

    def give(self, page: list[Event]) -> None:
        self.position = page[-1][0]
        for listener in self.listeners:
            listener.give(page)


class Listening:
    """All listeners of this process."""

    def __init__(
        self,
        events: Callable[[str, int, int], Awaitable[list[Event]]],
        last_sequence: Callable[[str], Awaitable[int]],
        connect: Callable[[], Awaitable[AbstractConnection]],
    ) -> None:
        self._events = events
        self._last_sequence = last_sequence
        self._connect = connect
        self._followed: dict[bytes, _Followed] = {}
        self._connection: AbstractConnection | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def listen(self, encounter: str, after: int) -> AsyncGenerator[list[Event], None]:
        """What Store.listen promises."""
        channel, listener = news_channel(encounter), _Listener()
        try:
            await self._join(channel, encounter, listener)
            while listener.begin is None:
                await listener.arrival()
                if listener.begin is None:
                    yield []
            async for page in self._backlog(encounter, after, listener.begin):
                yield page
                after = page[-1][0] if page else after
            while True:
                await listener.arrival()
                news = [event for event in listener.take() if event[0] > after]
                yield news
                after = news[-1][0] if news else after
        finally:
            await self._leave(channel, listener)

    async def close(self) -> None:
        """Hear and fetch no more."""
        tasks = [self._hearing, *(followed.fetching for followed in self._followed.values())]
        running = [task for task in tasks if task is not None and not task.done()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    async def _backlog(self, encounter: str, after: int, last: int) -> AsyncGenerator[list[Event], None]:
        while after < last:
            try:
                page = await self._events(encounter, after, PAGE)
            except StoreError:
                yield []
                await asyncio.sleep(RETRY_SECONDS[-1])
                continue
            if not page:  # the log expired
                return
            yield page
            after = page[-1][0]

    async def _join(self, channel: bytes, encounter: str, listener: _Listener) -> None:
        if self._hearing is None or self._hearing.done():
            # Of no request, though one is the first that listens: all that is logged here would have the id of that one.
            self._hearing = asyncio.create_task(self._hear(), context=Context())
        followed = self._followed.get(channel)
        if followed is not None:
            followed.listeners.add(listener)
            if followed.position is not None:
                listener.begin_at(followed.position)
        else:
            followed = self._followed[channel] = _Followed(encounter)
            followed.listeners.add(listener)
            await self._tell("SUBSCRIBE", channel)

    async def _leave(self, channel: bytes, listener: _Listener) -> None:
        followed = self._followed.get(channel)
        if followed is None:
            return
        followed.listeners.discard(listener)
        if not followed.listeners:
            del self._followed[channel]
            if followed.fetching is not None:
                followed.fetching.cancel()
            await self._tell("UNSUBSCRIBE", channel)

    async def _tell(self, name: str, channel: bytes) -> None:
        """Send what is not answered but heard; without a connection there is no need, as the next one subscribes anew."""
        if self._connection is not None and self._connection.is_connected:
            with contextlib.suppress(RedisError, OSError):
                await self._connection.send_command(name, channel, check_health=False)

    async def _hear(self) -> None:
        failures = 0
        while True:
            try:
                connection = await self._connect()
            except (RedisError, OSError):
                await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                failures += 1
                continue
            failures = 0
            self._connection = connection
            try:
                await self._hear_on(connection)
            except (RedisError, OSError) as error:
                log.warning("The connection on which news of encounters are heard broke: %s", error)
            finally:
                self._connection = None
                await connection.disconnect(nowait=True)

    async def _hear_on(self, connection: AbstractConnection) -> None:
        if self._followed:
            await connection.send_command("SUBSCRIBE", *self._followed, check_health=False)
        loop = asyncio.get_running_loop()
        look_again, pinged = loop.time() + LOOK_AGAIN_SECONDS, False
        while True:
            message = await connection.read_response(timeout=QUIET_SECONDS)
            match message:
                case None if pinged:
                    raise ConnectionError("no answer to a ping")
                case None:
                    await connection.send_command("PING", check_health=False)
                case [b"message" | b"subscribe", channel, *_]:
                    self._hint(self._followed.get(channel))
            pinged = message is None
            if loop.time() > look_again:
                look_again = loop.time() + LOOK_AGAIN_SECONDS
                for followed in self._followed.values():
                    self._hint(followed)

    def _hint(self, followed: _Followed | None) -> None:
        if followed is None:
            return
        followed.hinted = True
        if followed.fetching is None or followed.fetching.done():
            followed.fetching = asyncio.create_task(self._fetch(followed))

    async def _fetch(self, followed: _Followed) -> None:
        failures = 0
        while followed.hinted:
            followed.hinted = False
            try:
                if followed.position is None:
                    followed.begin_at(await self._last_sequence(followed.encounter))
                while page := await self._events(followed.encounter, followed.position or 0, PAGE):
                    followed.give(page)
                    if len(page) < PAGE:
                        break
                failures = 0
            except StoreError:
                followed.hinted = True
                await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                failures += 1

"""What one worker knows of its connections, and the round that it makes over them."""

import asyncio
import logging
from collections import Counter
from typing import Protocol
from weakref import WeakKeyDictionary

from uvicorn.server import ServerState

from service import problems
from service.connections.limits import Limits, last_answer, limits_of
from service.gate.addresses import counted
from service.problems import RETRY_LATER, Problem
from service.settings import load_settings

ROUND_SECONDS = 0.5

log = logging.getLogger("rulewright.connections")


class Watched(Protocol):
    """A connection that is looked at every round."""

    def look(self, now: float) -> None:
        """End what takes too long, at this time of the event loop."""


class Watch:
    """The connections of one worker: one timer for all of them, since a timer for each request would cost more than it."""

    def __init__(self, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self.limits = limits
        self.crowded = last_answer(Problem(problems.TOO_MANY_CONNECTIONS, headers=RETRY_LATER), "/")
        self.patience = limits.seconds + ROUND_SECONDS
        """How long a client may take, by `now`, so that it has at least the seconds of the limits."""
        self.now = loop.time()
        """The time of the last round, which is late by half a second at most."""
        self._loop = loop
        self._connections: set[Watched] = set()
        self._of_address: Counter[str] = Counter()
        self._round: asyncio.TimerHandle | None = None

    def admit(self, connection: Watched, address: str | None) -> bool:
        """Count one more connection, and say whether there is room for it."""
        self._connections.add(connection)
        address = address and counted(address)
        if address is not None:
            self._of_address[address] += 1
        if self._round is None:
            self.now = self._loop.time()
            self._round = self._loop.call_later(ROUND_SECONDS, self._look)
        if len(self._connections) > self.limits.connections:
            return False
        per_address = self.limits.per_address
        return address is None or per_address is None or self._of_address[address] <= per_address

    def forget(self, connection: Watched, address: str | None) -> None:
        """A connection is closed."""
        self._connections.discard(connection)
        address = address and counted(address)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def _look(self) -> None:
        self.now = now = self._loop.time()
        for connection in list(self._connections):
            try:
                connection.look(now)
            except Exception:  # the others are looked at all the same, and in the next round too
                log.exception("A connection cannot be looked at")
        self._round = self._loop.call_later(ROUND_SECONDS, self._look) if self._connections else None


_watches: WeakKeyDictionary[ServerState, Watch] = WeakKeyDictionary()


def watch_of(server: ServerState, loop: asyncio.AbstractEventLoop) -> Watch:
    """The watch of a server; its limits are those of the environment, as all settings of a worker are."""
    watch = _watches.get(server)
    if watch is None:
        watch = _watches[server] = Watch(limits_of(load_settings()), loop)
    return watch

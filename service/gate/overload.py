"""What a worker refuses when it has more to do than it can do soon: better a quick 503 for some than a late answer for all.

An event loop runs what became ready at one moment in one turn, one after the other, and looks for new requests only after
that. A turn of a thousand requests takes as long as a thousand answers. So a turn has a budget: whatever comes to its turn
after that is refused, which costs a fraction of an answer, and the next turn begins soon.
"""

import asyncio
import time
from collections.abc import Callable

FEW = 16
"""So many requests of a turn are taken on in any case: with a slow one among them it is no crowd that makes the turn long."""


class Overload:
    """Whether a worker can take one more request: `begin` says why not, or counts it."""

    def __init__(
        self, max_in_flight: int, max_queue_seconds: float, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._max_in_flight = max_in_flight
        self._max_queue_seconds = max_queue_seconds
        self._clock = clock
        self.in_flight = 0
        """How many are; whoever began one takes it off when it is answered, or gone."""
        self._in_turn = 0
        self._turn_began = 0.0
        self._task: asyncio.Task[object] | None = None

    def begin(self) -> str | None:
        """None, and one more is in flight; or the reason why this one is not taken on: `in_flight` or `queue`."""
        self._in_turn += 1
        if self._in_turn == 1:
            asyncio.get_running_loop().call_soon(self._turn_ended)
            self._turn_begins()
        elif self._in_turn > FEW and self._clock() - self._turn_began > self._max_queue_seconds:
            if asyncio.current_task() is not self._task:
                return "queue"
            self._turn_begins()  # what one task asks one after the other has not waited
        if self.in_flight >= self._max_in_flight:
            return "in_flight"
        self.in_flight += 1
        return None

    def _turn_begins(self) -> None:
        self._in_turn = 1
        self._turn_began = self._clock()
        self._task = asyncio.current_task()

    def _turn_ended(self) -> None:
        self._in_turn = 0
        self._task = None


class Streams:
    """How many event streams a worker has open, in all and to each client address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._open: dict[str, int] = {}
        self._all = 0

    def begin(self, address: str) -> str | None:
        """None, and one more is open; or which limit is reached: `streams` or `streams_per_address`."""
        if self._all >= self._most:
            return "streams"
        if self._open.get(address, 0) >= self._most_per_address:
            return "streams_per_address"
        self._all += 1
        self._open[address] = self._open.get(address, 0) + 1
        return None

    def end(self, address: str) -> None:
        """One that was open has ended."""
        self._all -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

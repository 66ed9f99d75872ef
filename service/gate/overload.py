"""What a worker refuses when it has more to do than it can do soon: better a quick 503 for some than a late answer for all.

An event loop runs what became ready at one moment in one turn, one after the other, and looks for new requests only after
that. A turn of a thousand requests takes as long as a thousand answers. So a turn has a budget: whatever comes to its turn
after that is refused, which costs a fraction of an answer, and the next turn begins soon.
"""

import asyncio
import math
import sys
import time
from collections.abc import Callable

from service import problems
from service.observability.metrics import count_shed
from service.problems import Problem

OVERLOAD = "rulewright.overload"
"""Where a request has that of its worker, in its scope."""
FEW = 16
"""So many requests of a turn are taken on in any case: with a slow one among them it is no crowd that makes the turn long."""
PART_OF_ONE_ADDRESS = 2
"""One address may have one part in so many of what is in flight, so that no single one stands in the way of all others."""
LARGE_BYTES = 65_536
"""When so much of a body is here, it takes a place among the large ones, which bounds the memory that they take."""
RETRY = {
    problems.OVERLOADED.name: ((b"retry-after", b"1"),),
    problems.TOO_MANY_STREAMS.name: ((b"retry-after", b"30"),),
}


class Places:
    """How many there may be of something in a worker, in all and of one client address."""

    __slots__ = ("_all", "_most", "_most_per_address", "_name", "_of_address")

    def __init__(self, name: str, most: int, most_per_address: int) -> None:
        self._name = name
        self._most = most
        self._most_per_address = most_per_address
        self._of_address: dict[str, int] = {}
        self._all = 0

    def begin(self, address: str) -> str | None:
        """None, and there is one more; or which limit is reached: the name, or `<name>_per_address`."""
        of_address = self._of_address.get(address, 0)
        if self._all >= self._most:
            return self._name
        if of_address >= self._most_per_address:
            return f"{self._name}_per_address"
        self._all += 1
        self._of_address[address] = of_address + 1
        return None

    def begin_anyway(self, address: str) -> None:
        """There is one more, whatever the limits say."""
        self._all += 1
        self._of_address[address] = self._of_address.get(address, 0) + 1

    def end(self, address: str) -> None:
        """There is one less."""
        self._all -= 1
        left = self._of_address.get(address, 0) - 1
        if left:
            self._of_address[address] = left
        else:
            del self._of_address[address]


class Overload:
    """Whether a worker can take one more request: `begin` says why not, or counts it until its `end`."""

    def __init__(
        self, max_in_flight: int, max_queue_seconds: float, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        share = max(1, max_in_flight // PART_OF_ONE_ADDRESS)
        self._in_flight = Places("in_flight", max_in_flight, share)
        self.large_bodies = Places("large_bodies", max_in_flight, share)
        self.end = self._in_flight.end
        self.turn = 0
        """The number of the turn that is under way, or comes next."""
        self._max_queue_seconds = max_queue_seconds
        self._clock = clock
        self._in_turn = 0
        self._turn_began = 0.0
        self._task: asyncio.Task[object] | None = None

    def begin(self, address: str) -> str | None:
        """None, and one more is in flight; or the reason why this one is not taken on: `queue`, or a limit of `in_flight`."""
        self._in_turn += 1
        if self._in_turn == 1:
            asyncio.get_running_loop().call_soon(self._turn_ended)
            self._turn_begins()
        elif self._in_turn > FEW and self._clock() - self._turn_began > self._max_queue_seconds:
            if asyncio.current_task() is not self._task:
                return "queue"
            self._turn_begins()  # what one task asks one after the other has not waited
        return self._in_flight.begin(address)

    def begin_again(self, address: str, turn: int) -> str | None:
        """One is in flight again that was `end`ed in a turn; the reason why it is not gone on with, as `begin` has it."""
        refused = self._in_flight.begin(address) if turn == self.turn else self.begin(address)
        if refused is not None:
            self._in_flight.begin_anyway(address)  # until that is told
        return refused

    def _turn_begins(self) -> None:
        self._in_turn = 1
        self._turn_began = self._clock()
        self._task = asyncio.current_task()

    def _turn_ended(self) -> None:
        self._in_turn = 0
        self._task = None
        self.turn += 1


UNBOUNDED = Overload(sys.maxsize, math.inf)
"""For an application without a gate."""


def crowded(reason: str) -> Problem:
    """The problem of a request that was begun, and cannot be gone on with."""
    count_shed(reason)
    return Problem(problems.OVERLOADED, headers=RETRY[problems.OVERLOADED.name])

"""How a user asks: at the pace of the run, and again when the service says that it cannot answer just now."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping

import msgspec

from bench.soak.client import Answer, Broken, Client
from bench.soak.tally import AGAIN, Came, Tally

PATIENCE_SECONDS = 30.0
AGAIN_SECONDS = 0.05
MOST_AGAIN_SECONDS = 2.0


class GaveUp(Exception):
    """What was asked was not answered as it should have been; that is noted already."""


class Pace:
    """How many requests a second all users together send; without a rate each sends one after the other."""

    def __init__(self, users: int) -> None:
        self._users = users
        self.per_second: float | None = None
        self.stopping = False

    def next_after(self, due: float) -> float:
        """When the next request of a user is due, after one that was due then; who is late does not hurry to catch up."""
        if self.per_second is None or self.stopping:
            return 0.0
        return max(due, time.perf_counter()) + random.expovariate(self.per_second / self._users)


class Caller:
    """One user's connection, pace and record of what came of it."""

    def __init__(self, connect: Callable[[], Client], tally: Tally, pace: Pace) -> None:
        self.client = connect()
        self.tally = tally
        self.pace = pace
        self._due = 0.0
        self.sent = 0.0
        """When the last request was sent."""

    async def ask(
        self,
        kind: str,
        method: str,
        path: str,
        body: object = None,
        *,
        kept: bool = True,
        may_be_refused: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """A good answer, or one of the rules' refusals where those may come; GaveUp."""
        await self._turn()
        sent = b"" if body is None else msgspec.json.encode(body)
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while True:
            self.sent, again = time.perf_counter(), AGAIN_SECONDS
            try:
                answer = await self.client.ask(method, path, sent, headers or {})
            except Broken:
                came = self.tally.broke(kind)
            else:
                took = time.perf_counter() - self.sent
                came = self.tally.answered(kind, answer, took, kept=kept, may_be_refused=may_be_refused)
                if came in (Came.GOOD, Came.REFUSED):
                    return answer
                again = min(float(answer.headers.get(b"retry-after", b"0.05")), MOST_AGAIN_SECONDS)
            if came not in AGAIN or time.perf_counter() > deadline:
                if came in AGAIN:
                    self.tally.fail(f"{kind}: no answer within {PATIENCE_SECONDS:g} s")
                raise GaveUp
            await asyncio.sleep(again)

    async def _turn(self) -> None:
        self._due = self.pace.next_after(self._due)
        wait = self._due - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)

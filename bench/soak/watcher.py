"""Who follows the stream of a fight: counts its events, and goes on where it broke off."""

import asyncio
import time

from bench.soak.caller import Caller
from bench.soak.client import Broken
from bench.soak.incidents import Incidents, What
from bench.soak.tally import Came

ALL_SECONDS = 20.0
BEFORE_AGAIN_SECONDS = 0.2
EVENT = "event on the stream"
"""From the request that makes an event to the moment when it has come."""


class Watcher:
    """One stream, from the first event on."""

    def __init__(self, caller: Caller, incidents: Incidents, path: str, token: str) -> None:
        self._caller = caller
        self._incidents = incidents
        self._path = path
        self._token = token
        self._buffer = b""
        self._last = 0
        self._wanted = 0
        self._is_over = False
        self._all_seen = asyncio.Event()
        self._following: asyncio.Task[None] | None = None
        self._sent: dict[int, float] = {}
        self._came: dict[int, float] = {}

    def begin(self) -> None:
        """Follow from now on."""
        self._following = asyncio.create_task(self._follow())

    def made(self, sequence: int, sent: float) -> None:
        """The request that was sent at this time has made this event, which may have come already."""
        if sequence in self._came:
            self._caller.tally.took(EVENT, self._came.pop(sequence) - sent)
        else:
            self._sent[sequence] = sent

    async def end(self, events: int) -> None:
        """Stop as soon as so many events were seen; it is a failure if they do not come."""
        self._wanted = events
        self._look()
        try:
            async with asyncio.timeout(ALL_SECONDS):
                await self._all_seen.wait()
        except TimeoutError:
            self._caller.tally.fail(f"stream: {self._last} of {events} events came within {ALL_SECONDS:g} s")
        await self.leave()

    async def leave(self) -> None:
        """Stop at once."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        self._caller.client.close()

    async def _follow(self) -> None:
        tally, client = self._caller.tally, self._caller.client
        while True:
            self._buffer = b""
            began = time.perf_counter()
            try:
                answer = await client.stream(self._path, self._credentials(), self._took)
            except Broken:
                tally.broke("stream")
            else:
                seconds = time.perf_counter() - began
                if tally.answered("stream", answer, seconds, kept=True, may_be_refused=False) is Came.GOOD:
                    await client.ended()
                    if self._is_over:
                        return
                    if not any(self._incidents.under_way(what) for what in What):
                        tally.fail("stream: it ended, and nothing had happened")
            await asyncio.sleep(BEFORE_AGAIN_SECONDS)

    def _credentials(self) -> dict[str, str]:
        return {"Encounter-Token": self._token, "Accept": "text/event-stream", "Last-Event-ID": str(self._last)}

    def _took(self, piece: bytes) -> None:
        *whole, self._buffer = (self._buffer + piece).split(b"\n\n")
        now = time.perf_counter()
        for each in whole:
            if each.startswith(b"id: "):
                self._seen(int(each[4 : each.index(b"\n")]), now)
                self._is_over = b"\nevent: closed\n" in each

    def _seen(self, sequence: int, now: float) -> None:
        if sequence != self._last + 1:
            self._caller.tally.fail(f"stream: event {sequence} came after {self._last}")
        self._last = sequence
        if sequence in self._sent:
            self._caller.tally.took(EVENT, now - self._sent.pop(sequence))
        else:
            self._came[sequence] = now
        self._look()

    def _look(self) -> None:
        if self._wanted and self._last >= self._wanted:
            self._all_seen.set()

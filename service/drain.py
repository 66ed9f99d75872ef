"""Draining: between the signal to end and the end.

A process that drains still takes requests for a while, says in /readyz that it is about to end, so that nobody sends it new
ones, closes each connection after its answer, and sends its streams elsewhere.
"""

import asyncio
import contextlib
import random
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from uvicorn.server import HANDLED_SIGNALS, Server

from service.observability.metrics import set_draining

SOONEST_SECONDS = 1.0
LATEST_SECONDS = 5.0

Handler = Callable[[int, FrameType | None], Any]


class Draining:
    """Whether this process drains, and whom to tell when it begins to."""

    def __init__(self) -> None:
        self.begun = False
        self._callbacks: set[Callable[[], None]] = set()

    def begin(self) -> None:
        """Drain from now on; called in the event loop."""
        self.begun = True
        set_draining(True)
        for callback in list(self._callbacks):
            callback()

    def end(self) -> None:
        """Drain no more: the application that did has ended."""
        self.begun = False
        set_draining(False)

    @contextlib.contextmanager
    def told(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call back when draining begins while the block runs, or did before."""
        self._callbacks.add(callback)
        if self.begun:
            callback()
        try:
            yield
        finally:
            self._callbacks.discard(callback)


draining = Draining()


def come_back_seconds() -> float:
    """When somebody should connect again: not everybody at once."""
    return random.uniform(SOONEST_SECONDS, LATEST_SECONDS)  # noqa: S311 - nothing secret depends on it


class _Signals:
    """Takes the signals before uvicorn does, and hands them on, a first SIGTERM later."""

    def __init__(self, seconds: float, theirs: dict[int, Handler]) -> None:
        self._seconds = seconds
        self._theirs = theirs
        self._loop = asyncio.get_running_loop()
        self._later: asyncio.TimerHandle | None = None
        self._seen = False

    def take(self, number: int, frame: FrameType | None) -> None:
        """Drain; hand the signal on after a while, or at once when it is not the first, or is from a keyboard."""
        first, self._seen = not self._seen, True
        draining.begun = True
        self._loop.call_soon_threadsafe(draining.begin)
        if first and number == signal.SIGTERM and self._seconds:
            self._loop.call_soon_threadsafe(self._wait, number)
        else:
            self._theirs[number](number, frame)

    def forget(self) -> None:
        """Hand nothing on any more."""
        if self._later is not None:
            self._later.cancel()

    def _wait(self, number: int) -> None:
        self._later = self._loop.call_later(self._seconds, self._theirs[number], number, None)


@contextlib.contextmanager
def drained(seconds: float) -> Iterator[None]:
    """While the block runs, a signal to end makes this process drain, for so many seconds before uvicorn ends it.

    Only where uvicorn takes the signals itself: tests and other servers have handlers of their own.
    """
    theirs = _handlers_of_uvicorn()
    signals = _Signals(seconds, theirs)
    for number in theirs:
        signal.signal(number, signals.take)
    try:
        yield
    finally:
        signals.forget()
        for number, handler in theirs.items():
            signal.signal(number, handler)
        draining.end()


def _handlers_of_uvicorn() -> dict[int, Handler]:
    if threading.current_thread() is not threading.main_thread():
        return {}
    found: dict[int, Handler] = {}
    for number in HANDLED_SIGNALS:
        handler = signal.getsignal(number)
        if callable(handler) and isinstance(getattr(handler, "__self__", None), Server):
            found[number] = handler
    return found

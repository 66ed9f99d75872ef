"""What is done to the service in the middle of a run, and what may fail because of it."""

import asyncio
import os
import signal
import time
from dataclasses import dataclass
from enum import StrEnum

from bench.processes import Service, Store
from bench.soak.samples import cpu_of

STORE_SETTLES_SECONDS = 5.0
"""So long after the store is back, calls may still find it away: those that were sent before, and connections that wait."""
WORKER_SETTLES_SECONDS = 5.0
ANOTHER_WITHIN_SECONDS = 15.0


class What(StrEnum):
    """What happens."""

    STORE_RESTART = "the store is killed and started again"
    WORKER_KILL = "a worker is killed"


@dataclass(slots=True)
class Window:
    """When something happened, and until when its consequences are expected; by the clock of time.perf_counter."""

    what: What
    begins: float
    ends: float = float("inf")


class Incidents:
    """All that has happened."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self.failures: list[str] = []

    def under_way(self, what: What) -> bool:
        """Whether the consequences of such an incident are expected now."""
        now = time.perf_counter()
        return any(each.what is what and each.begins <= now <= each.ends for each in self.windows)

    async def restart(self, store: Store, away_seconds: float) -> None:
        """Kill the store, leave it away for so long, start it again."""
        window = self._begun(What.STORE_RESTART)
        store.kill()
        await asyncio.sleep(away_seconds)
        await asyncio.to_thread(store.start)
        window.ends = time.perf_counter() + STORE_SETTLES_SECONDS

    async def kill_worker(self, service: Service) -> None:
        """Kill the busiest worker, and demand that its parent starts another."""
        before = service.workers()
        if before == [service.id]:
            self.failures.append("a worker can only be killed where there are two and the system lists processes")
            return
        window, busiest = self._begun(What.WORKER_KILL), max(before, key=cpu_of)
        os.kill(busiest, signal.SIGKILL)
        deadline = time.perf_counter() + ANOTHER_WITHIN_SECONDS
        while len(set(service.workers()) - {busiest}) < len(before):
            if time.perf_counter() > deadline:
                self.failures.append(f"no worker took the place of the killed one within {ANOTHER_WITHIN_SECONDS:g} s")
                break
            await asyncio.sleep(0.1)
        window.ends = time.perf_counter() + WORKER_SETTLES_SECONDS

    def _begun(self, what: What) -> Window:
        self.windows.append(window := Window(what, time.perf_counter()))
        return window

"""How many changes a second so many tasks make, each one change after another."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Change = Callable[[int], Awaitable[object]]
"""One change, made by the task of this number."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Changes a second, and the latency in milliseconds that one in a hundred exceeds."""

    per_second: float
    p99: float


async def rate_of(change: Change, tasks: int, seconds: float) -> Rate:
    """Make changes for so many seconds; the first one of each task is not counted."""
    await asyncio.gather(*(change(task) for task in range(tasks)))
    began = time.perf_counter()
    latencies: list[float] = []

    async def one_after_another(task: int) -> None:
        before = time.perf_counter()
        while before < began + seconds:
            await change(task)
            now = time.perf_counter()
            latencies.append(now - before)
            before = now

    await asyncio.gather(*(one_after_another(task) for task in range(tasks)))
    took = time.perf_counter() - began
    return Rate(len(latencies) / took, sorted(latencies)[len(latencies) * 99 // 100] * 1e3)

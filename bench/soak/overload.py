"""More is offered than the service can take: what is answered is answered soon, since the rest is refused at once."""

import asyncio
import random
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from bench.soak.caller import Pace
from bench.soak.client import Answer, Broken, Client
from bench.soak.run import Plan, running
from service.questions import QUESTIONS

CLOSED = 32
"""So many users, one request after the other, find out what is possible."""
TIMES = 2.0
MOST_USERS = 2_000
OVERLOADED = b"/problems/overloaded"
SHEDDING, KEEPING = "refuses what it cannot do soon", "refuses nothing"
REFUSE_NOTHING = {"RULEWRIGHT_MAX_QUEUE_MS": "60000", "RULEWRIGHT_MAX_IN_FLIGHT": "100000"}
SIDES: dict[str, dict[str, str]] = {SHEDDING: {}, KEEPING: REFUSE_NOTHING}
BOUNDED = 0.7
"""What is answered has to be answered in this part of the time that it takes when nothing is refused, at the most."""


@dataclass(slots=True)
class Shed:
    """A side: what was offered, answered and refused a second, and milliseconds."""

    offered: float
    answered: float
    refused: float
    p50: float
    p99: float
    refused_p99: float


@dataclass(slots=True)
class _Count:
    answered: "array[float]" = field(default_factory=lambda: array("d"))
    refused: "array[float]" = field(default_factory=lambda: array("d"))
    failed: list[str] = field(default_factory=list)


async def overload(plan: Plan) -> tuple[dict[str, Shed], list[str]]:
    """Both sides, and what is not as it should be."""
    sides, failed = {}, []
    for name, settings in SIDES.items():
        with running(plan.host, plan.workers, settings) as there:
            found, wrong = await _offered(plan, there.connect)
        sides[name] = found
        failed += wrong
    shedding, keeping = sides[SHEDDING], sides[KEEPING]
    if not shedding.refused:
        failed.append("nothing was refused: it was not too much")
    if keeping.refused:
        failed.append("something was refused where nothing should have been")
    if shedding.p99 > keeping.p99 * BOUNDED:
        failed.append(f"p99 of what was answered is {shedding.p99:.0f} ms, beside {keeping.p99:.0f} without refusing")
    return sides, failed


async def _offered(plan: Plan, connect: Callable[[], Client]) -> tuple[Shed, list[str]]:
    seconds = plan.seconds / len(SIDES)
    found = await _ask(connect, CLOSED, None, seconds * 0.2)
    capacity = len(found.answered) / (seconds * 0.2)
    rate = plan.rate or capacity * TIMES
    users = int(min(MOST_USERS, max(CLOSED, capacity)))
    lasts = seconds * 0.8
    count = await _ask(connect, users, rate, lasts)
    per_second = len(count.answered) / lasts, len(count.refused) / lasts
    times = _milliseconds(count.answered, 0.5), _milliseconds(count.answered, 0.99), _milliseconds(count.refused, 0.99)
    return Shed(sum(per_second), *per_second, *times), [*found.failed, *count.failed][:20]


async def _ask(connect: Callable[[], Client], users: int, rate: float | None, seconds: float) -> _Count:
    """Each of so many users asks at a time of his own, or one request after the other."""
    count, pace = _Count(), Pace(users)
    pace.per_second = rate
    ends = time.perf_counter() + seconds
    async with asyncio.TaskGroup() as tasks:
        for _ in range(users):
            tasks.create_task(_user(connect(), pace, ends, count))
    return count


async def _user(client: Client, pace: Pace, ends: float, count: _Count) -> None:
    due = 0.0
    while True:
        due = pace.next_after(due)
        await asyncio.sleep(max(0.0, min(due, ends) - time.perf_counter()))
        began = time.perf_counter()
        if began >= ends:
            break
        path, body = random.choice(_REQUESTS)  # noqa: S311 - as users come
        try:
            answer = await client.ask("POST", path, body, {})
        except Broken:
            count.failed.append("the connection ended, or nothing came")
        else:
            _note(answer, time.perf_counter() - began, count)
    client.close()


def _note(answer: Answer, seconds: float, count: _Count) -> None:
    if answer.status == 200:
        count.answered.append(seconds)
    elif answer.status == 503 and OVERLOADED in answer.body and b"retry-after" in answer.headers:
        count.refused.append(seconds)
    else:
        count.failed.append(f"{answer.status} {answer.body[:300].decode('utf-8', 'replace')}")


def _milliseconds(seconds: "array[float]", part: float) -> float:
    ordered = sorted(seconds)
    return ordered[int(len(ordered) * part)] * 1e3 if ordered else 0.0


_REQUESTS = [
    (f"/v1/{system}/{action}", msgspec.json.encode(question.action.example))
    for (system, action), question in QUESTIONS.items()
]

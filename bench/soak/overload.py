"""More is offered than the service can take: what is answered is answered soon, since the rest is refused at once."""

import asyncio
import random
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import uvloop

from bench.measure import milliseconds
from bench.soak.client import Answer, Broken, Client
from bench.soak.run import Plan, running
from bench.soak.tally import OVERLOADED
from service.questions import QUESTIONS

WORKERS = 1
"""The other cores are for those who ask."""
CLOSED = 32
"""So many users, one request after the other, find out what is possible."""
TIMES = 2.0
MOST_USERS = 1_000
SETTLE_SECONDS = 3.0
"""Until all who ask are connected."""
NEWCOMER_SECONDS = 0.2
PATIENCE_OF_PROBES_MS = 2_000
"""Whoever watches over a service waits for so long at least."""
BATCH_ITEMS = 20
SHEDDING, KEEPING = "refuses what it cannot do soon", "refuses nothing"
REFUSE_NOTHING = {"RULEWRIGHT_MAX_QUEUE_MS": "60000", "RULEWRIGHT_MAX_IN_FLIGHT": "100000"}
SIDES: dict[str, dict[str, str]] = {SHEDDING: {}, KEEPING: REFUSE_NOTHING}
BOUNDED = 0.7
"""What is answered has to be answered in this part of the time that it takes when nothing is refused, at the most."""

WORTH = 0.5
"""At least this part of what is answered when nothing is refused is answered beside refusing: that takes time too."""


@dataclass(slots=True)
class Shed:
    """A side: what was offered, answered and refused a second, and milliseconds."""

    offered: float
    answered: float
    refused: float
    p50: float
    p99: float
    refused_p99: float
    newcomer_p99: float
    """Until somebody who connects just now is told by /healthz that the service is alive."""


@dataclass(slots=True)
class _Count:
    answered: "array[float]" = field(default_factory=lambda: array("d"))
    refused: "array[float]" = field(default_factory=lambda: array("d"))
    newcomers: "array[float]" = field(default_factory=lambda: array("d"))
    failed: list[str] = field(default_factory=list)


def overload(plan: Plan) -> tuple[dict[str, Shed], list[str]]:
    """Both sides, and what is not as it should be."""
    sides, failed = {}, []
    for name, settings in SIDES.items():
        with running(plan.host, WORKERS, settings) as there:
            found, wrong = uvloop.run(_offered(plan, there.connect))
        sides[name] = found
        failed += wrong
    return sides, failed + judged(sides[SHEDDING], sides[KEEPING])


def judged(shedding: Shed, keeping: Shed) -> list[str]:
    """What is not as it should be, of the two sides together."""
    failed = []
    for side, each in ((SHEDDING, shedding), (KEEPING, keeping)):
        if not each.answered:
            failed.append(f"nothing was answered where the service {side}")
        if not each.newcomer_p99:
            failed.append(f"nobody who connected was told that the service is alive, where it {side}")
    if not shedding.refused:
        failed.append("nothing was refused: it was not too much")
    if keeping.refused:
        failed.append("something was refused where nothing should have been")
    if shedding.answered < keeping.answered * WORTH:
        failed.append(f"{shedding.answered:.0f} a second were answered, beside {keeping.answered:.0f} without refusing")
    if shedding.p99 > keeping.p99 * BOUNDED:
        failed.append(f"p99 of what was answered is {shedding.p99:.0f} ms, beside {keeping.p99:.0f} without refusing")
    if shedding.newcomer_p99 > PATIENCE_OF_PROBES_MS:
        failed.append(f"/healthz took {shedding.newcomer_p99:.0f} ms on a new connection")
    return failed


async def _offered(plan: Plan, connect: Callable[[], Client]) -> tuple[Shed, list[str]]:
    seconds = plan.seconds / len(SIDES)
    found = await _ask(connect, CLOSED, None, seconds * 0.2)
    capacity = len(found.answered) / (seconds * 0.2)
    rate = plan.rate or capacity * TIMES
    users = int(min(MOST_USERS, max(CLOSED, capacity * 2)))
    lasts = seconds * 0.8
    count = await _ask(connect, users, rate, lasts)
    per_second = len(count.answered) / lasts, len(count.refused) / lasts
    times = [milliseconds(count.answered, part) for part in (0.5, 0.99)]
    times += [milliseconds(each, 0.99) for each in (count.refused, count.newcomers)]
    return Shed(sum(per_second), *per_second, *times), [*found.failed, *count.failed][:20]


async def _ask(connect: Callable[[], Client], users: int, rate: float | None, seconds: float) -> _Count:
    """Each of so many users asks when it is due and the one before is answered; without a rate it always is."""
    count, between = _Count(), 0.0 if rate is None else users / rate
    clients = [connect() for _ in range(users)]
    for first in range(0, users, CLOSED):
        await asyncio.gather(*(each.open() for each in clients[first : first + CLOSED]))
    ends = time.perf_counter() + seconds
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_newcomers(connect, ends, count))
        for each in clients:
            tasks.create_task(_user(each, between, ends, count))
    return count


async def _newcomers(connect: Callable[[], Client], ends: float, count: _Count) -> None:
    """One after the other connects and asks whether the service is alive, as whoever watches over it does."""
    await asyncio.sleep(SETTLE_SECONDS)
    while time.perf_counter() < ends:
        client, began = connect(), time.perf_counter()
        try:
            answer = await client.ask("GET", "/healthz", b"", {})
        except Broken:
            count.failed.append("/healthz: the connection ended, or nothing came")
        else:
            count.newcomers.append(time.perf_counter() - began)
            if answer.status != 200:
                count.failed.append(f"/healthz: {answer.status}")
        client.close()
        await asyncio.sleep(NEWCOMER_SECONDS)


async def _user(client: Client, between: float, ends: float, count: _Count) -> None:
    due = time.perf_counter() + random.random() * between  # noqa: S311
    while True:
        await asyncio.sleep(max(0.0, min(due, ends) - time.perf_counter()))
        began, due = time.perf_counter(), due + between
        if began >= ends:
            break
        try:
            answer = await client.ask("POST", "/v1/batch", random.choice(_REQUESTS), {})  # noqa: S311
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


def _batch() -> bytes:
    """So many questions of any systems: it takes the service much longer than whoever asks."""
    asked = random.choices(list(QUESTIONS.items()), k=BATCH_ITEMS)  # noqa: S311 - as users come
    items = [
        {"system": system, "action": action, "request": dict(question.action.example)}
        for (system, action), question in asked
    ]
    return msgspec.json.encode({"items": items})


_REQUESTS = [_batch() for _ in range(50)]

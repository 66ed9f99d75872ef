"""Whether this process takes requests: what it needs is looked at once a second at most, however many ask."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from service.drain import draining
from service.encounters.changes import Changes
from service.store.errors import StoreError

FRESH_SECONDS = 1.0
CHECK_SECONDS = 1.0

log = logging.getLogger("rulewright")


class State(StrEnum):
    """What a check found."""

    OK = "ok"
    UNAVAILABLE = "unavailable"
    NONE = "none"
    """There is nothing to check: the service was started without it."""


class Verdict(StrEnum):
    """What comes of all checks."""

    READY = "ready"
    DRAINING = "draining"
    NOT_READY = "not_ready"


Check = Callable[[], Awaitable[State]]


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether the process is ready, and why."""

    status: Verdict
    checks: Mapping[str, State]


class Readiness:
    """The checks of one application, by name; those that are tolerated do not make it unready."""

    def __init__(self, checks: Mapping[str, Check], tolerated: Collection[str] = ()) -> None:
        self._checks = checks
        self._tolerated = tolerated
        self._looking: asyncio.Task[dict[str, State]] | None = None
        self._looked: float = float("-inf")

    async def look(self) -> Seen:
        """What is true now, or was a second ago."""
        loop = asyncio.get_running_loop()
        looking = self._looking
        if looking is None or (looking.done() and loop.time() - self._looked > FRESH_SECONDS):
            self._looking = looking = loop.create_task(self._look())
        return self._judged(await asyncio.shield(looking))

    async def _look(self) -> dict[str, State]:
        found = await asyncio.gather(*(_within_time(check) for check in self._checks.values()))
        self._looked = asyncio.get_running_loop().time()
        return dict(zip(self._checks, found, strict=True))

    def _judged(self, found: dict[str, State]) -> Seen:
        missing = {name for name, state in found.items() if state is State.UNAVAILABLE}
        if draining.begun:
            return Seen(Verdict.DRAINING, found)
        return Seen(Verdict.NOT_READY if missing - set(self._tolerated) else Verdict.READY, found)


async def _within_time(check: Check) -> State:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            return await check()
    except TimeoutError:
        return State.UNAVAILABLE
    except Exception:  # what nobody thought of is the operator's to see; whoever asks gets an answer
        log.exception("A check of readiness failed")
        return State.UNAVAILABLE


async def state_of_store(changes: Changes) -> State:
    """Whether the store answers."""
    if not changes.are_kept:
        return State.NONE
    try:
        await changes.store.ping()
    except StoreError:
        return State.UNAVAILABLE
    return State.OK

"""One run: the service and its store are started, users come, things happen to them, and it is told what came of it."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.processes import WITHOUT_BOUNDS, Service, Store, made_key
from bench.soak.caller import Caller, Pace
from bench.soak.client import Broken, Client
from bench.soak.fights import Player
from bench.soak.incidents import Incidents, What
from bench.soak.samples import Samples, Series
from bench.soak.sizes import InStore, sizes_in
from bench.soak.stateless import Asked, Asker
from bench.soak.streams import OpenStreams, hold_open
from bench.soak.tally import Kind, Tally
from service.encounter_contract import SYSTEMS_WITH_FIGHTS

WARM_PART = 0.2
LONGEST_WARM_SECONDS = 15.0
STORE = "store"
"""It keeps what was played, so it may grow."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done."""

    seconds: float = 300.0
    host: str = "127.0.0.1"
    workers: int = 2
    users: int = 48
    """Half of them ask what nothing is kept of, the others play fights."""
    combatants: int = 2
    """In each fight; two of them act."""
    share: float = 0.65
    """The part of what the service can take that it is given."""
    rate: float | None = None
    """Requests a second; None: a share of what was found to be possible."""
    incidents: tuple[What, ...] = ()
    away_seconds: float = 3.0
    streams: int = 1_000


@dataclass(slots=True)
class Told:
    """What came of it."""

    seconds: float = 0.0
    capacity: float = 0.0
    """Requests a second when each user sends one after the other."""
    rate: float = 0.0
    """Requests a second that were aimed at."""
    requests: int = 0
    fights: int = 0
    events: int = 0
    kinds: dict[str, Kind] = field(default_factory=dict)
    processes: list[Series] = field(default_factory=list)
    in_store: InStore = field(default_factory=InStore)
    streams: OpenStreams | None = None
    failures: int = 0
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Running:
    """A service that runs, its store, and how a client of it is made."""

    service: Service
    store: Store
    connect: Callable[[], Client]

    def processes(self) -> dict[int, str]:
        """What each process is, by its id."""
        workers = self.service.workers()
        named = {worker: f"worker {worker}" for worker in workers}
        return {self.service.id: "service", self.store.id: STORE, **named}


@contextmanager
def running(host: str, workers: int, settings: dict[str, str] | None = None) -> Iterator[Running]:
    """A service with keys and limits, and a store of its own, until the block ends."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rulewright-load-")))
        key = made_key(folder / "keys.json")
        store = Store(folder / "store")
        stack.callback(store.stop)
        store.start()
        own = {"RULEWRIGHT_KEYS": str(folder / "keys.json"), "RULEWRIGHT_REDIS_URL": store.url}
        service = Service(folder / "service", {**WITHOUT_BOUNDS, **own, **(settings or {})}, workers, host)
        stack.callback(service.stop)
        service.start()
        yield Running(service, store, partial(Client, host, service.port, key))


async def soak(plan: Plan, there: Running) -> Told:
    """Let the users come and go on, with whatever is to happen."""
    told, incidents, pace = Told(), Incidents(), Pace(plan.users)
    tally = Tally(incidents)
    pace.per_second = plan.rate
    samples = Samples(there.processes)
    async with _users(plan, there, tally, incidents, pace) as players:
        told.capacity = await _warmed(plan, tally, pace)
        told.rate = pace.per_second or 0.0
        tally.begin_anew()
        began = time.perf_counter()
        sampling = asyncio.create_task(samples.go_on())
        await asyncio.gather(asyncio.sleep(plan.seconds), _happening(plan, there, incidents))
        sampling.cancel()
        told.seconds, told.requests = time.perf_counter() - began, tally.requests
        pace.stopping = True
    played = [each for player in players for each in player.played]
    told.kinds, told.processes = tally.kinds, list(samples.series.values())
    told.fights, told.events = len(played), sum(each.events for each in played)
    told.in_store = await sizes_in(there.store, played)
    if plan.streams:
        told.streams = await _streams(plan, there, tally)
    if tally.broken > 2 * plan.users * len(plan.incidents):  # each user has one connection, and one for a stream
        tally.fail(f"{tally.broken} connections ended, more than there were")
    if not told.requests:
        tally.fail("no request was answered")
    told.failures = tally.failures + len(incidents.failures)
    judged = [] if plan.incidents else told.processes  # who takes over what another did, grows
    grown = [f"{each.name} grows" for each in judged if each.flat is False and each.name != STORE]
    told.failures += len(grown)
    told.failed = [*tally.unexpected, *incidents.failures, *grown]
    return told


@asynccontextmanager
async def _users(
    plan: Plan, there: Running, tally: Tally, incidents: Incidents, pace: Pace
) -> AsyncIterator[list[Player]]:
    """All users, who end what they do when the run stops."""
    asked, systems = Asked(), SYSTEMS_WITH_FIGHTS
    askers = [Asker(Caller(there.connect, tally, pace), asked) for _ in range(plan.users // 2)]
    players = [
        Player(
            Caller(there.connect, tally, pace),
            partial(Caller, there.connect, tally, pace),
            incidents,
            systems[number % len(systems)],
            all_keyed=bool(plan.incidents),
            combatants=plan.combatants,
        )
        for number in range(plan.users - len(askers))
    ]
    async with asyncio.TaskGroup() as tasks:
        going_on = [each.go_on() for each in askers] + [each.go_on() for each in players]
        for each in going_on:
            tasks.create_task(each)
        yield players


async def _warmed(plan: Plan, tally: Tally, pace: Pace) -> float:
    """Let everything warm up, find what is possible, and set the pace; requests a second, 0 when a rate was given."""
    seconds = min(LONGEST_WARM_SECONDS, plan.seconds * WARM_PART)
    await asyncio.sleep(seconds / 2)
    before = tally.requests
    await asyncio.sleep(seconds / 2)
    if plan.rate is not None:
        return 0.0
    capacity = (tally.requests - before) / (seconds / 2)
    pace.per_second = max(1.0, capacity * plan.share)
    return capacity


async def _happening(plan: Plan, there: Running, incidents: Incidents) -> None:
    """What is to happen, one after the other, spread over the run."""
    between = plan.seconds / (len(plan.incidents) + 1)
    for what in plan.incidents:
        await asyncio.sleep(between)
        if what is What.WORKER_KILL:
            await incidents.kill_worker(there.service)
        else:
            await incidents.restart(there.store, plan.away_seconds)


async def _streams(plan: Plan, there: Running, tally: Tally) -> OpenStreams | None:
    try:
        return await hold_open(there.connect, there.service, plan.streams)
    except (Broken, TimeoutError) as error:
        tally.fail(f"{plan.streams} open streams: {error!r}")
        return None

"""Changes of fights that are kept: beside the script called bare, beside WATCH and MULTI, and over HTTP beside a constant.

One worker. The change is a success roll in a fight of two; the bare script writes a record and an event of the same sizes.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import uvloop
from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import WatchError

from bench.bare_script import CONNECTIONS as POOLED
from bench.bare_script import TTL_SECONDS, bare_script
from bench.load import Load, put_on
from bench.measure import in_turn
from bench.over_http import CONNECTIONS, RAW, RULEWRIGHT, SIDES, Server, serving
from bench.processes import WITHOUT_BOUNDS
from bench.rate import Rate, rate_of
from bench.table import say, shown, table
from rules.gurps import GURPS
from service.encounters.changes import Asking, Changes, Opening
from service.encounters.desk import Desk
from service.encounters.kept import rules_of
from service.encounters.limits import limits_of
from service.settings import Settings
from service.store.connect import store_at
from service.store.embedded import EmbeddedServer
from service.store.keys import log_key, news_channel, record_key
from service.store.programs import find_program
from service.texts import texts_in

TASKS = (1, 16, 64)
HOT_WRITERS = 64
FIGHTS = 64
COMMAND = rules_of(GURPS).commands[-2]
ROLL = dict(COMMAND.example)
OPENING = "/v1/gurps/encounters"
BARE, CHANGE, WATCHED = "bare script", "a change", "WATCH / MULTI"
TEXTS = texts_in("en")


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight of two, and its game master's token."""

    id: str
    token: str


class Worker:
    """What a worker does with a change, without HTTP."""

    def __init__(self, url: str) -> None:
        self.store = store_at(url)
        changes = Changes(limits_of(Settings(max_open_encounters=100_000, max_events=1_000_000)))
        changes.keep_in(self.store)
        self.desk = Desk(GURPS, changes)

    async def fights(self, count: int) -> list[Fight]:
        """So many fights that were just opened."""
        return [await self._fight() for _ in range(count)]

    async def _fight(self) -> Fight:
        encounter, answer = await self.desk.open({}, Opening("bench", "bench", b""), TEXTS)
        fight = Fight(encounter, json.loads(answer)["gm_token"])
        for combatant in ("mira", "ogre"):
            await self.desk.join(Asking(fight.id, fight.token, b""), joining(combatant), TEXTS)
        return fight

    async def roll(self, fight: Fight) -> bytes:
        """One change."""
        return await self.desk.act(Asking(fight.id, fight.token, b""), COMMAND, ROLL, TEXTS)

    async def sizes(self, fight: Fight) -> tuple[int, int]:
        """The bytes of a fight's record, and of its last event."""
        record = await self.store.load(fight.id)
        assert record is not None
        [(_, event)] = await self.store.events(fight.id, json.loads(record.body)["version"] - 1, 1)
        return len(record.body), len(event)


def joining(combatant: str) -> dict[str, Any]:
    """The body with which one joins."""
    return {"id": combatant, "name": combatant, "sheet": dict(rules_of(GURPS).sheet_example)}


def run(*, quick: bool) -> None:
    """Tell rates, latencies and ratios."""
    rounds, seconds = (3, 0.5) if quick else (5, 1.5)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for name, program in _programs().items():
            with _store(program) as url:
                _in_process(runner, url, name, rounds, seconds)
    _over_http(rounds, 1 if quick else 2)


def _programs() -> dict[str, Path]:
    """The embedded server, and Redis where it is installed beside it."""
    embedded, redis = find_program(), shutil.which("redis-server")
    found = {"the embedded store": embedded, "redis-server": Path(redis) if redis else None}
    return {name: program for name, program in found.items() if program is not None}


@contextmanager
def _store(program: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory:
        server = EmbeddedServer(program, Path(directory))
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


def _in_process(runner: asyncio.Runner, url: str, name: str, rounds: int, seconds: float) -> None:
    async def worker() -> tuple[Worker, list[Fight], tuple[int, int]]:
        made = Worker(url)
        fights = await made.fights(max(TASKS))
        await made.roll(fights[0])
        return made, fights, await made.sizes(fights[0])

    made, fights, (record, event) = runner.run(worker())
    sizes = {"body": bytes(record), "event": bytes(event)}
    rows = []
    for tasks in TASKS:
        sides = {
            BARE: partial(bare_script, url, tasks, seconds, **sizes),
            CHANGE: partial(rate_of, lambda task: made.roll(fights[task]), tasks, seconds),
        }
        rows += _rows(f"{tasks} clients, a fight each", _rates(runner, sides, rounds), BARE)
    hot = {
        WATCHED: partial(watched, url, HOT_WRITERS, seconds, **sizes),
        CHANGE: partial(rate_of, lambda _: made.roll(fights[0]), HOT_WRITERS, seconds),
    }
    rows += _rows(f"{HOT_WRITERS} clients, one fight", _rates(runner, hot, rounds), WATCHED)
    runner.run(made.store.close())
    columns = ("", "changes / s", "/ first", "p99 ms")
    table(f"Changes in process, {name}, a record of {record} bytes, an event of {event}", columns, rows)


def _rates(
    runner: asyncio.Runner, sides: Mapping[str, Callable[[], Coroutine[Any, Any, Rate]]], rounds: int
) -> dict[str, list[Rate]]:
    found: dict[str, list[Rate]] = {name: [] for name in sides}

    def measure(name: str) -> float:
        found[name].append(runner.run(sides[name]()))
        return found[name][-1].per_second

    in_turn({name: partial(measure, name) for name in sides}, rounds)
    return found


def _rows(title: str, rates: dict[str, list[Rate]], to: str) -> list[list[str]]:
    def ratio(name: str) -> float:
        return median(one.per_second / other.per_second for one, other in zip(rates[name], rates[to], strict=True))

    return [
        [
            f"{title}: {name}",
            shown(median(rate.per_second for rate in each)),
            f"{ratio(name):.2f}",
            shown(median(rate.p99 for rate in each)),
        ]
        for name, each in rates.items()
    ]


async def watched(url: str, writers: int, seconds: float, *, body: bytes, event: bytes) -> Rate:
    """The same record and log changed as redis-py's documentation does it: watch, read, write in a transaction, or again."""
    encounter = "watched"
    record, log, channel = record_key(encounter), log_key(encounter), news_channel(encounter)
    pool = BlockingConnectionPool.from_url(url, max_connections=POOLED)
    async with Redis.from_pool(pool) as client:

        async def change(_: int) -> None:
            async with client.pipeline() as pipeline:
                while True:
                    try:
                        await pipeline.watch(record)
                        revision = int((await pipeline.hmget(record, ["revision", "body"]))[0] or 0) + 1
                        pipeline.multi()  # type: ignore[no-untyped-call]
                        pipeline.hset(record, mapping={"revision": revision, "body": body})
                        pipeline.expire(record, TTL_SECONDS)
                        pipeline.xadd(log, {"event": event})
                        pipeline.expire(log, TTL_SECONDS)
                        pipeline.publish(channel, revision)
                        await pipeline.execute()
                    except WatchError:
                        continue
                    return

        return await rate_of(change, writers, seconds)


def _over_http(rounds: int, seconds: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(serving(SIDES[RULEWRIGHT], {**WITHOUT_BOUNDS, "RULEWRIGHT_DATA_DIR": str(folder)}))
        lines, answer = _fights_over_http(ours)
        bodies = folder / "bodies"
        bodies.write_bytes(b"\n".join(lines) + b"\n")
        raw = stack.enter_context(serving(SIDES[RAW], {"ANSWER_BYTES": str(len(answer))}))
        servers = {RAW: raw, RULEWRIGHT: ours}
        loads: dict[str, list[Load]] = {name: [] for name in servers}
        cpu: dict[str, list[float]] = {name: [] for name in servers}

        def measure(name: str) -> float:
            began = servers[name].cpu_seconds()
            load = put_on(servers[name].port, OPENING, CONNECTIONS, seconds, bodies)
            loads[name].append(load)
            cpu[name].append((servers[name].cpu_seconds() - began) / load.answers * 1e6)
            return load.per_second

        for server in servers.values():
            put_on(server.port, OPENING, CONNECTIONS, 1, bodies)
        timed = in_turn({name: partial(measure, name) for name in servers}, rounds)
    say()
    say(f"A command of {len(lines[0])} bytes with its path, an answer of {len(answer)} bytes.")
    rows = [
        [
            name,
            shown(timed.median(name)),
            f"{timed.ratio(name, RAW):.2f}",
            shown(median(load.p50 for load in loads[name])),
            shown(median(load.p99 for load in loads[name])),
            shown(median(cpu[name])),
        ]
        for name in servers
    ]
    columns = ("", "answers / s", "/ raw", "p50 ms", "p99 ms", "CPU us / answer")
    table(f"gurps success-roll in {FIGHTS} fights over HTTP, {CONNECTIONS} connections", columns, rows)


def _fights_over_http(server: Server) -> tuple[list[bytes], bytes]:
    """Path, token and body of a command in each of the fights, and an answer."""
    lines, answer = [], b""
    for _ in range(FIGHTS):
        opened = json.loads(server.ask(b"{}", OPENING))
        root, token = f"{OPENING}/{opened['id']}", opened["gm_token"]
        for combatant in ("mira", "ogre"):
            server.ask(json.dumps(joining(combatant)).encode(), f"{root}/combatants", token)
        path, body = f"{root}/actions/{COMMAND.slug}", json.dumps(ROLL, separators=(",", ":")).encode()
        answer = server.ask(body, path, token)
        lines.append(b"\t".join((path.encode(), token.encode(), body)))
    return lines, answer

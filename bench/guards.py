"""`active-defense` over HTTP by the service as it is run, beside the same service without what guards it.

With everything: keys that are configured and sent, limits of the address and of the key counted in the store, metrics, the log,
CORS for an Origin that is sent, connections with limits. 16 connections, one worker on each side; and two workers beside one.
Then one request at a time on one connection: what everything adds to an answer when nothing else is going on.
"""

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from bench.bodies import ACTIVE_DEFENSE, as_json
from bench.load import Load, put_on
from bench.measure import Rounds, in_turn, milliseconds
from bench.over_http import CONNECTIONS, PATH, RAW, SEEDS, SIDES, serving
from bench.processes import WITHOUT_BOUNDS, Service, made_key
from bench.table import shown, table

UNGUARDED, GUARDED, TWO = "without guards", "with everything", "with everything, 2 workers"
AIMS = "aims: 0.88 of the service without guards; alone, 1.6 times the constant's time"
ORIGIN = "https://table.example"
QUIET = {"RULEWRIGHT_LOG_LEVEL": "warning"}
ONE_AFTER_THE_OTHER = 100


@dataclass(frozen=True, slots=True)
class Side:
    """A server and what is sent to it beside the body."""

    port: int
    headers: Mapping[str, str] = field(default_factory=dict)


def run(*, quick: bool) -> None:
    """Tell throughput, and the latency of one request at a time."""
    rounds, seconds = (3, 1) if quick else (8, 3)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bodies = folder / "bodies"
        bodies.write_bytes(b"\n".join(as_json(ACTIVE_DEFENSE, f"table-{number}") for number in range(SEEDS)) + b"\n")
        sides = _sides(stack, folder)
        _throughput(sides, bodies, rounds, seconds)
        _alone({name: side for name, side in sides.items() if name != TWO}, 5 if quick else 20)


def _sides(stack: ExitStack, folder: Path) -> dict[str, Side]:
    """All servers, when those that answer in earnest have given the same answer."""
    key = made_key(folder / "keys.json")
    headers = {"Authorization": f"Bearer {key}", "Origin": ORIGIN}
    sides = {}
    for name, workers in ((GUARDED, 1), (TWO, 2)):
        settings = {**WITHOUT_BOUNDS, "RULEWRIGHT_KEYS": str(folder / "keys.json")}
        service = Service(folder / name, settings, workers)
        stack.callback(service.stop)
        service.start()
        sides[name] = Side(service.port, headers)
    bare = stack.enter_context(
        serving("bench.servers.unguarded:app", {"RULEWRIGHT_DATA_DIR": str(folder / "bare"), **QUIET})
    )
    sides[UNGUARDED] = Side(bare.port)
    body = as_json(ACTIVE_DEFENSE, "table-7")
    answers = [_answer(side, body) for side in sides.values()]
    if any(json.loads(each) != json.loads(answers[0]) for each in answers):
        raise SystemExit("the service answers differently without what guards it")
    raw = stack.enter_context(serving(SIDES[RAW], {"ANSWER_BYTES": str(len(answers[0]))}))
    return {RAW: Side(raw.port), **sides}


def _throughput(sides: Mapping[str, Side], bodies: Path, rounds: int, seconds: int) -> None:
    loads: dict[str, list[Load]] = {name: [] for name in sides}

    def measure(name: str) -> float:
        loads[name].append(put_on(sides[name].port, PATH, CONNECTIONS, seconds, bodies, sides[name].headers))
        return loads[name][-1].per_second

    for side in sides.values():
        put_on(side.port, PATH, CONNECTIONS, 1, bodies, side.headers)
    timed = in_turn({name: partial(measure, name) for name in sides}, rounds)
    rows = [
        [
            name,
            shown(timed.median(name)),
            *(f"{timed.ratio(name, other):.2f}" for other in (UNGUARDED, GUARDED, RAW)),
            shown(median(load.p50 for load in loads[name])),
            shown(median(load.p99 for load in loads[name])),
        ]
        for name in sides
    ]
    columns = ("", "answers / s", "/ without", "/ everything", "/ raw", "p50 ms", "p99 ms")
    table(f"What the guards cost: active-defense, {CONNECTIONS} connections ({AIMS})", columns, rows)


def _alone(sides: Mapping[str, Side], rounds: int) -> None:
    """So many rounds of a hundred requests, one after the other on one connection."""
    halves = {part: _latencies(sides, part, rounds) for part in (0.5, 0.99)}
    rows = [
        [
            name,
            *(shown(timed.median(name)) for timed in halves.values()),
            *(f"{timed.ratio(name, other):.2f}" for other in (RAW, UNGUARDED) for timed in halves.values()),
        ]
        for name in sides
    ]
    columns = ("", "p50 ms", "p99 ms", "p50 / raw", "p99 / raw", "p50 / without", "p99 / without")
    table(f"One request at a time, {rounds * ONE_AFTER_THE_OTHER:,} of them", columns, rows)


def _latencies(sides: Mapping[str, Side], part: float, rounds: int) -> Rounds:
    with ExitStack() as stack:
        asking: dict[str, Callable[[], float]] = {}
        for name, side in sides.items():
            connection = HTTPConnection("127.0.0.1", side.port, timeout=30)
            stack.callback(connection.close)
            asking[name] = partial(_latency, connection, side, part)
            asking[name]()
        return in_turn(asking, rounds)


def _latency(connection: HTTPConnection, side: Side, part: float) -> float:
    took = []
    for number in range(ONE_AFTER_THE_OTHER):
        body = as_json(ACTIVE_DEFENSE, f"table-{number}")
        began = time.perf_counter()
        _ask(connection, side, body)
        took.append(time.perf_counter() - began)
    return milliseconds(took, part)


def _answer(side: Side, body: bytes) -> bytes:
    connection = HTTPConnection("127.0.0.1", side.port, timeout=30)
    try:
        return _ask(connection, side, body)
    finally:
        connection.close()


def _ask(connection: HTTPConnection, side: Side, body: bytes) -> bytes:
    connection.request("POST", PATH, body, {"content-type": "application/json", **side.headers})
    answer = connection.getresponse()
    told = answer.read()
    if answer.status != 200:
        raise SystemExit(f"an answer was {answer.status}: {told[:300]!r}")
    return told

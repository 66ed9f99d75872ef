"""`active-defense` over HTTP: the service, a constant of the same size, and FastAPI as it is usually written.

One uvicorn worker each, 16 connections, every request with a seed of its own.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from bench.bodies import ACTIVE_DEFENSE, as_json
from bench.load import WRK, Load, put_on
from bench.measure import in_turn
from bench.processes import WITHOUT_BOUNDS
from bench.soak.samples import cpu_of
from bench.table import say, shown, table

PATH = "/v1/gurps/active-defense"
CONNECTIONS = 16
SEEDS = 256
RAW, RULEWRIGHT, PLAIN = "raw constant", "Rulewright", "plain FastAPI"
SIDES = {RAW: "bench.servers.raw:app", RULEWRIGHT: "service.app:app", PLAIN: "bench.servers.plain:app"}
UVICORN = ("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    process: int

    def ask(self, body: bytes, path: str = PATH, token: str = "") -> bytes:
        """One answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", path, body, {"content-type": "application/json", "encounter-token": token})
        answer = connection.getresponse().read()
        connection.close()
        return answer

    def cpu_seconds(self) -> float:
        """The CPU time that it has used; 0 where the system does not tell."""
        with suppress(OSError):
            return cpu_of(self.process)
        return 0.0


@contextmanager
def serving(application: str, environment: dict[str, str]) -> Iterator[Server]:
    """A server of one worker on a free port of the loopback."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", application, "--port", str(port), *UVICORN]
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:  # noqa: S603 - an application of ours
        try:
            _wait_for(port, process)
            yield Server(port, process.pid)
        finally:
            process.terminate()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < ends:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("a server did not start")


def run(*, quick: bool) -> None:
    """Tell throughput, latencies and CPU time, and the ratios."""
    rounds, seconds = (3, 1) if quick else (6, 2)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bodies = folder / "bodies"
        bodies.write_bytes(b"\n".join(as_json(ACTIVE_DEFENSE, f"table-{number}") for number in range(SEEDS)) + b"\n")
        servers = _servers(stack, folder)
        loads: dict[str, list[Load]] = {name: [] for name in servers}
        cpu: dict[str, list[float]] = {name: [] for name in servers}

        def measure(name: str) -> float:
            server = servers[name]
            began = server.cpu_seconds()
            load = put_on(server.port, PATH, CONNECTIONS, seconds, bodies)
            loads[name].append(load)
            cpu[name].append((server.cpu_seconds() - began) / load.answers * 1e6)
            return load.per_second

        for name in servers:
            put_on(servers[name].port, PATH, CONNECTIONS, 1, bodies)
        timed = in_turn({name: partial(measure, name) for name in servers}, rounds)
    rows = [
        [
            name,
            shown(timed.median(name)),
            f"{timed.ratio(name, RAW):.2f}",
            f"{timed.ratio(name, PLAIN):.2f}",
            shown(median(load.p50 for load in loads[name])),
            shown(median(load.p99 for load in loads[name])),
            shown(median(cpu[name])),
        ]
        for name in SIDES
    ]
    columns = ("", "answers / s", "/ raw", "/ plain", "p50 ms", "p99 ms", "CPU us / answer")
    client = "wrk" if WRK else "our own client, which is slower than wrk"
    table(f"active-defense over HTTP, {CONNECTIONS} connections, by {client}", columns, rows)


def _servers(stack: ExitStack, folder: Path) -> dict[str, Server]:
    """All servers, when the two that answer in earnest have given the same answer."""
    environment = {**WITHOUT_BOUNDS, "RULEWRIGHT_DATA_DIR": str(folder / "data")}
    servers = {name: stack.enter_context(serving(SIDES[name], environment)) for name in (RULEWRIGHT, PLAIN)}
    body = as_json(ACTIVE_DEFENSE, "table-7")
    answer = servers[RULEWRIGHT].ask(body)
    if json.loads(answer) != json.loads(servers[PLAIN].ask(body)):
        raise SystemExit("the service and the plain endpoint answer differently")
    steps = len(json.loads(answer)["audit"])
    say(f"A request of {len(body)} bytes, an answer of {len(answer)} bytes with {steps} steps.")
    raw = stack.enter_context(serving(SIDES[RAW], {"ANSWER_BYTES": str(len(answer))}))
    return {RAW: raw, **servers}

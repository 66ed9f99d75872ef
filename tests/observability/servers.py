"""The service as a process whose log can be read."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bench.processes import workers_of
from tests.store.servers import free_port, wait_until

ROOT = Path(__file__).parents[2]
SERVE = ("-m", "service", "serve")
UVICORN = ("-m", "uvicorn", "service.app:app")
PATIENCE = 30.0


@dataclass
class LoggedService:
    """One that runs, with what it wrote to stderr and to stdout."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    said: Path

    def text(self) -> str:
        return self.log.read_text("utf-8")

    def lines(self) -> list[dict[str, Any]]:
        """What it wrote, every line of which has to be JSON."""
        return [json.loads(line) for line in self.text().splitlines()]

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        return workers_of(self.process.pid)

    def stop(self) -> int:
        """Ask it to end, and wait until it did."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def logged_service(
    directory: Path, *options: str, command: tuple[str, ...] = SERVE, environment: Mapping[str, str] | None = None
) -> Iterator[LoggedService]:
    """A service until the block ends, which writes its log into a directory."""
    port = free_port()
    log, said = directory / "log", directory / "said"
    own = {"RULEWRIGHT_DRAIN_SECONDS": "0", "RULEWRIGHT_DATA_DIR": str(directory / "data")}
    with log.open("wb") as stderr, said.open("wb") as stdout:
        process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port), *options],
            env={**os.environ, **own, **(environment or {})},
            cwd=ROOT,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    service = LoggedService(f"http://127.0.0.1:{port}", process, log, said)
    try:
        wait_until(lambda: _answers(service), PATIENCE)
        yield service
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)


def _answers(service: LoggedService) -> bool:
    assert service.process.poll() is None, service.text()
    time.sleep(0.05)
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{service.url}/healthz", timeout=1).status_code == 200
    return False

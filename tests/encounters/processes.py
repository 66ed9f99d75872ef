"""The service as real processes on a real socket, which tests may kill."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from bench.processes import workers_of
from tests.store.servers import free_port

PATIENCE = 20.0


class Service:
    """`rulewright serve` on a port of this machine."""

    def __init__(self, *, workers: int = 1, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._workers = workers
        # This process itself may be keeping its fights in the common directory: the app that schemathesis starts does.
        own = Path(tempfile.mkdtemp(dir=os.environ["RULEWRIGHT_DATA_DIR"]))
        settings.setdefault("data_dir", str(own / "data"))
        self._log = own / "log"
        self._settings = {f"RULEWRIGHT_{name.upper()}": value for name, value in settings.items()}
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """What is run."""
        return [sys.executable, "-m", "service", "serve", "--port", str(self.port), "--workers", str(self._workers)]

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        environment = {**os.environ, **self._settings}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self.command(),
                env=environment,
                cwd=Path(__file__).parents[2],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.launch()
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE
        met: object = "nothing"
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                met = httpx.get(f"{self.url}/healthz", timeout=1)
                if met.status_code == 200:
                    return
            except httpx.HTTPError as error:
                met = error
            time.sleep(0.05)
        status = self._process.poll()
        self.kill()
        raise AssertionError(f"the service did not start; status {status}, last met {met!r}, it said:\n{self.said()}")

    def kill(self) -> None:
        """Kill all its processes at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end."""
        self._end(signal.SIGTERM)

    def told(self, number: signal.Signals) -> None:
        """Send it a signal, and wait for nothing."""
        assert self._process is not None
        self._process.send_signal(number)

    def told_all(self, number: signal.Signals) -> None:
        """Send it to all its processes, as a keyboard does."""
        assert self._process is not None
        os.killpg(self._process.pid, number)

    def ended(self, within: float = PATIENCE) -> int:
        """Wait until it has ended; its exit status."""
        assert self._process is not None
        status = self._process.wait(within)
        self._process = None
        return status

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        assert self._process is not None
        return workers_of(self._process.pid)

    def said(self) -> str:
        """What it wrote, since it was last started."""
        return self._log.read_text()

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                if number is signal.SIGKILL:
                    os.killpg(self._process.pid, number)
                else:
                    self._process.send_signal(number)
            self._process.wait(PATIENCE)
            self._process = None


@contextlib.contextmanager
def serving(*, workers: int = 1, **settings: str) -> Iterator[Service]:
    """A service for as long as the block runs."""
    service = Service(workers=workers, **settings)
    service.start()
    try:
        yield service
    finally:
        service.kill()

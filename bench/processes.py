"""The service as it is run, and the Redis that keeps its fights, as processes of this machine that may be killed."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from service.gate.addresses import is_loopback
from service.gate.key_places import KeyFile
from service.gate.keys import new_key
from service.store.programs import find_program

HOST = "127.0.0.1"
ROOT = Path(__file__).parents[1]
START_SECONDS = 60.0
STOP_SECONDS = 30.0
POLL_SECONDS = 0.02
MILLION = "1000000"
WITHOUT_BOUNDS = {
    "RULEWRIGHT_ADDRESS_RATE": MILLION,
    "RULEWRIGHT_ADDRESS_BURST": MILLION,
    "RULEWRIGHT_KEY_RATE": MILLION,
    "RULEWRIGHT_KEY_BURST": MILLION,
    "RULEWRIGHT_MAX_OPEN_ENCOUNTERS": MILLION,
    "RULEWRIGHT_MAX_CONNECTIONS": "16000",
    "RULEWRIGHT_MAX_CONNECTIONS_PER_ADDRESS": "16000",
    "RULEWRIGHT_MAX_STREAMS_PER_ADDRESS": "16000",
}
"""All limits count, and none of them is reached by one machine."""


class DidNotStart(Exception):
    """A process ended or did not answer; the message says which."""


def free_port(host: str = HOST) -> int:
    """A port on which nobody listens."""
    with socket.create_server((host, 0)) as free:
        port: int = free.getsockname()[1]
        return port


def made_key(file: Path) -> str:
    """A new key for everything a client does, kept in this keys file."""
    key, shown = new_key("load")
    asyncio.run(KeyFile(file).put(key))
    return shown


def workers_of(service: int) -> list[int]:
    """The process ids of the workers that a service has started; OSError when it has ended, or the system does not tell."""
    children = Path(f"/proc/{service}/task/{service}/children").read_text("utf-8").split()
    return [int(each) for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


class Process:
    """One process with its output in a file, which is asked whether it answers."""

    def __init__(self, name: str, command: list[str], environment: Mapping[str, str], output: Path) -> None:
        self._name = name
        self._command = command
        self._environment = {**os.environ, **environment}
        self._output = output
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def id(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def launch(self) -> None:
        """Start, and do not wait."""
        with self._output.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603 - the service, or the store that it needs
                self._command,
                env=self._environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait_until(self, answers: Callable[[], bool]) -> None:
        """Return once it answers; DidNotStart with the end of its output when it ended or takes too long."""
        deadline = time.monotonic() + START_SECONDS
        while not answers():
            if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                told = self._output.read_text("utf-8", "replace")[-2_000:]
                raise DidNotStart(f"{self._name} did not start:\n{told}")
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Ask it to end; kill it with all that it started when it does not."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()


class Store(Process):
    """A Redis on the loopback, every change of which is on the disk before it is answered."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        program = shutil.which("redis-server") or find_program()
        if program is None:
            raise DidNotStart("no Redis is installed; the extra `embedded` brings a server")
        self.port = free_port()
        options = {
            "bind": HOST,
            "port": str(self.port),
            "dir": str(directory),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
        }
        command = [str(program), *(part for name, value in options.items() for part in (f"--{name}", value))]
        super().__init__("the store", command, {}, directory / "log")

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"redis://{HOST}:{self.port}"

    def start(self) -> None:
        """Start, and return once it answers."""
        self.launch()
        self.wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as client:
                client.sendall(b"PING\r\n")
                return client.recv(5) == b"+PONG"
        except OSError:
            return False


class Service(Process):
    """`rulewright serve` on a free port of the loopback."""

    def __init__(self, directory: Path, settings: Mapping[str, str], workers: int = 1, host: str = HOST) -> None:
        if not is_loopback(host):
            raise ValueError(f"{host} is not an address of the loopback")
        directory.mkdir(parents=True, exist_ok=True)
        self.host = host
        self.port = free_port(host)
        self.log = directory / "log"
        served = ["serve", "--host", host, "--port", str(self.port), "--workers", str(workers)]
        own = {"RULEWRIGHT_DATA_DIR": str(directory / "data"), **settings}
        super().__init__("the service", [sys.executable, "-m", "service", *served], own, self.log)

    def start(self) -> None:
        """Start, and return once it answers."""
        self.launch()
        self.wait_until(self._answers)

    def workers(self) -> list[int]:
        """The process ids of its workers, as far as the system tells; a single one is the service itself."""
        try:
            return workers_of(self.id) or [self.id]
        except OSError:
            return [self.id]

    def _answers(self) -> bool:
        connection = HTTPConnection(self.host, self.port, timeout=1)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

"""A store of one's own: a server that starts with the service, keeps its files in a directory, and stops with it."""

import contextlib
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO
from urllib.parse import quote

from service.parent import CAN_END_WITH_PARENT, end_with
from service.store.memory import share_of_memory

MAX_SOCKET_PATH = 107 if sys.platform == "linux" else 103
LOCK_SECONDS = 3.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.005
LASTING_SECONDS = 0.2
RESTART_SECONDS = (0.05, 0.2, 1.0, 5.0)
LOG_BYTES = 1_000_000

log = logging.getLogger("rulewright.store")


class EmbeddedServerFailed(Exception):
    """The server could not be started; the message says why and names the directory."""


class EmbeddedServer:
    """A server with its files in one directory, which nobody else may use meanwhile.

    What it answered is on the disk. It is started again when it dies, and dies with this process. A file that it cannot
    read is left as it is, for people to look at. It takes no changes any more when it holds `max_bytes`, by default a part
    of the memory that there is: the system would kill it, or this process, and it would grow as large again.
    """

    def __init__(self, program: Path, directory: Path, max_bytes: int | None = None) -> None:
        self._program = program
        self._directory = directory
        self._max_bytes = max_bytes or share_of_memory()
        self._socket = directory / "socket"
        self._short: str | None = None
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: str | None = None
        self._started = threading.Event()
        self._stopping = threading.Event()
        self._launching = threading.Lock()
        # The kernel signals the server when the thread that launched it ends, so one thread does it all and stays.
        self._keeper = threading.Thread(target=self._keep, name="embedded store", daemon=True)

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def process_id(self) -> int | None:
        """The server's process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Return once the server answers, which takes as long as reading its files does."""
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _locked(self._directory)
        except OSError as error:
            raise EmbeddedServerFailed(f"cannot keep encounters in {self._directory}: {error}") from error
        if len(os.fsencode(self._socket)) > MAX_SOCKET_PATH:
            self._short = tempfile.mkdtemp(prefix="rulewright-")
            self._socket = Path(self._short) / "socket"
        self._keeper.start()
        try:
            self._started.wait()
        except BaseException:
            self.stop()
            raise
        if self._failure is not None:
            self.stop()
            raise EmbeddedServerFailed(f"the store in {self._directory} does not start: {self._failure}")

    def stop(self) -> None:
        """Let the server finish what it does, and return when it has ended."""
        self._stopping.set()
        if self._keeper.is_alive():
            self._signal(signal.SIGTERM)
            self._keeper.join(STOP_SECONDS)
            self._signal(signal.SIGKILL)
            self._keeper.join()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._short is not None:
            shutil.rmtree(self._short, ignore_errors=True)
            self._short = None

    def _signal(self, number: signal.Signals) -> None:
        with self._launching:
            if self._process is not None:
                self._process.send_signal(number)

    def _keep(self) -> None:
        try:
            self._serve()
        except OSError as error:
            self._failure = str(error)
            log.exception("The store cannot be started again")
        finally:
            self._started.set()

    def _serve(self) -> None:
        deaths = 0
        while True:
            since = time.monotonic()
            with _output(self._directory) as output:
                begin = output.tell()
                with self._launching:
                    if self._stopping.is_set():
                        return
                    self._process = process = self._launched(output)
            if not self._started.is_set():
                if not self._answers(process):
                    self._failure = _complaint(self._directory, begin)
                    return
                self._started.set()
            status = process.wait()
            if self._stopping.is_set():
                return
            deaths = 0 if time.monotonic() - since > LASTING_SECONDS else deaths + 1
            said = _complaint(self._directory, begin)
            log.error("The store ended (%s) and is started again; it said last: %s", _how(status), said)
            self._stopping.wait(RESTART_SECONDS[min(deaths, len(RESTART_SECONDS) - 1)])

    def _launched(self, output: IO[bytes]) -> "subprocess.Popen[bytes]":
        assert self._lock is not None
        options: dict[str, str | Path] = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": self._directory,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory": str(self._max_bytes),
            "maxmemory-policy": "noeviction",
            "databases": "1",
            "daemonize": "no",
            "logfile": "",
        }
        command: list[str | Path] = [self._program]
        for name, value in options.items():
            command += [f"--{name}", value]
        parent = os.getpid()
        return subprocess.Popen(  # noqa: S603 - the program that find_program found
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=self._directory,
            pass_fds=(self._lock,),  # the directory stays locked as long as the server lives
            start_new_session=True,  # Ctrl-C is for the service, which then stops the server
            # Safe beside threads, as it calls nothing but libc, which is loaded already.
            preexec_fn=(lambda: end_with(parent)) if CAN_END_WITH_PARENT else None,  # noqa: PLW1509
        )

    def _answers(self, process: "subprocess.Popen[bytes]") -> bool:
        """Wait until the server does, or has ended."""
        while process.poll() is None:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                if client.recv(5) == b"+PONG":
                    return True
            time.sleep(POLL_SECONDS)
        return False


def _locked(directory: Path) -> int:
    """A handle that locks the directory until it and all copies of it are closed."""
    import fcntl  # noqa: PLC0415 - Windows has none, and imports this module too

    lock = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:  # not one that is just ending
                holder = os.pread(lock, 20, 0).decode().strip()
                os.close(lock)
                raise EmbeddedServerFailed(
                    f"another service (process {holder}) keeps its encounters in {directory}; "
                    "stop it, or give this one a directory of its own with RULEWRIGHT_DATA_DIR"
                ) from None
            time.sleep(0.05)
        else:
            os.truncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
            return lock


def _output(directory: Path) -> IO[bytes]:
    """The file of the server's log, begun anew when it has become long."""
    file = directory / "server.log"
    long = file.exists() and file.stat().st_size > LOG_BYTES
    output = file.open("wb" if long else "ab")
    output.seek(0, os.SEEK_END)
    return output


def _how(status: int) -> str:
    """How a process ended: one that the system killed says nothing itself."""
    return f"status {status}" if status >= 0 else f"signal {-status}"


def _complaint(directory: Path, begin: int) -> str:
    """What the server said last of what it has logged since."""
    with (directory / "server.log").open("rb") as file:
        file.seek(begin)
        lines = file.read().decode(errors="replace").splitlines()
    warnings = [line for line in lines if " # " in line and "WARNING" not in line]
    return (warnings or lines or ["it said nothing"])[-1].strip()

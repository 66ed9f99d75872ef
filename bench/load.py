"""A load on one server: wrk where it is installed, else a client of our own, which a process of its own runs.

`python -m bench.load PORT PATH CONNECTIONS SECONDS FILE [HEADER]…` is that client; FILE has a body on each line, or path,
encounter token and body with tabs between them, and a HEADER is `Name: value`.
"""

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WRK = shutil.which("wrk")
SCRIPT = Path(__file__).with_name("load.lua")


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: answers, the time that passed, latencies in milliseconds."""

    answers: int
    seconds: float
    p50: float
    p99: float

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds


def put_on(
    port: int, path: str, connections: int, seconds: int, bodies: Path, headers: Mapping[str, str] | None = None
) -> Load:
    """Ask as fast as the connections allow, one request after another on each."""
    own = [f"{name}: {value}" for name, value in (headers or {}).items()]
    if WRK:
        url = f"http://127.0.0.1:{port}{path}"
        command = [WRK, "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(SCRIPT), url, "--", str(bodies), *own]
    else:
        asked = map(str, (port, path, connections, seconds, bodies))
        command = [sys.executable, "-m", "bench.load", *asked, *own]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - on a server of ours
    line = next(line for line in told.splitlines() if line.startswith("load "))
    answers, took, failed, p50, p99 = map(float, line.split()[1:])
    if failed or not answers:
        raise RuntimeError(f"{failed:.0f} of {answers:.0f} requests to port {port} failed")
    return Load(int(answers), took / 1e6, p50 / 1e3, p99 / 1e3)


class _Asking(asyncio.Protocol):
    """One connection: the next request as soon as an answer is whole."""

    def __init__(self, requests: list[bytes], first: int, ends: float) -> None:
        self.requests, self.ends = requests, ends
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.latencies: list[float] = []
        self.at, self.failed = first, 0
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        self.at = (self.at + 1) % len(self.requests)
        self.began = time.perf_counter()
        self.transport.write(self.requests[self.at])  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found or len(body) < int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]):
            return
        self.buffer = b""
        now = time.perf_counter()
        self.latencies.append(now - self.began)
        self.failed += not head.startswith(b"HTTP/1.1 20")
        if now < self.ends:
            self.ask()
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)


def _request(port: int, path: str, line: bytes, given: list[str]) -> bytes:
    *own, body = line.split(b"\t")
    headers = [f"Host: 127.0.0.1:{port}", "Content-Type: application/json", f"Content-Length: {len(body)}", *given]
    if own:
        path = own[0].decode()
        headers.append(f"Encounter-Token: {own[1].decode()}")
    return "\r\n".join([f"POST {path} HTTP/1.1", *headers, "", ""]).encode() + body


async def _ask(port: int, path: str, connections: int, seconds: int, bodies: list[bytes], given: list[str]) -> str:
    requests = [_request(port, path, line, given) for line in bodies]
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    firsts = [each * len(requests) // connections for each in range(connections)]
    asking = [_Asking(requests, first, began + seconds) for first in firsts]
    for each in asking:
        await loop.create_connection(lambda each=each: each, "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*(each.closed for each in asking))
    took = time.perf_counter() - began
    latencies = sorted(latency for each in asking for latency in each.latencies)
    p50, p99 = (latencies[int(len(latencies) * part)] * 1e6 for part in (0.5, 0.99))
    return f"load {len(latencies)} {took * 1e6:.0f} {sum(each.failed for each in asking)} {p50:.0f} {p99:.0f}\n"


def main() -> None:
    """Put the load on that the command line names."""
    import uvloop  # noqa: PLC0415 - only the client needs it

    port, path, connections, seconds, bodies, *given = sys.argv[1:]
    asked = _ask(int(port), path, int(connections), int(seconds), Path(bodies).read_bytes().splitlines(), given)
    sys.stdout.write(uvloop.run(asked))


if __name__ == "__main__":
    main()

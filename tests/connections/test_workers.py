"""Several workers share the connections."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from service.connections.limits import REQUESTS
from tests.connections.clients import SOON, connected
from tests.encounters.processes import PATIENCE, Service, serving
from tests.store.servers import wait_until

CONNECTIONS = 60


def open_files(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux deals connections out evenly")
def test_connections_are_dealt_out_evenly_and_nobody_waits_for_one_that_died(tmp_path: Path) -> None:
    with serving(workers=2, data_dir=str(tmp_path)) as service, contextlib.ExitStack() as stack:
        until_all_serve(service)
        before = {worker: open_files(worker) for worker in service.workers()}
        for _ in range(CONNECTIONS):
            client = stack.enter_context(httpx.Client(base_url=service.url))
            assert client.get("/healthz").status_code == 200
        taken = [open_files(worker) - count for worker, count in before.items()]
        assert sum(taken) >= CONNECTIONS
        assert min(taken) > CONNECTIONS // 6, taken
        os.kill(next(iter(before)), 9)
        for _ in range(20):
            assert ask_again(service.url) < 1


def until_all_serve(service: Service) -> None:
    """Return when new connections reach two workers: they begin one after the other."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        listening = [
            worker
            for worker in service.workers()
            if Path(f"/proc/{worker}/net/tcp").read_text().count(f":{service.port:04X} 00000000:0000 0A") >= 2
        ]
        if len(listening) == 2:
            return
        time.sleep(0.05)
    raise AssertionError("two workers did not begin to listen")


def ask_again(url: str) -> float:
    """The seconds until somebody answers a new connection, which may be refused once."""
    began = time.monotonic()
    for _ in range(5):
        with contextlib.suppress(httpx.TransportError):
            assert httpx.get(f"{url}/healthz", timeout=2).status_code == 200
            return time.monotonic() - began
    raise AssertionError("nobody answered")


def test_a_port_that_is_taken_is_not_shared_with_strangers(tmp_path: Path) -> None:
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        command = [sys.executable, "-m", "service", "serve", "--workers", "2", "--port", str(stranger.getsockname()[1])]
        environment = {**os.environ, "RULEWRIGHT_DATA_DIR": str(tmp_path)}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode != 0
    assert "address already in use" in ended.stderr.lower()


@pytest.mark.slow
def test_after_many_requests_a_connection_is_to_be_opened_anew(tmp_path: Path) -> None:
    with serving(data_dir=str(tmp_path)) as service, connected(service) as client:
        for number in range(1, REQUESTS + 1):
            client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            status, headers, _ = client.answer()
            assert (status, headers.get("connection")) == (200, "close" if number == REQUESTS else None)
        assert client.gone(SOON)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they stay")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    with serving(workers=2, data_dir=str(tmp_path)) as service:
        until_all_serve(service)
        workers = service.workers()
        os.kill(parent_of(workers[0]), 9)
        wait_until(lambda: not any(is_running(worker) for worker in workers), PATIENCE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they stay")
def test_workers_whose_parent_dies_while_they_start_do_not_stay(tmp_path: Path) -> None:
    service = Service(workers=2, data_dir=str(tmp_path))
    service.launch()
    try:
        wait_until(lambda: len(service.workers()) == 2, PATIENCE)
        workers = service.workers()
        os.kill(parent_of(workers[0]), 9)
        wait_until(lambda: not any(is_running(worker) for worker in workers), PATIENCE)
    finally:
        service.kill()


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def is_running(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"

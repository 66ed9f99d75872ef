"""The end of a service, in real processes: nothing acknowledged is lost, no answer is cut, and streams go on elsewhere."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.store.programs import find_program
from tests.connections.clients import REQUEST, Client, connected
from tests.encounters.processes import PATIENCE, Service, serving
from tests.encounters.table import Table, open_table
from tests.store.servers import Server, running

pytestmark = pytest.mark.slow

SYSTEM = SYSTEMS_WITH_FIGHTS[0]
PROGRAM = find_program()
if PROGRAM is None:
    pytest.skip("no server for encounters is installed; the extra `embedded` brings one", allow_module_level=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Server]:
    assert PROGRAM is not None
    with running(PROGRAM, tmp_path) as server:
        yield server


async def table_with_mira(client: httpx.AsyncClient) -> Table:
    table = await open_table(client, SYSTEM)
    assert (await table.join("mira")).status_code == 201
    return table


async def until(true: Callable[[], bool]) -> None:
    """Return once it is so."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)


async def changing_until_refused(table: Table, versions: list[int]) -> None:
    """Change after change; each is answered wholly, or not at all."""
    while True:
        try:
            answer = await table.touch()
        except httpx.ConnectError:
            return
        except httpx.ReadError:
            continue  # nothing was answered
        except httpx.RemoteProtocolError as error:
            assert "without sending a response" in str(error)  # noqa: PT017 - and not in the middle of one
            continue
        assert answer.status_code == 201, answer.text
        versions.append(answer.json()["version"])


@pytest.mark.parametrize(
    ("workers", "drain_seconds", "number"),
    [
        (1, "0", signal.SIGTERM),
        (1, "0.5", signal.SIGTERM),
        (2, "0", signal.SIGTERM),
        (2, "0.5", signal.SIGTERM),
        (2, "0", signal.SIGINT),
    ],
)
async def test_under_load_nothing_acknowledged_is_lost_and_no_answer_cut(
    tmp_path: Path, workers: int, drain_seconds: str, number: signal.Signals
) -> None:
    settings = {"data_dir": str(tmp_path), "drain_seconds": drain_seconds}
    with serving(workers=workers, **settings) as service:
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
            table = await table_with_mira(client)
            versions: list[int] = []
            clients = [asyncio.create_task(changing_until_refused(table, versions)) for _ in range(16)]
            await until(lambda: len(versions) > 16)
            (service.told if number is signal.SIGTERM else service.told_all)(number)
            await asyncio.wait_for(asyncio.gather(*clients), 15)
        assert service.ended() == 0
        service.start()
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as table.client:
            kept = (await table.state())["version"]
            assert len(set(versions)) == len(versions)
            assert max(versions) <= kept
            assert (await table.send("GET", "/verification")).json()["valid"]


class Stream:
    """A spectator who reads until the end."""

    def __init__(self, table: Table, after: int) -> None:
        self.lines: list[str] = []
        self.ended = asyncio.create_task(self._read(table, after))

    def ids(self) -> list[int]:
        return [int(line.removeprefix("id: ")) for line in self.lines if line.startswith("id: ")]

    async def _read(self, table: Table, after: int) -> None:
        given = {"encounter-token": table.spectator, "last-event-id": str(after)}
        async with table.client.stream("GET", f"{table.root}/stream", headers=given, timeout=20) as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if line:
                    self.lines.append(line)


async def told_to_end(service: Service) -> None:
    service.told(signal.SIGTERM)
    async with httpx.AsyncClient(base_url=service.url) as client:
        for _ in range(100):
            if (await client.get("/readyz")).json()["status"] == "draining":
                return
            await asyncio.sleep(0.02)
    raise AssertionError("it does not drain")


async def test_a_stream_is_told_to_come_back_and_misses_nothing_elsewhere(store: Server) -> None:
    with serving(redis_url=store.url, drain_seconds="30") as service, serving(redis_url=store.url) as other:
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
            table = await table_with_mira(client)
            streams = [Stream(table, 0) for _ in range(20)]
            await until(lambda: all(each.ids() == [1, 2] for each in streams))
            await told_to_end(service)
            await asyncio.wait_for(asyncio.gather(*(each.ended for each in streams)), 10)
        assert all(each.ids() == [1, 2] for each in streams)
        back = [int(each.lines[-2].removeprefix("retry: ")) for each in streams]
        assert all(each.lines[-1].startswith(":") for each in streams)
        assert all(500 < milliseconds <= 5_000 for milliseconds in back)
        assert len(set(back)) > 5
        async with httpx.AsyncClient(base_url=other.url, timeout=30) as table.client:
            for _ in range(2):
                assert (await table.touch()).status_code == 201
            following = Stream(table, 2)
            await until(lambda: following.ids() == [3, 4])
            other.told(signal.SIGTERM)
            await asyncio.wait_for(following.ended, 10)
        assert following.ids() == [3, 4]


async def test_while_it_drains_everything_but_streams_is_answered(store: Server) -> None:
    with serving(redis_url=store.url, drain_seconds="3") as service:
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
            table = await table_with_mira(client)
            await told_to_end(service)
            ready = await client.get("/readyz")
            assert (ready.status_code, ready.json()["status"]) == (503, "draining")
            changed = await table.touch()
            assert (changed.status_code, changed.headers["connection"]) == (201, "close")
            refused = await table.send("GET", "/stream", accept="*/*")
            assert (refused.status_code, refused.json()["type"]) == (503, "/problems/draining")
            assert 1 <= int(refused.headers["retry-after"]) <= 5
            browser = await table.send("GET", "/stream", accept="text/event-stream")
            assert (browser.status_code, browser.text.split(": ")[0]) == (200, "retry")
        assert service.ended() == 0


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
async def test_a_keyboard_or_a_second_signal_does_not_wait(store: Server, signals: list[signal.Signals]) -> None:
    with serving(redis_url=store.url, drain_seconds="60") as service:
        for number in signals:
            service.told(number)
            await asyncio.sleep(0.3)
        assert service.ended(within=5) == 0


def test_a_request_that_has_begun_to_arrive_is_answered_and_idle_connections_end(store: Server) -> None:
    with serving(redis_url=store.url) as service, connected(service) as begun, connected(service) as used:
        idle = Client(service)
        used.send(REQUEST)
        assert used.answer()[0] == 200
        begun.send(REQUEST[:40])
        time.sleep(0.3)
        service.told(signal.SIGTERM)
        assert (used.everything(2), idle.everything(2)) == (b"", b"")
        time.sleep(0.5)
        begun.send(REQUEST[40:])
        status, headers, _ = begun.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert service.ended(5) == 0
        idle.close()


def test_workers_do_not_leave_the_port_to_nobody(store: Server) -> None:
    with serving(workers=2, redis_url=store.url) as service, connected(service) as begun:
        begun.send(REQUEST[:40])
        time.sleep(0.3)
        service.told(signal.SIGTERM)
        time.sleep(1.5)  # the parent looks for signals twice a second
        with pytest.raises(ConnectionRefusedError):
            Client(service)
        begun.send(REQUEST[40:])
        assert begun.answer()[0] == 200
        assert service.ended(within=10) == 0

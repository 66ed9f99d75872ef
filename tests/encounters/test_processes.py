"""Promises that only real processes can break: kills, two workers, streams that are cut, a store that goes away."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.store.programs import find_program
from tests.encounters.processes import Service, serving
from tests.encounters.table import Table, open_table
from tests.store.servers import Server, redis_program, running, running_cluster

SYSTEM = SYSTEMS_WITH_FIGHTS[0]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Server]:
    program = find_program()
    if program is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    with running(program, tmp_path, "--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


@contextlib.asynccontextmanager
async def table_at(service: Service, connections: int = 100) -> AsyncIterator[Table]:
    limits = httpx.Limits(max_connections=connections)
    async with httpx.AsyncClient(base_url=service.url, limits=limits, timeout=30) as client:
        table = await open_table(client, SYSTEM)
        assert (await table.join("mira")).status_code == 201
        yield table


async def insisting(table: Table, key: str) -> int:
    """A change that is sent again, with its key, until it is answered; the version that it made."""
    for _ in range(200):
        with contextlib.suppress(httpx.HTTPError):
            answer = await table.touch(**{"idempotency-key": key})
            if answer.status_code == 201:
                version: int = answer.json()["version"]
                return version
        await asyncio.sleep(0.05)
    raise AssertionError("no answer")


def without_gap(events: list[dict[str, Any]]) -> bool:
    return [event["sequence"] for event in events] == list(range(1, len(events) + 1))


async def whole_log(table: Table) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while page := await table.events(after=len(events), limit=500):
        events += page
    return events


@pytest.fixture(params=["redis", "cluster"])
def another_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    program = redis_program() if request.param == "redis" else find_program()
    if program is None:
        pytest.skip(f"no server for a {request.param} is installed; on Debian: apt-get install redis-server")
    started = running(program, tmp_path) if request.param == "redis" else running_cluster(program, tmp_path)
    with started as server:
        yield server.url


@pytest.mark.parametrize("workers", [1, 2])
async def test_64_clients_at_once_lose_nothing_and_double_nothing(store: Server, workers: int) -> None:
    await lose_and_double_nothing(store.url, workers)


async def test_nor_on_another_store(another_store_url: str) -> None:
    await lose_and_double_nothing(another_store_url, workers=2)


async def lose_and_double_nothing(url: str, workers: int) -> None:
    with serving(workers=workers, redis_url=url) as service:
        async with table_at(service) as table:
            versions = await asyncio.gather(*(insisting(table, f"k{number}") for number in range(64)))
            assert sorted(versions) == list(range(3, 67))
            assert without_gap(await whole_log(table))
            assert (await table.send("GET", "/verification")).json()["valid"]


async def test_what_was_acknowledged_survives_kills_of_service_and_store(store: Server) -> None:
    with serving(workers=2, redis_url=store.url) as service:
        async with table_at(service) as table:
            acknowledged: dict[str, int] = {}

            async def client(name: int) -> None:
                for number in range(12):
                    key = f"{name}/{number}"
                    acknowledged[key] = await insisting(table, key)

            clients = [asyncio.create_task(client(name)) for name in range(4)]
            for round_ in range(4):
                await asyncio.sleep(0.4)
                victim = service if round_ % 2 else store
                victim.kill()
                victim.start()
            await asyncio.gather(*clients)
            events = await whole_log(table)
            assert without_gap(events)
            assert sorted(acknowledged.values()) == list(range(3, 3 + 48))
            assert len(events) == 2 + 48


async def test_a_killed_worker_takes_nothing_with_it(store: Server) -> None:
    with serving(workers=2, redis_url=store.url) as service:
        async with table_at(service) as table:
            changes = [asyncio.create_task(insisting(table, f"k{number}")) for number in range(40)]
            await asyncio.sleep(0.05)
            import os
            import signal

            os.kill(service.workers()[0], signal.SIGKILL)
            versions = await asyncio.gather(*changes)
            assert sorted(versions) == list(range(3, 43))


async def test_a_store_that_is_away_is_told_at_once_and_found_again(store: Server) -> None:
    with serving(redis_url=store.url) as service:
        async with table_at(service) as table:
            store.kill()
            started = time.monotonic()
            away = await table.touch()
            assert time.monotonic() - started < 2.5
            assert (away.status_code, away.json()["type"]) == (503, "/problems/store-unavailable")
            assert int(away.headers["retry-after"]) > 0
            roll = await table.client.post("/v1/gurps/success-roll", json={"roll": {"skill": 12}})
            assert roll.status_code == 200
            store.start()
            assert await insisting(table, "again") == 3


async def sequences(table: Table, after: int, until: int, **headers: str) -> list[int]:
    """The ids of a stream from after one event until another."""
    found: list[int] = []
    given = {"encounter-token": table.spectator, "last-event-id": str(after), **headers}
    async with table.client.stream("GET", f"{table.root}/stream", headers=given, timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                found.append(int(line[4:]))
            if line.startswith("data: "):
                assert json.loads(line[6:])["sequence"] == found[-1]
                if found[-1] >= until:
                    return found
    return found


async def test_a_stream_resumes_across_a_restart_and_on_another_worker(store: Server) -> None:
    with serving(workers=2, redis_url=store.url) as service:
        async with table_at(service) as table:
            for number in range(5):
                await insisting(table, f"a{number}")
            seen = await sequences(table, 0, 4)
            live = asyncio.create_task(sequences(table, 7, 10))
            await asyncio.sleep(0.3)
            for number in range(3):
                await insisting(table, f"b{number}")
            assert await live == [8, 9, 10]
            service.kill()
            service.start()
            seen += await sequences(table, seen[-1], 10)
            assert seen == list(range(1, 11))


async def test_a_ticket_opens_the_stream_where_headers_cannot_be_sent(store: Server) -> None:
    with serving(redis_url=store.url) as service:
        async with table_at(service) as table:
            ticket = (await table.send("POST", "/tickets", table.spectator)).json()["ticket"]
            async with table.client.stream("GET", f"{table.root}/stream?ticket={ticket}&after=1") as answer:
                assert answer.status_code == 200
            forged = await table.client.get(f"{table.root}/stream?ticket={ticket[:-1]}x")
            assert forged.status_code == 401


async def test_a_secret_event_is_seen_to_have_happened_not_what_it_was(store: Server) -> None:
    with serving(redis_url=store.url) as service:
        async with table_at(service) as table:
            command = next(each for each in SYSTEM.encounter.commands if each.slug == "roll")  # type: ignore[union-attr]
            body = {**command.example, "actor": "mira", "visibility": "gm"}
            rolled = (await table.send("POST", "/actions/roll", body=body)).json()["event"]
            assert rolled["resolution"]["randomness"]["faces"]
            for token in (table.players["mira"], table.spectator):
                seen = (await table.events(token))[-1]
                hidden = {name: seen[name] for name in ("command", "request", "resolution", "further", "audit")}
                assert hidden == dict.fromkeys(hidden)
                assert (seen["kind"], seen["action"], seen["hash"]) == ("action", "roll", rolled["hash"])


async def test_a_thousand_streams_on_one_worker(store: Server) -> None:
    readers = 1000
    with serving(redis_url=store.url, max_streams_per_address="1000", max_connections_per_address="1100") as service:
        async with table_at(service, connections=readers + 50) as table:
            streams = [asyncio.create_task(sequences(table, 2, 3)) for _ in range(readers)]
            await asyncio.sleep(3)
            await insisting(table, "k")
            found = await asyncio.wait_for(asyncio.gather(*streams), 60)
            assert found == [[3]] * readers

"""Each bound has its problem when it is reached, and lets go when there is room again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.settings import Settings
from service.store.programs import find_program
from tests.encounters.table import open_table
from tests.store.servers import running

SYSTEM = SYSTEMS_WITH_FIGHTS[0]


@asynccontextmanager
async def bounded(store_url: str, address: str = "192.0.2.1", **bounds: int) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(redis_url=SecretStr(store_url), **bounds))  # type: ignore[arg-type]
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
            yield client


def reached(answer: httpx.Response, what: str) -> bool:
    body = answer.json()
    return answer.status_code == 422 and body["type"] == "/problems/limit-reached" and what in body["detail"]


async def test_combatants(store_url: str) -> None:
    async with bounded(store_url, max_combatants=2) as client:
        table = await open_table(client, SYSTEM)
        for combatant in ("mira", "ogre"):
            assert (await table.join(combatant)).status_code == 201
        assert reached(await table.join("imp"), "2 combatants")
        await table.send("DELETE", "/combatants/ogre")
        assert (await table.join("imp")).status_code == 201


async def test_events(store_url: str) -> None:
    async with bounded(store_url, max_events=10) as client:
        table = await open_table(client, SYSTEM)
        await table.join("mira")
        for _ in range(8):
            assert (await table.touch()).status_code == 201
        assert reached(await table.touch(), "10 events")
        assert (await table.state())["version"] == 10


async def test_tokens(store_url: str) -> None:
    async with bounded(store_url, max_tokens=3) as client:
        table = await open_table(client, SYSTEM)
        invite = {"invite": table.spectator}
        for _ in range(3):
            assert (await table.send("POST", "/join", "", invite)).status_code == 201
        assert reached(await table.send("POST", "/join", "", invite), "3 tokens")
        assert (await table.join("mira")).status_code == 201, "exchanged tokens leave the game master room"
        assert reached(await table.join("ogre"), "3 tokens")
        listed = (await table.send("GET", "/tokens")).json()["tokens"]
        shared = next(each["id"] for each in listed if each["role"] == "spectator" and each["parent"] is None)
        assert len((await table.send("DELETE", f"/tokens/{shared}")).json()["revoked"]) == 4
        assert (await table.join("ogre")).status_code == 201, "a revoked token does not count"


async def test_open_encounters_of_one_address(store_url: str) -> None:
    async with bounded(store_url, "192.0.2.7", max_open_encounters=2) as client:
        path = f"/v1/{SYSTEM.slug}/encounters"
        first = await open_table(client, SYSTEM)
        await open_table(client, SYSTEM)
        assert reached(await client.post(path, json={}), "2 open encounters")
        await first.send("POST", "/close")
        assert (await client.post(path, json={})).status_code == 201


async def test_idle_time_is_told_and_pushed_forward(store_url: str) -> None:
    async with bounded(store_url, encounter_idle_days=2) as client:
        table = await open_table(client, SYSTEM)
        before = (await table.state())["expires_at"]
        await table.join("mira")
        after = (await table.state())["expires_at"]
        assert before < after


async def test_a_full_store_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    program = find_program()
    if program is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    with running(program, tmp_path) as server:
        async with bounded(server.url) as client:
            table = await open_table(client, SYSTEM)
            await table.join("mira")
            with server.client() as operator:
                operator.config_set("maxmemory", "1")
                full = await table.touch(**{"idempotency-key": "k"})
                assert (full.status_code, full.json()["type"]) == (503, "/problems/store-full")
                assert int(full.headers["retry-after"]) > 0
                assert ((await table.state())["version"], len(await table.events())) == (2, 2)
                operator.config_set("maxmemory", "0")
            assert (await table.touch(**{"idempotency-key": "k"})).json()["version"] == 3

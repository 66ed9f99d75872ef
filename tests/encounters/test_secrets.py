"""No token is in the store, and what a change was answered cannot be read there."""

import uuid
from typing import Any

import httpx
import redis.asyncio

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from tests.encounters.table import Table


async def all_of(store_url: str) -> str:
    """Every value that the store has."""
    readers = {b"hash": ("HGETALL",), b"stream": ("XRANGE", "-", "+"), b"zset": ("ZRANGE", 0, -1), b"string": ("GET",)}
    found: list[str] = []
    store: Any = redis.asyncio.from_url(store_url)
    async with store:
        for key in await store.execute_command("KEYS", "*"):
            command, *arguments = readers[await store.execute_command("TYPE", key)]
            found.append(str(await store.execute_command(command, key, *arguments)))
    return "\n".join(found)


async def test_no_token_is_in_the_store_whoever_was_given_it_and_how(client: httpx.AsyncClient, store_url: str) -> None:
    system = SYSTEMS_WITH_FIGHTS[0]
    path, key = f"/v1/{system.slug}/encounters", {"idempotency-key": str(uuid.uuid4())}
    opened = (await client.post(path, json={}, headers=key)).json()
    table = Table(client, system, opened["id"], opened["gm_token"], opened["spectator_token"])
    await table.join("mira", **key)
    issued = (await table.send("POST", "/tokens", body={"role": "spectator"}, **{"idempotency-key": "other"})).json()
    exchanged = (await table.send("POST", "/join", "", {"invite": issued["token"]}, **key)).json()
    assert (await client.post(path, json={}, headers=key)).json() == opened
    again = await table.send("POST", "/tokens", body={"role": "spectator"}, **{"idempotency-key": "other"})
    assert again.json() == issued
    kept = await all_of(store_url)
    assert opened["id"] in kept
    shown = [table.gm, table.spectator, table.players["mira"], issued["token"], exchanged["token"]]
    assert [secret for secret in shown if secret in kept] == []

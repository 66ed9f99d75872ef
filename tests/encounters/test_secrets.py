"""No token is in the store, and what a change was answered cannot be read there."""

import uuid

import httpx
import redis.asyncio

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from tests.encounters.table import Table


async def all_of(store_url: str) -> bytes:
    """Every value that the store has."""
    found = []
    async with redis.asyncio.from_url(store_url) as store:
        async for key in store.scan_iter():
            kind = await store.type(key)
            if kind == b"hash":
                found += [*(await store.hgetall(key)).values()]
            elif kind == b"stream":
                found += [value for _, event in await store.xrange(key) for value in event.values()]
            elif kind == b"zset":
                found += await store.zrange(key, 0, -1)
            else:
                found.append(await store.get(key))
    return b"\n".join(found)


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
    assert opened["id"].encode() in kept
    shown = [table.gm, table.spectator, table.players["mira"], issued["token"], exchanged["token"]]
    assert [secret for secret in shown if secret.encode() in kept] == []

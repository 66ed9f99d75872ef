"""How tests use a store: open it, change an encounter, and hear what comes."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster

from service.store.connect import store_at
from service.store.errors import StoreUnavailable
from service.store.listening import Event
from service.store.records import Appended, Conflict, Idempotency, Missing, Repeated
from service.store.store import Store

TTL = 600


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """The store at a URL until the block ends."""
    store = store_at(url)
    try:
        yield store
    finally:
        await store.close()


def event(sequence: int) -> Event:
    return sequence, f"event {sequence}".encode()


async def begin(store: Store, encounter: str, events: int = 1) -> None:
    """Make an encounter of revision 1 with its first events."""
    given = [event(sequence) for sequence in range(1, events + 1)]
    made = await store.append(encounter, expected_revision=0, body=b"1", events=given, ttl_seconds=TTL)
    assert made == Appended(1)


async def change(
    store: Store, encounter: str, revision: int, *sequences: int, idempotency: Idempotency | None = None
) -> Appended | Conflict | Repeated | Missing:
    """Make the change that follows a revision."""
    return await store.append(
        encounter,
        expected_revision=revision,
        body=str(revision + 1).encode(),
        events=[event(sequence) for sequence in sequences],
        ttl_seconds=TTL,
        idempotency=idempotency,
    )


async def add_until(store: Store, encounter: str, revision: int, last: int) -> None:
    """Make changes of one event each until this sequence, repeating what the store was away for.

    The encounter has as many events as revisions.
    """
    while revision < last:
        key = Idempotency(f"key {revision}", b"", b"")
        try:
            made = await change(store, encounter, revision, revision + 1, idempotency=key)
        except StoreUnavailable:
            await asyncio.sleep(0.02)
        else:
            assert isinstance(made, Appended | Repeated), made
            revision += 1


async def heard(store: Store, encounter: str, after: int, last: int) -> list[Event]:
    """What a listener hears until this sequence."""
    events: list[Event] = []
    async with contextlib.aclosing(store.listen(encounter, after)) as pages:
        async for page in pages:
            events += page
            if events and events[-1][0] >= last:
                break
    return events


async def refused(call: Awaitable[Any]) -> StoreUnavailable:
    """The error of a call that has to fail within two seconds."""
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as raised:
        await call
    assert time.monotonic() - began < 2
    return raised.value


def client_of(url: str) -> Redis | RedisCluster:
    """A client that looks at what the store keeps."""
    if "+cluster" in url:
        host, _, port = url.removeprefix("redis+cluster://").partition(",")[0].partition(":")
        return RedisCluster(host=host, port=int(port))
    return Redis.from_url(url)


async def until_gone(store: Store, encounter: str) -> None:
    """Return once the encounter expired."""
    async with asyncio.timeout(5):
        while await store.load(encounter) is not None:
            await asyncio.sleep(0.02)

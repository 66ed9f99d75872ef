"""How many encounters an owner may have open."""

import asyncio
import secrets

import pytest

from service.store.keys import open_key, record_key
from service.store.records import Appended, Conflict, Idempotency, Record, Repeated, TooManyOpen
from service.store.store import MAKING_SECONDS, Store
from tests.store.use import TTL, client_of, event, until_gone

KEY = Idempotency("key", b"fingerprint", b"response")


@pytest.fixture
def owner() -> str:
    return secrets.token_hex(8)


async def create(
    store: Store, owner: str, encounter: str, *, most: int = 2, key: Idempotency | None = None
) -> Appended | Conflict | Repeated | TooManyOpen:
    return await store.create(
        encounter, body=b"1", events=[event(1)], ttl_seconds=TTL, owner=owner, most_open=most, idempotency=key
    )


async def test_an_owner_has_as_many_open_as_allowed_and_no_more(store: Store, owner: str, encounter: str) -> None:
    assert await store.count_open(owner) == 0
    assert await create(store, owner, f"{encounter}-1") == Appended(1)
    assert await create(store, owner, f"{encounter}-2") == Appended(1)
    assert await store.load(f"{encounter}-2") == Record(1, b"1")
    assert await store.events(f"{encounter}-2", 0, 10) == [event(1)]
    assert await create(store, owner, f"{encounter}-3") == TooManyOpen()
    assert await store.load(f"{encounter}-3") is None
    assert await store.count_open(owner) == 2
    assert await create(store, f"{owner}-2", f"{encounter}-3") == Appended(1)


async def test_one_that_is_no_longer_open_makes_room(store: Store, owner: str, encounter: str) -> None:
    await create(store, owner, f"{encounter}-1", most=1)
    assert await create(store, owner, f"{encounter}-2", most=1) == TooManyOpen()
    await store.no_longer_open(owner, f"{encounter}-1")
    assert await store.count_open(owner) == 0
    assert await create(store, owner, f"{encounter}-2", most=1) == Appended(1)


async def test_one_that_expired_makes_room(store: Store, url: str, owner: str, encounter: str) -> None:
    await create(store, owner, f"{encounter}-1")
    await create(store, owner, f"{encounter}-2")
    async with client_of(url) as operator:
        await operator.pexpire(record_key(f"{encounter}-2"), 1)
        await operator.zincrby(open_key(owner), -MAKING_SECONDS - 1, f"{encounter}-2")
    await until_gone(store, f"{encounter}-2")
    assert await create(store, owner, f"{encounter}-3") == Appended(1)
    assert await create(store, owner, f"{encounter}-4") == TooManyOpen()
    assert await store.count_open(owner) == 2


async def test_many_at_once_do_not_become_more_than_allowed(store: Store, owner: str, encounter: str) -> None:
    made = await asyncio.gather(*(create(store, owner, f"{encounter}-{number}", most=5) for number in range(20)))
    assert made.count(Appended(1)) == 5
    assert made.count(TooManyOpen()) == 15
    assert await store.count_open(owner) == 5


async def test_an_id_that_is_taken_is_a_conflict_and_does_not_count(store: Store, owner: str, encounter: str) -> None:
    assert await create(store, owner, encounter) == Appended(1)
    assert await create(store, f"{owner}-2", encounter) == Conflict(Record(1, b"1"))
    assert await store.count_open(f"{owner}-2") == 0


async def test_a_key_that_comes_again_is_answered_as_before(store: Store, owner: str, encounter: str) -> None:
    assert await create(store, owner, encounter, most=1, key=KEY) == Appended(1)
    again = Idempotency("key", b"another", b"another")
    assert await create(store, owner, encounter, most=1, key=again) == Repeated(b"fingerprint", b"response")
    await store.no_longer_open(owner, encounter)
    assert await create(store, owner, f"{encounter}-2", most=1) == Appended(1)
    assert await create(store, owner, encounter, most=1, key=again) == Repeated(b"fingerprint", b"response")
    assert await store.count_open(owner) == 1


async def test_the_same_key_many_times_at_once_makes_one(store: Store, owner: str, encounter: str) -> None:
    made = await asyncio.gather(*(create(store, owner, encounter, key=KEY) for _ in range(16)))
    assert made.count(Appended(1)) == 1
    assert made.count(Repeated(b"fingerprint", b"response")) == 15
    assert await store.count_open(owner) == 1

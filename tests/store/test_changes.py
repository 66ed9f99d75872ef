"""One change: what it writes, and what refuses it."""

import hashlib

import pytest

from service.store.keys import answer_key, log_key, record_key
from service.store.records import Appended, Conflict, Idempotency, Missing, Record, Repeated
from service.store.store import REMEMBERED_SECONDS, Store
from tests.store.use import TTL, begin, change, client_of, event, until_gone

BINARY = bytes(range(256)) + b"\r\n\x00*3\r\n"
KEY = Idempotency(hashlib.sha256(b"key").hexdigest(), b"fingerprint", BINARY)


async def test_what_was_never_made_is_not_there(store: Store, encounter: str) -> None:
    assert await store.load(encounter) is None
    assert await store.events(encounter, 0, 10) == []
    assert await store.remembered(encounter, KEY.key_hash) is None
    assert await change(store, encounter, 1, 2) == Missing()


async def test_a_change_writes_the_record_and_its_events(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    made = await store.append(
        encounter, expected_revision=1, body=BINARY, events=[(2, BINARY), (3, b"")], ttl_seconds=TTL
    )
    assert made == Appended(2)
    assert await store.load(encounter) == Record(2, BINARY)
    assert await store.events(encounter, 0, 10) == [event(1), (2, BINARY), (3, b"")]


async def test_a_change_without_events_makes_a_revision_too(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    assert await change(store, encounter, 1) == Appended(2)
    assert await change(store, encounter, 2, 2) == Appended(3)
    assert await store.load(encounter) == Record(3, b"3")
    assert await store.events(encounter, 0, 10) == [event(1), event(2)]


async def test_a_change_from_an_old_revision_writes_nothing_and_answers_the_newest(
    store: Store, encounter: str
) -> None:
    await begin(store, encounter)
    await change(store, encounter, 1, 2)
    assert await change(store, encounter, 1, 2, idempotency=KEY) == Conflict(Record(2, b"2"))
    assert await change(store, encounter, 3, 3, idempotency=KEY) == Conflict(Record(2, b"2"))
    assert await change(store, encounter, 0, 1, idempotency=KEY) == Conflict(Record(2, b"2"))
    assert await store.load(encounter) == Record(2, b"2")
    assert await store.events(encounter, 0, 10) == [event(1), event(2)]
    assert await store.remembered(encounter, KEY.key_hash) is None


@pytest.mark.parametrize("sequences", [(1,), (3,), (2, 4), (3, 2), (2, 2)])
async def test_events_that_do_not_follow_the_log_are_a_mistake_and_write_nothing(
    store: Store, encounter: str, sequences: tuple[int, ...]
) -> None:
    await begin(store, encounter)
    with pytest.raises(Exception, match="SEQUENCE"):
        await change(store, encounter, 1, *sequences, idempotency=KEY)
    assert await store.load(encounter) == Record(1, b"1")
    assert await store.events(encounter, 0, 10) == [event(1)]
    assert await store.remembered(encounter, KEY.key_hash) is None


async def test_a_key_that_comes_again_is_answered_as_before_and_writes_nothing(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    assert await change(store, encounter, 1, 2, idempotency=KEY) == Appended(2)
    again = Idempotency(KEY.key_hash, b"another fingerprint", b"another response")
    for revision in (1, 2, 9):
        assert await change(store, encounter, revision, 3, idempotency=again) == Repeated(b"fingerprint", BINARY)
    assert await store.remembered(encounter, KEY.key_hash) == Repeated(b"fingerprint", BINARY)
    assert await store.load(encounter) == Record(2, b"2")
    assert await store.events(encounter, 0, 10) == [event(1), event(2)]


async def test_a_key_belongs_to_its_encounter(store: Store, encounter: str) -> None:
    for each in (encounter, f"{encounter}-2"):
        await begin(store, each)
        assert await change(store, each, 1, 2, idempotency=KEY) == Appended(2)


async def test_events_are_read_a_page_at_a_time(store: Store, encounter: str) -> None:
    await begin(store, encounter, events=25)
    pages, after = [], 0
    while page := await store.events(encounter, after, 10):
        pages.append(page)
        after = page[-1][0]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [each for page in pages for each in page] == [event(sequence) for sequence in range(1, 26)]
    assert await store.events(encounter, 24, 10) == [event(25)]
    assert await store.events(encounter, 25, 10) == await store.events(encounter, 99, 10) == []


async def test_a_server_that_forgot_the_script_gets_it_again(store: Store, url: str, encounter: str) -> None:
    await begin(store, encounter)
    async with client_of(url) as client:
        await client.script_flush()
    assert await change(store, encounter, 1, 2) == Appended(2)


async def test_every_change_pushes_the_end_forward(store: Store, url: str, encounter: str) -> None:
    await begin(store, encounter)
    keys = (record_key(encounter), log_key(encounter))
    async with client_of(url) as client:
        for key in keys:
            assert TTL - 5 <= await client.ttl(key) <= TTL
            await client.expire(key, 60)
        await change(store, encounter, 1, idempotency=KEY)
        for key in keys:
            assert TTL - 5 <= await client.ttl(key) <= TTL
        answer = answer_key(encounter, KEY.key_hash)
        assert REMEMBERED_SECONDS - 5 <= await client.ttl(answer) <= REMEMBERED_SECONDS


async def test_an_encounter_that_nobody_changes_ends(store: Store, encounter: str) -> None:
    await store.append(encounter, expected_revision=0, body=b"1", events=[event(1)], ttl_seconds=1)
    assert await store.load(encounter) is not None
    await until_gone(store, encounter)
    assert await store.events(encounter, 0, 10) == []
    assert await change(store, encounter, 1, 2) == Missing()
    assert await change(store, encounter, 0, 1) == Appended(1)

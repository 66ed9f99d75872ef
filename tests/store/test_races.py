"""Many writers at once: no change is lost, none is made twice."""

import asyncio
import json
from collections import Counter

from service.store.records import Appended, Conflict, Idempotency, Record, Repeated
from service.store.store import Store
from tests.store.use import TTL, begin, change, event, opened

WRITERS = 64
CHANGES = 3


async def count_up(store: Store, encounter: str, writer: int) -> None:
    """Add to the number that the record holds, so many times, each from the newest."""
    record = await store.load(encounter)
    assert record is not None
    for number in range(CHANGES):
        while True:
            count = json.loads(record.body) + 1
            told = json.dumps([writer, number, count]).encode()
            made = await store.append(
                encounter,
                expected_revision=record.revision,
                body=json.dumps(count).encode(),
                events=[(count, told)],
                ttl_seconds=TTL,
            )
            if isinstance(made, Appended):
                record = Record(made.revision, json.dumps(count).encode())
                break
            assert isinstance(made, Conflict)
            assert made.record.revision > record.revision
            record = made.record


async def test_64_writers_of_two_workers_lose_nothing_and_double_nothing(url: str, encounter: str) -> None:
    async with opened(url) as one, opened(url) as other:
        await begin(one, encounter)
        await asyncio.gather(*(count_up((one, other)[writer % 2], encounter, writer) for writer in range(WRITERS)))
        total = WRITERS * CHANGES + 1
        assert await other.load(encounter) == Record(total, str(total).encode())
        events = await one.events(encounter, 1, 2 * total)
    assert [sequence for sequence, _ in events] == list(range(2, total + 1))
    told = [json.loads(each) for _, each in events]
    assert [count for *_, count in told] == list(range(2, total + 1))
    assert Counter((writer, number) for writer, number, _ in told) == {
        (writer, number): 1 for writer in range(WRITERS) for number in range(CHANGES)
    }


async def test_the_same_key_32_times_at_once_is_one_change(url: str, encounter: str) -> None:
    key = Idempotency("key", b"fingerprint", b"response")
    async with opened(url) as one, opened(url) as other:
        await begin(one, encounter)
        made = await asyncio.gather(
            *(change((one, other)[each % 2], encounter, 1, 2, idempotency=key) for each in range(32))
        )
        assert made.count(Appended(2)) == 1
        assert made.count(Repeated(b"fingerprint", b"response")) == 31
        assert await one.load(encounter) == Record(2, b"2")
        assert await one.events(encounter, 0, 10) == [event(1), event(2)]


async def test_a_caller_that_goes_away_does_not_disturb_the_others(store: Store, encounter: str) -> None:
    names = [f"{encounter}-{number}" for number in range(40)]
    await asyncio.gather(*(begin(store, name) for name in names))
    calls = [asyncio.create_task(change(store, name, 1, 2)) for name in names]
    await asyncio.sleep(0)
    for call in calls[::2]:
        call.cancel()
    made = await asyncio.gather(*calls, return_exceptions=True)
    assert made[1::2] == [Appended(2)] * 20
    assert all(isinstance(each, asyncio.CancelledError) for each in made[::2])
    assert await asyncio.gather(*(store.load(name) for name in names[1::2])) == [Record(2, b"2")] * 20

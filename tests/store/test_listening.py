"""Listeners: each hears every event once and in order, whatever happens to the connection."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service.store import listening
from service.store.errors import SlowReader
from service.store.keys import log_key
from service.store.records import Appended
from service.store.store import Store
from tests.store.servers import Server, running
from tests.store.use import TTL, add_until, begin, change, client_of, event, heard, opened


@pytest.fixture
def durable(program: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with running(program, tmp_path, "--appendonly", "yes", "--appendfsync", "always") as server:
        yield server


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for news."""
    monkeypatch.setattr(listening, "QUIET_SECONDS", 0.05)


def events(first: int, last: int) -> list[tuple[int, bytes]]:
    return [event(sequence) for sequence in range(first, last + 1)]


async def test_a_listener_hears_what_was_and_what_comes(store: Store, encounter: str) -> None:
    await begin(store, encounter, events=3)
    hearing = asyncio.create_task(heard(store, encounter, 1, 20))
    await asyncio.sleep(0.05)
    for revision in range(1, 18):
        await change(store, encounter, revision, revision + 3)
    assert await hearing == events(2, 20)


async def test_a_long_log_comes_in_pages(store: Store, encounter: str) -> None:
    long = 3 * listening.QUEUE
    await begin(store, encounter, events=long)
    assert await heard(store, encounter, 0, long) == events(1, long)


async def test_a_listener_may_be_ahead_of_another(store: Store, encounter: str) -> None:
    await begin(store, encounter, events=5)
    hearing = [asyncio.create_task(heard(store, encounter, after, 10)) for after in (0, 3, 5, 8)]
    await add_until_ten(store, encounter)
    assert await asyncio.gather(*hearing) == [events(1, 10), events(4, 10), events(6, 10), events(9, 10)]
    assert await heard(store, encounter, 7, 10) == events(8, 10)


async def add_until_ten(store: Store, encounter: str) -> None:
    for revision, sequence in enumerate(range(6, 11), start=1):
        await asyncio.sleep(0.01)
        assert await change(store, encounter, revision, sequence) == Appended(revision + 1)


async def test_listeners_come_and_go_while_events_come(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    last = 150
    adding = asyncio.create_task(add_until(store, encounter, 1, last))

    async def come_and_go(number: int) -> None:
        after = 0
        while after < last:
            one_page = heard(store, encounter, after, min(after + 1 + number, last))
            got = await one_page
            assert got == events(after + 1, got[-1][0])
            after = got[-1][0]

    async with asyncio.timeout(20):
        await asyncio.gather(adding, *(come_and_go(number) for number in range(8)))


async def test_events_of_other_encounters_are_not_heard(store: Store, encounter: str) -> None:
    names = [f"{encounter}-{number}" for number in range(5)]
    parts = [names[start : start + 100] for start in range(0, len(names), 100)]  # a busy machine answers these in time
    for part in parts:
        await asyncio.gather(*(begin(store, name) for name in part))
    hearing = [asyncio.create_task(heard(store, name, 0, 6)) for name in names]

    async def tell(name: str) -> None:
        for revision in range(1, 6):
            told = (revision + 1, name.encode())
            await store.append(name, expected_revision=revision, body=b"", events=[told], ttl_seconds=TTL)

    await asyncio.gather(*(tell(name) for name in names))
    for name, got in zip(names, await asyncio.gather(*hearing), strict=True):
        assert got == [event(1), *((sequence, name.encode()) for sequence in range(2, 7))]


@pytest.mark.usefixtures("quiet")
async def test_a_listener_without_news_wakes_up(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    async with contextlib.aclosing(store.listen(encounter, 1)) as pages, asyncio.timeout(5):
        got = [await anext(pages) for _ in range(3)]
        assert got == [[], [], []]
        await change(store, encounter, 1, 2)
        assert await with_events(pages) == [event(2)]


async def with_events(pages: AsyncIterator[list[tuple[int, bytes]]]) -> list[tuple[int, bytes]]:
    async for page in pages:
        if page:
            return page
    raise AssertionError


async def test_a_listener_that_does_not_keep_up_is_dropped(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    async with contextlib.aclosing(store.listen(encounter, 0)) as slow:
        assert await anext(slow) == [event(1)]
        quick = asyncio.create_task(heard(store, encounter, 0, listening.QUEUE + 2))
        await asyncio.sleep(0.05)
        sequence = 1
        for revision in range(1, 6):
            step = listening.QUEUE // 5 + 1
            await change(store, encounter, revision, *range(sequence + 1, sequence + step + 1))
            sequence += step
            await asyncio.sleep(0.02)
        assert len(await quick) >= listening.QUEUE
        with pytest.raises(SlowReader):
            await asyncio.wait_for(with_events(slow), 5)
    assert await heard(store, encounter, 1, sequence) == events(2, sequence)


@pytest.mark.usefixtures("quiet")
async def test_an_event_whose_news_got_lost_is_heard_all_the_same(
    store: Store, url: str, encounter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "LOOK_AGAIN_SECONDS", 0.2)
    await begin(store, encounter)
    async with contextlib.aclosing(store.listen(encounter, 0)) as pages, asyncio.timeout(5):
        assert await with_events(pages) == [event(1)]
        async with client_of(url) as operator:
            await operator.xadd(log_key(encounter), {"event": event(2)[1]}, id="2-0")
        assert await with_events(pages) == [event(2)]


@pytest.mark.usefixtures("quiet")
async def test_a_cut_connection_loses_and_doubles_nothing(program: Path, tmp_path: Path, encounter: str) -> None:
    with running(program, tmp_path) as server:
        async with opened(server.url) as store, client_of(server.url) as operator:
            await begin(store, encounter)
            hearing = [asyncio.create_task(heard(store, encounter, 0, 300)) for _ in range(3)]
            adding = asyncio.create_task(add_until(store, encounter, 1, 300))
            while not adding.done():
                await operator.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
                await asyncio.sleep(0.01)
            async with asyncio.timeout(5):
                assert await asyncio.gather(*hearing) == [events(1, 300)] * 3


@pytest.mark.slow
async def test_a_restarted_store_loses_and_doubles_nothing(durable: Server, encounter: str) -> None:
    last = 400
    async with opened(durable.url) as store:
        await begin(store, encounter)
        hearing = [asyncio.create_task(heard(store, encounter, after, last)) for after in (0, 0, 1)]
        adding = asyncio.create_task(add_until(store, encounter, 1, last))
        for _ in range(3):
            await asyncio.sleep(0.1)
            durable.kill()
            await asyncio.sleep(0.1)
            await asyncio.to_thread(durable.start)
        async with asyncio.timeout(20):
            await adding
            assert await asyncio.gather(*hearing) == [events(1, last), events(1, last), events(2, last)]


@pytest.mark.usefixtures("quiet")
async def test_who_begins_to_listen_while_the_store_is_away_hears_it_when_it_is_back(
    durable: Server, encounter: str
) -> None:
    async with opened(durable.url) as store:
        await begin(store, encounter, events=3)
        durable.kill()
        async with contextlib.aclosing(store.listen(encounter, 1)) as pages, asyncio.timeout(10):
            assert await anext(pages) == []
            await asyncio.to_thread(durable.start)
            assert await with_events(pages) == events(2, 3)


@pytest.mark.slow
async def test_a_thousand_listeners(store: Store, encounter: str) -> None:
    names = [f"{encounter}-{number}" for number in range(1_000)]
    parts = [names[start : start + 100] for start in range(0, len(names), 100)]  # a busy machine answers these in time
    for part in parts:
        await asyncio.gather(*(begin(store, name) for name in part))
    hearing = [asyncio.create_task(heard(store, name, 0, 4)) for name in names]
    await asyncio.sleep(0.2)
    async with asyncio.timeout(40):
        for revision in range(1, 4):
            for part in parts:
                made = await asyncio.gather(*(change(store, name, revision, revision + 1) for name in part))
                assert made == [Appended(revision + 1)] * len(part)
        assert await asyncio.gather(*hearing) == [events(1, 4)] * len(names)


async def test_a_thousand_listeners_of_one_encounter(store: Store, encounter: str) -> None:
    await begin(store, encounter)
    hearing = [asyncio.create_task(heard(store, encounter, 0, 30)) for _ in range(1_000)]
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await add_until(store, encounter, 1, 30)
        assert await asyncio.gather(*hearing) == [events(1, 30)] * len(hearing)

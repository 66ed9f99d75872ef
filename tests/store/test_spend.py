"""Paying from a bucket of the store."""

import asyncio
import time

from service.store.keys import bucket_key
from service.store.store import Store
from tests.store.use import client_of


async def test_a_bucket_is_full_at_first_and_empties(store: Store, encounter: str) -> None:
    assert await store.spend(encounter, 1_000, 3, 1, 0) == (2, 0)
    assert await store.spend(encounter, 1_000, 3, 2, 0) == (0, 0)
    left, seconds = await store.spend(encounter, 1_000, 3, 1, 0)
    assert left == 0
    assert 990 < seconds <= 1_000


async def test_it_fills_by_the_clock_of_the_server(store: Store, encounter: str) -> None:
    assert await store.spend(encounter, 0.1, 2, 2, 0) == (0, 0)
    assert (await store.spend(encounter, 0.1, 2, 1, 0))[1] > 0
    await asyncio.sleep(0.12)
    assert (await store.spend(encounter, 0.1, 2, 1, 0))[1] == 0


async def test_what_was_spent_is_paid_even_if_the_cost_is_not(store: Store, encounter: str) -> None:
    left, seconds = await store.spend(encounter, 1_000, 10, 5, 8)
    assert left == 2
    assert 2_990 < seconds <= 3_000
    left, seconds = await store.spend(encounter, 1_000, 10, 0, 5)
    assert left == -3
    assert 2_990 < seconds <= 3_000


async def test_a_cost_above_what_it_holds_needs_a_full_bucket(store: Store, encounter: str) -> None:
    assert await store.spend(encounter, 1_000, 10, 25, 0) == (-15, 0)
    left, seconds = await store.spend(encounter, 1_000, 10, 1, 0)
    assert left in (-15, -16)
    assert 15_990 < seconds <= 16_000


async def test_those_at_once_get_no_more_than_there_is(store: Store, encounter: str) -> None:
    told = await asyncio.gather(*(store.spend(encounter, 1_000, 25, 1, 0) for _ in range(100)))
    assert sum(seconds == 0 for _, seconds in told) == 25


async def test_a_full_bucket_is_no_key(store: Store, url: str, encounter: str) -> None:
    await store.spend(encounter, 0.05, 10, 2, 0)
    async with client_of(url) as operator:
        assert 0 < await operator.pttl(bucket_key(encounter)) <= 101
        await asyncio.sleep(0.15)
        assert not await operator.exists(bucket_key(encounter))


async def test_a_clock_that_is_set_back_takes_the_bucket_along(store: Store, url: str, encounter: str) -> None:
    hour = 3_600 * 1_000_000
    async with client_of(url) as operator:
        seconds, micros = await operator.time() if "+cluster" not in url else (int(time.time()), 0)
        ahead = seconds * 1_000_000 + micros + hour
        await operator.set(bucket_key(encounter), f"{ahead + 3_000_000} {ahead}")
    left, missing = await store.spend(encounter, 1, 10, 1, 0)
    assert (left, missing) == (6, 0)
    assert (await store.spend(encounter, 1, 10, 1, 0))[0] in (5, 6)

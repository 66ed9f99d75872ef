"""Paying from a bucket of the store."""

import asyncio
import time

import pytest

from service.store.keys import bucket_key
from service.store.store import Store
from tests.store.use import client_of

SECOND = 1_000_000
RATES = (0.001, 0.3, 0.7, 1.5, 3, 6, 7, 11, 15, 60, 70, 128, 150, 600, 1_001, 30_000, 999_999, 1_000_000)
"""Of some an interval is no whole microsecond."""


async def test_a_bucket_is_full_at_first_and_empties(store: Store, encounter: str) -> None:
    assert await store.spend(encounter, 1_000, 3, 1, 0) == (2, 0)
    assert await store.spend(encounter, 1_000, 3, 2, 0) == (0, 0)
    left, seconds = await store.spend(encounter, 1_000, 3, 1, 0)
    assert left == 0
    assert 990 < seconds <= 1_000


@pytest.mark.parametrize("holds", [1, 7, 100, 1_000])
async def test_all_that_it_holds_is_paid_at_once_at_any_rate(store: Store, encounter: str, holds: int) -> None:
    for rate in RATES:
        assert await store.spend(f"{encounter}/{rate}", 1 / rate, holds, holds, 0) == (0, 0), rate
        spent = holds // 2
        assert await store.spend(f"{encounter}/{rate}/later", 1 / rate, holds, holds - spent, spent) == (0, 0), rate


async def test_it_fills_by_the_clock_of_the_server(store: Store, url: str, encounter: str) -> None:
    now = await server_time(url)
    emptied, full = now - 1_500 * SECOND, now + 500 * SECOND
    await put(url, encounter, full, emptied)
    assert await store.spend(encounter, 1_000, 2, 1, 0) == (0, 0)
    assert (await store.spend(encounter, 1_000, 2, 1, 0))[1] > 0


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


async def test_a_bucket_is_forgotten_when_it_is_full(store: Store, url: str, encounter: str) -> None:
    await store.spend(encounter, 1_000, 10, 2, 0)
    async with client_of(url) as operator:
        assert 1_990_000 < await operator.pttl(bucket_key(encounter)) <= 2_000_000


async def test_a_clock_that_is_set_back_takes_the_bucket_along(store: Store, url: str, encounter: str) -> None:
    ahead = await server_time(url) + 3_600 * SECOND
    await put(url, encounter, ahead + 3_000 * SECOND, ahead)
    assert await store.spend(encounter, 1_000, 10, 1, 0) == (6, 0)
    assert (await store.spend(encounter, 1_000, 10, 1, 0))[0] == 5


async def put(url: str, bucket: str, full: int, seen: int) -> None:
    """Keep a bucket that was seen at one time, to be full at another."""
    async with client_of(url) as operator:
        await operator.set(bucket_key(bucket), f"{full} {seen}")


async def server_time(url: str) -> int:
    """The time of the server, in microseconds."""
    if "+cluster" in url:  # of several servers, all on this machine
        return int(time.time()) * SECOND
    async with client_of(url) as operator:
        seconds, micros = await operator.time()
    return int(seconds) * SECOND + int(micros)

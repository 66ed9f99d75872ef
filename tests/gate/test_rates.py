"""Buckets: what they let through, alone and shared, and while the store is away."""

import asyncio

import pytest
from redis.exceptions import ResponseError

from service.gate.rates import Bucket, Rate, Rates, TooMuch
from service.store.errors import StoreUnavailable
from service.store.store import Store


class Clock:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rates(clock: Clock) -> Rates:
    """Of one worker without a store."""
    return Rates(clock)


async def spent(rates: Rates, bucket: Bucket, cost: int = 1, times: int = 1_000) -> int:
    """How many times a cost can be paid, one time after the other, until it cannot."""
    for count in range(times):
        try:
            await rates.spend(bucket, cost)
        except TooMuch:
            return count
    return times


async def test_a_bucket_holds_so_many_and_fills_steadily(rates: Rates, clock: Clock) -> None:
    bucket = rates.bucket("address/a", Rate(2, 10))
    assert await spent(rates, bucket) == 10
    clock.now += 1.5
    assert await spent(rates, bucket) == 3
    clock.now += 3_600
    assert await spent(rates, bucket) == 10


async def test_who_has_nothing_left_is_told_when_there_will_be_enough(rates: Rates, clock: Clock) -> None:
    bucket = rates.bucket("address/a", Rate(2, 10))
    await rates.spend(bucket, 10)
    with pytest.raises(TooMuch) as denied:
        await rates.spend(bucket, 3)
    assert denied.value.seconds == pytest.approx(1.5)
    clock.now += 1.49
    with pytest.raises(TooMuch):
        await rates.spend(bucket, 3)
    clock.now += 0.02
    await rates.spend(bucket, 3)


async def test_what_costs_more_than_a_bucket_holds_needs_a_full_one_and_is_owed(rates: Rates, clock: Clock) -> None:
    bucket = rates.bucket("address/a", Rate(1, 10))
    await rates.spend(bucket, 1)
    with pytest.raises(TooMuch):
        await rates.spend(bucket, 25)
    clock.now += 1
    await rates.spend(bucket, 25)
    clock.now += 15
    assert await spent(rates, bucket) == 0
    clock.now += 1.01
    assert await spent(rates, bucket) == 1


async def test_what_is_owed_is_paid_by_those_who_come_later(rates: Rates, clock: Clock) -> None:
    bucket = rates.bucket("address/a", Rate(1, 10))
    rates.owe(bucket, 12)
    assert await spent(rates, bucket) == 0
    clock.now += 3.01
    assert await spent(rates, bucket) == 1


async def test_each_name_has_a_bucket_of_its_own(rates: Rates) -> None:
    rate = Rate(1, 5)
    assert await spent(rates, rates.bucket("address/a", rate)) == 5
    assert await spent(rates, rates.bucket("address/b", rate)) == 5
    assert await spent(rates, rates.bucket("address/a", rate)) == 0


async def test_a_new_limit_begins_with_a_full_bucket(rates: Rates) -> None:
    assert await spent(rates, rates.bucket("key/a", Rate(1, 5))) == 5
    assert await spent(rates, rates.bucket("key/a", Rate(1, 5))) == 0
    assert await spent(rates, rates.bucket("key/a", Rate(1, 7))) == 7


async def test_no_more_buckets_are_remembered_than_there_is_room_for(
    rates: Rates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.gate.rates.BUCKETS_KEPT", 3)
    rate = Rate(1, 1)
    for name in ("a", "b", "c", "a", "d"):
        await spent(rates, rates.bucket(f"address/{name}", rate))
    assert await spent(rates, rates.bucket("address/a", rate)) == 0, "it was used after b"
    assert await spent(rates, rates.bucket("address/b", rate)) == 1, "it was forgotten"


# shared


async def test_replicas_share_a_bucket_to_the_last_unit(store: Store, encounter: str) -> None:
    replicas = [Rates(), Rates(), Rates()]
    for each in replicas:
        each.share_in(store)
    buckets = [each.bucket(f"address/{encounter}", Rate(0.001, 50)) for each in replicas]
    passed = 0
    for turn in range(120):
        at = turn % 3
        try:
            await replicas[at].spend(buckets[at], 1)
            passed += 1
        except TooMuch:
            pass
        await asyncio.sleep(0)
    assert 50 <= passed <= 50 + 3 * 50 // 16, "what is paid later may exceed by what is not paid yet"
    for each in replicas:
        await each.close()
    left, seconds = await store.spend(buckets[0].stored, 1_000, 50, 1, 0)
    assert left <= 0
    assert seconds > 0


async def test_one_replica_alone_keeps_to_the_limit_exactly(store: Store, encounter: str) -> None:
    rates = Rates()
    rates.share_in(store)
    assert await spent(rates, rates.bucket(f"address/{encounter}", Rate(0.001, 200))) == 200
    await rates.close()


async def test_many_at_once_get_no_more_than_there_is(store: Store, encounter: str) -> None:
    rates = Rates()
    rates.share_in(store)
    bucket = rates.bucket(f"address/{encounter}", Rate(0.001, 100))
    told = await asyncio.gather(*(rates.spend(bucket, 1) for _ in range(300)), return_exceptions=True)
    assert sum(each is None for each in told) == 100
    assert all(each is None or isinstance(each, TooMuch) for each in told)
    await rates.close()


async def test_a_worker_that_ends_pays_what_is_unpaid(store: Store, encounter: str) -> None:
    rates = Rates()
    rates.share_in(store)
    bucket = rates.bucket(f"address/{encounter}", Rate(0.001, 1_000))
    for _ in range(30):
        await rates.spend(bucket, 1)
    await rates.close()
    assert (await store.spend(bucket.stored, 1_000, 1_000, 1, 0))[0] == 1_000 - 31


async def test_what_is_empty_is_not_asked_of_the_store_again(store: Store, encounter: str, clock: Clock) -> None:
    asked = 0
    spend = store.spend

    async def counted(*arguments: object) -> tuple[int, float]:
        nonlocal asked
        asked += 1
        return await spend(*arguments)  # type: ignore[arg-type]

    store.spend = counted  # type: ignore[method-assign,assignment]
    rates = Rates(clock)
    rates.share_in(store)
    bucket = rates.bucket(f"address/{encounter}", Rate(0.01, 4))
    await spent(rates, bucket)
    before = asked
    assert await spent(rates, bucket) == 0
    assert asked == before
    await rates.close()


class Away(Store):
    """A store that does not answer, or not as it should."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked = 0
        self.error = error or StoreUnavailable("away")

    async def spend(self, bucket: str, interval: float, holds: int, cost: int, spent: int) -> tuple[int, float]:
        self.asked += 1
        raise self.error


WRONG_TYPE = ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value")


@pytest.mark.parametrize("error", [StoreUnavailable("away"), TimeoutError(), WRONG_TYPE], ids=["away", "slow", "wrong"])
async def test_while_the_store_is_away_a_worker_counts_by_itself(clock: Clock, error: Exception) -> None:
    store = Away(error)
    rates = Rates(clock)
    rates.share_in(store)
    bucket = rates.bucket("address/a", Rate(1, 20))
    assert await spent(rates, bucket) == 20
    assert store.asked == 1, "and does not wait for it again and again"
    clock.now += 2.5
    assert await spent(rates, bucket) == 2
    assert store.asked == 2
    assert bucket.unpaid == 22, "nothing is lost of what the store does not know"


async def test_what_is_unpaid_is_not_lost_when_paying_is_broken_off(clock: Clock) -> None:
    class Hanging(Away):
        async def spend(self, bucket: str, interval: float, holds: int, cost: int, spent: int) -> tuple[int, float]:
            asking.set()
            return await asyncio.Future()

    asking = asyncio.Event()
    rates = Rates(clock)
    rates.share_in(Hanging())
    bucket = rates.bucket("address/a", Rate(1, 1_000))
    rates.owe(bucket, 7)
    paying = asyncio.create_task(rates._ask(bucket, 0))
    await asking.wait()
    paying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await paying
    assert bucket.unpaid == 7


async def test_what_is_asked_for_is_not_paid(rates: Rates, clock: Clock) -> None:
    bucket = rates.bucket("address/a", Rate(1, 10))
    rates.demand(bucket, 10)
    rates.demand(bucket, 25)
    await rates.spend(bucket, 4)
    with pytest.raises(TooMuch) as denied:
        rates.demand(bucket, 8)
    assert denied.value.seconds == pytest.approx(2)
    clock.now += 2
    rates.demand(bucket, 8)
    assert await spent(rates, bucket) == 8


async def test_a_limit_that_is_raised_forgets_what_was_owed_under_the_old_one(store: Store, encounter: str) -> None:
    for rate, passes in ((Rate(0.001, 5), 5), (Rate(100, 1_000), 20)):
        rates = Rates()
        rates.share_in(store)
        assert await spent(rates, rates.bucket(f"address/{encounter}", rate), times=20) == passes
        await rates.close()

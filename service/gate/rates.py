"""How much callers may cost: each pays from a bucket that holds so many units and fills steadily.

Without a store a worker counts by itself. With one the replicas share the buckets, and each worker remembers of a bucket what
was left in it: as long as more than half is, it pays later, many requests at once; from there on it asks the store before
each request, so that what the bucket holds is not exceeded. While the store is away it goes on by what it remembers.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from service.store.errors import StoreError
from service.store.store import Store

BUCKETS_KEPT = 20_000
PAY_AT_ONCE = 2
"""Below one part in so many the store is asked before each request."""
UNPAID = 16
"""And what a worker has not paid yet is at most one part in so many, so that many of them together exceed little."""
PAY_LATER_SECONDS = 0.05
ASK_SECONDS = 0.5
AWAY_SECONDS = 2.0


log = logging.getLogger("rulewright.limits")


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit: `per_second` units for long, and `holds` at once after it was quiet."""

    per_second: float
    holds: int

    @property
    def interval(self) -> float:
        """Seconds in which one unit comes back."""
        return 1 / self.per_second

    @property
    def window(self) -> int:
        """Seconds in which an empty bucket fills, rounded up."""
        return math.ceil(self.holds / self.per_second)


class Bucket:
    """What a worker remembers of one bucket: `left` units at the time `at`, `unpaid` of which the store does not know.

    `policy` is how the RateLimit-Policy header field tells its limit.
    """

    __slots__ = (
        "at",
        "empty_until",
        "holds",
        "left",
        "name",
        "paying",
        "per_second",
        "policy",
        "rate",
        "stored",
        "unpaid",
    )

    def __init__(self, name: str, rate: Rate, now: float) -> None:
        self.name = name
        self.stored = (
            f"{name}/{rate.per_second:g}/{rate.holds}"  # what was owed under another limit is forgotten with it
        )
        self.rate = rate
        self.left: float = rate.holds
        self.at = now
        self.unpaid = 0
        self.empty_until = 0.0
        self.paying = False
        self.holds, self.per_second = rate.holds, rate.per_second  # at hand for every request
        self.policy = f'"{self.kind}";q={rate.holds};w={rate.window}'.encode()

    @property
    def kind(self) -> str:
        """Whose bucket it is: the first part of its name."""
        return self.name.partition("/")[0]

    def fill(self, now: float) -> float:
        """The units that are left now."""
        self.left = min(self.rate.holds, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        return self.left


class TooMuch(Exception):
    """There is too little left to pay: nothing was, and there will be enough in so many seconds."""

    def __init__(self, bucket: Bucket, seconds: float) -> None:
        super().__init__(bucket.name, seconds)
        self.bucket = bucket
        self.seconds = seconds


class Rates:
    """The buckets of everybody, as one worker knows them; those that were not used for longest are forgotten."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.version = 0
        """Another one says that buckets were forgotten, which are not to be paid from any more."""
        self._store: Store | None = None
        self._buckets: dict[str, Bucket] = {}
        self._older: dict[str, Bucket] = {}
        self._away_until = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    def share_in(self, store: Store | None) -> None:
        """Share the buckets in this store from now on, or with nobody."""
        self._store = store
        self._buckets, self._older = {}, {}
        self.version += 1

    def bucket(self, name: str, rate: Rate) -> Bucket:
        """The bucket of this name."""
        found = self._buckets.get(name)
        if found is not None and (found.rate is rate or found.rate == rate):
            return found
        found = self._older.pop(name, None)
        if found is None or found.rate != rate:
            found = Bucket(name, rate, self._clock())
        if len(self._buckets) >= BUCKETS_KEPT // 2:
            self._older, self._buckets = self._buckets, {}
            self.version += 1
        self._buckets[name] = found
        return found

    def spend_at_once(self, bucket: Bucket, cost: int) -> bool:
        """Pay if that can be decided here; False says that the store has to be asked. TooMuch is raised as by `spend`."""
        now, holds = self._clock(), bucket.holds
        left = bucket.left + (now - bucket.at) * bucket.per_second
        if left > holds:  # noqa: PLR1730 - a call less for every request
            left = holds
        bucket.left, bucket.at = left, now
        if self._store is None or now < self._away_until:
            self._spend_alone(bucket, cost)
            return True
        if left * PAY_AT_ONCE < holds or (bucket.unpaid + cost) * UNPAID > holds:
            if now < bucket.empty_until:
                raise TooMuch(bucket, bucket.empty_until - now)
            return False
        bucket.left = left - cost
        bucket.unpaid += cost
        if not bucket.paying:
            self._pay_soon(bucket)
        return True

    async def spend(self, bucket: Bucket, cost: int) -> None:
        """Pay, or TooMuch and nothing is paid; a cost above what the bucket holds needs a full one, and is owed in part."""
        if not self.spend_at_once(bucket, cost) and not await self._ask(bucket, cost):
            self.spend_at_once(bucket, cost)

    def demand(self, bucket: Bucket, cost: int) -> None:
        """Pay nothing, and raise TooMuch if there is too little to pay from, as far as it is known here."""
        bucket.fill(self._clock())
        _demand(bucket, cost)

    def owe(self, bucket: Bucket, cost: int) -> None:
        """Pay for what was done already, even if nothing is left."""
        bucket.fill(self._clock())
        bucket.left -= cost
        if self._store is not None:
            bucket.unpaid += cost
            if not bucket.paying:
                self._pay_soon(bucket)

    async def close(self) -> None:
        """Pay what is unpaid, as far as the store lets."""
        for task in self._tasks:
            task.cancel()
        unpaid = [each for each in (*self._buckets.values(), *self._older.values()) if each.unpaid]
        if self._store is not None and unpaid:
            await asyncio.wait([asyncio.ensure_future(self._ask(bucket, 0)) for bucket in unpaid])

    def _spend_alone(self, bucket: Bucket, cost: int) -> None:
        _demand(bucket, cost)
        bucket.left -= cost
        if self._store is not None:
            bucket.unpaid += cost

    def _pay_soon(self, bucket: Bucket) -> None:
        bucket.paying = True
        task = asyncio.get_running_loop().create_task(self._pay_later(bucket))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pay_later(self, bucket: Bucket) -> None:
        try:
            await asyncio.sleep(PAY_LATER_SECONDS)
            if bucket.unpaid:
                await self._ask(bucket, 0)
        finally:
            bucket.paying = False

    async def _ask(self, bucket: Bucket, cost: int) -> bool:
        """Pay a cost and what is unpaid; False when the store is away. TooMuch leaves the cost, not the unpaid."""
        store, spent = self._store, bucket.unpaid
        if store is None:
            return False
        bucket.unpaid = 0
        try:
            async with asyncio.timeout(ASK_SECONDS):
                left, seconds = await store.spend(bucket.stored, bucket.rate.interval, bucket.rate.holds, cost, spent)
        except BaseException as error:
            bucket.unpaid += spent
            if not isinstance(error, Exception):
                raise
            if not isinstance(error, (StoreError, TimeoutError)):
                log.exception("A limit cannot be shared in the store, and each worker counts by itself")
            self._away_until = self._clock() + AWAY_SECONDS
            return False
        now = bucket.at = self._clock()
        bucket.left = left - bucket.unpaid
        if seconds and cost:  # what was paid already is paid, even if it is owed in part
            if cost == 1:  # until then there is nothing for anybody, which need not be asked again
                bucket.empty_until = now + seconds
            raise TooMuch(bucket, seconds)
        return True


def _demand(bucket: Bucket, cost: int) -> None:
    """TooMuch if less is left than a cost, or than a full bucket."""
    needed = min(cost, bucket.holds)
    if bucket.left < needed:
        raise TooMuch(bucket, (needed - bucket.left) * bucket.rate.interval)

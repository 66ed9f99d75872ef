"""What one request is paid from: the bucket of its address and, when it came with a key, the key's."""

import math
from collections.abc import Sequence

from starlette.types import Scope

from service import problems
from service.answer_head import Header
from service.gate.rates import Bucket, Rates, TooMuch
from service.observability.metrics import count_rate_limited
from service.problems import Problem

ALLOWANCE = "rulewright.allowance"
"""Where a request has its own, in its scope."""
PAID_AT_THE_GATE = 1


class Allowance:
    """The buckets of one request; each of them has to hold enough."""

    __slots__ = ("_buckets", "_form", "_policies", "_rates")

    def __init__(self, rates: Rates, buckets: Sequence[Bucket]) -> None:
        self._rates = rates
        self._buckets = buckets
        self._policies = (b"ratelimit-policy", b", ".join(each.policy for each in buckets))
        self._form = b", ".join(b'"%b";r=%%d;t=%%d' % each.kind.encode() for each in buckets)

    async def spend_more(self, cost: int) -> None:
        """Pay for a request that was let in already, and has emptied its buckets by 1; what they never hold is owed.

        None pays for what another one is known to refuse. Should it turn out only then, it is the key that has paid in vain,
        and not the address that it shares with others.
        """
        rates = self._rates
        parts = [(each, min(cost, each.holds - PAID_AT_THE_GATE)) for each in reversed(self._buckets)]
        try:
            for bucket, now in parts:
                rates.demand(bucket, now)
            for bucket, now in parts:
                await rates.spend(bucket, now)
        except TooMuch as error:
            raise too_much(error) from None
        for bucket, now in parts:
            if cost > now:
                rates.owe(bucket, cost - now)

    def owe(self, cost: int) -> None:
        """Pay for what was done already."""
        for bucket in self._buckets:
            self._rates.owe(bucket, cost)

    def tell(self, _: int, headers: list[Header]) -> None:
        """Add what is left to the head of an answer, as the RateLimit header fields tell it.

        That is units, and the seconds until all of them are back.
        """
        told: list[int] = []
        for bucket in self._buckets:
            left = int(bucket.left)
            told += (left if left > 0 else 0, int(-((left - bucket.holds) // bucket.per_second)))
        if told:
            headers += (self._policies, (b"ratelimit", self._form % tuple(told)))


async def spend(scope: Scope, cost: int) -> None:
    """Pay for a request beyond what every request costs, before it is answered; nothing when it has no limit."""
    allowance: Allowance | None = scope.get(ALLOWANCE)
    if allowance is not None and cost > 0:
        await allowance.spend_more(cost)


def owe(scope: Scope, cost: int) -> None:
    """Pay for a request what only its answer tells."""
    allowance: Allowance | None = scope.get(ALLOWANCE)
    if allowance is not None and cost > 0:
        allowance.owe(cost)


def too_much(error: TooMuch) -> Problem:
    """The problem that says when there will be enough."""
    count_rate_limited(error.bucket.kind)
    seconds = max(1, math.ceil(error.seconds))
    facts = {"seconds": seconds, "who": error.bucket.kind}
    return Problem(
        problems.RATE_LIMITED, facts, fields={"retry_after": seconds}, headers=((b"retry-after", b"%d" % seconds),)
    )

"""`POST /v1/{system}/{action}/odds`: walked beside the event loop; each address waits for walks of its own, not for others'."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, to_thread

from rules.core.faults import OddsTooWide
from rules.core.odds import MAX_PAIRS, MAX_RUNS, Budget
from service.answers import encode, odds_body
from service.gate.addresses import ADDRESS, LOCAL
from service.gate.allowance import owe, spend
from service.http import Asking
from service.questions import Question
from service.texts import Texts

CONCURRENT_ODDS = 2
QUICK_RUNS = 400
QUICK_PAIRS = 4_000
RUNS_FOR_ONE = 4
PAIRS_FOR_ONE = 100
"""So many runs of the rules, or pairs of opposed parts, take about as long as a resolution with its HTTP."""
QUICK_COSTS = 1
SLOW_COSTS = min(QUICK_RUNS // RUNS_FOR_ONE, QUICK_PAIRS // PAIRS_FOR_ONE)
"""What a walk costs at the least, which is paid before it; whoever owes for the one before does not get so far."""


class Walked(NamedTuple):
    """Encoded odds, or why they are too wide, and what the walk has cost beside the request."""

    body: bytes
    cost: int
    too_wide: OddsTooWide | None


class Lane:
    """Where a few walks are under way, one of each address."""

    def __init__(self, costs: int) -> None:
        self._costs = costs
        self._room = CapacityLimiter(CONCURRENT_ODDS)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def walked(self, asking: Asking, walk: Callable[[], Walked]) -> Walked:
        """A walk, paid for, when it is its turn; a problem for one who cannot pay, ConnectionError for one who is gone."""
        turn = self._turn_of(asking.scope.get(ADDRESS, LOCAL))
        waits = turn.locked() or not self._room.available_tokens
        async with turn, self._room:
            if waits and await asking.is_gone():
                raise ConnectionError
            await spend(asking.scope, self._costs)
            walked = await to_thread.run_sync(walk)
            owe(asking.scope, walked.cost - self._costs)
        return walked

    def _turn_of(self, address: str) -> asyncio.Lock:
        turn = self._turns.get(address)
        if turn is None:
            turn = self._turns[address] = asyncio.Lock()
        return turn


class Lanes:
    """Two lanes, so that those which are soon walked do not wait behind those which are not."""

    def __init__(self) -> None:
        self._quick = Lane(QUICK_COSTS)
        self._slow = Lane(SLOW_COSTS)

    async def odds_of(self, question: Question, value: Any, _: Texts, asking: Asking) -> bytes:
        """The exact odds of one request."""
        request = question.read_for_odds(value)
        walked = await self._quick.walked(asking, partial(_walk, question, request, QUICK_RUNS, QUICK_PAIRS))
        if walked.too_wide is not None and walked.too_wide.reason in ("runs", "pairs"):
            walked = await self._slow.walked(asking, partial(_walk, question, request, MAX_RUNS, MAX_PAIRS))
        if walked.too_wide is not None:
            raise walked.too_wide
        return walked.body


def _walk(question: Question, request: Any, runs: int, pairs: int) -> Walked:
    budget = Budget(runs, pairs)
    body, too_wide = b"", None
    try:
        body = encode(odds_body(question.system, question.action.slug, question.odds(request, budget)))
    except OddsTooWide as error:
        too_wide = error
    cost = (runs - budget.runs_left) // RUNS_FOR_ONE + (pairs - budget.pairs_left) // PAIRS_FOR_ONE
    return Walked(body, cost, too_wide)

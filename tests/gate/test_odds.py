"""Walks for odds: paid for before they begin, one after the other for one address, and none for one who is gone."""

import asyncio
import threading
from typing import Any

import pytest

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.gate.addresses import ADDRESS
from service.gate.allowance import ALLOWANCE, Allowance
from service.gate.rates import Rate, Rates
from service.http import Asking
from service.problems import RATE_LIMITED, Problem
from service.questions import QUESTIONS
from service.routes.odds import Lane, Walked
from tests.attack.test_floods import grown
from tests.encounters.table import open_table
from tests.gate.conftest import Serving

PATIENCE = 30.0
WIDE = grown(QUESTIONS["storyteller", "attack"])[-1]


class Client:
    """One who asks from an address, and a walk for him that ends when the test says so."""

    def __init__(self, address: str) -> None:
        self.is_gone, self.cost = False, 1
        self.asking = Asking({"type": "http", ADDRESS: address}, self._receive)
        self.begun, self._may_end = threading.Event(), threading.Event()

    async def _receive(self) -> dict[str, Any]:
        if not self.is_gone:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    def walk(self) -> Walked:
        self.begun.set()
        assert self._may_end.wait(PATIENCE)
        return Walked(b"{}", self.cost, None)

    def asks(self, lane: Lane) -> asyncio.Task[Walked]:
        return asyncio.create_task(lane.walked(self.asking, self.walk))

    async def begins(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, PATIENCE)

    def ends(self) -> None:
        self._may_end.set()


async def test_an_address_has_one_walk_at_a_time_and_another_does_not_wait_for_it() -> None:
    lane, (first, second, other) = Lane(1), (Client("a"), Client("a"), Client("b"))
    asked = [each.asks(lane) for each in (first, second, other)]
    await first.begins()
    await other.begins()
    other.ends()
    await asked[2]
    assert not second.begun.is_set(), "there is room, but not for the same address"
    first.ends()
    await second.begins()
    second.ends()
    await asyncio.gather(*asked)


async def test_there_are_no_more_walks_at_a_time_than_there_is_room_for() -> None:
    lane, clients = Lane(1), [Client(address) for address in "abc"]
    asked = [each.asks(lane) for each in clients]
    await clients[0].begins()
    await clients[1].begins()
    assert not clients[2].begun.is_set()
    for each in clients:
        each.ends()
    await asyncio.gather(*asked)
    assert clients[2].begun.is_set()


async def test_nobody_walks_for_one_who_is_gone_when_it_is_his_turn() -> None:
    lane, (first, second, third) = Lane(1), (Client("a"), Client("a"), Client("a"))
    asked = [each.asks(lane) for each in (first, second, third)]
    await first.begins()
    second.is_gone = True
    first.ends()
    with pytest.raises(ConnectionError):
        await asked[1]
    assert not second.begun.is_set()
    third.ends()
    assert (await asked[2]).body == b"{}", "one who waits is not gone"


async def test_odds_that_are_asked_at_once_cost_no_less_than_one_after_the_other(serving: Serving) -> None:
    async with serving(address="192.0.2.91", address_rate=0.001, address_burst=700) as client:
        asked = (client.post("/v1/storyteller/attack/odds", json=WIDE) for _ in range(6))
        told = sorted(answer.status_code for answer in await asyncio.gather(*asked))
    assert told == [200] + [429] * 5, "the first one has taken all that there was"


async def test_nobody_walks_for_one_who_owes_for_the_walk_before() -> None:
    rates = Rates()
    allowance = Allowance(rates, [rates.bucket("address/a", Rate(0.001, 10))])
    lane, (first, second) = Lane(1), (Client("a"), Client("a"))
    first.cost = 50
    for each in (first, second):
        each.asking.scope[ALLOWANCE] = allowance
        each.ends()
    told = await asyncio.gather(first.asks(lane), second.asks(lane), return_exceptions=True)
    assert isinstance(told[0], Walked)
    assert isinstance(told[1], Problem)
    assert told[1].kind is RATE_LIMITED
    assert not second.begun.is_set()


async def test_a_log_is_not_verified_for_one_who_cannot_pay_for_it(serving: Serving) -> None:
    async with serving(address="192.0.2.93", address_rate=0.001, address_burst=10) as client:
        table = await open_table(client, next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps"))
        for combatant in ("mira", "ogre"):
            await table.join(combatant)
        told = [(await table.send("GET", "/verification")).status_code for _ in range(2)]
    assert told == [200, 429], "three events cost three beside the request, and the second finds less than that"

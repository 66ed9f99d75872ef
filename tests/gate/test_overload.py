"""What a worker refuses when it has too much to do."""

import asyncio
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.gate.overload import FEW, Overload, Streams
from service.settings import Settings
from tests.gate.conftest import Serving


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_no_more_are_in_flight_than_allowed() -> None:
    overload = Overload(2, 1)
    assert [overload.begin() for _ in range(3)] == [None, None, "in_flight"]
    overload.in_flight -= 1
    assert overload.begin() is None


async def test_those_who_come_at_one_moment_are_answered_as_long_as_a_turn_may_take() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)

    async def request() -> str | None:
        refused = overload.begin()
        clock.now += 0.03
        return refused

    told = await asyncio.gather(*(request() for _ in range(100)))
    assert told[:34] == [None] * 34
    assert told[35:] == ["queue"] * 65
    assert [*await asyncio.gather(request())] == [None], "the next turn begins anew"


async def test_a_slow_one_does_not_make_a_crowd_of_a_few() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)

    async def request() -> str | None:
        refused = overload.begin()
        clock.now += 5
        return refused

    told = await asyncio.gather(*(request() for _ in range(FEW + 4)))
    assert told == [None] * FEW + ["queue"] * 4


async def test_what_one_task_asks_in_a_row_waits_for_nobody() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)
    for _ in range(100):
        assert overload.begin() is None
        clock.now += 0.5


def test_streams_are_counted_in_all_and_for_each_address() -> None:
    streams = Streams(3, 2)
    assert [streams.begin("a") for _ in range(3)] == [None, None, "streams_per_address"]
    assert [streams.begin("b"), streams.begin("b")] == [None, "streams"]
    streams.end("a")
    assert streams.begin("b") is None
    streams.end("a")
    streams.end("b")
    streams.end("b")
    assert streams.begin("c") is None


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_refused_is_told_to_come_back(language: str) -> None:
    app = create_app(Settings(max_in_flight=1, address_rate=0))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        held, told = asyncio.Event(), asyncio.Event()

        async def slow_body() -> Any:
            held.set()
            await told.wait()
            yield b"{}"

        headers = {"content-type": "application/json", "accept-language": language, "origin": "https://a.example"}
        slow = asyncio.create_task(client.post("/v1/batch", content=slow_body(), headers=headers))
        await held.wait()
        refused = await client.post("/v1/batch", content=b"{}", headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/overloaded")
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["content-language"] == language
        assert refused.headers["access-control-allow-origin"] == "*"
        assert (await client.get("/healthz")).status_code == 200, "probes are answered all the same"
        told.set()
        assert (await slow).status_code == 422
        assert (await client.post("/v1/batch", content=b"{}", headers=headers)).status_code == 422


async def test_a_flood_of_streams_is_held_off(serving: Serving) -> None:
    async with serving(max_streams_per_address=2) as client:
        opened = (await client.post("/v1/gurps/encounters", json={})).json()
        path = f"/v1/gurps/encounters/{opened['id']}/stream"
        reading = [
            asyncio.create_task(client.get(path, headers={"encounter-token": opened["spectator_token"]}))
            for _ in range(2)
        ]
        async with asyncio.timeout(5):
            while True:
                await asyncio.sleep(0.05)
                refused = await asyncio.wait_for(client.get(path, headers={"encounter-token": "wrong"}), 1)
                if refused.status_code == 429:
                    break
        assert refused.json()["type"] == "/problems/too-many-streams"
        assert (
            await client.get(path.removesuffix("/stream"), headers={"encounter-token": opened["gm_token"]})
        ).status_code == 200
        for each in reading:
            each.cancel()
        await asyncio.wait(reading)
        assert (await client.get(path, headers={"encounter-token": "wrong"})).status_code == 401

"""What a worker refuses when it has too much to do."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.gate.overload import FEW, LARGE_BYTES, Overload, Places
from service.settings import Settings
from tests.gate.conftest import Serving


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_no_more_are_in_flight_than_allowed() -> None:
    overload = Overload(2, 1)
    assert [overload.begin(address) for address in "abc"] == [None, None, "in_flight"]
    overload.end("a")
    assert overload.begin("c") is None


async def test_one_address_has_no_more_than_half_of_what_is_in_flight() -> None:
    overload = Overload(8, 1)
    assert [overload.begin("greedy") for _ in range(6)] == [None] * 4 + ["in_flight_per_address"] * 2
    assert [overload.begin("other") for _ in range(5)] == [None] * 4 + ["in_flight"]


async def test_those_who_come_at_one_moment_are_answered_as_long_as_a_turn_may_take() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)

    async def request() -> str | None:
        refused = overload.begin("a")
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
        refused = overload.begin("a")
        clock.now += 5
        return refused

    told = await asyncio.gather(*(request() for _ in range(FEW + 4)))
    assert told == [None] * FEW + ["queue"] * 4


async def test_what_one_task_asks_in_a_row_waits_for_nobody() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)
    for _ in range(100):
        assert overload.begin("a") is None
        clock.now += 0.5


async def test_those_whose_bodies_come_at_one_moment_are_a_crowd_as_well() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)

    async def request() -> str | None:
        assert overload.begin("a") is None
        turn = overload.turn
        overload.end("a")
        await rest.wait()
        refused = overload.begin_again("a", turn)
        clock.now += 0.03
        return refused

    rest = asyncio.Event()
    asked = [asyncio.create_task(request()) for _ in range(100)]
    await asyncio.sleep(0.01)
    rest.set()
    told = await asyncio.gather(*asked)
    assert told[:34] == [None] * 34
    assert told[35:] == ["queue"] * 65


async def test_one_whose_body_was_there_already_is_asked_once() -> None:
    clock = Clock()
    overload = Overload(10_000, 1.0, clock)

    async def request() -> str | None:
        refused = overload.begin("a")
        if refused is None:
            overload.end("a")
            clock.now += 0.5
            refused = overload.begin_again("a", overload.turn)
        return refused

    assert await asyncio.gather(*(request() for _ in range(FEW + 4))) == [None] * FEW + ["queue"] * 4


def test_streams_are_counted_in_all_and_for_each_address() -> None:
    streams = Places("streams", 3, 2)
    assert [streams.begin("a") for _ in range(3)] == [None, None, "streams_per_address"]
    assert [streams.begin("b"), streams.begin("b")] == [None, "streams"]
    streams.end("a")
    assert streams.begin("b") is None
    streams.end("a")
    streams.end("b")
    streams.end("b")
    assert streams.begin("c") is None


JSON = {"content-type": "application/json"}


class Slow:
    """An application that is asked by many who have sent a part of their bodies, until they are told to send the rest."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._rest = asyncio.Event()
        self._sent = 0

    async def _body(self, part: bytes) -> AsyncIterator[bytes]:
        yield part
        self._sent += 1
        await self._rest.wait()
        yield b" "

    def _client(self, address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self._app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")

    async def send(self, address: str, part: bytes) -> httpx.Response:
        """Send a part, and the rest when it is time."""
        async with self._client(address) as client:
            return await client.post("/v1/batch", content=self._body(part), headers=JSON)

    async def begin(self, address: str, many: int, part: bytes) -> list[asyncio.Task[httpx.Response]]:
        """So many have sent a part."""
        wanted = self._sent + many
        begun = [asyncio.create_task(self.send(address, part)) for _ in range(many)]
        async with asyncio.timeout(30):
            while self._sent < wanted:
                await asyncio.sleep(0.01)
        return begun

    async def end(self, begun: list[asyncio.Task[httpx.Response]]) -> list[int]:
        """All of them send the rest: what they are answered."""
        self._rest.set()
        return [answer.status_code for answer in await asyncio.gather(*begun)]


async def test_bodies_that_do_not_come_are_in_nobodys_way() -> None:
    app = create_app(Settings(max_in_flight=8, address_rate=0))
    slow = Slow(app)
    begun = await slow.begin("192.0.2.81", 20, b"{}")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        assert (await client.post("/v1/batch", content=b"{}", headers=JSON)).status_code == 422
    assert await slow.end(begun) == [422] * 20


async def test_of_large_bodies_that_do_not_come_there_are_only_so_many() -> None:
    slow = Slow(create_app(Settings(max_in_flight=4, address_rate=0)))
    large = b"{}" + b" " * LARGE_BYTES
    begun = await slow.begin("192.0.2.81", 2, large)
    refused = await slow.send("192.0.2.81", large)
    assert (refused.status_code, refused.json()["type"]) == (503, "/problems/overloaded")
    assert refused.headers["retry-after"] == "1"
    begun += await slow.begin("192.0.2.82", 2, large)
    assert (await slow.send("192.0.2.83", large)).status_code == 503
    begun += await slow.begin("192.0.2.83", 1, b"{}")
    assert await slow.end(begun) == [422] * 5
    assert (await slow.send("192.0.2.81", large)).status_code == 422, "those that came take no room any more"


def held_back(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Batches are answered when the second event is set, and the first one tells that one is waiting for it."""
    held, told = asyncio.Event(), asyncio.Event()

    async def answer(_value: Any, _texts: Any) -> bytes:
        held.set()
        await told.wait()
        return b"{}"

    monkeypatch.setattr("service.routes.batch_and_verify.answer_batch", answer)
    return held, told


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_refused_is_told_to_come_back(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, told = held_back(monkeypatch)
    app = create_app(Settings(max_in_flight=1, address_rate=0))
    slow = Slow(app)
    late = await slow.begin("192.0.2.81", 1, b"{}")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        headers = {**JSON, "accept-language": language, "origin": "https://a.example"}
        begun = asyncio.create_task(client.post("/v1/batch", content=b"{}", headers=headers))
        await held.wait()
        refused = await client.post("/v1/batch", content=b"{}", headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/overloaded")
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["content-language"] == language
        assert refused.headers["access-control-allow-origin"] == "*"
        assert (await client.get("/healthz")).status_code == 200, "probes are answered all the same"
        assert await slow.end(late) == [503], "nor is one taken on whose body comes only now"
        told.set()
        assert (await begun).status_code == 200
        assert (await client.post("/v1/batch", content=b"{}", headers=headers)).status_code == 200


@pytest.mark.parametrize("path", ["/stream", "/static/stream", "/v1/gurps/stream", "/v1/gurps/encounters/a/b/stream"])
async def test_what_is_only_called_a_stream_is_counted_as_any_request(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(Overload, "begin", lambda *_: "in_flight")
    async with serving() as client:
        assert (await client.get(path)).status_code == 503
        assert (await client.get("/v1/gurps/encounters/a/stream")).status_code == 404


async def test_a_flood_of_streams_is_held_off(serving: Serving) -> None:
    async with serving(max_streams_per_address=2) as client:
        opened = (await client.post("/v1/gurps/encounters", json={})).json()
        path = f"/v1/gurps/encounters/{opened['id']}/stream"
        reading = [
            asyncio.create_task(client.get(path, headers={"encounter-token": opened["spectator_token"]}))
            for _ in range(2)
        ]
        async with asyncio.timeout(30):
            while True:
                await asyncio.sleep(0.05)
                refused = await client.get(path, headers={"encounter-token": "wrong"})
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

"""Readiness: what is looked at, how often, and what comes of it."""

import asyncio

import httpx
import pytest
from pydantic import SecretStr

from service import readiness
from service.app import create_app
from service.drain import draining
from service.readiness import Readiness, State, Verdict
from service.settings import Settings

NOWHERE = SecretStr("redis://127.0.0.1:1")


@pytest.mark.parametrize(("tolerant", "status"), [(False, 503), (True, 200)])
async def test_a_store_that_is_away_makes_it_unready_unless_that_is_tolerated(*, tolerant: bool, status: int) -> None:
    app = create_app(Settings(redis_url=NOWHERE, ready_without_store=tolerant))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
            answer = await client.get("/readyz")
            alive = await client.get("/healthz")
    assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")
    assert answer.json() == {
        "status": "ready" if tolerant else "not_ready",
        "checks": {"store": "unavailable", "keys": "none"},
    }
    assert (alive.status_code, alive.headers["cache-control"]) == (200, "no-store")


async def test_a_process_that_drains_says_so(client: httpx.AsyncClient) -> None:
    draining.begin()
    try:
        answer = await client.get("/readyz")
    finally:
        draining.end()
    assert (answer.status_code, answer.json()["status"]) == (503, "draining")
    assert (await client.get("/readyz")).status_code == 200


async def test_many_who_ask_look_once() -> None:
    looks = 0

    async def check() -> State:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0.01)
        return State.OK

    asked = Readiness({"store": check})
    seen = await asyncio.gather(*(asked.look() for _ in range(100)))
    seen.append(await asked.look())
    assert looks == 1
    assert {each.status for each in seen} == {Verdict.READY}


async def test_what_was_seen_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [State.UNAVAILABLE, State.OK]

    async def check() -> State:
        return found.pop(0)

    monkeypatch.setattr(readiness, "FRESH_SECONDS", 0.01)
    asked = Readiness({"store": check})
    assert (await asked.look()).status is Verdict.NOT_READY
    await asyncio.sleep(0.02)
    assert (await asked.look()).status is Verdict.READY


async def test_one_who_goes_away_does_not_end_the_look_of_the_others() -> None:
    async def check() -> State:
        await asyncio.sleep(0.02)
        return State.OK

    asked = Readiness({"store": check})
    impatient = asyncio.create_task(asked.look())
    await asyncio.sleep(0)
    patient = asyncio.create_task(asked.look())
    impatient.cancel()
    assert (await patient).status is Verdict.READY


async def test_a_check_that_takes_too_long_is_as_good_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> State:
        await asyncio.sleep(60)
        return State.OK

    monkeypatch.setattr(readiness, "CHECK_SECONDS", 0.01)
    assert (await Readiness({"store": check}).look()).checks == {"store": State.UNAVAILABLE}


async def test_a_check_that_breaks_is_as_good_as_a_store_that_is_away(caplog: pytest.LogCaptureFixture) -> None:
    async def check() -> State:
        raise RuntimeError("no such thing")

    assert (await Readiness({"store": check}).look()).checks == {"store": State.UNAVAILABLE}
    assert "A check of readiness failed" in caplog.text

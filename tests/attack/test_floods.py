"""Much work at once: odds as wide as they are allowed, and streams that nobody reads. Others are answered meanwhile.

Connections that are slow or many: tests/connections. Limits and overload: tests/gate.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.faults import Malformations
from service.questions import QUESTIONS, Question
from service.settings import Settings
from service.store.servers import LINES
from tests.attack.honest import PATH, SECONDS, is_problem, still_answers
from tests.encounters.table import open_table

ODDS_SECONDS = 15.0
"""What the widest odds may take on a slow machine with others at work."""
EVERY_ACTION = [pytest.param(question, id="/".join(slugs)) for slugs, question in QUESTIONS.items()]
STREAMS = 60
LINES_TO_THE_STORE = 2 * LINES + 4
"""The tasks of those that stay open between a worker and its store; however many streams there were."""


def sizes(value: Any) -> Iterator[Any]:
    """The value with one of its parts larger, for every part that has a size, the largest first."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value * 4 + 40, value * 2 + 10, value + 5, value + 1)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from ({**value, key: larger} for larger in sizes(each))
    elif isinstance(value, list):
        yield from ([*value, *[value[-1]] * more] for more in (50, 8, 1) if value)
        for index, each in enumerate(value):
            yield from ([*value[:index], larger, *value[index + 1 :]] for larger in sizes(each))


def is_read(question: Question, request: Any) -> bool:
    with contextlib.suppress(Malformations):
        question.read_for_odds(request)
        return True
    return False


def grown(question: Question) -> list[Any]:
    """The example with its parts as large as the action allows, one after the other."""
    example = {key: each for key, each in question.action.example.items() if key not in ("seed", "dice")}
    found = [json.loads(json.dumps(example))]
    for _ in range(10):
        larger = next((each for each in sizes(found[-1]) if is_read(question, each)), None)
        if larger is None:
            break
        found.append(larger)
    return found


@pytest.mark.parametrize("question", EVERY_ACTION)
async def test_wide_odds_are_answered_or_refused_in_time(client: httpx.AsyncClient, question: Question) -> None:
    path = f"/v1/{question.system.slug}/{question.action.slug}/odds"
    for request in grown(question)[-2:]:
        began = time.perf_counter()
        asked = asyncio.ensure_future(client.post(path, json=request))
        while not asked.done():
            await still_answers(client)
            await asyncio.sleep(0.02)
        answer = asked.result()
        if answer.status_code != 200:
            assert is_problem(answer, 422)
            assert answer.json()["type"] in ("/problems/odds-too-wide", "/problems/malformed"), answer.text
        assert len(answer.content) < 5_000_000
        assert time.perf_counter() - began < ODDS_SECONDS


async def test_wide_odds_at_once_leave_the_quick_ones_a_lane(client: httpx.AsyncClient) -> None:
    wide = grown(QUESTIONS["storyteller", "attack"])[-1]
    asked = [asyncio.ensure_future(client.post("/v1/storyteller/attack/odds", json=wide)) for _ in range(8)]
    await asyncio.sleep(0.05)
    for _ in range(5):
        began = time.perf_counter()
        answer = await client.post(f"{PATH}/odds", json={"roll": {"skill": 12}})
        assert answer.status_code == 200
        assert time.perf_counter() - began < 2 * SECONDS
        await still_answers(client)
    for each in asked:
        each.cancel()
    await asyncio.wait(asked)


# streams


class Reader:
    """One who opens a stream and reads, or does not."""

    def __init__(self, app: FastAPI, path: str, token: str, reads: bool) -> None:
        self.begun = asyncio.Event()
        self._gone = asyncio.Event()
        self._reads = reads
        headers = [(b"encounter-token", token.encode())]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers, "root_path": "",
                 "client": ("192.0.2.61", 1), "server": ("127.0.0.1", 8000), "scheme": "http", "http_version": "1.1",
                 "asgi": {"version": "3.0"}}  # fmt: skip
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, _: Any) -> None:
        self.begun.set()
        if not self._reads:
            await self._gone.wait()

    async def leave(self) -> None:
        """Go away, without a word."""
        self._gone.set()
        await asyncio.wait_for(self.task, 5)


@pytest.mark.parametrize("reads", [True, False], ids=["read", "unread"])
async def test_streams_that_are_left_leave_nothing(store_url: str, reads: bool) -> None:
    app = create_app(Settings(redis_url=SecretStr(store_url), max_streams_per_address=STREAMS, address_rate=0))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, client=("192.0.2.62", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
            table = await open_table(client, next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps"))
            await table.join("mira")
            await table.touch()
            before = len(asyncio.all_tasks())
            for _ in range(4):
                readers = [Reader(app, f"{table.root}/stream", table.spectator, reads) for _ in range(STREAMS)]
                await asyncio.wait_for(asyncio.gather(*(reader.begun.wait() for reader in readers)), 10)
                for _ in range(3):
                    assert (await table.touch()).status_code == 201
                await still_answers(client)
                await asyncio.gather(*(reader.leave() for reader in readers))
                await settled(before + LINES_TO_THE_STORE)


async def settled(tasks: int) -> None:
    """No more tasks are left than there were, soon."""
    ending = time.monotonic() + 5
    while len(asyncio.all_tasks()) > tasks and time.monotonic() < ending:
        await asyncio.sleep(0.02)
    assert len(asyncio.all_tasks()) <= tasks, [task.get_coro() for task in asyncio.all_tasks()]


async def test_the_head_of_a_stream_is_no_stream(client: httpx.AsyncClient) -> None:
    """It would not be counted among them."""
    table = await open_table(client, next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps"))
    answer = await asyncio.wait_for(table.send("HEAD", "/stream"), 5)
    assert (answer.status_code, answer.content) == (200, b"")

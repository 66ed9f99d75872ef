"""When something of ours breaks: a problem without a trace to the client, the trace without the body to the log."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.observability.logs import formatter
from service.questions import Question
from service.store.records import Record
from service.store.store import Store
from tests.attack.honest import PATH, REQUEST, is_problem, still_answers
from tests.encounters.table import Table

SECRET = "the-secret-of-mira"


class Strange(Exception):
    """An error that nobody has thought of, whose text repeats what was sent."""


ERRORS = [Strange(SECRET), KeyError(SECRET), RecursionError(SECRET), MemoryError(SECRET), UnicodeError(SECRET),
          ZeroDivisionError(SECRET), AssertionError(SECRET), TimeoutError(SECRET), OSError(5, SECRET), StopIteration(SECRET),
          ExceptionGroup("several", [Strange(SECRET), ValueError(SECRET)])]  # fmt: skip


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the service writes to its log."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter("json"))
    logger = logging.getLogger("rulewright")
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


def broken(error: Exception) -> Any:
    def breaks(*_: Any, **__: Any) -> Any:
        raise error

    return breaks


def told_and_logged(answer: httpx.Response, log: io.StringIO) -> None:
    assert is_problem(answer, 500)
    assert SECRET not in answer.text
    assert answer.json()["type"] == "/problems/internal-error"
    line = json.loads(log.getvalue().splitlines()[-1])
    assert line["event"] == "an unexpected error"
    assert line["request_id"] == answer.headers["x-request-id"], "so that the operator finds it"
    assert "test_failures.py" in line["traceback"]
    assert SECRET not in log.getvalue()
    assert "message" not in line


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_rules_that_break(
    client: httpx.AsyncClient, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    asked = {"system": "gurps", "action": "success-roll", "request": {**REQUEST, "seed": SECRET}}
    resolution = {"randomness": {"source": "seed", "seed": SECRET}}
    with monkeypatch.context() as patched:
        patched.setattr(Question, "resolve", broken(error))
        patched.setattr(Question, "odds", broken(error))
        for path, body in [
            (PATH, asked["request"]),
            (f"{PATH}/odds", {"roll": {"skill": 12}}),
            ("/v1/batch", {"items": [asked]}),
            ("/v1/verify", {**asked, "resolution": resolution}),
        ]:
            told_and_logged(await client.post(path, json=body), log)
    await still_answers(client)


STORE = ("load", "append", "events", "remembered")
CHANGES = [("GET", "", None), ("GET", "/events", None), ("GET", "/stream", None), ("PATCH", "/combatants/mira", {}),
           ("POST", "/tokens", {"role": "spectator", "label": SECRET}), ("POST", "/undo", None), ("GET", "/verification", None),
           ("POST", "/tickets", None), ("POST", "/join", {"invite": SECRET}), ("DELETE", "/tokens/x", None)]  # fmt: skip


KNOWN = (OSError, StopIteration)
"""The store being away is a problem of its own, and a coroutine raises no StopIteration."""


@pytest.mark.parametrize(
    "error", [each for each in ERRORS if not isinstance(each, KNOWN)], ids=lambda e: type(e).__name__
)
async def test_a_store_that_breaks(
    table: Table, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    before = await table.state()
    with monkeypatch.context() as patched:
        for name in STORE:
            patched.setattr(Store, name, broken(error))
        for method, path, body in CHANGES:
            told_and_logged(await table.send(method, path, body=body, **{"idempotency-key": SECRET}), log)
    assert await table.state() == before
    assert (await table.touch()).status_code == 201
    await still_answers(table.client)


async def test_an_answer_of_the_store_that_is_no_record(
    table: Table, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    for body in (b"", b"{}", b"null", b"\xff", b'{"id": ' + SECRET.encode(), b"[" * 10_000):

        async def loaded(_: Store, __: str, body: bytes = body) -> Record:
            return Record(1, body)

        with monkeypatch.context() as patched:
            patched.setattr(Store, "load", loaded)
            answer = await table.send("GET", "")
        assert is_problem(answer, 500)
        assert SECRET not in answer.text + log.getvalue()
    assert (await table.send("GET", "")).status_code == 200


@pytest.mark.parametrize("error", ERRORS[:5], ids=lambda error: type(error).__name__)
async def test_pages_and_the_catalogue_that_break(
    client: httpx.AsyncClient, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("service.routes.catalogue.encode", broken(error))
        patched.setattr("service.routes.pages.escape", broken(error))
        for path in ("/v1/systems", "/v1/systems/gurps", "/problems/malformed"):
            told_and_logged(await client.get(path), log)
    assert (await client.get("/problems/malformed")).status_code == 200


async def test_what_breaks_before_everything_else(
    client: httpx.AsyncClient, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("service.gate.gate.Callers.known", "service.http.parse"):
        with monkeypatch.context() as patched:
            patched.setattr(place, broken(Strange(SECRET)))
            told_and_logged(await client.post(PATH, json=REQUEST), log)
    await still_answers(client)

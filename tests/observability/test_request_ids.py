"""Every request has an id, in the answer and in the log, and the trace that it belongs to."""

import logging
import re
from typing import Any

import httpx
import pytest

from service.http import header
from service.observability.identity import REQUEST_ID, current, trace_id
from tests.observability.conftest import app_with, client_of

FRESH = re.compile(r"[0-9a-f]{24}")
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize("sent", ["a", "checkout-7.B_2", "x" * 64])
async def test_a_plain_id_of_the_client_is_kept(client: httpx.AsyncClient, sent: str) -> None:
    answer = await client.get("/healthz", headers={"x-request-id": sent})
    assert answer.headers.get_list("x-request-id") == [sent]


@pytest.mark.parametrize("sent", ["", "x" * 65, "a b", 'a"', "a\tb", "é", "a/b", "a\n"])
async def test_any_other_is_replaced(client: httpx.AsyncClient, sent: str) -> None:
    answer = await client.get("/healthz", headers=[(b"x-request-id", sent.encode())])
    assert FRESH.fullmatch(answer.headers["x-request-id"])


async def test_no_two_requests_get_the_same(client: httpx.AsyncClient) -> None:
    ids = {(await client.get("/healthz")).headers["x-request-id"] for _ in range(50)}
    assert len(ids) == 50


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/systems", 200),
        ("GET", "/static/docs.js", 200),
        ("GET", "/no/such/path", 404),
        ("PUT", "/v1/batch", 405),
        ("POST", "/v1/batch", 415),
        ("POST", "/v1/gurps/success-roll", 415),
        ("GET", "/breaks/it", 500),
    ],
)
async def test_every_answer_has_one(client: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await client.request(method, path)
    assert (answer.status_code, len(answer.headers.get_list("x-request-id"))) == (status, 1)


async def test_pages_of_other_origins_may_read_it(client: httpx.AsyncClient) -> None:
    answer = await client.get("/healthz", headers={"origin": "https://table.example"})
    assert "X-Request-Id" in answer.headers["access-control-expose-headers"]
    asked = {"origin": "https://table.example", "access-control-request-method": "POST"}
    preflight = await client.options("/v1/batch", headers=asked)
    assert (preflight.status_code, len(preflight.headers["x-request-id"])) == (200, 24)


async def test_what_escapes_every_layer_is_a_problem_with_an_id() -> None:
    app = app_with()

    async def broken(*_: object) -> None:
        raise RuntimeError("the sheet of Mira")

    app.guards = lambda _: _watching(broken)  # type: ignore[attr-defined]
    async with client_of(app) as client:
        answer = await client.get("/healthz", headers={"x-request-id": "r-1"})
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/internal-error")
    assert answer.headers["x-request-id"] == "r-1"


def _watching(app: object) -> object:
    from service.observability.watch import Watch

    return Watch(app, lambda *_: None)  # type: ignore[arg-type]


async def test_an_unexpected_error_is_logged_with_the_id_that_the_client_got(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Any] = []
    caplog.handler.addFilter(lambda _: seen.append(current.get()) or True)  # type: ignore[func-returns-value]
    answer = await client.get("/breaks/it", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
    assert answer.json()["type"] == "/problems/internal-error"
    assert [record.levelno for record in caplog.records if record.name == "rulewright"] == [logging.ERROR]
    assert seen[-1] is not None
    assert seen[-1][REQUEST_ID].decode() == answer.headers["x-request-id"]
    assert trace_id(header(seen[-1], b"traceparent")) == TRACE
    assert current.get() is None


@pytest.mark.parametrize(
    "traceparent",
    [
        f"00-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-00",
        f"01-{TRACE}-{PARENT}-01",
        f"cc-{TRACE}-{PARENT}-01-what-comes-later",
    ],
)
def test_a_trace_of_the_client_is_known(traceparent: str) -> None:
    assert trace_id(traceparent.encode()) == TRACE


@pytest.mark.parametrize(
    "traceparent",
    [
        "",
        TRACE,
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}-{PARENT}-01\n",
        f'00-{TRACE[:-2]}""-{PARENT}-01',
    ],
)
def test_what_is_no_trace_is_none(traceparent: str) -> None:
    assert trace_id(traceparent.encode()) is None

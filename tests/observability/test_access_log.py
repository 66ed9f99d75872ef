"""Which requests get a line, and what stands in it."""

import asyncio
import errno
import io
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request

from service.observability.access_log import LINES_PER_SECOND, access_log
from service.observability.identity import REQUEST_ID, current
from service.settings import Settings
from tests.observability.conftest import app_with, client_of

Written = Callable[[], list[dict[str, Any]]]
ALWAYS = ["event", "level", "timestamp", "method", "route", "status", "seconds", "request_id"]


async def lines_of(
    written: Written, method: str, path: str, headers: Any = None, **settings: Any
) -> list[dict[str, Any]]:
    """The lines that one request leaves."""
    async with client_of(app_with(**settings)) as client:
        written()
        await client.request(method, path, headers=headers)
    return [line for line in written() if line["event"] == "request"]


async def test_a_line_names_route_and_result(written: Written) -> None:
    [line] = await lines_of(written, "GET", "/v1/systems/none?a=secret", {"x-request-id": "r-7"}, access_log="all")
    assert list(line) == ALWAYS
    assert (line["level"], line["method"], line["route"]) == ("info", "GET", "/v1/systems/{system}")
    assert (line["status"], line["request_id"]) == (404, "r-7")
    assert 0 < line["seconds"] < 5
    assert line["timestamp"].endswith("Z")


async def test_a_line_names_the_trace(written: Written) -> None:
    sent = {"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"}
    [line] = await lines_of(written, "GET", "/healthz", sent, access_log="all")
    assert line["trace_id"] == "ab" * 16


@pytest.mark.parametrize(
    ("path", "levels"),
    [("/healthz", []), ("/no/such", []), ("/breaks/it", ["error"]), ("/slow", ["warning"])],
)
async def test_by_default_a_line_says_that_something_failed(written: Written, path: str, levels: list[str]) -> None:
    assert [line["level"] for line in await lines_of(written, "GET", path)] == levels


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
async def test_refusals_have_a_line(written: Written, status: int) -> None:
    app = app_with()

    async def refuses() -> Any:
        from starlette.responses import Response

        return Response(status_code=status)

    app.add_api_route("/refuses", refuses)
    async with client_of(app) as client:
        await client.get("/refuses")
    assert [line["status"] for line in written()] == [status]


async def test_a_flood_of_refusals_does_not_fill_the_disk(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.observability.access_log.time", SimpleNamespace(monotonic=lambda: 1_000.0))
    monkeypatch.setattr("service.observability.access_log.UNTOLD_SECONDS", 0.01)
    tell = access_log(Settings())
    token = current.set({"headers": [], REQUEST_ID: b"r-1"})
    for _ in range(500):
        tell("POST", "/a", 429, 0.001, {})
    tell("POST", "/a", 500, 0.001, {})
    current.reset(token)
    lines = written()
    assert [line["status"] for line in lines] == [429] * LINES_PER_SECOND + [500], "what is broken is told all the same"
    await asyncio.sleep(0.1)
    [told] = written()
    assert told.keys() == {"event", "level", "timestamp", "count"}, "it is of no request"
    assert (told["event"], told["count"]) == ("requests were refused without a line for each", 500 - LINES_PER_SECOND)


class FullDisk(io.BufferedIOBase):
    """A file that cannot be written to any more."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


async def test_a_line_that_cannot_be_written_is_lost_and_the_request_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: warned.append(what))
    monkeypatch.setattr("service.observability.access_log.UNTOLD_SECONDS", 0.01)
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(FullDisk()))  # type: ignore[type-var]
    async with client_of(app_with(access_log="all")) as client:
        assert (await client.get("/healthz")).status_code == 200
    tell = access_log(Settings())
    for _ in range(LINES_PER_SECOND + 1):
        tell("POST", "/a", 429, 0.001, {})
    await asyncio.sleep(0.1)
    assert warned == []


async def test_none_is_none(written: Written) -> None:
    assert await lines_of(written, "GET", "/breaks/it", access_log="none") == []


async def test_the_level_of_the_log_counts(written: Written) -> None:
    assert await lines_of(written, "GET", "/healthz", access_log="all", log_level="warning") == []


async def test_the_key_is_named_by_its_id(written: Written) -> None:
    app = app_with(access_log="all")

    async def keyed(request: Request) -> None:
        request.scope["rulewright.key"] = "0a1b2c3d4e5f"

    app.add_api_route("/keyed", keyed)
    async with client_of(app) as client:
        await client.get("/keyed")
    assert [line["key"] for line in written()] == ["0a1b2c3d4e5f"]


@pytest.mark.parametrize("path", ["/%0A%7B%22event%22:1%7D", "/a%22,%22level%22:%22x", "/%E2%80%A8"])
async def test_nothing_of_a_path_gets_into_a_line(written: Written, path: str) -> None:
    [line] = await lines_of(written, 'GE"T', path, access_log="all")
    assert (line["method"], line["route"]) == ("other", "unmatched")
    assert list(line) == ALWAYS


async def test_a_line_for_people_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    async with client_of(app_with(access_log="all", log_format="text")) as client:
        await client.get("/healthz")
    [line] = capsys.readouterr().err.splitlines()
    assert "request" in line
    assert "route=/healthz" in line
    assert not line.startswith("{")

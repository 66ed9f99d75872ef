"""The log as a stream: where it begins, and where it ends."""

import time

import anyio
import httpx
import pytest

from service.routes.stream import MOMENT_SECONDS
from tests.encounters.table import Table


def ids(answer: httpx.Response) -> list[int]:
    """The sequences of a stream that has ended."""
    return [int(line[4:]) for line in answer.text.splitlines() if line.startswith("id: ")]


async def stream(table: Table, after: str | None = None, query: str = "") -> httpx.Response:
    """The stream of a spectator, until it ends."""
    headers = {} if after is None else {"last-event-id": after}
    with anyio.fail_after(10):
        return await table.send("GET", f"/stream{query}", table.spectator, **headers)


async def test_the_stream_of_a_fight_ends_when_it_is_over(table: Table) -> None:
    assert (await table.send("POST", "/close")).status_code == 201
    told = await stream(table)
    assert ids(told) == [1, 2, 3, 4]
    assert "event: closed" in told.text
    assert ids(await stream(table, "2")) == [3, 4]


async def test_who_has_seen_all_of_a_fight_that_is_over_is_told_so(table: Table) -> None:
    await table.send("POST", "/close")
    for over in (await stream(table, "4"), await stream(table, query="?after=4")):
        assert (over.status_code, over.content) == (204, b"")
        assert "content-length" not in over.headers


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "99999999999", "1.5"])
async def test_an_odd_place_to_begin_is_named(table: Table, after: str) -> None:
    for name, answer in (
        ("Last-Event-ID", await stream(table, after)),
        ("after", await stream(table, query=f"?after={after}")),
        ("after", await stream(table, query="?after=")),
    ):
        assert answer.status_code == 422
        [fault] = answer.json()["errors"]
        assert (fault["code"], fault["detail"].split()[0]) == ("sequence", name)


async def test_a_token_that_was_revoked_is_told_nothing_more(table: Table) -> None:
    listed = (await table.send("GET", "/tokens")).json()["tokens"]
    spectator = next(each["id"] for each in listed if each["role"] == "spectator")
    found: list[httpx.Response] = []

    async def follow() -> None:
        found.append(await stream(table, "3"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow)
        await anyio.sleep(0.3)
        assert (await table.send("DELETE", f"/tokens/{spectator}")).status_code == 200
        await anyio.sleep(MOMENT_SECONDS)
        began = time.monotonic()
        assert (await table.touch()).status_code == 201
    assert ids(found[0]) == []
    assert time.monotonic() - began < 5


async def test_a_token_that_was_just_made_is_told_what_happens(table: Table) -> None:
    async with anyio.create_task_group() as tasks:
        found: list[httpx.Response] = []

        async def follow(token: str) -> None:
            found.append(await table.send("GET", "/stream", token, **{"last-event-id": "3"}))

        tasks.start_soon(follow, table.spectator)
        await anyio.sleep(0.3)
        await table.touch()  # now the tokens are known
        await anyio.sleep(0.2)
        made = (await table.send("POST", "/tokens", body={"role": "spectator"})).json()
        tasks.start_soon(follow, made["token"])
        await anyio.sleep(0.3)
        await table.touch()
        await table.send("POST", "/close")
    assert [ids(each) for each in found] == [[4, 5, 6]] * 2

"""Requests about fights that come without a body."""

import httpx
import pytest

from tests.encounters.table import Table


async def test_a_fight_is_opened_and_a_turn_ended_without_a_body(client: httpx.AsyncClient, table: Table) -> None:
    opened = await client.post(f"/v1/{table.system.slug}/encounters")
    assert (opened.status_code, opened.json()["state"]["own_dice"]) == (201, "gm")
    ended = await client.post(f"{table.root}/turns", headers={"encounter-token": table.gm})
    if ended.status_code != 201:  # of a system in which dice decide who is first
        assert ended.json()["errors"][0]["code"] == "no_order"
        return
    assert ended.json()["event"]["kind"] == "turn"


async def test_no_body_may_be_declared_as_json(client: httpx.AsyncClient, table: Table) -> None:
    declared = {"encounter-token": table.gm, "content-type": "application/json"}
    bare = await client.post(f"{table.root}/combatants", headers=declared)
    assert (bare.status_code, bare.json()["type"]) == (422, "/problems/malformed")
    assert (await client.post(f"/v1/{table.system.slug}/encounters", headers=declared)).status_code == 201


async def test_a_body_that_is_there_has_to_be_declared(client: httpx.AsyncClient, table: Table) -> None:
    answer = await client.post(f"{table.root}/turns", content=b"{}", headers={"encounter-token": table.gm})
    assert (answer.status_code, answer.json()["type"]) == (415, "/problems/unsupported-media-type")


async def test_no_body_where_fields_are_needed_says_which(client: httpx.AsyncClient, table: Table) -> None:
    answer = await client.post(f"{table.root}/combatants", headers={"encounter-token": table.gm})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/malformed")
    assert "#/id" in {each["pointer"] for each in answer.json()["errors"]}


async def test_a_head_of_a_fight_has_its_version(client: httpx.AsyncClient, table: Table) -> None:
    read = await client.head(table.root, headers={"encounter-token": table.spectator})
    assert (read.status_code, read.headers["etag"], read.content) == (200, '"3"', b"")


async def test_a_head_of_a_stream_ends(client: httpx.AsyncClient, table: Table) -> None:
    answer = await client.head(f"{table.root}/stream", headers={"encounter-token": table.spectator})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("path", ["/undo", "/close", "/tickets"])
@pytest.mark.parametrize(
    ("content", "declared", "status"),
    [
        (b"xx", "application/json", 400),
        (b"xx", "text/plain", 415),
        (b'{"x":1}', "application/json", 422),
        (b"[]", None, 415),
    ],
)
async def test_what_takes_no_fields_does_nothing_when_there_are_some(
    table: Table, path: str, content: bytes, declared: str | None, status: int
) -> None:
    headers = {"encounter-token": table.gm, **({"content-type": declared} if declared else {})}
    answer = await table.client.post(f"{table.root}{path}", content=content, headers=headers)
    assert answer.status_code == status
    state = await table.state()
    assert (state["version"], state["status"]) == (3, "open")
    assert (await table.send("POST", path, body={})).status_code == 201

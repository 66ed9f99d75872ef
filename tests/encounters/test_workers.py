"""Two workers over one store: what one of them remembers of an encounter never decides anything that is no longer so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.settings import Settings
from tests.encounters.table import Table, open_table


@pytest.fixture
async def tables(store_url: str) -> AsyncIterator[tuple[Table, Table]]:
    """One fight as two workers serve it; both have changed it before."""
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(2):
            app = create_app(Settings(redis_url=SecretStr(store_url)))
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx.ASGITransport(app=app)
            clients.append(
                await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://rulewright"))
            )
        one = await open_table(clients[0], SYSTEMS_WITH_FIGHTS[0])
        other = Table(clients[1], one.system, one.id, one.gm, one.spectator)
        assert (await one.join("mira")).status_code == 201
        assert (await other.touch()).status_code == 201
        assert (await one.touch()).status_code == 201
        yield one, other


async def test_changes_of_both_follow_each_other(tables: tuple[Table, Table]) -> None:
    one, other = tables
    versions = [(await each.touch()).json()["version"] for each in (other, one, one, other, other, one)]
    assert versions == [5, 6, 7, 8, 9, 10]
    events = await one.events()
    assert [event["previous"] for event in events[1:]] == [event["hash"] for event in events[:-1]]


async def test_what_the_other_did_is_known_before_a_refusal(tables: tuple[Table, Table]) -> None:
    one, other = tables
    await other.join("ogre")
    change = await one.send("PATCH", "/combatants/ogre", body={})
    assert (change.status_code, change.json()["version"]) == (201, 6)


async def test_a_token_that_the_other_handed_out_is_known(tables: tuple[Table, Table]) -> None:
    one, other = tables
    token = (await other.send("POST", "/tokens", body={"role": "gm"})).json()["token"]
    assert (await one.send("PATCH", "/combatants/mira", token, body={})).status_code == 201


async def test_a_token_that_the_other_revoked_changes_nothing(tables: tuple[Table, Table]) -> None:
    one, other = tables
    issued = (await one.send("POST", "/tokens", body={"role": "gm"})).json()
    await other.send("DELETE", f"/tokens/{issued['id']}")
    refused = await one.send("PATCH", "/combatants/mira", issued["token"], body={})
    assert (refused.status_code, refused.json()["type"]) == (401, "/problems/token-unknown")
    assert (await one.state())["version"] == 4


async def test_the_version_that_counts_is_the_newest(tables: tuple[Table, Table]) -> None:
    one, other = tables
    await other.touch()
    assert (await one.touch(**{"if-match": '"4"'})).status_code == 412
    assert (await one.touch(**{"if-match": '"5"'})).status_code == 201


async def test_a_key_that_the_other_saw_is_answered_again(tables: tuple[Table, Table]) -> None:
    one, other = tables
    first = await other.touch(**{"idempotency-key": "once"})
    assert (await one.touch(**{"idempotency-key": "once"})).content == first.content
    assert (await one.state())["version"] == 5


async def test_what_the_other_closed_is_closed(tables: tuple[Table, Table]) -> None:
    one, other = tables
    await other.send("POST", "/close")
    assert (await one.touch()).json()["type"] == "/problems/encounter-closed"


async def test_both_take_back_what_the_other_did(tables: tuple[Table, Table]) -> None:
    one, other = tables
    undone = [(await each.send("POST", "/undo")) for each in (other, one, other, one)]
    assert [each.json()["event"]["command"] for each in undone[:3]] == [{"sequence": each} for each in (4, 3, 2)]
    assert (undone[3].status_code, undone[3].json()["type"]) == (409, "/problems/nothing-to-undo")


async def test_changes_that_come_at_once_are_each_made_or_refused(tables: tuple[Table, Table]) -> None:
    one, other = tables
    sent = [
        *(each.touch() for each in (one, other) * 10),
        one.send("PATCH", "/combatants/nobody", body={}),
        one.send("POST", "/undo"),
        *(one.touch(**{"idempotency-key": key}) for key in ("a", "a", "b")),
        one.send("POST", "/turns", "unknown-token", {}),
        *(each.touch() for each in (one, other) * 10),
    ]
    answers = await asyncio.gather(*sent)
    assert sorted(each.status_code for each in answers) == [*[201] * 44, 401, 404]
    versions = [each.json()["version"] for each in answers if each.status_code == 201]
    events = await one.events()
    assert sorted(set(versions)) == list(range(5, 48))
    assert [event["sequence"] for event in events] == list(range(1, 48))
    assert (await one.send("GET", "/verification")).json()["valid"]

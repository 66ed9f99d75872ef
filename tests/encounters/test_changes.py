"""What every encounter promises, whatever its system: versions, conditions, keys, undo, the chain, the end."""

import asyncio
import hashlib
from typing import Any

import httpx
import pytest

from rules.core.evolve import evolve
from rules.core.system import System
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.encounters.kept import empty_state
from service.encounters.ledger import canonical, without_texts
from service.store.records import Conflict
from service.store.store import Store
from tests.encounters.conftest import FIGHTS
from tests.encounters.table import Table, open_table


@pytest.mark.parametrize("system", FIGHTS)
async def test_an_open_fight_answers_tokens_and_a_commitment(client: httpx.AsyncClient, system: System) -> None:
    answer = await client.post(f"/v1/{system.slug}/encounters", json={})
    body = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/{system.slug}/encounters/{body['id']}"
    assert len({body["gm_token"], body["spectator_token"], body["id"]}) == 3
    assert len(bytes.fromhex(body["commitment"])) == 32
    assert (body["version"], body["event"]["kind"], body["state"]["seed"]) == (1, "opened", None)


async def test_versions_have_no_gap_and_an_etag(table: Table) -> None:
    answer = await table.send("GET", "")
    assert (answer.json()["version"], answer.headers["etag"]) == (3, '"3"')
    assert [event["sequence"] for event in await table.events()] == [1, 2, 3]
    assert [event["kind"] for event in await table.events()] == ["opened", "joined", "joined"]


async def test_the_log_comes_in_pages(table: Table) -> None:
    first = (await table.send("GET", "/events?limit=2")).json()
    assert [event["sequence"] for event in first["events"]] == [1, 2]
    rest = (await table.send("GET", f"/events?after={first['next']}")).json()
    assert ([event["sequence"] for event in rest["events"]], rest["next"]) == ([3], None)


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=501", "limit=0", "after=99999999999", "limit=%D9%A3"])
async def test_a_page_that_is_none_is_422(table: Table, query: str) -> None:
    answer = await table.send("GET", f"/events?{query}")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/malformed")


async def test_the_state_is_the_fold_of_the_log(table: Table) -> None:
    await table.touch()
    state = empty_state()
    for event in await table.events():
        evolve(state, event["effects"])
    seen = await table.state()
    assert state == {name: seen[name] for name in state}


async def test_every_event_has_the_hash_of_the_one_before(table: Table) -> None:
    previous = None
    for event in await table.events():
        bare = {name: value for name, value in without_texts(event).items() if name != "hash"}
        assert event["previous"] == previous
        assert event["hash"] == hashlib.sha256(canonical(bare).encode()).hexdigest()
        previous = event["hash"]


async def test_a_stale_version_changes_nothing(table: Table) -> None:
    stale = await table.touch(**{"if-match": '"2"'})
    assert (stale.status_code, stale.json()["type"]) == (412, "/problems/version-mismatch")
    assert (await table.state())["version"] == 3
    assert (await table.touch(**{"if-match": '"3"'})).status_code == 201


@pytest.mark.parametrize("condition", ["x", '"a"', "-1", '"1", "2"'])
async def test_a_condition_that_is_none_is_422(table: Table, condition: str) -> None:
    assert (await table.touch(**{"if-match": condition})).status_code == 422


async def test_a_retried_change_answers_the_same_and_does_nothing(table: Table) -> None:
    first = await table.join("imp", **{"idempotency-key": "k"})
    again = await table.join("imp", **{"idempotency-key": "k"})
    assert (again.status_code, again.content) == (201, first.content)
    assert (await table.state())["version"] == 4


async def test_a_double_click_counts_once(table: Table) -> None:
    answers = await asyncio.gather(*(table.touch(**{"idempotency-key": "k"}) for _ in range(8)))
    assert len({answer.content for answer in answers}) == 1
    assert (await table.state())["version"] == 4


async def test_a_key_of_another_request_is_refused(table: Table) -> None:
    await table.touch(**{"idempotency-key": "k"})
    reused = await table.join("imp", **{"idempotency-key": "k"})
    assert (reused.status_code, reused.json()["type"]) == (422, "/problems/idempotency-key-reused")


async def test_a_key_is_the_senders_own(table: Table) -> None:
    await table.send("POST", "/undo", **{"idempotency-key": "k"})
    other = await table.send("POST", "/undo", table.spectator, **{"idempotency-key": "k"})
    assert other.status_code == 403


async def test_changes_at_once_are_all_made(table: Table) -> None:
    answers = await asyncio.gather(*(table.join(f"imp_{number}") for number in range(16)))
    assert sorted(answer.json()["version"] for answer in answers) == list(range(4, 20))
    assert len((await table.state())["combatants"]) == 18


async def test_undo_takes_back_the_last_event_that_stands(table: Table) -> None:
    before = await table.state()
    await table.join("imp")
    await table.touch()
    for _ in range(2):
        assert (await table.send("POST", "/undo")).status_code == 201
    after = await table.state()
    assert {name: after[name] for name in ("combatants", "order", "turn", "round", "pending")} == {
        name: before[name] for name in ("combatants", "order", "turn", "round", "pending")
    }
    assert [event["kind"] for event in await table.events(after=3)] == ["joined", "changed", "undone", "undone"]


async def test_there_is_an_end_to_undoing(table: Table) -> None:
    for _ in range(2):
        assert (await table.send("POST", "/undo")).status_code == 201
    nothing = await table.send("POST", "/undo")
    assert (nothing.status_code, nothing.json()["type"]) == (409, "/problems/nothing-to-undo")


async def test_a_closed_fight_reveals_its_seed_and_changes_no_more(table: Table) -> None:
    closed = (await table.send("POST", "/close")).json()["state"]
    assert hashlib.sha256(closed["seed"].encode()).hexdigest() == closed["commitment"]
    sent: list[tuple[str, str, dict[str, str] | None]] = [
        ("POST", "/turns", {}),
        ("POST", "/undo", None),
        ("POST", "/close", None),
        ("DELETE", "/combatants/ogre", None),
    ]
    for method, path, body in sent:
        answer = await table.send(method, path, body=body)
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/encounter-closed")


async def test_the_log_verifies_before_and_after_the_end(table: Table) -> None:
    await table.touch()
    verdict = (await table.send("GET", "/verification")).json()
    assert verdict == {"valid": True, "events": 4, "seed_checked": False, "difference": None}
    await table.send("POST", "/undo")
    await table.send("POST", "/close")
    verdict = (await table.send("GET", "/verification", table.spectator)).json()
    assert verdict == {"valid": True, "events": 6, "seed_checked": True, "difference": None}


@pytest.mark.parametrize("body", [[], "x", {"surprise": 1}, {"dice": "x"}, {"dice": [0]}])
async def test_a_malformed_change_changes_nothing(table: Table, body: Any) -> None:
    assert (await table.send("PATCH", "/combatants/mira", body=body)).status_code == 422
    assert (await table.state())["version"] == 3


@pytest.mark.parametrize("combatant", ["Mira", "m ira", "", "x" * 41, "../mira", "мира", "mira\u202e"])
async def test_an_id_is_snake_case(table: Table, combatant: str) -> None:
    assert (await table.join(combatant)).status_code == 422


async def test_a_fight_that_is_opened_again_with_its_key_is_the_same(client: httpx.AsyncClient) -> None:
    path, headers = "/v1/gurps/encounters", {"idempotency-key": "8c1f5a52-8a3b-4c0e-9d8e-2f4f1c0a7b11"}
    first = await client.post(path, json={"own_dice": "gm"}, headers=headers)
    again = await client.post(path, json={"own_dice": "gm"}, headers=headers)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["location"] == first.headers["location"]
    assert (
        await client.get(first.headers["location"], headers={"encounter-token": again.json()["gm_token"]})
    ).status_code == 200
    other = await client.post(path, json={"own_dice": "nobody"}, headers=headers)
    assert (other.status_code, other.json()["type"]) == (422, "/problems/idempotency-key-reused")
    guessed = await client.post(path, json={}, headers={"idempotency-key": "1"})
    assert guessed.json()["errors"][0]["code"] == "opening_key"


@pytest.mark.parametrize(("header", "code"), [("if-match", "if_match"), ("idempotency-key", "idempotency_key")])
async def test_a_condition_without_a_value_changes_nothing(table: Table, header: str, code: str) -> None:
    answer = await table.touch(**{header: ""})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)
    assert (await table.state())["version"] == 3


async def test_a_reader_who_has_the_newest_version_is_not_told_it_again(table: Table) -> None:
    first = await table.send("GET", "")
    again = await table.send("GET", "", **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert "content-length" not in again.headers
    stranger = await table.send("GET", "", "x", **{"if-none-match": first.headers["etag"]})
    assert stranger.status_code == 401
    await table.touch()
    changed = await table.send("GET", "", **{"if-none-match": first.headers["etag"]})
    assert (changed.status_code, changed.json()["version"]) == (200, first.json()["version"] + 1)


async def test_a_change_that_loses_every_race_is_contended(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(store: Store, encounter: str, **_: Any) -> Conflict:
        record = await store.load(encounter)
        assert record is not None
        return Conflict(record)

    monkeypatch.setattr(Store, "append", lost)
    answer = await table.touch()
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/contended")
    assert int(answer.headers["retry-after"]) > 0


async def test_an_id_is_taken_once(table: Table) -> None:
    taken = await table.join("mira")
    assert (taken.status_code, taken.json()["errors"][0]["code"]) == (422, "combatant_exists")


async def test_a_combatant_leaves(table: Table) -> None:
    answer = await table.send("DELETE", "/combatants/ogre")
    assert (answer.status_code, list(answer.json()["state"]["combatants"])) == (201, ["mira"])
    gone = await table.send("DELETE", "/combatants/ogre")
    assert (gone.status_code, gone.json()["type"]) == (404, "/problems/not-found")
    assert (await table.send("PATCH", "/combatants/ogre", body={})).status_code == 404


async def test_an_encounter_belongs_to_one_system(client: httpx.AsyncClient, table: Table) -> None:
    for other in SYSTEMS_WITH_FIGHTS:
        if other is not table.system:
            path = f"/v1/{other.slug}/encounters/{table.id}"
            assert (await client.get(path, headers={"encounter-token": table.gm})).status_code == 404


async def test_without_a_store_everything_else_goes_on() -> None:
    from service.app import create_app
    from service.settings import Settings

    transport = httpx.ASGITransport(app=create_app(Settings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
        away = await client.post("/v1/chronicles/encounters", json={})
        assert (away.status_code, away.json()["type"]) == (503, "/problems/store-unavailable")
        assert int(away.headers["retry-after"]) > 0
        assert (await client.post("/v1/gurps/success-roll", json={"roll": {"skill": 12}})).status_code == 200


async def test_a_fight_opens_with_dice_of_everyone(client: httpx.AsyncClient) -> None:
    table = await open_table(client, SYSTEMS_WITH_FIGHTS[0], own_dice="everyone")
    assert (await table.state())["own_dice"] == "everyone"

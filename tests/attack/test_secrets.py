"""Tokens, tickets, keys and idempotency keys: nobody gets in by guessing, forging or repeating what is another's."""

import hmac
import time
from typing import Any

import httpx
import pytest

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.encounters import access
from tests.attack.honest import PATH, REQUEST, is_problem, still_answers
from tests.encounters.table import Table, open_table
from tests.gate.conftest import Serving, bearer, keys_file, made, patient, serving

__all__ = ["keys_file", "patient", "serving"]

KEY = "0b6f6a1e-0000-4000-8000-7a3d5c1e9f42"


async def opened(client: httpx.AsyncClient, key: str, system: str = "gurps", **headers: str) -> httpx.Response:
    return await client.post(f"/v1/{system}/encounters", json={}, headers={"idempotency-key": key, **headers})


# tokens and keys


async def test_secrets_are_compared_in_constant_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []
    compare = hmac.compare_digest

    def seen(a: str, b: str) -> bool:
        compared.append((a, b))
        return compare(a, b)

    monkeypatch.setattr(hmac, "compare_digest", seen)
    tokens = len((await table.send("GET", "/tokens")).json()["tokens"])
    compared.clear()
    assert is_problem(await table.send("GET", "", "wrong"), 401)
    assert len(compared) == tokens, "with every token, whichever fits"
    assert all(len(a) == len(b) == 64 for a, b in compared), (
        "and as hashes, so that nothing can be learned of the length"
    )


async def test_guessing_ends_soon_and_tells_nothing_after_that(serving: Serving, keys_file: Any) -> None:
    _, shown = await made(keys_file, rate=1.0, burst=1_000)
    async with serving(address="192.0.2.71", keys=str(keys_file), address_rate=0.001, address_burst=100) as client:
        right = await client.post(PATH, json=REQUEST, headers=bearer(shown))
        assert (right.status_code, '"key"' in right.headers["ratelimit"]) == (200, True), "it is known from now on"
        guesses = [(await client.post(PATH, json=REQUEST, headers=bearer(f"{shown[:-6]}{n:06}"))) for n in range(12)]
        told = [answer.status_code for answer in guesses]
        assert told == [401] * told.count(401) + [429] * told.count(429)
        assert 1 <= told.count(401) <= 6
        right = await client.post(PATH, json=REQUEST, headers=bearer(shown))
        assert is_problem(right, 429), "whoever goes on does not even learn which one was right"
        for name in ("ratelimit", "ratelimit-policy"):
            assert right.headers[name].startswith('"address"')
            assert "key" not in right.headers[name]


@pytest.mark.parametrize("close", ["upper", "space", "cut", "longer", "nul", "hash", "id"])
async def test_what_is_almost_a_token_is_none(table: Table, close: str) -> None:
    token = next(each for each in (await table.send("GET", "/tokens")).json()["tokens"] if each["role"] == "gm")
    almost = {"upper": table.gm.swapcase(), "space": f"{table.gm[:-1]} ", "cut": table.gm[:-1], "longer": table.gm + "A",
              "nul": table.gm + "\0", "hash": access.hashed(table.gm), "id": token["id"]}[close]  # fmt: skip
    assert is_problem(await table.send("GET", "", almost.encode()), 401)


async def test_a_token_is_its_fights_alone(client: httpx.AsyncClient, table: Table) -> None:
    other = await open_table(client, table.system)
    for token in (other.gm, other.spectator):
        for method, path in (
            ("GET", ""),
            ("GET", "/events"),
            ("GET", "/tokens"),
            ("POST", "/close"),
            ("GET", "/stream"),
        ):
            assert is_problem(await table.send(method, path, token), 401)
        assert is_problem(await table.send("POST", "/join", body={"invite": token}), 401)
    assert (await table.state())["status"] == "open"


async def test_an_answer_never_shows_another_token(table: Table) -> None:
    seen = ""
    for token in (table.players["ogre"], table.spectator):
        for path in ("", "/events", "/verification"):
            seen += (await table.send("GET", path, token)).text
    seen += (await table.send("GET", "/tokens")).text
    secrets = [table.gm, table.spectator, *table.players.values()]
    assert not [each for each in secrets if each in seen or access.hashed(each) in seen]


# tickets


async def ticket_of(table: Table, token: str | None = None) -> str:
    answer = await table.send("POST", "/tickets", token)
    assert answer.status_code == 201
    ticket: str = answer.json()["ticket"]
    return ticket


async def stream_with(table: Table, ticket: str) -> httpx.Response:
    return await table.client.get(f"{table.root}/stream", params={"ticket": ticket})


async def test_a_ticket_that_was_made_up_is_none(client: httpx.AsyncClient, table: Table) -> None:
    ticket = await ticket_of(table, table.spectator)
    token, until, seal = ticket.split(".")
    master = (await ticket_of(table)).split(".")[0]
    other = await open_table(client, table.system)
    forged = [
        *(
            f"{token}.{int(until) + 1}.{seal}",
            f"{master}.{until}.{seal}",
            f"{token}.{until}.{seal[:-1]}",
            f"*.{until}.{seal}",
        ),
        *(f"{token}.{until}.", f"{token}.{until}", token, "", "..", f"{token}.-1.{seal}", f"{token}.٣.{seal}"),
        *(
            f"{token}.{'9' * 500}.{seal}",
            f"{token}.{until}.{seal}.",
            f"{token}.{until}.é",
            f"{token}.{until}.{seal.upper()}",
        ),
        *(f"{token}.0{until}.{seal}\0", await ticket_of(other), table.spectator),
    ]
    for each in forged:
        assert is_problem(await stream_with(table, each), 401), each
    for place in ("", "/events", "/tokens"):
        assert is_problem(await table.client.get(f"{table.root}{place}", params={"ticket": ticket}), 401), (
            "the stream alone"
        )
        assert is_problem(await table.send("GET", place, ticket), 401)


async def test_a_ticket_ends(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = await ticket_of(table)
    now = time.time() + access.TICKET_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: now)
    assert is_problem(await stream_with(table, ticket), 401)


async def test_a_ticket_of_a_revoked_token_is_none(table: Table) -> None:
    handed = (await table.send("POST", "/tokens", body={"role": "spectator"})).json()
    ticket = await ticket_of(table, handed["token"])
    assert (await table.send("DELETE", f"/tokens/{handed['id']}")).status_code == 200
    assert is_problem(await stream_with(table, ticket), 401)


# idempotency keys


async def test_another_who_sends_the_key_of_an_opening_gets_a_fight_of_his_own(serving: Serving) -> None:
    async with serving(address="192.0.2.72") as mine, serving(address="192.0.2.73") as others:
        first, again, other = await opened(mine, KEY), await opened(mine, KEY), await opened(others, KEY)
    assert first.content == again.content
    assert other.status_code == 201
    assert not {first.json()[name] for name in ("id", "gm_token", "spectator_token")} & set(
        map(str, other.json().values())
    )


async def test_another_api_key_at_the_same_address_is_another(serving: Serving, keys_file: Any) -> None:
    (_, mine), (_, others) = await made(keys_file), await made(keys_file)
    async with serving(address="192.0.2.74", keys=str(keys_file)) as client:
        first, other = [await opened(client, KEY, **bearer(shown)) for shown in (mine, others)]
    assert first.json()["gm_token"] != other.json()["gm_token"]
    assert first.json()["id"] != other.json()["id"]


async def test_the_key_of_an_opening_cannot_be_a_short_one(client: httpx.AsyncClient) -> None:
    for key in ("1", "retry", "x" * 15):
        assert is_problem(await opened(client, key), 422)


async def test_a_key_that_was_used_in_another_system_or_with_another_body_gives_no_tokens(
    client: httpx.AsyncClient,
) -> None:
    first = (await opened(client, KEY + "a")).json()
    for system in SYSTEMS_WITH_FIGHTS[::-1]:
        if system.slug != "gurps":
            answer = await opened(client, KEY + "a", system.slug)
            assert is_problem(answer, 422)
            assert first["gm_token"] not in answer.text
    headers = {"idempotency-key": KEY + "a"}
    answer = await client.post("/v1/gurps/encounters", json={"own_dice": "nobody"}, headers=headers)
    assert is_problem(answer, 422)


async def test_two_with_the_same_invite_and_the_same_key_get_tokens_of_their_own(serving: Serving) -> None:
    async with serving(address="192.0.2.75") as one, serving(address="192.0.2.76") as two:
        fight = (await one.post("/v1/gurps/encounters", json={})).json()
        sent: dict[str, Any] = {"json": {"invite": fight["spectator_token"]}, "headers": {"idempotency-key": KEY}}
        path = f"/v1/gurps/encounters/{fight['id']}/join"
        first, again, other = await one.post(path, **sent), await one.post(path, **sent), await two.post(path, **sent)
    assert first.content == again.content, "who sends it again gets the same"
    assert (first.status_code, other.status_code) == (201, 201)
    assert first.json()["token"] != other.json()["token"]
    assert first.json()["id"] != other.json()["id"]


async def test_a_key_of_one_fight_or_token_or_operation_is_none_of_another(
    client: httpx.AsyncClient, table: Table
) -> None:
    other = await open_table(client, table.system)
    await other.join("mira")
    headers = {"idempotency-key": KEY}
    mine = await table.touch(**headers)
    assert (await other.touch(**headers)).content != mine.content
    players = await table.send("PATCH", "/combatants/mira", table.players["mira"], {}, **headers)
    assert players.status_code == 201
    assert players.json()["version"] == mine.json()["version"] + 1, "another token's key is another key"
    for method, path, body in (("POST", "/tokens", {"role": "gm"}), ("POST", "/close", None), ("POST", "/undo", None)):
        answer = await table.send(method, path, body=body, **headers)
        assert is_problem(answer, 422)
        assert answer.json()["type"] == "/problems/idempotency-key-reused"
    assert (await table.state())["status"] == "open"
    await still_answers(client)


async def test_a_revoked_token_is_told_no_answer_again(table: Table) -> None:
    handed = (await table.send("POST", "/tokens", body={"role": "gm"})).json()
    headers = {"idempotency-key": KEY}
    assert (await table.send("PATCH", "/combatants/mira", handed["token"], {}, **headers)).status_code == 201
    await table.send("DELETE", f"/tokens/{handed['id']}")
    assert is_problem(await table.send("PATCH", "/combatants/mira", handed["token"], {}, **headers), 401)

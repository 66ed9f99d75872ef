"""Who may see and do what: every endpoint against every role, tokens, invites, tickets."""

import re
from typing import Any

import httpx
import pytest

from rules.catalogue import SYSTEMS
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.encounters.kept import rules_of
from service.openapi import document
from tests.encounters.table import Table, open_table

# What each role is answered, for every operation of an encounter; 422 is a body that is none, so the role was let through.
EXPECTED = {
    ("GET", ""): {"gm": 200, "player": 200, "spectator": 200},
    ("POST", "/combatants"): {"gm": 422, "player": 422, "spectator": 422},
    ("PATCH", "/combatants/{combatant}"): {"gm": 201, "player": 201, "spectator": 403},
    ("DELETE", "/combatants/{combatant}"): {"gm": 201, "player": 403, "spectator": 403},
    ("POST", "/turns"): {"gm": 422, "player": 422, "spectator": 422},
    ("POST", "/undo"): {"gm": 201, "player": 403, "spectator": 403},
    ("POST", "/close"): {"gm": 201, "player": 403, "spectator": 403},
    ("GET", "/events"): {"gm": 200, "player": 200, "spectator": 200},
    ("GET", "/verification"): {"gm": 200, "player": 200, "spectator": 200},
    ("GET", "/tokens"): {"gm": 200, "player": 403, "spectator": 403},
    ("POST", "/tokens"): {"gm": 201, "player": 403, "spectator": 403},
    ("DELETE", "/tokens/{token}"): {"gm": 404, "player": 403, "spectator": 403},
    ("POST", "/tickets"): {"gm": 201, "player": 201, "spectator": 201},
}
BODIES: dict[str, dict[str, str]] = {"/tokens": {"role": "spectator"}, "/join": {"invite": "x"}}
ELSEWHERE = {("POST", "/join"), ("GET", "/stream")}  # a token in the body; a stream without an end: tests of their own
ROLES = ("gm", "player", "spectator")


def operations() -> set[tuple[str, str]]:
    """Every operation on an encounter in the contract, commands aside."""
    from service.app import app

    found = set()
    for path, methods in document(app)["paths"].items():
        inside = re.fullmatch(r"/v1/[a-z-]+/encounters/\{id\}(.*)", path)
        if inside and not inside[1].startswith("/actions/"):
            found |= {(method.upper(), inside[1]) for method in methods}
    return found


def test_no_endpoint_is_forgotten() -> None:
    assert operations() == set(EXPECTED) | ELSEWHERE


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "path"), EXPECTED)
async def test_endpoint(table: Table, method: str, path: str, role: str) -> None:
    token = {"gm": table.gm, "player": table.players["mira"], "spectator": table.spectator}[role]
    body = BODIES.get(path, {}) if method in ("POST", "PATCH") and path not in ("/undo", "/close", "/tickets") else None
    filled = path.replace("{combatant}", "mira").replace("{token}", "none")
    if path == "/turns":
        body = {"surprise": "x"}  # whether a turn can end is the system's to say: its own tests tell
    answer = await table.send(method, filled, token, body)
    assert answer.status_code == EXPECTED[method, path][role], answer.text


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000, "\x00", "é"])
@pytest.mark.parametrize(("method", "path"), EXPECTED)
async def test_without_a_token_there_is_nothing(table: Table, method: str, path: str, token: str) -> None:
    bare = path in ("/undo", "/close", "/tickets") or method not in ("POST", "PATCH")
    body: Any = None if bare else BODIES.get(path, {})
    if path == "/combatants":
        body = {"id": "imp", "name": "Imp", "sheet": dict(table.system.encounter.sheet_example)}  # type: ignore[union-attr]
    filled = path.replace("{combatant}", "mira").replace("{token}", "none")
    answer = await table.send(method, filled, token.encode("utf-8"), body)  # type: ignore[arg-type]
    assert answer.status_code == 401, answer.text


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_only_the_game_master_adds_combatants(table: Table, role: str) -> None:
    token = {"player": table.players["mira"], "spectator": table.spectator}[role]
    body = {"id": "imp", "name": "Imp", "sheet": dict(table.system.encounter.sheet_example)}  # type: ignore[union-attr]
    assert (await table.send("POST", "/combatants", token, body)).status_code == 403


async def test_a_player_does_not_change_another(table: Table) -> None:
    assert (await table.send("PATCH", "/combatants/ogre", table.players["mira"], {})).status_code == 403


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_others_do_not_end_a_turn(table: Table, role: str) -> None:
    token = {"player": table.players["ogre"], "spectator": table.spectator}[role]
    assert (await table.send("POST", "/turns", token, {})).status_code == 403


async def test_a_spectator_gives_no_commands(table: Table) -> None:
    for command in table.system.encounter.commands:  # type: ignore[union-attr]
        answer = await table.send("POST", f"/actions/{command.slug}", table.spectator, dict(command.example))
        assert answer.status_code == 403, (command.slug, answer.text)


async def test_a_game_masters_command_is_no_players(table: Table) -> None:
    for command in table.system.encounter.commands:  # type: ignore[union-attr]
        if command.gm_only:
            answer = await table.send("POST", f"/actions/{command.slug}", table.players["mira"], dict(command.example))
            assert answer.status_code == 403, (command.slug, answer.text)


async def test_a_player_hides_nothing(table: Table) -> None:
    for command in table.system.encounter.commands:  # type: ignore[union-attr]
        body = {**command.example, "visibility": "gm"}
        answer = await table.send("POST", f"/actions/{command.slug}", table.players["mira"], body)
        assert answer.status_code == 403, (command.slug, answer.text)


@pytest.mark.parametrize("visibility", ["everyone", None, 1, [], {}])
async def test_a_visibility_that_there_is_not(table: Table, visibility: Any) -> None:
    command = table.system.encounter.commands[0]  # type: ignore[union-attr]
    body = {**command.example, "visibility": visibility}
    answer = await table.send("POST", f"/actions/{command.slug}", body=body)
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == ["#/visibility"]


async def test_a_leaked_invite_is_revoked_with_all_that_came_of_it(table: Table) -> None:
    joined = (await table.send("POST", "/join", "", {"invite": table.spectator, "label": "Ann"})).json()
    assert (joined["role"], joined["token"] != table.spectator) == ("spectator", True)
    second = (await table.send("POST", "/join", "", {"invite": joined["token"]})).json()
    listed = (await table.send("GET", "/tokens")).json()["tokens"]
    invite = next(each["id"] for each in listed if each["role"] == "spectator" and each["parent"] is None)
    assert "hash" not in listed[0]
    assert (await table.send("DELETE", f"/tokens/{invite}")).status_code == 200
    for token in (table.spectator, joined["token"], second["token"]):
        assert (await table.send("GET", "", token)).status_code == 401
    assert (await table.send("GET", "", table.players["mira"])).status_code == 200


async def test_a_token_is_issued_anew_for_a_combatant(table: Table) -> None:
    issued = (await table.send("POST", "/tokens", body={"role": "player", "combatants": ["ogre"]})).json()
    assert (await table.send("GET", "", issued["token"])).status_code == 200
    unknown = await table.send("POST", "/tokens", body={"role": "player", "combatants": ["imp"]})
    assert unknown.json()["errors"][0]["pointer"] == "#/combatants"


async def test_an_invite_that_is_none_opens_nothing(table: Table) -> None:
    assert (await table.send("POST", "/join", "", {"invite": "x"})).status_code == 401


async def test_no_secret_is_in_the_store_or_the_log(table: Table) -> None:
    shown = str(await table.events()) + str(await table.state())
    for secret in (table.gm, table.spectator, *table.players.values()):
        assert secret not in shown


def test_every_system_keeps_fights() -> None:
    assert list(SYSTEMS_WITH_FIGHTS) == list(SYSTEMS)


async def test_what_was_rolled_at_the_table_is_not_told_where_no_dice_may_be_brought(client: httpx.AsyncClient) -> None:
    chronicles = next(system for system in SYSTEMS if system.slug == "chronicles")
    body = {"actor": "mira", "target": "ogre", "attack": {"successes": 9}}
    for own_dice, player, master in (("nobody", 403, 403), ("gm", 403, 201), ("everyone", 201, 201)):
        for who, expected in (("player", player), ("gm", master)):
            table = await open_table(client, chronicles, own_dice=own_dice)
            for combatant in ("mira", "ogre"):
                await table.join(combatant)
            token = table.gm if who == "gm" else table.players["mira"]
            answer = await table.send("POST", "/actions/attack", token, body)
            assert answer.status_code == expected, (own_dice, who, answer.text)


async def test_a_player_dodges_an_attack_that_was_rolled_at_the_table(client: httpx.AsyncClient) -> None:
    chronicles = next(system for system in SYSTEMS if system.slug == "chronicles")
    table = await open_table(client, chronicles, own_dice="nobody")
    await table.join("mira")
    body = {"actor": "mira", "attack_successes": 3}
    answer = await table.send("POST", "/actions/dodge", table.players["mira"], body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["event"]["resolution"]["randomness"]["source"] == "seed"


async def test_nobody_acts_for_another_with_the_same_id(table: Table) -> None:
    anna = table.players["mira"]
    assert (await table.send("DELETE", "/combatants/mira")).status_code == 201
    assert (await table.join("mira")).status_code == 201
    command = next(each for each in rules_of(table.system).commands if "actor" in each.example)
    body = {**command.example, "actor": "mira"}
    refused = await table.send("POST", f"/actions/{command.slug}", anna, body)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (403, "another_combatant")
    assert (await table.send("GET", "", anna)).status_code == 200


async def test_the_last_game_master_stays(table: Table) -> None:
    listed = (await table.send("GET", "/tokens")).json()["tokens"]
    own = next(each["id"] for each in listed if each["role"] == "gm")
    kept = await table.send("DELETE", f"/tokens/{own}")
    assert (kept.status_code, kept.json()["errors"][0]["code"]) == (422, "last_gm_token")
    await table.send("POST", "/tokens", body={"role": "gm"})
    assert (await table.send("DELETE", f"/tokens/{own}")).json() == {"revoked": [own]}


async def test_a_refusal_says_what_forbids_it_in_the_language_of_its_reader(client: httpx.AsyncClient) -> None:
    storyteller = next(system for system in SYSTEMS if system.slug == "storyteller")
    table = await open_table(client, storyteller)
    for combatant in ("mira", "ogre"):
        await table.join(combatant)
    headers = {"accept-language": "ru"}
    body = {"actor": "mira", "target": "ogre", "maneuver": "strike"}
    refused = (await table.send("POST", "/actions/attack", body=body, **headers)).json()
    assert refused["refused_by"] == [each["code"] for each in refused["errors"]]
    assert all(re.search("[а-я]", each["detail"]) for each in refused["errors"])
    for path in ("/turns", "/undo"):
        foreign = (await table.send("POST", path, table.spectator, {}, **headers)).json()
        assert foreign["errors"][0]["code"] == "role"

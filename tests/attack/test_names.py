"""Names that people are shown: what cannot be seen is refused, and everything else comes back exactly as it was sent."""

import unicodedata

import httpx
import pytest

from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.encounters.kept import rules_of
from tests.attack.honest import is_problem
from tests.encounters.table import Table, open_table

UNSEEN = {
    "newline": "Mira\nOgre",
    "return": "Mira\r",
    "tab": "Mi\tra",
    "escape": "\x1b[31mMira",
    "delete": "Mira\x7f",
    "next line": "Mira\x85",
    "C1": "\x9b31mMira",
    "line separator": "Mira\u2028",
    "paragraph separator": "Mira\u2029",
    "override": "\u202eariM",
    "embedding": "\u202aMira\u202c",
    "isolate": "\u2067Mira\u2069",
    "zero width space": "Mi\u200bra",
    "word joiner": "Mi\u2060ra",
    "byte order mark": "\ufeffMira",
    "annotation": "Mira\ufff9",
    "spaces": "  \u00a0",
    "joiners": "\u200d\u200c",
    "fillers": "\u3164\u115f",
    "braille blank": "\u2800",
    "soft hyphen": "\u00ad",
}
AS_SENT = {
    "formula": '=HYPERLINK("http://evil.example","Mira")',
    "at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "plus": "+cmd|' /C calc'!A0",
    "minus": "-2+3",
    "markup": "<script>alert(1)</script>",
    "json": '"},{"admin":true',
    "composed": unicodedata.normalize("NFC", "Zoë"),
    "decomposed": unicodedata.normalize("NFD", "Zoë"),
    "Cyrillic that looks Latin": "Мirа",
    "Persian with a joiner": "نمی\u200cخواهم",
    "family": "👨\u200d👩\u200d👧",
    "right to left": "מירה",
    "marked": "מירה\u200f!",
    "template": "{name} {{7*7}} %s ${x}",
}


async def joined(table: Table, name: str) -> httpx.Response:
    sheet = dict(rules_of(table.system).sheet_example)
    return await table.send("POST", "/combatants", body={"id": "imp", "name": name, "sheet": sheet})


@pytest.mark.parametrize("name", UNSEEN)
async def test_a_name_with_what_cannot_be_seen_is_refused(table: Table, name: str) -> None:
    answer = await joined(table, UNSEEN[name])
    assert is_problem(answer, 422)
    assert [(each["pointer"], each["code"]) for each in answer.json()["errors"]] == [("#/name", "unprintable")]
    for path, body in (("/tokens", {"role": "spectator"}), ("/join", {"invite": table.spectator})):
        answer = await table.send("POST", path, body={**body, "label": UNSEEN[name]})
        assert [(each["pointer"], each["code"]) for each in answer.json()["errors"]] == [("#/label", "unprintable")]


@pytest.mark.parametrize("text", [UNSEEN[name] for name in ("escape", "C1", "override", "zero width space")])
async def test_no_text_that_others_are_shown_has_what_cannot_be_seen(client: httpx.AsyncClient, text: str) -> None:
    gurps = next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps")
    table = await open_table(client, gurps)
    await table.join("mira")
    modifiers = [{"name": "seen", "value": 1}, {"name": text, "value": 1}]
    roll = {"actor": "mira", "purpose": "dx", "roll": {"modifiers": modifiers}}
    answer = await table.send("POST", "/actions/success-roll", body=roll)
    assert is_problem(answer, 422)
    faults = [(each["pointer"], each["code"]) for each in answer.json()["errors"]]
    assert faults == [("#/roll/modifiers/1/name", "unprintable_text")]


async def test_a_text_may_have_several_lines(client: httpx.AsyncClient) -> None:
    opened = await client.post("/v1/action-points/encounters", json={"situation": "Night.\n\tRain."})
    assert opened.status_code == 201
    wrong = await client.post("/v1/action-points/encounters", json={"situation": "Night.\u202e"})
    assert wrong.json()["errors"][0]["pointer"] == "#/situation"


@pytest.mark.parametrize("name", AS_SENT)
async def test_every_other_name_comes_back_as_it_was_sent(table: Table, name: str) -> None:
    answer = await joined(table, AS_SENT[name])
    assert answer.status_code == 201, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await table.state())["combatants"]["imp"]["name"] == AS_SENT[name]
    assert (await table.events(after=3))[0]["effects"][0]["to"]["name"] == AS_SENT[name]
    tokens = (await table.send("GET", "/tokens")).json()["tokens"]
    assert AS_SENT[name] in [token["label"] for token in tokens]
    assert (await table.send("GET", "/verification")).json()["valid"] is True


async def test_ids_tell_apart_what_names_do_not(table: Table) -> None:
    assert (await joined(table, "Mira")).status_code == 201, "a name may be there twice"
    assert is_problem(await joined(table, "Another"), 422, 409), "an id may not"

"""Ids with tricks: only an id that the service made reaches the store, and only under the fight's own system."""

from typing import Any

import httpx
import pytest

from rules.catalogue import SYSTEMS
from service.encounters.changes import ENCOUNTER_ID, Changes
from service.encounters.kept import rules_of
from service.encounters.limits import limits_of
from service.problems import Problem
from service.settings import Settings
from service.store.store import Store
from tests.attack.honest import is_problem, still_answers
from tests.encounters.table import Table

TRICKS = ["..", "%2e%2e", "..%2f..", "%2F", "%00", "a%00", ";", "a;b=c", "*", "?", "[a-z]*", "{a}", "%7Ba%7D", "{}", "{", "}",
          "}:record", "a}:log{b", "any", "owner:", "%0a", "%0d%0aSET%20x%201", "é", "%D9%A3", "%ff%fe", "%ED%A0%80", "+", "-1",
          "0", "None", "null", "undefined", "__proto__", "a" * 10_000, "' or 1=1", "$(id)", "`id`", "%", "%zz", "A" * 20,
          "g" * 20,
          "0" * 19, "0" * 21, "0" * 20 + "%0a", "٣" * 20]  # fmt: skip


@pytest.fixture
def looked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The encounters that the store is asked for."""
    asked: list[str] = []
    load = Store.load

    async def loaded(self: Store, encounter: str) -> Any:
        asked.append(encounter)
        return await load(self, encounter)

    monkeypatch.setattr(Store, "load", loaded)
    return asked


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "TRACE"])
async def test_an_id_with_a_trick_is_not_found(table: Table, looked_for: list[str], method: str) -> None:
    answers = []
    for trick in TRICKS:
        for path in ("", "/events", "/turns", "/stream", "/tokens/x", "/combatants/mira"):
            url = f"http://rulewright/v1/gurps/encounters/{trick}{path}"
            body: dict[str, Any] = {"json": {}} if method in ("POST", "PATCH") else {}
            answers.append(await table.client.request(method, url, headers={"encounter-token": table.gm}, **body))
    for answer in answers:
        assert is_problem(answer, 404, 405, 400, 422), answer.url
    assert set(looked_for) <= {table.id}
    assert all(ENCOUNTER_ID.fullmatch(each) for each in looked_for)
    await still_answers(table.client)


async def test_an_encounter_is_its_systems_alone(table: Table) -> None:
    for system in SYSTEMS:
        for method, path in (
            ("GET", ""),
            ("GET", "/events"),
            ("GET", "/verification"),
            ("POST", "/close"),
            ("GET", "/stream"),
        ):
            if system is not table.system:
                url = f"/v1/{system.slug}/encounters/{table.id}{path}"
                answer = await table.client.request(method, url, headers={"encounter-token": table.gm})
                assert is_problem(answer, 404)
    assert (await table.state())["status"] == "open"


@pytest.mark.parametrize("made", ["", "x", "0" * 19, "G" * 20, "0" * 20 + "\n"])
async def test_the_store_is_not_even_asked(made: str) -> None:
    class Untouched:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    changes = Changes(limits_of(Settings()))
    changes.keep_in(Untouched())  # type: ignore[arg-type]
    with pytest.raises(Problem, match="not-found"):
        await changes.load(made)


async def test_ids_in_a_fight_are_plain_words(table: Table) -> None:
    sheet = dict(rules_of(table.system).sheet_example)
    plain = {"any", "null", "undefined", "g" * 20}
    for tricky in (
        *(set(TRICKS) - plain),
        "Mira",
        "míra",
        "mirа",
        "mira ",
        " mira",
        "mi-ra",
        "1mira",
        "_mira",
        "a" * 41,
    ):
        answer = await table.send("POST", "/combatants", body={"id": tricky, "name": "x", "sheet": sheet})
        assert is_problem(answer, 422), tricky


@pytest.mark.parametrize("page", ["/problems/..%2f..%2fetc%2fpasswd", "/static/..%2f..%2fapp.py", "/static/%2e%2e/app.py",
                                  "/static//etc/passwd", "/static/%00", "/static/docs.js%00.html", "/static/..\\..\\app.py",
                                  "/problems/<script>", "/docs/", "//docs", "/v1/systems/..", "/v1//batch", "/v1/./batch",
                                  "/static/" + "a" * 5_000, "/static/swagger-ui", "/%ff%fe"])  # fmt: skip
async def test_pages_that_are_not_there(client: httpx.AsyncClient, page: str) -> None:
    url = httpx.URL("http://rulewright").copy_with(raw_path=page.encode())
    answer = await client.get(url)
    assert answer.status_code in (404, 405), answer.text[:200]
    assert answer.headers["content-type"] == "application/problem+json"
    assert "<script>" not in answer.text or answer.headers["x-content-type-options"] == "nosniff"

"""What is written once for every action: odds, batch, verify, the catalogue, pages."""

import asyncio
import time
from typing import Any

import httpx
import jsonschema
import pytest

from rules.catalogue import SYSTEMS
from service.questions import QUESTIONS, Question

EVERY_ACTION = [pytest.param(question, id="/".join(slugs)) for slugs, question in QUESTIONS.items()]
SUCCESS_ROLL = {"system": "gurps", "action": "success-roll"}


def path_of(question: Question) -> str:
    return f"/v1/{question.system.slug}/{question.action.slug}"


def without_randomness(request: Any) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key not in ("seed", "dice")}


@pytest.mark.parametrize("question", EVERY_ACTION)
async def test_the_example_resolves_and_verifies(client: httpx.AsyncClient, question: Question) -> None:
    request = dict(question.action.example)
    resolution = (await client.post(path_of(question), json=request)).json()
    assert resolution["refused_by"] == []
    asked = {"system": question.system.slug, "action": question.action.slug}
    for sent in (request, without_randomness(request)):
        answer = (await client.post("/v1/verify", json={**asked, "request": sent, "resolution": resolution})).json()
        assert answer == {"valid": True, "reason": "follows", "ruleset": question.system.ruleset, "difference": None}


@pytest.mark.parametrize("question", EVERY_ACTION)
async def test_odds_of_the_example_add_up(client: httpx.AsyncClient, question: Question) -> None:
    answer = (await client.post(f"{path_of(question)}/odds", json=without_randomness(question.action.example))).json()
    rows = answer["distribution"]
    assert sum(int(row["numerator"]) for row in rows) == int(answer["denominator"])
    assert sum(row["probability"] for row in rows) == pytest.approx(1)
    assert all(list(row["outcome"]) == answer["fields"] for row in rows)


@pytest.mark.parametrize("field", ["seed", "dice"])
async def test_odds_take_no_randomness(client: httpx.AsyncClient, field: str) -> None:
    body = {"roll": {"skill": 12}, field: "x"}
    answer = await client.post("/v1/gurps/success-roll/odds", json=body)
    assert [each["pointer"] for each in answer.json()["errors"]] == [f"#/{field}"]


async def test_odds_of_a_refused_request_are_empty(client: httpx.AsyncClient) -> None:
    answer = (await client.post("/v1/gurps/success-roll/odds", json={"roll": {"effective": 2}})).json()
    assert answer["refused_by"] == ["gurps.success.minimum"]
    assert (answer["distribution"], answer["mean"]) == ([], {})


async def test_odds_of_a_success_roll(client: httpx.AsyncClient) -> None:
    answer = (await client.post("/v1/gurps/success-roll/odds", json={"roll": {"effective": 4}})).json()
    assert answer["denominator"] == "216"
    assert answer["mean"] == {"margin": -6.5}
    assert answer["distribution"][0] == {
        "outcome": {"result": "failure", "margin": -7},
        "numerator": "27",
        "probability": 0.125,
    }
    successes = [row for row in answer["distribution"] if "success" in row["outcome"]["result"]]
    assert sum(int(row["numerator"]) for row in successes) == 4


async def test_a_server_seed_is_returned_and_repeats_the_result(client: httpx.AsyncClient) -> None:
    first = await client.post("/v1/gurps/success-roll", json={"roll": {"skill": 12}})
    seed = first.json()["randomness"]["seed"]
    assert len(bytes.fromhex(seed)) == 16
    again = await client.post("/v1/gurps/success-roll", json={"roll": {"skill": 12}, "seed": seed})
    assert again.content == first.content


async def test_a_batch_of_a_thousand_with_one_seed(client: httpx.AsyncClient) -> None:
    items = [{**SUCCESS_ROLL, "request": {"roll": {"skill": 12}}} for _ in range(1000)]
    answers = (await client.post("/v1/batch", json={"items": items, "seed": "table-7"})).json()["items"]
    assert [answer["status"] for answer in answers] == [200] * 1000
    for index in (0, 1, 31, 32, 999):
        alone = await client.post("/v1/gurps/success-roll", json={"roll": {"skill": 12}, "seed": f"table-7/{index}"})
        assert answers[index]["resolution"] == alone.json()


async def test_one_bad_item_spoils_only_itself(client: httpx.AsyncClient) -> None:
    good = {**SUCCESS_ROLL, "request": {"roll": {"skill": 12}, "seed": "own"}}
    items = [
        good,
        {**SUCCESS_ROLL, "request": {"roll": {"skill": 99}}},
        {"system": "gurps", "action": "juggle", "request": {}},
        {"system": "checkers", "action": "attack", "request": {}},
        {**SUCCESS_ROLL, "request": {"roll": {"skill": 12}, "dice": [1]}},
        {**SUCCESS_ROLL, "request": []},
        7,
        good,
    ]
    answers = (await client.post("/v1/batch", json={"items": items, "seed": "all"})).json()["items"]
    assert [answer["status"] for answer in answers] == [200, 422, 422, 422, 422, 422, 422, 200]
    pointers = [answer["problem"]["errors"][0]["pointer"] for answer in answers if answer["problem"]]
    assert pointers == ["#/request/roll/skill", "#/action", "#/system", "#/request/dice", "#/request", "#"]
    assert answers[0]["resolution"]["randomness"]["seed"] == "own"
    assert answers[4]["problem"]["needed"]["count"] == 2


@pytest.mark.parametrize("items", [[], [{**SUCCESS_ROLL, "request": {}}] * 1001, "x"])
async def test_a_batch_has_bounds(client: httpx.AsyncClient, items: Any) -> None:
    answer = await client.post("/v1/batch", json={"items": items})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "#/items")


async def test_verify_names_the_first_difference(client: httpx.AsyncClient) -> None:
    request = {"roll": {"skill": 12}, "seed": "table-7"}
    resolution = (await client.post("/v1/gurps/success-roll", json=request)).json()
    for path, pointer in [
        (("outcome", "roll"), "#/outcome/roll"),
        (("audit", 0, "value"), "#/audit/0/value"),
        (("audit", 1, "dice", "faces", 2), "#/audit/1/dice/faces/2"),
        (("audit", 1, "rule"), "#/audit/1/rule"),
        (("randomness", "faces", 0), "#/randomness/faces/0"),
    ]:
        claimed = (await client.post("/v1/gurps/success-roll", json=request)).json()
        place: Any = claimed
        for step in path[:-1]:
            place = place[step]
        actual = place[path[-1]]
        place[path[-1]] = 99 if isinstance(actual, int) else "gurps.other"
        answer = (
            await client.post("/v1/verify", json={**SUCCESS_ROLL, "request": request, "resolution": claimed})
        ).json()
        assert (answer["valid"], answer["reason"]) == (False, "differs")
        assert answer["difference"] == {"pointer": pointer, "expected": actual, "actual": place[path[-1]]}
    assert resolution["refused_by"] == []


async def test_verify_does_not_judge_another_ruleset(client: httpx.AsyncClient) -> None:
    request = {"roll": {"skill": 12}, "seed": "table-7"}
    claimed = (await client.post("/v1/gurps/success-roll", json=request)).json()
    claimed["ruleset"] = "9.0.0"
    answer = (await client.post("/v1/verify", json={**SUCCESS_ROLL, "request": request, "resolution": claimed})).json()
    assert answer == {"valid": False, "reason": "unknown_ruleset", "ruleset": "1.0.0", "difference": None}


async def test_verify_ignores_the_language_of_texts(client: httpx.AsyncClient) -> None:
    request = {"roll": {"skill": 12}, "seed": "table-7"}
    claimed = (await client.post("/v1/gurps/success-roll", json=request, headers={"accept-language": "ru"})).json()
    answer = await client.post("/v1/verify", json={**SUCCESS_ROLL, "request": request, "resolution": claimed})
    assert answer.json()["valid"] is True


@pytest.mark.parametrize(
    ("randomness", "pointer"),
    [
        (None, "#/randomness"),
        ({"source": "oracle"}, "#/randomness/source"),
        ({"source": "dice", "faces": [1, 2]}, "#/randomness/faces"),
        ({"source": "dice", "faces": [1, 2, 3, 4]}, "#/randomness/faces"),
        ({"source": "dice", "faces": ["x"]}, "#/randomness/source"),
    ],
)
async def test_verify_survives_any_randomness(client: httpx.AsyncClient, randomness: Any, pointer: str) -> None:
    claimed = {"ruleset": "1.0.0", "randomness": randomness}
    asked = {**SUCCESS_ROLL, "request": {"roll": {"skill": 12}}, "resolution": claimed}
    answer = await client.post("/v1/verify", json=asked)
    assert (answer.status_code, answer.json()["difference"]["pointer"]) == (200, pointer)


async def test_verify_of_a_malformed_request_points_into_it(client: httpx.AsyncClient) -> None:
    asked = {**SUCCESS_ROLL, "request": {"roll": {"skill": 99}}, "resolution": {}}
    answer = await client.post("/v1/verify", json=asked)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "#/request/roll/skill")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("system", [system.slug for system in SYSTEMS])
async def test_the_catalogue_is_whole(client: httpx.AsyncClient, system: str, language: str) -> None:
    headers = {"accept-language": language}
    listed = (await client.get("/v1/systems", headers=headers)).json()["systems"]
    summary = next(each for each in listed if each["slug"] == system)
    described = (await client.get(summary["links"]["self"], headers=headers)).json()
    assert [each["slug"] for each in described["actions"]] == [each["slug"] for each in summary["actions"]]
    ids = {rule["id"] for rule in described["rules"]}
    for action in described["actions"]:
        assert ids >= set(action["rules"])
        jsonschema.validate(action["example_request"], action["request_schema"])
        jsonschema.validate(action["example_resolution"]["outcome"], action["outcome_schema"])
        answer = await client.post(action["path"], json=action["example_request"], headers=headers)
        assert answer.json()["outcome"] == action["example_resolution"]["outcome"]
    for option in described["options"]:
        assert option["default"] == option["values"][0]["value"]


async def test_pages_need_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    docs = await client.get("/docs")
    assert docs.status_code == 200
    for address in [part.split('"')[0] for part in docs.text.replace("href=", "src=").split('src="')[1:]]:
        assert address.startswith("/")
        assert (await client.get(address)).status_code == 200


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_every_problem_type_has_a_page(client: httpx.AsyncClient, language: str) -> None:
    from service.problems import PROBLEM_TYPES

    for kind in PROBLEM_TYPES:
        page = await client.get(f"/problems/{kind.name}", headers={"accept-language": language})
        assert page.status_code == 200
        assert f'<html lang="{language}">' in page.text
    assert (await client.get("/problems/none")).status_code == 404


async def test_health(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "alive"}
    assert (await client.get("/readyz")).json() == {"status": "ready", "checks": {"store": "none", "keys": "none"}}


async def test_a_browser_elsewhere_may_ask(client: httpx.AsyncClient) -> None:
    headers = {
        "origin": "https://table.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
        "access-control-request-private-network": "true",
    }
    preflight = await client.options("/v1/gurps/success-roll", headers=headers)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert preflight.headers["access-control-allow-private-network"] == "true"
    assert int(preflight.headers["access-control-max-age"]) > 3600
    answer = await client.post(
        "/v1/gurps/success-roll", json={"roll": {"skill": 99}}, headers={"origin": "https://x.example"}
    )
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (422, "*")


async def test_wide_odds_do_not_hold_up_others(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> None:
        until = time.perf_counter() + 0.5
        while time.perf_counter() < until:
            sum(range(1000))
        raise AssertionError("only its time matters")

    monkeypatch.setattr(Question, "odds", slow)
    wide = asyncio.create_task(client.post("/v1/gurps/success-roll/odds", json={"roll": {"skill": 12}}))
    await asyncio.sleep(0.05)
    started = time.perf_counter()
    assert (await client.get("/healthz")).status_code == 200
    assert time.perf_counter() - started < 0.25
    assert not wide.done()
    assert (await wide).status_code == 500


async def test_quick_odds_do_not_wait_behind_wide_ones(client: httpx.AsyncClient) -> None:
    wide = {"actor": {"total": 20}, "opponent": {"total": 20}}
    asked = [asyncio.create_task(client.post("/v1/chronicles/contested-roll/odds", json=wide)) for _ in range(6)]
    await asyncio.sleep(0.05)
    quick = await client.post("/v1/gurps/success-roll/odds", json={"roll": {"skill": 12}})
    assert quick.status_code == 200
    assert sum(task.done() for task in asked) < len(asked)
    told = {answer.status_code for answer in await asyncio.gather(*asked)}
    assert 200 in told
    assert told <= {200, 429}, "the later ones may find nothing left to be paid from"

"""Whatever is sent, the answer is a problem that names the place, never a 500."""

import json
from typing import Any

import httpx
import pytest

PATH = "/v1/gurps/success-roll"
JSON = {"content-type": "application/json"}
GOOD = b'{"roll": {"skill": 12}}'


async def sent(client: httpx.AsyncClient, body: bytes, path: str = PATH, **headers: str) -> httpx.Response:
    return await client.post(path, content=body, headers={**JSON, **headers})


def errors(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.headers["content-type"] == "application/problem+json"
    return [(each["pointer"], each["code"]) for each in answer.json()["errors"]]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "json_syntax"),
        (b"{", "json_syntax"),
        (b"{} {}", "json_syntax"),
        (b"\xff\xfe{}", "json_utf8"),
        (b'{"roll": {"skill": NaN}}', "json_constant"),
        (b'{"roll": {"skill": Infinity}}', "json_constant"),
        (b'{"roll": {"skill": -Infinity}}', "json_constant"),
        (b'{"seed": "a\x00b"}', "json_syntax"),
        (b"[" * 100_000, "json_nesting"),
        (b'{"a":' * 100_000, "json_nesting"),
        (b"[" * 100_000 + b"]" * 100_000, "json_nesting"),
    ],
)
@pytest.mark.parametrize("path", [PATH, f"{PATH}/odds", "/v1/batch", "/v1/verify"])
async def test_what_is_no_json_is_400(client: httpx.AsyncClient, path: str, body: bytes, code: str) -> None:
    answer = await sent(client, body, path)
    assert (answer.status_code, errors(answer)) == (400, [("#", code)])
    assert answer.json()["type"] == "/problems/invalid-json"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"[]", [("#", "dataclass_type")]),
        (b"null", [("#", "dataclass_type")]),
        (b'"x"', [("#", "dataclass_type")]),
        (b"{}", [("#/roll", "missing")]),
        (b'{"roll": {"skill": 12}, "roll": {"skill": 13}}', [("#", "duplicate_key")]),
        (b'{"roll": {"skill": 12, "skill": 13}}', [("#/roll", "duplicate_key")]),
        (b'{"roll": {"skill": "12"}}', [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": true}}', [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": 12.5}}', [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": null}}', [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": 61}}', [("#/roll/skill", "less_than_equal")]),
        (b'{"roll": {"skill": 1e400}}', [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": ' + b"9" * 5000 + b"}}", [("#/roll/skill", "int_type")]),
        (b'{"roll": {"skill": 12}, "surprise": 1}', [("#/surprise", "unexpected_keyword_argument")]),
        (b'{"roll": {"skill": 12}, "purpose": "luck"}', [("#/purpose", "enum")]),
        (b'{"roll": {"skill": 12, "modifiers": {}}}', [("#/roll/modifiers", "tuple_type")]),
        (b'{"roll": {"skill": 12, "modifiers": [{"name": "", "value": 1}]}}',
         [("#/roll/modifiers/0/name", "string_too_short")]),
        (b'{"roll": {"skill": 12}, "seed": "a\\u0000b"}', [("#/seed", "nul")]),
        (b'{"roll": {"skill": 12}, "seed": "\\ud800"}', [("#/seed", "surrogate")]),
        (b'{"roll": {"skill": 12}, "\\ud800": 1}', [("#", "unusable_key")]),
        (b'{"roll": {"skill": 12}, "seed": 7}', [("#/seed", "string_type")]),
        (b'{"roll": {"skill": 12}, "seed": ""}', [("#/seed", "string_too_short")]),
        (b'{"roll": {"skill": 12}, "seed": "' + b"x" * 129 + b'"}', [("#/seed", "string_too_long")]),
        (b'{"roll": {"skill": 12}, "seed": "x", "dice": []}', [("#/dice", "not_together")]),
        (b'{"roll": {"skill": 12}, "dice": 3}', [("#/dice", "list_type")]),
        (b'{"roll": {"skill": 12}, "dice": [1, "2", true, 0, 7]}',
         [("#/dice/1", "int_type"), ("#/dice/2", "int_type"),
          ("#/dice/3", "greater_than_equal"), ("#/dice/4", "less_than_equal")]),
        (b'{"roll": {"skill": 12, "effective": 3}}', [("#/roll", "exactly_one")]),
        (b'{"roll": {"effective": 3, "cap": 9}}', [("#/roll/cap", "only_with")]),
        (b'{"roll": {"skill": 12}, "options": {"magic_db": "sometimes"}}', [("#/options/magic_db", "enum")]),
        (b'{"roll": {"skill": 12}, "options": {"luck": 1}}', [("#/options/luck", "unexpected_keyword_argument")]),
    ],
)  # fmt: skip
async def test_malformed_is_422_with_pointers(
    client: httpx.AsyncClient, body: bytes, expected: list[tuple[str, str]]
) -> None:
    answer = await sent(client, body)
    assert (answer.status_code, errors(answer)) == (422, expected)
    assert answer.json()["type"] == "/problems/malformed"


async def test_every_fault_is_told_at_once(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b'{"roll": {"skill": 99}, "dice": [9], "x": 1, "purpose": 2}')
    assert {pointer for pointer, _ in errors(answer)} == {"#/roll/skill", "#/dice/0", "#/x", "#/purpose"}


async def test_a_whole_float_is_an_integer(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b'{"roll": {"skill": 12.0}, "dice": [1.0, 2, 3e0]}')
    assert answer.json()["randomness"]["faces"] == [1, 2, 3]


async def test_escapes_that_are_sound_are_read(client: httpx.AsyncClient) -> None:
    answer = await sent(client, json.dumps({"roll": {"skill": 12}, "seed": "дракон 🐉"}).encode())
    assert answer.json()["randomness"]["seed"] == "дракон 🐉"


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
async def test_another_content_type_is_415(client: httpx.AsyncClient, media: str) -> None:
    answer = await client.post(PATH, content=GOOD, headers={"content-type": media})
    assert answer.status_code == 415
    assert answer.json()["type"] == "/problems/unsupported-media-type"


@pytest.mark.parametrize("charset", ["latin-1", "utf-16", '"KOI8-R"'])
async def test_another_charset_is_415_and_named(client: httpx.AsyncClient, charset: str) -> None:
    answer = await client.post(PATH, content=GOOD, headers={"content-type": f"application/json; Charset={charset}"})
    assert (answer.status_code, answer.json()["type"]) == (415, "/problems/unsupported-media-type")
    assert answer.json()["errors"][0]["detail"] == f"The body has to be UTF-8, not {charset.lower().strip(chr(34))}."


@pytest.mark.parametrize(
    "media",
    [
        "application/json; charset=utf-8",
        'application/json;profile="x"; CHARSET="UTF-8"',
        "Application/JSON",
        "application/vnd.api+json",
    ],
)
async def test_json_by_any_of_its_names_is_read(client: httpx.AsyncClient, media: str) -> None:
    assert (await client.post(PATH, content=GOOD, headers={"content-type": media})).status_code == 200


async def test_a_body_over_the_limit_is_413(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b" " * (1_048_576 + 1))
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/body-too-large")
    assert (await sent(client, GOOD + b" " * (1_048_576 - len(GOOD)))).status_code == 200


async def test_a_body_over_the_limit_in_pieces_is_413(client: httpx.AsyncClient) -> None:
    async def pieces() -> Any:
        for _ in range(40):
            yield b" " * 32_768

    assert (await client.post(PATH, content=pieces(), headers=JSON)).status_code == 413


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1/gurps/nothing", "/v1/nothing/attack", "/v1/gurps/success-roll/", "/v1/systems/x"]
)
async def test_an_unknown_path_is_404(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", PATH, "POST"),
        ("PUT", f"{PATH}/odds", "POST"),
        ("DELETE", "/v1/batch", "POST"),
        ("POST", "/v1/systems", "GET, HEAD"),
        ("POST", "/healthz", "GET, HEAD"),
        ("PUT", "/v1/gurps/encounters/x/combatants/y", "DELETE, PATCH"),
        ("PUT", "/v1/gurps/encounters/x/tokens", "GET, HEAD, POST"),
    ],
)
async def test_another_method_is_405_and_says_which(
    client: httpx.AsyncClient, method: str, path: str, allowed: str
) -> None:
    answer = await client.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    assert answer.json()["type"] == "/problems/method-not-allowed"


async def test_too_few_dice_are_a_question_back(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b'{"roll": {"skill": 12}, "dice": [1]}')
    assert answer.status_code == 422
    assert answer.json()["needed"] == {"rule": "gurps.success.roll", "count": 2, "sides": 6}


async def test_dice_left_over_are_counted(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b'{"roll": {"skill": 12}, "dice": [1, 2, 3, 4, 5]}')
    body = answer.json()
    assert (answer.status_code, body["type"], body["consumed"], body["sent"]) == (422, "/problems/dice-left-over", 3, 5)


async def test_faults_are_told_in_russian(client: httpx.AsyncClient) -> None:
    answer = await sent(client, b'{"roll": {"skill": 99}}', **{"accept-language": "ru"})
    body = answer.json()
    assert answer.headers["content-language"] == "ru"
    assert body["title"] == "Запрос составлен неверно"
    assert body["detail"] == "В запросе 1 ошибка; они перечислены в errors."
    assert body["errors"][0] == {
        "pointer": "#/roll/skill",
        "code": "less_than_equal",
        "detail": "Здесь должно быть не больше 60.",
    }


async def test_an_error_that_nobody_expected_is_a_problem_without_a_trace(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("service.routes.actions.resolution_body", broken)
    answer = await sent(client, GOOD, origin="https://table.example")
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/internal-error")
    assert "secret" not in answer.text
    assert answer.headers["access-control-allow-origin"] == "*"

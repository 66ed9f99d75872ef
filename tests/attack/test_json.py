"""Hostile JSON at every kind of endpoint: refused soon, with a small problem, and nobody else waits."""

import json
import time
from typing import Any

import httpx
import pytest

from service.json_input import parse
from tests.attack.honest import JSON, PATH, SECONDS, is_problem, still_answers
from tests.encounters.table import Table

SMALL_ANSWER = 200_000
MEGABYTE = 1_000_000
LARGE = 10_000

WHOLE = {
    "nothing": b"",
    "white space": b" \n\t ",
    "half": b'{"a": ',
    "deep arrays": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "closed deep arrays": b"[" * 50_000 + b"]" * 50_000,
    "bom": b"\xef\xbb\xbf{}",
    "utf-16": '{"a": 1}'.encode("utf-16"),
    "utf-16-le": '{"a": 1}'.encode("utf-16-le"),
    "utf-32": '{"a": 1}'.encode("utf-32"),
    "overlong slash": b'{"a": "\xc0\xaf"}',
    "overlong nul": b'{"a": "\xc0\x80"}',
    "encoded surrogate": b'{"a": "\xed\xa0\x80"}',
    "beyond unicode": b'{"a": "\xf4\x90\x80\x80"}',
    "cut in a character": b'{"a": "\xe2\x82',
    "raw nul": b'{"a": "\x00"}',
    "raw newline": b'{"a": "\n"}',
    "nul behind": b"{}\x00",
    "garbage behind": b"{} x",
    "two values": b"{}{}",
    "comment": b"{} // and so on",
    "single quotes": b"{'a': 1}",
    "comma behind": b'{"a": 1,}',
    "bad escape": b'{"a": "\\x41"}',
    "half an escape": b'{"a": "\\u00"}',
    "python": b"None",
    "yaml": b"!!python/object/apply:os.system ['id']",
    "xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
}
VALUES = {
    "infinite": b"1e999",
    "minus infinite": b"-1e999",
    "nan": b"NaN",
    "Infinity": b"Infinity",
    "long integer": b"1" + b"0" * 5_000,
    "longest integer": b"9" * MEGABYTE,
    "many large numbers": b"[" + b"1e308," * 50_000 + b"1]",
    "minus zero": b"-0",
    "minus zero point": b"-0.0",
    "float": b"12.5",
    "leading zero": b"012",
    "hexadecimal": b"0x10",
    "tiny": b"1e-999",
    "true": b"true",
    "null": b"null",
    "lone surrogate": b'"\\ud800"',
    "swapped surrogates": b'"\\udc00\\ud800"',
    "nul": b'"\\u0000"',
    "long string": b'"' + b"x" * MEGABYTE + b'"',
    "long escaped string": b'"' + b"\\u0041" * 50_000 + b'"',
    "long array": b"[" + b"0," * 200_000 + b"0]",
    "many objects": b"[" + b"{}," * 100_000 + b"{}]",
    "many objects and an escape": b"[" + b"{}," * 80_000 + b'"\\u0041"]',
    "many wrong items": b"[" + b"{}," * 80_000 + b"{}]",
    "many keys": b"{" + b",".join(b'"%x":1' % n for n in range(50_000)) + b"}",
    "many keys, the last twice": b"{" + b",".join(b'"%x":1' % n for n in range(40_000)) + b',"%x":1}' % 39_999,
    "every key twice": b"{" + b",".join(b'"%x":1,"%x":2' % (n, n) for n in range(20_000)) + b"}",
    "a long way to many": b'{"' + b"k" * 200_000 + b'":[' + b"1," * 100_000 + b'"\\u0041"]}',
    "a long way to many NULs": b'{"' + b"k" * 200_000 + b'":[' + b'"\\u0000",' * 20_000 + b"1]}",
    "depth": b"[" * 900 + b"]" * 900,
    "names of Python": b'{"__class__": {"__init__": {"__globals__": 1}}, "__dict__": {}, "__proto__": {"admin": true}}',
    "names of JavaScript": b'{"constructor": {"prototype": {"admin": true}}, "toString": 1, "": 1}',
    "formats": b'"{0.__class__} %s %n ${jndi:ldap://x} {{7*7}} <%= 1 %>"',
}
ZEROS = ("minus zero", "minus zero point", "tiny")
"""As good as any other zero."""
READERS = ("modifiers", "odds", "item", "verify", "joining", "command")
"""One field for each way in which a body is read: large values are sent there."""
FIELDS = {
    "action": ("POST", PATH, b'{"roll": {"skill": %s}}'),
    "modifiers": ("POST", PATH, b'{"roll": {"skill": 12, "modifiers": %s}}'),
    "dice": ("POST", PATH, b'{"roll": {"skill": 12}, "dice": %s}'),
    "seed": ("POST", PATH, b'{"roll": {"skill": %s}, "seed": ""}'),
    "options": ("POST", PATH, b'{"roll": {"skill": 12}, "options": %s}'),
    "odds": ("POST", f"{PATH}/odds", b'{"roll": {"skill": %s}}'),
    "items": ("POST", "/v1/batch", b'{"seed": 0, "items": %s}'),
    "item": ("POST", "/v1/batch", b'{"items": [%s]}'),
    "verify": ("POST", "/v1/verify", b'{"system": "gurps", "action": "success-roll", "resolution": {}, "request": %s}'),
    "opening": ("POST", "{systems}", b'{"own_dice": %s}'),
    "opened with": ("POST", "{systems}", b'{"options": %s}'),
    "joining": ("POST", "{root}/combatants", b'{"id": "imp", "name": "Imp", "sheet": %s}'),
    "name": ("POST", "{root}/combatants", b'{"id": "imp", "name": %s, "sheet": 0}'),
    "patch": ("PATCH", "{root}/combatants/mira", b'{"weapons": %s}'),
    "command": ("POST", "{root}/actions/attack", b'{"target": %s}'),
    "visibility": ("POST", "{root}/actions/attack", b'{"visibility": %s}'),
    "own dice": ("POST", "{root}/turns", b'{"dice": %s}'),
    "turn": ("POST", "{root}/turns", b'{"surprise": %s}'),
    "token": ("POST", "{root}/tokens", b'{"role": %s}'),
    "token of": ("POST", "{root}/tokens", b'{"role": "player", "combatants": %s}'),
    "invite": ("POST", "{root}/join", b'{"invite": %s}'),
}


async def sent(table: Table, method: str, path: str, body: bytes) -> httpx.Response:
    path = path.format(root=table.root, systems=f"/v1/{table.system.slug}/encounters")
    began = time.perf_counter()
    answer = await table.client.request(method, path, content=body, headers={**JSON, "encounter-token": table.gm})
    assert time.perf_counter() - began < SECONDS
    assert len(answer.content) < SMALL_ANSWER, "an answer is not much larger than what was asked"
    return answer


@pytest.mark.parametrize(("method", "path"), sorted({(method, path) for method, path, _ in FIELDS.values()}))
async def test_what_is_no_json(table: Table, method: str, path: str) -> None:
    for name, body in WHOLE.items():
        if name == "nothing" and "{" in path:
            continue  # of a fight that is an object without fields: tests/encounters/test_no_bodies.py
        answer = await sent(table, method, path, body)
        assert is_problem(answer, 400), name
        assert answer.json()["type"] == "/problems/invalid-json", name
    await still_answers(table.client)


@pytest.mark.parametrize("field", FIELDS)
async def test_a_hostile_value_in(table: Table, field: str) -> None:
    version = (await table.state())["version"]
    method, path, body = FIELDS[field]
    for name, value in VALUES.items():
        if len(value) > LARGE and field not in READERS:
            continue
        answer = await sent(table, method, path, body.replace(b"%s", value))
        if answer.status_code == 200 and name in ZEROS:
            continue
        if answer.status_code == 200:  # each item of a batch is answered by itself
            assert field in ("item", "items"), name
            assert all(each["status"] in (400, 422) for each in answer.json()["items"]), name
        else:
            assert is_problem(answer, 400, 401, 413, 422), name
    assert (await table.state())["version"] == version, "nothing changed"
    await still_answers(table.client)


WITHIN_A_RESOLUTION = (
    b"%s",
    b'{"randomness": %s}',
    b'{"randomness": {"source": "seed", "seed": %s}}',
    b'{"randomness": {"source": "dice", "faces": %s}}',
    b'{"ruleset": %s}',
    b'{"ruleset": "1.0.0", "randomness": {"source": "seed", "seed": "a", "faces": %s}}',
    b'{"randomness": {"source": "seed", "seed": "a"}, "outcome": %s}',
    b'{"randomness": {"source": "seed", "seed": "a"}, "system": "gurps", "audit": %s}',
)


@pytest.mark.parametrize("within", WITHIN_A_RESOLUTION)
async def test_a_hostile_resolution_does_not_follow(client: httpx.AsyncClient, within: bytes) -> None:
    for name, value in VALUES.items():
        if len(value) > LARGE and within != b'{"randomness": %s}':
            continue
        resolution = within.replace(b"%s", value)
        body = (
            b'{"system":"gurps","action":"success-roll","request":{"roll":{"skill":12}},"resolution":%b}' % resolution
        )
        began = time.perf_counter()
        answer = await client.post("/v1/verify", content=body, headers=JSON)
        assert time.perf_counter() - began < SECONDS, name
        assert len(answer.content) < 2 * len(body) + SMALL_ANSWER, name
        if answer.status_code == 200:
            assert answer.json()["valid"] is False, name
        else:
            assert is_problem(answer, 400, 413, 422), name
    await still_answers(client)


async def test_a_thousand_wrong_items_are_answered_in_bounds(client: httpx.AsyncClient) -> None:
    """The widest that a batch of a megabyte is answered."""
    wrong = {f"{n:x}": 1 for n in range(90)}
    items = [{"system": "gurps", "action": "success-roll", "request": wrong}] * 1000
    began = time.perf_counter()
    answer = await client.post("/v1/batch", json={"items": items})
    assert (answer.status_code, len(answer.json()["items"])) == (200, 1000)
    assert len(answer.content) < 12 * MEGABYTE
    assert time.perf_counter() - began < 2 * SECONDS


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"__proto__": 1}', {"__proto__": 1}),
        (b"1e17", 10**17),
        (b"1e308", 1e308),
        (b"-0.0", 0),
        (b'"\\u0041\\n"', "A\n"),
        (b'{"a": [1.0, 2.5]}', {"a": [1, 2.5]}),
    ],
)
def test_what_is_odd_and_right_is_read(body: bytes, value: Any) -> None:
    assert parse(body) == value
    assert type(parse(body)) is type(value)


async def test_a_place_below_a_long_key_is_told_as_what_encloses_it(client: httpx.AsyncClient) -> None:
    body = json.dumps({"k" * 300: {"a": "\0"}}).encode()
    answer = await client.post(PATH, content=body, headers=JSON)
    assert [(each["pointer"], each["code"]) for each in answer.json()["errors"]] == [("#", "nul")]

"""Headers and queries that want more than they say: nothing comes back that was not meant, and nobody is taken for another."""

from typing import Any

import httpx
import pytest

from service.faults import Malformations
from tests.attack.honest import JSON, PATH, REQUEST, is_problem, right_answer, still_answers
from tests.encounters.table import Table
from tests.gate.conftest import Serving, serving

__all__ = ["serving"]

REFLECTED = ("location", "etag", "x-request-id", "content-language", "allow", "retry-after", "www-authenticate")
SPOOFED = {
    "host": "evil.example",
    "forwarded": "for=203.0.113.9;host=evil.example;proto=https",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "evil.example",
    "x-forwarded-prefix": "/evil.example",
    "x-forwarded-proto": "javascript",
    "x-http-method-override": "DELETE",
    "x-method-override": "DELETE",
    "x-original-url": "/metrics",
    "x-real-ip": "203.0.113.9",
    "x-rewrite-url": "/metrics",
}
ODD = ["", " ", "*", ",", ";", "=", "\t", "é", "\x7f", "a" * 20_000, ",".join("a" * 5_000), "ru;q=1e999", "en;q=nan, ru",
       "ru;q=-1", "../../etc/passwd", "${jndi:ldap://x}", "<script>", "' or 1=1 --", "%0d%0aSet-Cookie: a=b"]  # fmt: skip
HEADERS = ("accept", "accept-language", "range", "if-none-match", "if-modified-since", "origin", "traceparent", "cookie",
           "x-request-id", "user-agent", "te", "expect", "upgrade", "authorization")  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
async def test_an_odd_header_changes_no_answer(client: httpx.AsyncClient, name: str) -> None:
    for value in ODD:
        answer = await client.post(PATH, json=REQUEST, headers={name: value.encode()})  # type: ignore[arg-type]
        assert answer.status_code == 200, value
        if name != "accept-language":
            assert answer.content == right_answer(), value
        for each in REFLECTED:
            assert value.strip() == "" or value not in answer.headers.get(each, ""), (each, value)
    await still_answers(client)


async def test_a_request_id_is_repeated_only_when_it_is_a_plain_one(client: httpx.AsyncClient) -> None:
    for given in ("a b", "a\tb", "a;b", '"a"', "a" * 65, "<b>", "é", "a,b"):
        answer = await client.get("/healthz", headers={"x-request-id": given.encode()})  # type: ignore[arg-type]
        assert len(answer.headers["x-request-id"]) == 24, given
        assert given not in answer.text


@pytest.mark.parametrize("header", SPOOFED)
async def test_what_proxies_say_is_not_believed(table: Table, header: str) -> None:
    spoof = {header: SPOOFED[header]}
    answer = await table.client.post(PATH, json=REQUEST, headers=spoof)
    assert answer.content == right_answer()
    assert (await table.send("GET", "", **spoof)).json()["id"] == table.id
    opened = await table.client.post("/v1/gurps/encounters", json={}, headers=spoof)
    assert opened.headers["location"] == f"/v1/gurps/encounters/{opened.json()['id']}"
    home = await table.client.get("/", headers=spoof)
    assert (home.status_code, home.headers["location"]) == (307, "/docs")
    for answer in (opened, home, await table.client.get("/docs", headers=spoof)):
        assert "evil" not in answer.text + str(answer.headers)


@pytest.mark.parametrize(
    "header", ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "x-cluster-client-ip"]
)
async def test_another_address_in_a_header_is_no_way_around_the_limits(serving: Serving, header: str) -> None:
    async with serving(
        address=f"192.0.2.{sum(header.encode()) % 100 + 100}", address_rate=0.001, address_burst=5
    ) as client:
        told = [
            (await client.post(PATH, json=REQUEST, headers={header: f"198.51.100.{n}"})).status_code for n in range(8)
        ]
    assert told == [200] * 5 + [429] * 3


async def test_behind_a_proxy_only_what_the_proxy_wrote_counts(serving: Serving) -> None:
    async with serving(address="10.0.0.1", address_rate=0.001, address_burst=5, trusted_hops=1) as client:
        told = []
        for n in range(8):
            forged = f"{'9' * 10_000}{n}, 198.51.100.{n}, 192.0.2.82"
            told.append((await client.post(PATH, json=REQUEST, headers={"x-forwarded-for": forged})).status_code)
    assert told == [200] * 5 + [429] * 3


@pytest.mark.parametrize(
    "value", ["x", '"', '"x"', '"-1"', '"1', "W/", '"1", "2"', '"٣"', '"1e3"', '"' + "9" * 5_000 + '"', '"0x1"']
)
async def test_an_odd_if_match_changes_nothing(table: Table, value: str) -> None:
    before = (await table.state())["version"]
    answer = await table.send("PATCH", "/combatants/mira", body={}, **{"if-match": value.encode()})  # type: ignore[arg-type]
    assert is_problem(answer, 412, 422)
    assert (await table.state())["version"] == before


async def test_an_odd_idempotency_key_is_a_key_or_a_problem(table: Table) -> None:
    for value in ("k" * 129, "k" * 20_000):
        assert is_problem(await table.touch(**{"idempotency-key": value}), 422)
    for value in ("*", "}:record", "{a}", "a b", "é", "%00", "rulewright:{x}:log", "../x", "'; FLUSHALL; --"):
        sent: dict[str, Any] = {"idempotency-key": value.encode()}
        first, again = await table.touch(**sent), await table.touch(**sent)
        assert first.status_code == 201
        assert again.content == first.content


QUERIES = ["after=-1", "after=٣", "after=%D9%A3", "after=1e3", "after=1.0", "after=0x1", "after=+1", "after=%31", "after= 1",
           "after=" + "9" * 5_000, "after=1000000000", "after=", "limit=0", "limit=-1", "limit=501", "limit=" + "1" * 20_000,
           "limit=NaN", "limit[]=1;limit=x&limit=x", "after=1&after=x", "after=%00", "after=1%0d%0a"]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:20])
async def test_an_odd_page_of_the_log_is_a_problem(table: Table, query: str) -> None:
    assert is_problem(await table.send("GET", f"/events?{query}"), 422)
    assert len(await table.events(after=0)) == 3


async def test_a_query_of_many_parameters_is_read_soon(table: Table) -> None:
    many = "&".join(f"a{n}=b" for n in range(3_000))
    assert (await table.send("GET", f"/events?{many}&after=2")).json()["events"][0]["sequence"] == 3
    await still_answers(table.client)


@pytest.mark.parametrize("said", ["-1", "٣", "x", "9" * 5_000, "1e3", "\x00", "1\t2"])
async def test_a_stream_begins_after_a_sequence_or_not_at_all(said: str) -> None:
    from service.routes.stream import _after

    for scope in (
        {"headers": [(b"last-event-id", said.encode())], "query_string": b""},
        {"headers": [], "query_string": b"after=" + said.encode()},
    ):
        with pytest.raises(Malformations) as wrong:
            _after(scope)
        assert [fault.code for fault in wrong.value.faults] == ["sequence"]


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "gzip, gzip", "chunked", "GZIP", "x-unknown"])
async def test_a_packed_body_is_not_unpacked(client: httpx.AsyncClient, encoding: str) -> None:
    bomb = bytes.fromhex("1f8b0800000000000003") + b"\x00" * 1_000
    answer = await client.post(PATH, content=bomb, headers={**JSON, "content-encoding": encoding})
    assert is_problem(answer, 415)
    await still_answers(client)


@pytest.mark.parametrize("length", ["9" * 30, "9" * 5_000, "1048577"])
async def test_a_length_beyond_all_bounds_is_told_before_the_body(client: httpx.AsyncClient, length: str) -> None:
    answer = await client.post(PATH, content=b"{}", headers={**JSON, "content-length": length})
    assert is_problem(answer, 413)


AUTHORIZATIONS = [
    *("Bearer", "Bearer ", "bearer x", "BEARER rwk_", "Bearer rwk_000000000000_" + "A" * 43, "Basic eDp4", "Bearer é"),
    *("Bearer " + "x" * 20_000, "Bearer a b", "Bearer rwk_{}_*", "Digest username=x", "rwk_x", ", Bearer x"),
]


@pytest.mark.parametrize("given", AUTHORIZATIONS, ids=lambda given: given[:20])
async def test_an_odd_authorization_opens_nothing(serving: Serving, tmp_path: Any, given: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text('{"keys": []}')
    async with serving(keys=str(path)) as client:
        answer = await client.post(PATH, json=REQUEST, headers={"authorization": given.encode()})  # type: ignore[arg-type]
        assert is_problem(answer, 401)
        assert answer.headers["www-authenticate"].startswith('Bearer realm="rulewright"')

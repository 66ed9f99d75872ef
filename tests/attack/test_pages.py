"""What browsers are told: how to take an answer, who may frame a page, and which pages may read what."""

import itertools
import re

import httpx
import pytest

from service.openapi import document
from service.problems import PROBLEM_TYPES
from service.settings import Settings
from tests.attack.honest import PATH, REQUEST, is_problem
from tests.gate.conftest import Serving, keys_file, serving
from tests.house.files import ROOT
from tests.service.conftest import app

__all__ = ["app", "keys_file", "serving"]

FOREIGN = "https://evil.example"
EVERYWHERE = ["/healthz", "/readyz", "/metrics", "/docs", "/", "/openapi.json", "/v1/systems", "/static/page.css",
              "/static/swagger-ui/swagger-ui.css", "/problems/malformed", "/nowhere", "/v1/gurps/encounters/x",
              "/v1/gurps/encounters/x/stream", "/problems/<script>alert(1)<%2fscript>"]  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS"])
async def test_every_answer_is_taken_for_what_it_is(client: httpx.AsyncClient, method: str) -> None:
    for path in EVERYWHERE:
        is_taken_for_what_it_is(await client.request(method, path))


def is_taken_for_what_it_is(answer: httpx.Response) -> None:
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers
    assert "<script>alert" not in answer.text or answer.headers["content-type"] == "application/problem+json"


def directives(answer: httpx.Response) -> dict[str, str]:
    policy = answer.headers["content-security-policy"]
    return {each.split()[0]: each.partition(" ")[2] for each in policy.split("; ")}


@pytest.mark.parametrize("path", ["/docs", *(f"/problems/{kind.name}" for kind in PROBLEM_TYPES)])
@pytest.mark.parametrize("language", ["en", "ru", '"><script>alert(1)</script>'])
async def test_no_page_runs_what_is_not_its_own(client: httpx.AsyncClient, path: str, language: str) -> None:
    answer = await client.get(path, headers={"accept-language": language})
    told = directives(answer)
    assert told["default-src"] == "'none'"
    assert (told["frame-ancestors"], told["base-uri"], told["form-action"]) == ("'none'",) * 3
    assert told.get("script-src", "'none'") == ("'self'" if path == "/docs" else "'none'")
    assert "unsafe-eval" not in str(told)
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "alert" not in answer.text
    assert not re.search(r"<script>|\son\w+=|javascript:|(src|href)=\"(?!/)", answer.text), (
        "nothing inline, nothing from elsewhere"
    )


def test_the_documentation_is_not_told_where_to_look_by_its_address() -> None:
    script = (ROOT / "service" / "static" / "docs.js").read_text("utf-8")
    assert "queryConfigEnabled" not in script, "Swagger UI takes an address from the query only when it is told to"


async def test_every_operation_has_a_preflight(client: httpx.AsyncClient, app: object) -> None:
    origins = itertools.cycle((FOREIGN, "null", "http://localhost:5173", "chrome-extension://abc"))
    for path, methods in document(app)["paths"].items():  # type: ignore[arg-type]
        for method in methods:
            asked = {
                "origin": next(origins),
                "access-control-request-method": method.upper(),
                "access-control-request-headers": "content-type, encounter-token, authorization, if-match",
                "access-control-request-private-network": "true",
            }
            answer = await client.options(path.replace("{", "").replace("}", ""), headers=asked)
            assert answer.status_code == 200, (method, path)
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "access-control-allow-credentials" not in answer.headers
            assert int(answer.headers["access-control-max-age"]) >= 7_200
            assert method.upper() in answer.headers["access-control-allow-methods"]


async def test_a_preflight_costs_nothing_and_needs_no_key(serving: Serving, keys_file: object) -> None:
    async with serving(address="192.0.2.91", keys=str(keys_file), address_rate=0.001, address_burst=3) as client:
        asked = {"origin": FOREIGN, "access-control-request-method": "POST"}
        told = [await client.options(PATH, headers=asked) for _ in range(20)]
        assert {answer.status_code for answer in told} == {200}
        assert "ratelimit" not in told[0].headers
        assert is_problem(await client.post(PATH, json=REQUEST), 401), "and is no way in"


async def test_only_named_origins_may_read(serving: Serving) -> None:
    async with serving(cors_origins="https://table.example, https://other.example:8443") as client:
        for origin in ("https://table.example", "https://other.example:8443"):
            answer = await client.post(PATH, json=REQUEST, headers={"origin": origin})
            assert answer.headers["access-control-allow-origin"] == origin
            assert "origin" in answer.headers["vary"].lower()
        for origin in (FOREIGN, "null", "https://table.example.evil.example", "http://table.example", "https://TABLE.example",
                       "https://table.example:444", "https://eviltable.example", "https://table.example/"):  # fmt: skip
            answer = await client.post(PATH, json=REQUEST, headers={"origin": origin})
            assert "access-control-allow-origin" not in answer.headers, origin
            asked = {"origin": origin, "access-control-request-method": "POST"}
            answer = await client.options(PATH, headers=asked)
            assert answer.status_code == 400
            assert "access-control-allow-origin" not in answer.headers, origin
        assert "access-control-allow-credentials" not in answer.headers


async def test_a_page_can_read_every_refusal(
    serving: Serving, keys_file: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = {"origin": FOREIGN}

    def readable(answer: httpx.Response, status: int) -> bool:
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "RateLimit" in answer.headers["access-control-expose-headers"]
        return is_problem(answer, status)

    async with serving(keys=str(keys_file)) as client:
        assert readable(await client.post(PATH, json=REQUEST, headers=origin), 401)
    async with serving(address="192.0.2.92", address_rate=0.001, address_burst=1, redis_url=None) as client:
        assert readable(await client.get("/nowhere", headers=origin), 404)
        assert readable(await client.get("/nowhere", headers=origin), 429)
    async with serving(max_body_bytes=1_024) as client:
        assert readable(await client.post(PATH, json={"a": "x" * 2_000}, headers=origin), 413)
        monkeypatch.setattr("service.routes.actions.encode", lambda _: 1 / 0)
        assert readable(await client.post(PATH, json=REQUEST, headers=origin), 500)
    async with serving(max_streams=1) as client:
        monkeypatch.setattr("service.gate.overload.Overload.begin", lambda *_: "in_flight")
        assert readable(await client.post(PATH, json=REQUEST, headers=origin), 503)


def test_the_default_lets_every_page_call_and_none_with_cookies() -> None:
    assert Settings().cors_origins == ("*",)

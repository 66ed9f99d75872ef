"""Which pages may read the answers, also those that a cache has kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.settings import Settings

NAMED = "https://table.example"
FOREIGN = "https://elsewhere.example"
LANGUAGE_AND_ORIGIN = {"Accept-Language", "Origin"}
PATHS = ("/v1/systems", "/openapi.json", "/healthz", "/nowhere", "/static/page.css")


@asynccontextmanager
async def asked_by(origins: str) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(cors_origins=origins))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
        yield client


def varies_by(answer: httpx.Response) -> set[str]:
    [line] = answer.headers.get_list("vary") or [""]
    return {each.strip() for each in line.split(",")}


@pytest.mark.parametrize("path", PATHS)
async def test_where_every_origin_may_read_all_are_answered_alike(path: str) -> None:
    async with asked_by("*") as client:
        for headers in ({}, {"origin": FOREIGN}):
            answer = await client.get(path, headers=headers)
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "ETag" in answer.headers["access-control-expose-headers"]
            assert "Origin" not in varies_by(answer)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origins", [NAMED, f"{NAMED}, https://other.example", ""])
async def test_where_some_may_read_a_cache_is_told_to_keep_them_apart(path: str, origins: str) -> None:
    async with asked_by(origins) as client:
        told: dict[str, Any] = {}
        for origin in (None, FOREIGN, NAMED):
            answer = await client.get(path, headers={} if origin is None else {"origin": origin})
            assert "Origin" in varies_by(answer), origin
            told[origin or ""] = answer.headers.get("access-control-allow-origin")
        assert told == {"": None, FOREIGN: None, NAMED: NAMED if NAMED in origins else None}


async def test_the_line_of_what_an_answer_varies_by_stays_one() -> None:
    async with asked_by(NAMED) as client:
        assert varies_by(await client.get("/v1/systems", headers={"origin": NAMED})) == LANGUAGE_AND_ORIGIN
        assert varies_by(await client.get("/v1/systems")) == LANGUAGE_AND_ORIGIN


async def test_a_question_for_methods_that_is_no_preflight_is_answered_by_the_path() -> None:
    async with asked_by(NAMED) as client:
        answer = await client.options("/healthz", headers={"origin": NAMED})
        assert answer.status_code == 405
        assert answer.headers["access-control-allow-origin"] == NAMED

"""HEAD wherever there is GET: the same answer without its body."""

import httpx
import pytest

PATHS = [
    "/healthz",
    "/readyz",
    "/v1/systems",
    "/v1/systems/gurps",
    "/openapi.json",
    "/docs",
    "/",
    "/problems/malformed",
]
DIFFERS = ("x-request-id", "ratelimit", "ratelimit-policy")


@pytest.mark.parametrize("path", [*PATHS, "/static/page.css", "/no/such", "/v1/gurps/success-roll", "/v1/systems/none"])
async def test_head_is_answered_as_get(client: httpx.AsyncClient, path: str) -> None:
    head, get = await client.head(path), await client.get(path)
    assert head.status_code == get.status_code
    assert head.content == b""
    for name, value in get.headers.items():
        if name not in DIFFERS:
            assert head.headers[name] == value, name


async def test_a_head_of_what_takes_only_posts_says_so(client: httpx.AsyncClient) -> None:
    answer = await client.head("/v1/batch")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")

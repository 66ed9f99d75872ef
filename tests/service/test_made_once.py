"""What is the same for everybody is made once, and not sent to those who have it."""

import asyncio

import httpx
import pytest

from service.routes.made_once import MadeOnce


async def test_it_is_made_once_for_all_who_wait() -> None:
    made, count = MadeOnce(), 0

    def make() -> bytes:
        nonlocal count
        count += 1
        return b"body"

    [one] = set(await asyncio.gather(*(made.get("a", make) for _ in range(20))))
    assert one.body == b"body"
    assert await made.get("a", make) is one
    assert count == 1


async def test_an_error_is_not_kept() -> None:
    made, fails = MadeOnce(), True

    def make() -> bytes:
        if fails:
            raise ValueError("not yet")
        return b"body"

    with pytest.raises(ValueError, match="not yet"):
        await made.get("a", make)
    fails = False
    assert (await made.get("a", make)).body == b"body"


async def test_each_body_has_an_etag_of_its_own() -> None:
    made = MadeOnce()
    one, same = await made.get("one", lambda: b"1"), await made.get("same", lambda: b"1")
    other = await made.get("other", lambda: b"2")
    assert one.etag == same.etag != other.etag


@pytest.mark.parametrize("path", ["/openapi.json", "/v1/systems", "/v1/systems/gurps"])
async def test_who_has_it_is_told_so(client: httpx.AsyncClient, path: str) -> None:
    first = await client.get(path)
    assert first.status_code == 200
    again = await client.get(path, headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert (await client.get(path, headers={"if-none-match": '"other"'})).content == first.content

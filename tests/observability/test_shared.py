"""What all requests share belongs to none of them."""

import asyncio
import gc
import weakref
from typing import Any

from service.observability.identity import REQUEST_ID, current
from service.store.connect import store_at
from tests.encounters.conftest import store_url

__all__ = ["store_url"]


class Request(dict[str, Any]):
    """The scope of a request, of which it can be seen whether somebody keeps it."""


async def test_connections_to_the_store_keep_no_request(store_url: str) -> None:
    store = store_at(store_url)

    async def first_request() -> "weakref.ref[Request]":
        scope = Request({REQUEST_ID: b"r-1"})
        current.set(scope)
        await store.ping()
        listening = store.listen("0123456789abcdef0123", 0)
        await anext(listening)
        await listening.aclose()
        return weakref.ref(scope)

    kept = await asyncio.create_task(first_request())
    async with asyncio.timeout(20):
        while kept() is not None:  # timers of what was waited for keep it for some seconds
            await asyncio.sleep(0.1)
            gc.collect()
    await store.close()

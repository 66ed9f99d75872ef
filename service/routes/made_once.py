"""Answers that are the same for everybody and take long to make: made once, beside the event loop, and kept."""

import asyncio
import hashlib
from collections.abc import Callable, Hashable

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response


class MadeOnce:
    """Bytes by what they are of; whoever asks while they are being made waits for the same."""

    def __init__(self) -> None:
        self._made: dict[Hashable, asyncio.Task[bytes | None]] = {}

    async def get(self, key: Hashable, make: Callable[[], bytes | None]) -> bytes | None:
        """What was made, None when there is nothing of this kind; an error is not kept."""
        making = self._made.get(key)
        if making is None or (making.done() and (making.cancelled() or making.exception() is not None)):
            making = self._made[key] = asyncio.create_task(to_thread.run_sync(make))
        return await asyncio.shield(making)


def unchanging(request: Request, body: bytes, headers: dict[str, str]) -> Response:
    """The answer with its `ETag`, or 304 to a client that has it already."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {**headers, "etag": etag, "cache-control": "public, max-age=300"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)

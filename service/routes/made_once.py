"""Answers that are the same for everybody and take long to make: made once, beside the event loop, and kept."""

import asyncio
import hashlib
from collections.abc import Callable, Hashable
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response


class Made(NamedTuple):
    """A body, and its `ETag`."""

    body: bytes
    etag: str


class MadeOnce:
    """Bodies by what they are of; whoever asks while one is being made waits for the same."""

    def __init__(self) -> None:
        self._made: dict[Hashable, asyncio.Task[Made]] = {}

    async def get(self, key: Hashable, make: Callable[[], bytes]) -> Made:
        """What was made; an error is not kept."""
        making = self._made.get(key)
        if making is None or (making.done() and (making.cancelled() or making.exception() is not None)):
            making = self._made[key] = asyncio.create_task(to_thread.run_sync(_with_etag, make))
        return await asyncio.shield(making)


def _with_etag(make: Callable[[], bytes]) -> Made:
    body = make()
    return Made(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def unchanging(request: Request, made: Made, headers: dict[str, str]) -> Response:
    """The answer with its `ETag`, or 304 to a client that has it already."""
    headers = {**headers, "etag": made.etag, "cache-control": "public, max-age=300"}
    if is_known(made.etag, request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    return Response(made.body, media_type="application/json", headers=headers)


def is_known(etag: str, if_none_match: str) -> bool:
    """Whether a client that sends this header has what the tag is of."""
    known = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return etag in known or "*" in known

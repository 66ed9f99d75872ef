"""`GET …/encounters/{id}/stream`: the log, live, as server-sent events."""

import asyncio
import contextlib
import math
import time
from urllib.parse import parse_qs

import anyio
import msgspec
from starlette.types import Receive, Scope, Send

from service import problems
from service.drain import come_back_seconds, draining
from service.encounters.access import Access, access_with, access_with_ticket
from service.encounters.changes import Changes
from service.encounters.desk import Desk
from service.encounters.kept import Kept, Status
from service.encounters.ledger import EventKind
from service.encounters.views import rendered_event
from service.faults import Fault, Malformations
from service.http import header, known_problem, send_problem, texts_for
from service.observability.metrics import open_stream
from service.problems import Problem
from service.store.errors import SlowReader, StoreError
from service.texts import Texts

PING_SECONDS = 15
MOMENT_SECONDS = 1.0
"""How old what is known of tokens may be when an event is told; a token that was revoked is told no more than that."""
RETRY_MILLISECONDS = 2000
LAST_WORDS_SECONDS = 1.0
MAX_SEQUENCE_DIGITS = 9
EVENT_STREAM = b"text/event-stream"
HEADERS = [
    (b"content-type", EVENT_STREAM + b"; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class StreamEndpoint:
    """Streams the events of one encounter after `Last-Event-ID` (or `?after=`), then each as it comes.

    The stream ends when its reader is too slow, its token is revoked, the store goes away or the fight is over; a browser then
    comes back by itself with the last id that it saw, and misses nothing. Of a fight that is over it is told, with 204, that
    nothing follows, and does not come again. A service that is about to end says when to come back.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tokens = Tokens(desk.changes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one reader."""
        texts = texts_for(scope)
        if draining.begun:
            await _elsewhere(scope, texts, send)
            return
        try:
            encounter: str = scope["path_params"]["id"]
            after = _after(scope)
            kept, access = await self._admitted(encounter, scope)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets a problem and no trace
            await send_problem(send, scope, known_problem(error))
            return
        if kept.status is Status.CLOSED and after >= kept.version:
            await _nothing_follows(send)
            return
        with open_stream(scope):
            await self._stream(kept, access, after, texts, scope, receive, send)

    async def _stream(
        self, kept: Kept, access: Access, after: int, texts: Texts, scope: Scope, receive: Receive, send: Send
    ) -> None:
        await _begin(send, texts)
        await _send(send, b"retry: %d\n\n" % RETRY_MILLISECONDS)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_gone, receive, tasks.cancel_scope)
            with draining.told(tasks.cancel_scope.cancel), contextlib.suppress(StoreError, SlowReader, Problem):
                await self._follow(kept, access, after, texts, scope, send)
            tasks.cancel_scope.cancel()
        await _end(send)

    async def _admitted(self, encounter: str, scope: Scope) -> tuple[Kept, Access]:
        _, kept = await self._desk.changes.load(encounter)
        if kept.system != self._desk.system.slug:
            raise Problem(problems.NOT_FOUND)
        token = header(scope, b"encounter-token").decode("latin-1")
        ticket = parse_qs(scope["query_string"].decode("latin-1")).get("ticket")
        return kept, access_with(kept, token) if token or not ticket else access_with_ticket(kept, ticket[0])

    async def _follow(self, kept: Kept, access: Access, after: int, texts: Texts, scope: Scope, send: Send) -> None:
        began = checked = time.monotonic()
        async with contextlib.aclosing(self._desk.changes.store.listen(kept.id, after)) as pages:
            async for page in pages:
                if page:
                    await self._still_admitted(kept.id, access, began)
                for sequence, body in page:
                    kind = msgspec.json.decode(body, type=_Kind).kind
                    data = rendered_event(body, access.role, texts)
                    await _send(send, b"id: %d\nevent: %s\ndata: %s\n\n" % (sequence, kind.encode(), data))
                    if kind == EventKind.CLOSED:
                        return
                if time.monotonic() - checked > PING_SECONDS:
                    checked = time.monotonic()
                    await self._still_admitted(kept.id, access, began)
                    await _send(send, b": still here\n\n")

    async def _still_admitted(self, encounter: str, access: Access, since: float) -> None:
        if access.token.id not in await self._tokens.of(encounter, since):
            raise Problem(problems.TOKEN_UNKNOWN)


class Tokens:
    """The ids of the tokens of encounters, a moment old at most; many streams of one encounter ask at the same time."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._known: dict[str, tuple[float, asyncio.Task[frozenset[str]]]] = {}

    async def of(self, encounter: str, since: float) -> frozenset[str]:
        """The tokens of one, as they were after this time: what was known before lacks those made since."""
        now = time.monotonic()
        began, asked = self._known.get(encounter, (-math.inf, None))
        if asked is None or began < max(since, now - MOMENT_SECONDS):
            asked = asyncio.create_task(self._ids(encounter))
            self._known[encounter] = now, asked
            asyncio.get_running_loop().call_later(MOMENT_SECONDS, self._forget, encounter, asked)
        return await asyncio.shield(asked)

    async def _ids(self, encounter: str) -> frozenset[str]:
        _, kept = await self._changes.load(encounter)
        return frozenset(each.id for each in kept.tokens)

    def _forget(self, encounter: str, asked: asyncio.Task[frozenset[str]]) -> None:
        if encounter in self._known and self._known[encounter][1] is asked:
            del self._known[encounter]


class _Kind(msgspec.Struct):
    kind: str


def _after(scope: Scope) -> int:
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    header_said = header(scope, b"last-event-id").decode("latin-1")
    name, said = ("Last-Event-ID", header_said) if header_said else ("after", query.get("after", ["0"])[0])
    if not (said.isascii() and said.isdigit() and len(said) <= MAX_SEQUENCE_DIGITS):
        raise Malformations([Fault("#", "sequence", {"name": name})])
    return int(said)


async def _nothing_follows(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _begin(send: Send, texts: Texts) -> None:
    language = (b"content-language", texts.language.encode())
    await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS, language]})


async def _end(send: Send) -> None:
    last = b"retry: %d\n: about to end\n\n" % (come_back_seconds() * 1000) if draining.begun else b""
    with contextlib.suppress(OSError), anyio.move_on_after(LAST_WORDS_SECONDS):
        await send({"type": "http.response.body", "body": last, "more_body": False})


async def _elsewhere(scope: Scope, texts: Texts, send: Send) -> None:
    """A stream that begins nowhere here: an EventSource never comes back after a 503, so it is told with a 200 when to."""
    if EVENT_STREAM in header(scope, b"accept"):
        await _begin(send, texts)
        await _end(send)
    else:
        after = (b"retry-after", b"%d" % come_back_seconds())
        await send_problem(send, scope, Problem(problems.DRAINING, headers=(after,)))


async def _until_gone(receive: Receive, stream: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.cancel()

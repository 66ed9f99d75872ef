"""The HTTP of the endpoints that take JSON: read, parse, answer, or a problem; nothing in between."""

import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from anyio import CancelScope
from starlette.types import Message, Receive, Scope, Send

from service import problems
from service.answer_head import Header
from service.answers import encode
from service.faults import Fault
from service.gate.addresses import ADDRESS, LOCAL
from service.gate.allowance import owe
from service.gate.overload import LARGE_BYTES, OVERLOAD, UNBOUNDED, Places, crowded
from service.json_input import parse, printable
from service.observability.metrics import count_problem
from service.problems import Problem, problem_body, problem_of
from service.texts import LANGUAGES, Texts, negotiated, texts_in

Answer = Callable[[Any, Texts], bytes] | Callable[[Any, Texts, "Asking"], Awaitable[bytes]]

BY_NAME = "rulewright.headers"
GUESSES = (problems.KEY_UNKNOWN, problems.TOKEN_UNKNOWN)
GUESS_COST = 20
"""What a wrong key or token costs beside the request, so that guessing ends soon."""

log = logging.getLogger("rulewright")

JSON = b"application/json"
UTF_8 = (b"utf-8", b"utf8", b"us-ascii")
PROBLEM_JSON = b"application/problem+json"
SAFETY: tuple[Header, ...] = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
"""What every answer tells a browser: to take it for what it says it is, and to tell nobody where a link stood."""
BYTES_FOR_ONE = 16_384
"""So many bytes of a body take about as long to read as a resolution with its HTTP."""
COMMON_HEADERS: dict[tuple[str, bytes], list[Header]] = {
    (language, content_type): [
        (b"content-type", content_type),
        (b"content-language", language.encode()),
        (b"vary", b"Accept-Language"),
        (b"cache-control", b"no-store"),
    ]
    for language in LANGUAGES
    for content_type in (JSON, PROBLEM_JSON)
}


def header(scope: Scope, name: bytes) -> bytes:
    """The value of a request header, empty when it was not sent."""
    by_name: dict[bytes, bytes] | None = scope.get(BY_NAME)
    if by_name is None:  # looked up often, and the first of its name is meant
        by_name = scope[BY_NAME] = dict(reversed(scope["headers"]))
    return by_name.get(name, b"")


def texts_for(scope: Scope) -> Texts:
    """The texts in the language that the request asks for."""
    return texts_in(negotiated(header(scope, b"accept-language").decode("latin-1")))


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body; a problem when it is larger than the limit."""
    length = header(scope, b"content-length")
    if length.isdigit() and (len(length) > 18 or int(length) > limit):
        raise Problem(problems.BODY_TOO_LARGE, {"limit": limit})
    overload, address = scope.get(OVERLOAD, UNBOUNDED), scope.get(ADDRESS, LOCAL)
    turn = overload.turn
    overload.end(address)  # what does not arrive is in nobody's way
    try:
        body, more = _part_of_body(await receive())
        if more:
            body = await _whole(body, receive, limit, overload.large_bodies, address)
    finally:
        refused = overload.begin_again(address, turn)
    if refused is not None:
        raise crowded(refused)
    if len(body) > limit:
        raise Problem(problems.BODY_TOO_LARGE, {"limit": limit})
    owe(scope, len(body) // BYTES_FOR_ONE)
    return body


async def _whole(body: bytes, receive: Receive, limit: int, large: Places, address: str) -> bytes:
    """A body of which the beginning is here, or more of it than the limit."""
    more, is_large = True, False
    try:
        while more and len(body) <= limit:
            if len(body) > LARGE_BYTES and not is_large:
                refused = large.begin(address)
                if refused is not None:
                    raise crowded(refused)
                is_large = True
            part, more = _part_of_body(await receive())
            body += part
    finally:
        if is_large:
            large.end(address)
    return body


def _part_of_body(message: Message) -> tuple[bytes, bool]:
    """What has arrived, and whether there is more to come."""
    if message["type"] == "http.disconnect":
        raise ConnectionError
    return message.get("body", b""), message.get("more_body", False)


def demand_json(scope: Scope) -> None:
    """A problem when the body is not declared to be JSON."""
    declared, *parameters = header(scope, b"content-type").lower().split(b";")
    media = declared.strip()
    if header(scope, b"content-encoding") not in (b"", b"identity"):
        raise Problem(problems.UNSUPPORTED_MEDIA_TYPE, {})
    if media != JSON and not (media.startswith(b"application/") and media.endswith(b"+json")):
        raise Problem(problems.UNSUPPORTED_MEDIA_TYPE, {"media": printable(media.decode("latin-1"))})
    for each in parameters:
        name, _, value = each.partition(b"=")
        if name.strip() == b"charset" and value.strip(b' \t"') not in UTF_8:
            facts = {"charset": printable(value.strip(b' \t"').decode("latin-1"))}
            raise Problem(problems.UNSUPPORTED_MEDIA_TYPE, {}, (Fault("#", "charset", facts),))


async def send_bytes(send: Send, status: int, body: bytes, headers: list[Header]) -> None:
    """One whole answer; that something is as it was has no length, which would be that of what is left out."""
    if status != 304:
        headers = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_problem(send: Send, scope: Scope, problem: Problem) -> None:
    """A problem in the language of the request."""
    count_problem(problem.kind.name)
    if problem.kind in GUESSES:
        owe(scope, GUESS_COST)
    texts = texts_for(scope)
    body = encode(problem_body(problem, texts, printable(scope["path"])))
    headers = [*COMMON_HEADERS[texts.language, PROBLEM_JSON], *problem.headers]
    await send_bytes(send, problem.kind.status, body, headers)


@dataclass(slots=True)
class Call:
    """One request to an endpoint: `body` are the bytes as they came, `value` the JSON value in them (None without a body)."""

    scope: Scope
    texts: Texts
    body: bytes
    value: Any

    @property
    def path(self) -> dict[str, str]:
        """The parameters of the path."""
        parameters: dict[str, str] = self.scope["path_params"]
        return parameters

    def header(self, name: bytes) -> str:
        """The value of a request header, empty when it was not sent."""
        return header(self.scope, name).decode("latin-1")

    def sent(self, name: bytes) -> str | None:
        """The value of a request header, None when it was not sent: one whose value was forgotten says something else."""
        return self.header(name) if any(name == each for each, _ in self.scope["headers"]) else None


@dataclass(frozen=True, slots=True)
class Reply:
    """An encoded answer with its status and headers of its own."""

    body: bytes
    status: int = 200
    headers: tuple[Header, ...] = ()


class Asking(NamedTuple):
    """Who waits for an answer that takes a while."""

    scope: Scope
    receive: Receive

    async def is_gone(self) -> bool:
        """Whether the client has closed the connection; the body was read before."""
        message: Message = {}
        with CancelScope() as at_once:
            at_once.cancel()
            message = await self.receive()
        return message.get("type") == "http.disconnect"


class Endpoint:
    """An ASGI endpoint for a call with a path, conditions or credentials; `takes_body` says whether it reads JSON."""

    __slots__ = ("_handle", "_limit", "_takes_body")

    def __init__(self, handle: Callable[[Call], Awaitable[Reply]], max_body_bytes: int, *, takes_body: bool) -> None:
        self._handle = handle
        self._limit = max_body_bytes
        self._takes_body = takes_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        texts = texts_for(scope)
        try:
            body, value = b"", None
            if self._takes_body:
                body, value = await self._read(scope, receive)
            reply = await self._handle(Call(scope, texts, body, value))
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets a problem and no trace
            await send_problem(send, scope, known_problem(error))
        else:
            await send_bytes(send, reply.status, reply.body, [*COMMON_HEADERS[texts.language, JSON], *reply.headers])

    async def _read(self, scope: Scope, receive: Receive) -> tuple[bytes, Any]:
        """The body and the value in it; no body at all is an object without fields."""
        body = await read_body(scope, receive, self._limit)
        if not body:
            return b"", {}
        demand_json(scope)
        return body, parse(body)


class JsonEndpoint:
    """An ASGI endpoint that answers one JSON value with another.

    `answer` takes the parsed value and the texts in the language of the request, and who asks if it is a coroutine; it gives
    the encoded answer, and what it raises becomes a problem.
    """

    __slots__ = ("_answer", "_asynchronous", "_limit")

    def __init__(self, answer: Answer, max_body_bytes: int) -> None:
        self._answer: Any = answer
        self._asynchronous = inspect.iscoroutinefunction(answer)
        self._limit = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        texts = texts_for(scope)
        try:
            demand_json(scope)
            value = parse(await read_body(scope, receive, self._limit))
            if self._asynchronous:
                answered = await self._answer(value, texts, Asking(scope, receive))
            else:
                answered = self._answer(value, texts)
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets a problem and no trace
            await send_problem(send, scope, known_problem(error))
        else:
            await send_bytes(send, 200, answered, COMMON_HEADERS[texts.language, JSON])


def known_problem(error: Exception) -> Problem:
    """The problem for an exception; an unknown one is logged and told as an internal error."""
    problem = problem_of(error)
    if problem is None:
        log.error("an unexpected error", exc_info=error)
        return Problem(problems.INTERNAL_ERROR)
    return problem


class ProblemsForErrors:
    """ASGI middleware: an exception that escaped everything else becomes a problem, inside CORS."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, and answer for it if nobody does."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watched(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:  # noqa: BLE001 - as above
            problem = known_problem(error)
            if not started:
                await send_problem(send, scope, problem)

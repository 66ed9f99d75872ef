"""The gate: every request comes by here before its path is looked up, but for preflights, which CORS answers from memory.

It stands behind CORS, so that browsers can read a refusal. In this order: may this worker take it on (503), is the limit of the
address kept (429), are strangers answered (403), is the key good (401), its scope the right one (403), its limit kept (429).
"""

from collections.abc import Awaitable, Iterable
from functools import lru_cache

from starlette.types import Receive, Scope, Send

from service import problems
from service.answer_head import add_to_head
from service.answers import encode
from service.gate.addresses import ADDRESS, is_foreign
from service.gate.allowance import ALLOWANCE, PAID_AT_THE_GATE, too_much
from service.gate.callers import Caller, Callers
from service.gate.key_source import BEARER, KeySource
from service.gate.keys import KEY_ID
from service.gate.keys import Scope as KeyScope
from service.gate.overload import OVERLOAD, RETRY, Overload, Places
from service.gate.rates import Rate, Rates, TooMuch
from service.gate.scopes import METRICS_PATH, OPEN_PATHS, scope_of
from service.http import COMMON_HEADERS, PROBLEM_JSON, header, known_problem, send_bytes, send_problem, texts_for
from service.json_input import printable
from service.observability.metrics import count_problem, count_shed
from service.problems import Problem, problem_body
from service.routes.raw import ExactPaths
from service.settings import MetricsAccess, Settings
from service.texts import Texts

EVERYTHING = frozenset(KeyScope)
PROBES = frozenset({"/healthz", "/readyz"})
CHALLENGE = ((b"www-authenticate", b'Bearer realm="rulewright"'),)
WRONG = ((b"www-authenticate", b'Bearer realm="rulewright", error="invalid_token"'),)


class Gate:
    """ASGI: lets a request pass to the application, or answers why not."""

    def __init__(
        self, app: ExactPaths, settings: Settings, rates: Rates, keys: KeySource | None, resolving: Iterable[str]
    ) -> None:
        self._app = app
        self._rates = rates
        self._keys = keys
        self._open = settings.open
        rate = Rate(settings.address_rate, settings.address_burst) if settings.address_rate else None
        self._callers = Callers(rates, keys, rate, settings.trusted_hops)
        self._scopes = {path: scope_of(path) for path in (*resolving, *OPEN_PATHS, METRICS_PATH)}
        if settings.metrics is not MetricsAccess.KEY:
            self._scopes[METRICS_PATH] = None
        self._overload = Overload(settings.max_in_flight, settings.max_queue_ms / 1000)
        self._streams = Places("streams", settings.max_streams, settings.max_streams_per_address)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer one request, or have it answered."""
        if scope["type"] != "http" or _path(scope) in PROBES:
            return self._app(scope, receive, send)
        known = self._callers.known(scope)
        caller = known or self._callers.stranger(scope)
        places = self._streams if _is_stream(scope) else self._overload
        refused = places.begin(caller.address)
        if refused is not None:
            return self._shed(refused, scope, send)
        scope[OVERLOAD] = self._overload
        return self._answer(known, caller, places, scope, receive, send)

    async def _answer(
        self,
        known: Caller | None,
        caller: Caller,
        places: Overload | Places,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        rates = self._rates
        try:
            # The address pays before a key is looked at: who has guessed too often is told nothing more.
            for bucket in caller.buckets:
                if not rates.spend_at_once(bucket, PAID_AT_THE_GATE):
                    await rates.spend(bucket, PAID_AT_THE_GATE)
            needed = self._needed(scope)
            if known is None or (needed is not None and needed not in known.scopes):
                of_address = caller.buckets
                caller = await self._looked_at(caller, scope, needed)
                for bucket in caller.buckets[len(of_address) :]:
                    await rates.spend(bucket, PAID_AT_THE_GATE)
        except TooMuch as error:
            if error.bucket.kind == "address":  # that a key is known is not told, either
                caller = self._callers.stranger(scope)
            await self._refuse(too_much(error), caller, scope, send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets a problem and no trace
            await self._refuse(known_problem(error), caller, scope, send)
        else:
            _introduce(scope, caller)
            await self._app(scope, receive, send)
        finally:
            places.end(caller.address)

    async def _looked_at(self, caller: Caller, scope: Scope, needed: KeyScope | None) -> Caller:
        """The caller as the key says, which is paid from too; a problem for one who may not pass."""
        keys = self._keys
        if keys is None:
            if not self._open and (server := scope.get("server")) and is_foreign(server[0]):
                raise Problem(problems.NOT_OPEN)
            return self._remembered(scope, self._callers.without_key(caller, EVERYTHING))
        presented = header(scope, b"authorization")
        if presented[: len(BEARER)].lower() != BEARER:
            if needed is None or (needed is not KeyScope.METRICS and _has_ticket(scope)):
                return caller
            if needed is KeyScope.METRICS or not self._open:
                raise Problem(problems.KEY_NEEDED, headers=CHALLENGE)
            return self._remembered(scope, self._callers.without_key(caller, EVERYTHING - {KeyScope.METRICS}))
        if caller.key_id is None:
            holder = await keys.holder_of(presented)
            if holder is None:
                raise Problem(problems.KEY_UNKNOWN, headers=WRONG)
            caller = self._remembered(scope, self._callers.with_key(caller, holder))
        if needed is not None and needed not in caller.scopes:
            raise Problem(problems.SCOPE_MISSING, {"scope": needed.value}, fields={"needed_scope": needed.value})
        return caller

    def _remembered(self, scope: Scope, caller: Caller) -> Caller:
        self._callers.remember(scope, caller)
        return caller

    def _needed(self, scope: Scope) -> KeyScope | None:
        """The scope that a request needs; None when its path is open to everybody."""
        path = scope["path"]
        if path not in self._scopes:
            path = _path(scope)
        return self._scopes[path] if path in self._scopes else scope_of(path)

    async def _refuse(self, problem: Problem, caller: Caller, scope: Scope, send: Send) -> None:
        _introduce(scope, caller)
        if scope["method"] == "POST":
            scope["route"] = self._app.route_of(scope)  # by which the log and the metrics name it
        await send_problem(send, scope, problem)

    async def _shed(self, reason: str, scope: Scope, send: Send) -> None:
        kind = problems.TOO_MANY_STREAMS if reason == "streams_per_address" else problems.OVERLOADED
        count_shed(reason)
        count_problem(kind.name)
        texts = texts_for(scope)
        headers = [*COMMON_HEADERS[texts.language, PROBLEM_JSON], *RETRY[kind.name]]
        await send_bytes(send, kind.status, _refusal(kind, texts, printable(scope["path"][:200])), headers)


def _path(scope: Scope) -> str:
    """The path below the root at which the application is served."""
    path: str = scope["path"]
    root = scope.get("root_path")
    return path[len(root) :] if root and path.startswith(root) else path


def _introduce(scope: Scope, caller: Caller) -> None:
    """Tell the application who calls, and the client what is left."""
    scope[ADDRESS], scope[KEY_ID], scope[ALLOWANCE] = caller.address, caller.key_id, caller.allowance
    add_to_head(scope, caller.tell)


@lru_cache(maxsize=1024)
def _refusal(kind: problems.ProblemType, texts: Texts, instance: str) -> bytes:
    return encode(problem_body(Problem(kind), texts, instance))


def _is_stream(scope: Scope) -> bool:
    """Whether the events of a fight are asked for, which stay open as long as the client likes."""
    if scope["method"] != "GET" or not scope["path"].endswith("/stream"):
        return False
    parts = _path(scope).split("/", 6)
    return len(parts) == 6 and parts[3] == "encounters"


def _has_ticket(scope: Scope) -> bool:
    """Whether a stream is asked for with a ticket, which only somebody with a key was given, and with nothing else."""
    return (
        scope["method"] in ("GET", "HEAD")
        and scope["path"].endswith("/stream")
        and b"ticket=" in scope["query_string"]
        and not header(scope, b"encounter-token")
    )

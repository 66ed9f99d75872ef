"""The gate: every request comes by here, before its path is looked up, and after CORS, so that browsers can read a refusal.

In this order: may this worker take it on (503), is the limit of the address kept (429), are strangers answered (403),
is the key good (401), its scope the right one (403), its limit kept (429). Paths are closed unless they are listed as open.
"""

from collections.abc import Iterable
from functools import lru_cache

from starlette.types import Receive, Scope, Send

from service import problems
from service.answer_head import add_to_head
from service.answers import encode
from service.gate.addresses import ADDRESS, address_of, is_foreign
from service.gate.allowance import ALLOWANCE, PAID_AT_THE_GATE, Allowance, too_much
from service.gate.key_source import BEARER, KeySource
from service.gate.keys import KEY_ID, Holder
from service.gate.keys import Scope as KeyScope
from service.gate.overload import Overload, Streams
from service.gate.rates import Rate, Rates, TooMuch
from service.http import COMMON_HEADERS, PROBLEM_JSON, header, known_problem, send_bytes, send_problem, texts_for
from service.json_input import printable
from service.observability.metrics import count_problem, count_shed
from service.problems import Problem, problem_body
from service.routes.raw import ExactPaths
from service.settings import Settings
from service.texts import Texts

PROBES = frozenset({"/healthz", "/readyz"})
OPEN_PATHS = frozenset({"/", "/docs", "/openapi.json", "/v1/systems"})
OPEN_FOLDERS = ("/static/", "/problems/", "/v1/systems/")
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
        self._hops = settings.trusted_hops
        self._address_rate = Rate(settings.address_rate, settings.address_burst) if settings.address_rate else None
        self._metrics_need_key = settings.metrics.value == "key"
        self._scopes = _scopes_by_path(resolving)
        self._overload = Overload(settings.max_in_flight, settings.max_queue_ms / 1000)
        self._streams = Streams(settings.max_streams, settings.max_streams_per_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or have it answered."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        address = scope[ADDRESS] = address_of(scope, self._hops)
        scope[KEY_ID] = None
        streaming = scope["method"] == "GET" and scope["path"].endswith("/stream")
        refused = self._streams.begin(address) if streaming else self._overload.begin()
        if refused is not None:
            await self._shed(refused, scope, send)
            return
        try:
            await self._admitted(scope, receive, send)
        finally:
            if streaming:
                self._streams.end(address)
            else:
                self._overload.end()

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        rates, rate = self._rates, self._address_rate
        buckets = [] if rate is None else [rates.bucket("address/" + scope[ADDRESS], rate)]
        allowance = scope[ALLOWANCE] = Allowance(rates, buckets)
        add_to_head(scope, allowance.tell)
        try:
            # The address pays before the key is looked at: who has guessed too often is told nothing more.
            if buckets and not rates.spend_at_once(buckets[0], PAID_AT_THE_GATE):
                await rates.spend(buckets[0], PAID_AT_THE_GATE)
            holder = await self._caller(scope)
            if holder is not None:
                scope[KEY_ID] = holder.id
                if holder.rate is not None:
                    bucket = rates.bucket(holder.bucket, holder.rate)
                    buckets.append(bucket)
                    if not rates.spend_at_once(bucket, PAID_AT_THE_GATE):
                        await rates.spend(bucket, PAID_AT_THE_GATE)
        except TooMuch as error:
            await self._refuse(too_much(error), scope, send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets a problem and no trace
            await self._refuse(known_problem(error), scope, send)
        else:
            await self._app(scope, receive, send)

    async def _caller(self, scope: Scope) -> Holder | None:
        """Whose key came with a request, None when it needs none and has none; a problem when it may not pass."""
        keys = self._keys
        if keys is None:
            if not self._open and (server := scope.get("server")) and is_foreign(server[0]):
                raise Problem(problems.NOT_OPEN)
            return None
        needed = self._needed(scope)
        presented = header(scope, b"authorization")
        if presented[: len(BEARER)].lower() != BEARER:
            if needed is None or (needed is not KeyScope.METRICS and (self._open or _has_ticket(scope))):
                return None
            raise Problem(problems.KEY_NEEDED, headers=CHALLENGE)
        holder = keys.seen(presented) or await keys.holder_of(presented)
        if holder is None:
            raise Problem(problems.KEY_UNKNOWN, headers=WRONG)
        if needed is not None and needed not in holder.scopes:
            raise Problem(problems.SCOPE_MISSING, {"scope": needed.value}, fields={"needed_scope": needed.value})
        return holder

    def _needed(self, scope: Scope) -> KeyScope | None:
        """The scope that a path needs; None when it is open to everybody."""
        path: str = scope["path"]
        if (root := scope.get("root_path")) and path.startswith(root):
            path = path[len(root) :]
        needed = self._scopes.get(path)
        if needed is not None:
            return needed if needed is not KeyScope.METRICS or self._metrics_need_key else None
        if path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return None
        parts = path.split("/", 4)
        return KeyScope.ENCOUNTERS if len(parts) > 3 and parts[3] == "encounters" else KeyScope.RESOLVE

    async def _refuse(self, problem: Problem, scope: Scope, send: Send) -> None:
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


RETRY = {
    problems.OVERLOADED.name: ((b"retry-after", b"1"),),
    problems.TOO_MANY_STREAMS.name: ((b"retry-after", b"30"),),
}


@lru_cache(maxsize=1024)
def _refusal(kind: problems.ProblemType, texts: Texts, instance: str) -> bytes:
    return encode(problem_body(Problem(kind), texts, instance))


def _scopes_by_path(resolving: Iterable[str]) -> dict[str, KeyScope]:
    """The scope of each path that has no parameters."""
    scopes = {path: KeyScope.ODDS if path.endswith("/odds") else KeyScope.RESOLVE for path in resolving}
    return {**scopes, "/metrics": KeyScope.METRICS}


def _has_ticket(scope: Scope) -> bool:
    """Whether a stream is asked for with a ticket, which only somebody with a key was given, and with nothing else."""
    return (
        scope["method"] == "GET"
        and scope["path"].endswith("/stream")
        and b"ticket=" in scope["query_string"]
        and not header(scope, b"encounter-token")
    )

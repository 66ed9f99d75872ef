"""Problem details (RFC 9457): every error that a client can meet, by name, with its texts in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.faults import DiceLeftOver, DiceNeeded, OddsTooWide
from service.faults import Fault, InvalidJson, Malformations
from service.store.errors import StoreFull, StoreUnavailable
from service.texts import Texts

MAX_ERRORS = 100
RETRY_SOON = ((b"retry-after", b"2"),)
RETRY_LATER = ((b"retry-after", b"30"),)


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of problem: `type` is `/problems/<name>`, where a page explains it."""

    name: str
    status: int


INVALID_JSON = ProblemType("invalid-json", 400)
INVALID_HTTP = ProblemType("invalid-http", 400)
NOT_FOUND = ProblemType("not-found", 404)
TOKEN_NEEDED = ProblemType("token-needed", 401)
TOKEN_UNKNOWN = ProblemType("token-unknown", 401)
KEY_NEEDED = ProblemType("key-needed", 401)
KEY_UNKNOWN = ProblemType("key-unknown", 401)
NOT_FOR_YOU = ProblemType("not-for-you", 403)
SCOPE_MISSING = ProblemType("scope-missing", 403)
NOT_OPEN = ProblemType("not-open", 403)
METHOD_NOT_ALLOWED = ProblemType("method-not-allowed", 405)
REQUEST_TOO_SLOW = ProblemType("request-too-slow", 408)
CONTENDED = ProblemType("contended", 409)
ENCOUNTER_CLOSED = ProblemType("encounter-closed", 409)
NOTHING_TO_UNDO = ProblemType("nothing-to-undo", 409)
VERSION_MISMATCH = ProblemType("version-mismatch", 412)
BODY_TOO_LARGE = ProblemType("body-too-large", 413)
UNSUPPORTED_MEDIA_TYPE = ProblemType("unsupported-media-type", 415)
MALFORMED = ProblemType("malformed", 422)
DICE_NEEDED = ProblemType("dice-needed", 422)
DICE_LEFT_OVER = ProblemType("dice-left-over", 422)
ODDS_TOO_WIDE = ProblemType("odds-too-wide", 422)
NOT_ALLOWED = ProblemType("not-allowed", 422)
IDEMPOTENCY_KEY_REUSED = ProblemType("idempotency-key-reused", 422)
LIMIT_REACHED = ProblemType("limit-reached", 422)
HEAD_TOO_LARGE = ProblemType("head-too-large", 431)
RATE_LIMITED = ProblemType("rate-limited", 429)
TOO_MANY_STREAMS = ProblemType("too-many-streams", 429)
INTERNAL_ERROR = ProblemType("internal-error", 500)
OVERLOADED = ProblemType("overloaded", 503)
STORE_UNAVAILABLE = ProblemType("store-unavailable", 503)
STORE_FULL = ProblemType("store-full", 503)
TOO_MANY_CONNECTIONS = ProblemType("too-many-connections", 503)
DRAINING = ProblemType("draining", 503)

PROBLEM_TYPES = (
    INVALID_JSON,
    INVALID_HTTP,
    NOT_FOUND,
    TOKEN_NEEDED,
    TOKEN_UNKNOWN,
    KEY_NEEDED,
    KEY_UNKNOWN,
    NOT_FOR_YOU,
    SCOPE_MISSING,
    NOT_OPEN,
    METHOD_NOT_ALLOWED,
    REQUEST_TOO_SLOW,
    CONTENDED,
    ENCOUNTER_CLOSED,
    NOTHING_TO_UNDO,
    VERSION_MISMATCH,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    MALFORMED,
    DICE_NEEDED,
    DICE_LEFT_OVER,
    ODDS_TOO_WIDE,
    NOT_ALLOWED,
    IDEMPOTENCY_KEY_REUSED,
    LIMIT_REACHED,
    HEAD_TOO_LARGE,
    RATE_LIMITED,
    TOO_MANY_STREAMS,
    INTERNAL_ERROR,
    OVERLOADED,
    STORE_UNAVAILABLE,
    STORE_FULL,
    TOO_MANY_CONNECTIONS,
    DRAINING,
)


@dataclass(slots=True)
class Problem(Exception):
    """One problem: its kind, facts for its texts, faults with pointers, fields of its own, and headers."""

    kind: ProblemType
    facts: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    headers: tuple[tuple[bytes, bytes], ...] = ()


def problem_of(error: Exception) -> Problem | None:  # noqa: PLR0911 - one return for each kind of error
    """The problem that an exception of the rules or the readers stands for, or None."""
    match error:
        case Problem():
            return error
        case Malformations():
            faults = tuple(error.faults[:MAX_ERRORS])
            return Problem(MALFORMED, {"count": len(error.faults)}, faults)
        case InvalidJson():
            return Problem(
                INVALID_JSON, {"code": error.code, **error.facts}, (Fault("#", f"json_{error.code}", error.facts),)
            )
        case DiceNeeded():
            needed = {"rule": error.rule, "count": error.count, "sides": error.sides}
            return Problem(DICE_NEEDED, needed, (Fault("#/dice", "dice_needed", needed),), {"needed": needed})
        case DiceLeftOver():
            facts = {"consumed": error.consumed, "sent": error.sent}
            return Problem(DICE_LEFT_OVER, facts, (Fault("#/dice", "dice_left_over", facts),), facts)
        case OddsTooWide():
            fault = Fault("#", f"odds_{error.reason}", error.facts)
            return Problem(ODDS_TOO_WIDE, error.facts, (fault,), {"reason": error.reason})
        case StoreUnavailable():
            return Problem(STORE_UNAVAILABLE, headers=RETRY_SOON)
        case StoreFull():
            return Problem(STORE_FULL, headers=RETRY_LATER)
    return None


def problem_body(problem: Problem, texts: Texts, instance: str) -> dict[str, Any]:
    """The problem as JSON, in one language; `instance` is where it happened."""
    name = problem.kind.name
    return {
        "type": f"/problems/{name}",
        "title": texts.problem(name, "title", problem.facts),
        "status": problem.kind.status,
        "detail": texts.problem(name, "detail", problem.facts),
        "instance": instance,
        "errors": [
            {"pointer": fault.pointer, "code": fault.code, "detail": texts.fault(fault.code, fault.facts)}
            for fault in problem.faults
        ],
        **problem.fields,
    }

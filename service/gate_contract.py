"""What the gate adds to the contract: the key, the problems that it answers with, and the headers of every answer."""

from typing import Any

from service import problems
from service.encounter_contract import response_name
from service.gate.gate import PROBES
from service.gate.keys import Scope
from service.gate.scopes import scope_of
from service.schemas import Schema

KINDS = (problems.KEY_NEEDED, problems.SCOPE_MISSING, problems.RATE_LIMITED, problems.OVERLOADED)
KEY = "ApiKey"
HEADERS: dict[str, Schema] = {
    "RateLimit": {
        "description": "What is left of each limit: `r` units now, and all of them in `t` seconds. A plain answer costs one.",
        "schema": {"type": "string"},
        "example": '"address";r=9999;t=1, "key";r=499;t=1',
    },
    "RateLimit-Policy": {
        "description": "The limits: `q` units at once, which come back within `w` seconds.",
        "schema": {"type": "string"},
        "example": '"address";q=10000;w=10, "key";q=500;w=10',
    },
    "X-Request-Id": {
        "description": "The id of the request in the operator's log: the one that was sent in this header, or a new one.",
        "schema": {"type": "string"},
        "example": "0f8fad5bd9cb469fa165708678a5b5d4",
    },
    "ETag": {
        "description": "The version of what is answered; `If-None-Match` and `If-Match` take it.",
        "schema": {"type": "string"},
        "example": '"17"',
    },
    "Location": {
        "description": "The path of what was made.",
        "schema": {"type": "string"},
        "example": "/v1/gurps/encounters/0123456789abcdef0123",
    },
    "WWW-Authenticate": {
        "description": "What to send in `Authorization`, where that is what is missing.",
        "schema": {"type": "string"},
        "example": 'Bearer realm="rulewright"',
    },
    "Retry-After": {
        "description": "The seconds after which it is worth to send the request again.",
        "schema": {"type": "string"},
        "example": "2",
    },
}
ANSWERED = ("RateLimit", "RateLimit-Policy", "X-Request-Id")
RETRIED = ("429", "503")


def describe(found: dict[str, Any]) -> None:
    """Add to the whole document what is true of every operation behind the gate."""
    scopes = ", ".join(f"`{each}`" for each in Scope)
    found["components"]["securitySchemes"] = {
        KEY: {
            "type": "http",
            "scheme": "bearer",
            "description": f"A key that the operator made, `rwk_…`, with some of the scopes {scopes}; `x-required-scope` of "
            "an operation says which one it needs. A service that is open answers without a key.",
        }
    }
    found["components"]["headers"] = HEADERS
    for path, methods in found["paths"].items():
        if path not in PROBES:
            for operation in methods.values():
                _guard(operation, scope_of(path))
    for path in ("/v1/systems", "/v1/systems/{system}"):
        _unchanging(found["paths"][path]["get"]["responses"])
    for path, methods in found["paths"].items():
        if path.endswith("/encounters"):
            methods["post"]["responses"]["201"]["headers"].update(_references(("Location", "ETag")))
        if path.endswith("/encounters/{id}"):
            _unchanging(methods["get"]["responses"])


def _unchanging(responses: dict[str, Any]) -> None:
    responses["200"]["headers"].update(_references(("ETag",)))
    responses["304"] = {
        "description": "What `If-None-Match` named is still the newest",
        "headers": _references(("ETag",)),
    }


def _guard(operation: dict[str, Any], scope: Scope | None) -> None:
    operation.setdefault("security", [{}, {KEY: []}])
    if scope is not None:
        operation["x-required-scope"] = scope.value
    responses = operation["responses"]
    for kind in KINDS:
        responses.setdefault(str(kind.status), {"$ref": f"#/components/responses/{response_name(kind)}"})
    for response in responses.values():
        if "$ref" not in response:
            response.setdefault("headers", {}).update(_references(ANSWERED))
    operation["responses"] = dict(sorted(responses.items()))


def problem_headers(status: int) -> dict[str, Any]:
    """The headers of the problems of a status."""
    more = ("Retry-After",) if str(status) in RETRIED else ("WWW-Authenticate",) if status == 401 else ()
    return _references((*ANSWERED, *more))


def _references(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}

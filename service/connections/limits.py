"""What a connection may take, and what one that takes more is told."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from service import problems
from service.answers import encode
from service.http import COMMON_HEADERS, PROBLEM_JSON, SAFETY
from service.problems import Problem, problem_body
from service.settings import Settings
from service.texts import Texts, texts_in

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

HEAD_BYTES = 32_768
HEADERS = 100
PIPELINED = 32
"""The most requests that are read before the first of them is answered."""
REQUESTS = 1_000
"""After so many a connection closes, so that clients who stay for long spread over workers and replicas that came later.
That is told beforehand, which h11 does not do.
"""
SPARE_FILES = 128
"""What a worker opens besides connections to clients: to the store, its files, its log."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the connections of one worker may take."""

    connections: int
    per_address: int | None
    """None: addresses are not those of clients."""
    seconds: float


def limits_of(settings: Settings) -> Limits:
    """The limits that the settings say, lowered to what the system allows."""
    files = open_files()
    most = settings.max_connections if files is None else min(settings.max_connections, max(1, files - SPARE_FILES))
    per_address = None if settings.trusted_hops else settings.max_connections_per_address
    return Limits(most, per_address, settings.request_seconds)


def open_files() -> int | None:
    """How many files this process may have open; None when the system does not say."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def allow_files(connections: int) -> str | None:
    """Have the system allow the files that so many connections need; what to tell the operator when it does not."""
    files, needed = open_files(), connections + SPARE_FILES
    if files is None or files >= needed:
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most >= needed:
        return None
    return (
        f"this system allows a process {most} open files, so a worker takes {max(1, most - SPARE_FILES)} connections, not "
        f"{connections}; raise the limit (ulimit -n {needed}, LimitNOFILE=), or lower RULEWRIGHT_MAX_CONNECTIONS"
    )


def facts_of(kind: problems.ProblemType, limits: Limits) -> dict[str, Any]:
    """The facts for the texts of a problem of connections."""
    match kind:
        case problems.HEAD_TOO_LARGE:
            return {"headers": HEADERS, "bytes": HEAD_BYTES}
        case problems.REQUEST_TOO_SLOW:
            return {"seconds": f"{limits.seconds:g}"}
    return {}


def last_answer(problem: Problem, path: str, texts: Texts | None = None) -> bytes:
    """A problem as the last answer on a connection, in the bytes that are sent."""
    texts = texts or texts_in("en")
    body = encode(problem_body(problem, texts, path))
    status = problem.kind.status
    head = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())]
    length = (b"content-length", b"%d" % len(body))
    headers = [
        *COMMON_HEADERS[texts.language, PROBLEM_JSON],
        *problem.headers,
        *SAFETY,
        length,
        (b"connection", b"close"),
    ]
    head += [name + b": " + value for name, value in headers]
    return b"\r\n".join([*head, b"", body])

"""Which request this is: an id of its own, and the trace that it belongs to."""

import random
import re
from contextvars import ContextVar
from typing import NamedTuple

from opentelemetry.trace import get_current_span
from starlette.types import Scope

REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
TRACEPARENT = re.compile(rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
LATER_VERSION = re.compile(rb"(?!00)" + TRACEPARENT.pattern + rb"-.*")


class Identity(NamedTuple):
    """What a request is called: its id, and the `traceparent` that came with it (empty without one)."""

    request_id: bytes
    traceparent: bytes


current: ContextVar[Identity | None] = ContextVar("rulewright_request", default=None)
"""The request that is being answered, or None outside of any."""


def identity_of(scope: Scope) -> Identity:
    """The client's `X-Request-Id` if it is a plain one, else a fresh one."""
    request_id = traceparent = b""
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            request_id = value
        elif name == b"traceparent":
            traceparent = value
    if not request_id or REQUEST_ID.fullmatch(request_id) is None:
        request_id = b"%032x" % random.getrandbits(128)
    return Identity(request_id, traceparent)


def trace_id(traceparent: bytes) -> str | None:
    """The trace of the span that is open, else the one that the client named (W3C Trace Context), else None."""
    span = get_current_span().get_span_context()
    if span.is_valid:
        return f"{span.trace_id:032x}"
    match = TRACEPARENT.fullmatch(traceparent) or LATER_VERSION.fullmatch(traceparent)
    return match[1].decode() if match else None

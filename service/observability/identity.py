"""Which request this is: an id of its own, and the trace that it belongs to."""

import itertools
import re
import secrets
from contextvars import ContextVar

from opentelemetry.trace import get_current_span
from starlette.types import Scope

from service.http import header

REQUEST_ID = "rulewright.request_id"
"""Where a request has its id, in its scope."""
PLAIN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
TRACEPARENT = re.compile(rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
LATER_VERSION = re.compile(rb"(?!00)" + TRACEPARENT.pattern + rb"-.*")

_process, _next = secrets.token_hex(8).encode(), itertools.count(1).__next__

current: ContextVar[Scope | None] = ContextVar("rulewright_request", default=None)
"""The scope of the request that is being answered, or None outside of any."""


def identify(scope: Scope) -> bytes:
    """Give a request its id: the client's `X-Request-Id` if it is a plain one, else one that no other request has."""
    request_id = header(scope, b"x-request-id")
    if not request_id or PLAIN_ID.fullmatch(request_id) is None:
        request_id = b"%b%08x" % (_process, _next())
    scope[REQUEST_ID] = request_id
    return request_id


def trace_id(traceparent: bytes) -> str | None:
    """The trace of the span that is open, else the one that the client named (W3C Trace Context), else None."""
    span = get_current_span().get_span_context()
    if span.is_valid:
        return f"{span.trace_id:032x}"
    match = TRACEPARENT.fullmatch(traceparent) or LATER_VERSION.fullmatch(traceparent)
    return match[1].decode() if match else None

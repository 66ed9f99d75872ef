"""Connections whose requests h11 parses, where there is no httptools."""

import logging
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from service import problems
from service.connections.guard import Guarded
from service.connections.limits import HEAD_BYTES, HEADERS
from service.drain import draining

# uvicorn warns of each request that is none: the client is told, and it is counted, which fills no disk.
log = logging.getLogger("rulewright.connections.plain")
log.addFilter(lambda line: line.levelno > logging.WARNING)


class Connection(Guarded, H11Protocol):  # type: ignore[misc] # what both bases have is of like, not of the same, types
    """A connection to a client."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.logger = log

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, unless the connection is about to end."""
        if self.deaf_until is not None:
            return
        self.fed += len(data)
        if self.owed_since is None:
            self.owed_since = self.watch.now
        super().data_received(data)

    def handle_events(self) -> None:
        """What the parser found."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._look_at_head()
        if (draining.begun or self.ending) and self.cycle is not None:
            self.cycle.keep_alive = False
        if self.cycle is not None and not self.cycle.more_body and not self.conn.trailing_data[0]:
            self.owed_since, self.fed = None, 0

    def send_400_response(self, msg: str) -> None:
        """Say that what arrived is no request; called while h11's error is handled."""
        error = sys.exception()
        too_large = (
            isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == problems.HEAD_TOO_LARGE.status
        )
        self.refuse(problems.HEAD_TOO_LARGE if too_large else problems.INVALID_HTTP)

    def _should_upgrade(self) -> bool:
        return False  # there is nothing to upgrade to: the request is answered as any other

    def _look_at_head(self) -> None:
        names = {name for name, _ in self.headers}
        kind = None
        if len(self.headers) > HEADERS or self._head_bytes() > HEAD_BYTES:
            kind = problems.HEAD_TOO_LARGE
        elif b"transfer-encoding" in names and b"content-length" in names:
            kind = problems.INVALID_HTTP  # h11 takes the first for true; a proxy before it may not
        if kind is not None:
            self.cycle.more_body = True  # it was not begun, so it is not what is answered first
            self.refuse(kind)

    def _head_bytes(self) -> int:
        target = len(self.scope["raw_path"]) + len(self.scope["query_string"])
        return target + sum(len(name) + len(value) + 4 for name, value in self.headers)

"""Connections whose requests h11 parses, where there is no httptools."""

from uvicorn.protocols.http.h11_impl import H11Protocol

from service import problems
from service.connections.guard import Guarded
from service.connections.limits import HEAD_BYTES, HEADERS
from service.drain import draining


class Connection(Guarded, H11Protocol):  # type: ignore[misc] # what both bases have is of like, not of the same, types
    """A connection to a client."""

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

"""Connections whose requests h11 parses, where there is no httptools."""

from uvicorn.protocols.http.h11_impl import H11Protocol

from service import problems
from service.connections.guard import Guarded
from service.connections.limits import HEADERS


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
        if self.cycle is not before and len(self.headers) > HEADERS:
            self.cycle.more_body = True
            self.refuse(problems.HEAD_TOO_LARGE)
        self.end_after_answer()
        if self.cycle is not None and not self.cycle.more_body and not self.conn.trailing_data[0]:
            self.owed_since, self.fed = None, 0

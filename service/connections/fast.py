"""Connections whose requests httptools parses; it has no limits of its own.

It does not say where in what arrived a request begins, so a long read is given to it in parts: of a head that begins in one,
and goes on, only that part is not counted.
"""

from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service import problems
from service.connections.guard import Guarded
from service.connections.limits import HEAD_BYTES, HEADERS, PIPELINED, REQUESTS
from service.drain import draining
from service.problems import ProblemType

# What each request calls, without the look-ups of super(), which would double what the limits cost.
_begin, _head = HttpToolsProtocol.on_message_begin, HttpToolsProtocol.on_headers_complete
_body, _complete = HttpToolsProtocol.on_body, HttpToolsProtocol.on_message_complete


PART_BYTES = 8_192


class Connection(Guarded, HttpToolsProtocol):
    """A connection to a client."""

    _refusal: ProblemType = problems.INVALID_HTTP
    _arrived: int = 0
    _first: int = 0
    """The bytes of the part in which the request began."""
    _before: Any = None
    """The request before the last one, if that had to wait for it."""

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, unless the connection is about to end."""
        if self.deaf_until is not None:
            return
        self._unset_keepalive_if_required()
        if len(data) <= PART_BYTES:
            self._feed(data)
            return
        for begin in range(0, len(data), PART_BYTES):
            self._feed(data[begin : begin + PART_BYTES])
            if self.deaf_until is not None or self.transport.is_closing():
                return

    def _feed(self, data: bytes) -> None:
        self._arrived = len(data)
        self.fed += self._arrived
        try:
            while True:
                try:
                    self.parser.feed_data(data)
                    break
                except httptools.HttpParserUpgrade as stopped:
                    data = self._head_without_upgrade() + data[stopped.args[0] :]
                    self.parser = _parser_of(self)
        except httptools.HttpParserError:
            self.refuse(self._refusal)
        else:
            # What counts is the head, and what stands between the chunks of a body and after them.
            if self.owed_since is not None and self.fed > HEAD_BYTES:
                self.refuse(problems.HEAD_TOO_LARGE)

    def on_message_begin(self) -> None:
        """A request begins."""
        _begin(self)
        self.owed_since = self.watch.now
        self.fed, self._first = 0, self._arrived

    def on_headers_complete(self) -> None:
        """The head of a request arrived, unless it is too large."""
        if len(self.headers) > HEADERS or (self._first + self.fed > HEAD_BYTES and self._head_bytes() > HEAD_BYTES):
            self._refusal = problems.HEAD_TOO_LARGE
            raise ValueError(self._refusal.name)  # stops the parser
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("more requests than are answered at once")
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                raise ValueError("not a proxy")
            return  # it is read once more, without the header
        before = self.cycle
        _head(self)
        if self.pipeline:
            self._before = before
        self.headers = []  # where trailers go: the list of before is what the request says of itself
        self.served += 1
        if self.served >= REQUESTS or draining.begun or self.ending:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """A part of the body arrived."""
        self.fed = 0
        _body(self, body)

    def on_message_complete(self) -> None:
        """The request arrived."""
        if self.parser.should_upgrade():
            return
        self.owed_since = None
        _complete(self)

    def drop_waiting(self) -> bool:
        """Forget the last request, of which something is wrong, if it waits for others: these are answered, and whether so."""
        if not self.pipeline:
            return False
        self.pipeline.popleft()
        self.cycle, self._before = self._before, None
        return True

    def _head_without_upgrade(self) -> bytes:
        """The head that the parser stopped after, as it would read on after it: there is nothing to upgrade to."""
        line = b"%s %s HTTP/%s\r\n" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        kept = [b"%s: %s\r\n" % (name, value) for name, value in self.headers if name != b"upgrade"]
        return b"".join([line, *kept, b"\r\n"])

    def _head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)


def _parser_of(connection: Connection) -> httptools.HttpRequestParser:
    """A parser like that which uvicorn begins a connection with."""
    parser = httptools.HttpRequestParser(connection)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser

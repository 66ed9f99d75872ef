"""A client of HTTP/1.1 that costs little: one connection, on which one request follows the other."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from httptools import HttpParserError, HttpResponseParser

from service.gate.addresses import is_loopback

ANSWER_SECONDS = 30.0
IDLE_SECONDS = 12.0
"""A connection that was idle for longer is opened anew, before the service closes it."""

Took = Callable[[bytes], None]


class Broken(Exception):
    """The connection could not be opened, or ended before the answer did."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; of a stream its head."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


class _Connection(asyncio.Protocol):
    """One connection; `answer` is what is waited for, `took` gets the pieces of a stream."""

    def __init__(self, took: Took | None) -> None:
        self.parser = HttpResponseParser(self)
        self.took = took
        self.answer: asyncio.Future[Answer] | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.keeps_alive, self.streams = True, False
        self.headers: dict[bytes, bytes] = {}
        self.pieces: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except HttpParserError:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(Broken())
        if not self.closed.done():
            self.closed.set_result(None)

    def on_message_begin(self) -> None:
        self.headers, self.pieces = {}, []

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        self.keeps_alive = self.parser.should_keep_alive()  # the parser forgets it with the end of the message
        self.streams = self.took is not None and self.parser.get_status_code() == 200
        if self.streams:
            self._answered()

    def on_body(self, piece: bytes) -> None:
        if self.took is not None and self.streams:
            self.took(piece)
        else:
            self.pieces.append(piece)

    def on_message_complete(self) -> None:
        if self.streams:
            self.transport.close()
        else:
            self._answered()

    def _answered(self) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(Answer(self.parser.get_status_code(), self.headers, b"".join(self.pieces)))


class Client:
    """Asks a service on the loopback, with a key; another address is a ValueError."""

    def __init__(self, host: str, port: int, key: str) -> None:
        if not is_loopback(host):
            raise ValueError(f"{host} is not an address of the loopback")
        self._host, self._port = host, port
        self._head = (
            f"Host: {host}:{port}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            "Origin: http://table.example\r\n"
        )
        self._connection: _Connection | None = None
        self._used = 0.0

    async def open(self) -> None:
        """Open the connection now; Broken."""
        await self._opened()
        self._used = time.monotonic()

    async def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """One answer; Broken."""
        connection = await self._opened()
        connection.answer = asyncio.get_running_loop().create_future()
        connection.transport.write(self._request(method, path, body, headers))  # type: ignore[attr-defined]
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await connection.answer
        except TimeoutError:
            self.close()
            raise Broken from None
        self._used = time.monotonic()
        if not connection.keeps_alive:
            self.close()
        return answer

    async def stream(self, path: str, headers: Mapping[str, str], took: Took) -> Answer:
        """The head of a stream on a connection of its own, whose pieces are handed on until `ended` or `close`; Broken."""
        self.close()
        connection = self._connection = await self._connect(took)
        connection.answer = asyncio.get_running_loop().create_future()
        connection.transport.write(self._request("GET", path, b"", headers))  # type: ignore[attr-defined]
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await connection.answer
        except TimeoutError:
            self.close()
            raise Broken from None

    async def ended(self) -> None:
        """Wait until the stream has ended."""
        if self._connection is not None:
            await asyncio.shield(self._connection.closed)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.transport.close()
            self._connection = None

    async def _opened(self) -> _Connection:
        connection = self._connection
        if connection is None or connection.closed.done() or time.monotonic() - self._used > IDLE_SECONDS:
            self.close()
            connection = self._connection = await self._connect(None)
        return connection

    async def _connect(self, took: Took | None) -> _Connection:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                _, connection = await loop.create_connection(lambda: _Connection(took), self._host, self._port)
        except (OSError, TimeoutError):
            raise Broken from None
        return connection

    def _request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} HTTP/1.1\r\n{self._head}{own}Content-Length: {len(body)}\r\n\r\n".encode() + body

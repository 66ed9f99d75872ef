"""A way to the server on which answers can get lost."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.store.servers import HOST

CHANGE = b"\r\nEVALSHA\r\n"

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Listening:
    """A port behind which a function serves each connection, until the block ends."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"{HOST}:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> "Listening":
        self._server = await asyncio.start_server(self._accept, HOST, 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._serving:
            task.cancel()
        if self._serving:
            await asyncio.wait(self._serving)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._served(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        finally:
            writer.close()


class Proxy(Listening):
    """Passes on what clients send; while answers are to be lost, it cuts the connection in place of the answer."""

    def __init__(self, port: int) -> None:
        super().__init__(self._pass_on)
        self._port = port
        self.lose_answers = False
        self.changes = 0
        """How many scripts were sent by their hash."""

    async def __aenter__(self) -> "Proxy":
        await super().__aenter__()
        return self

    async def _pass_on(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection(HOST, self._port)
        ways = {asyncio.create_task(self._there(client, to_server)), asyncio.create_task(self._back(server, to_client))}
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.wait(ways)
            to_server.close()

    async def _there(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        while data := await client.read(65_536):
            self.changes += data.count(CHANGE)
            to_server.write(data)

    async def _back(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        while data := await server.read(65_536):
            if self.lose_answers:
                return
            to_client.write(data)

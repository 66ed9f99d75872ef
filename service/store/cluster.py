"""A cluster: each slot of keys has an owner, which may change or be away without the others."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,  # noqa: A004 - named as redis-py does
    MovedError,
    RedisError,
    TryAgainError,
)

from service.store.errors import LostAnswer
from service.store.line import Command
from service.store.servers import CALL_SECONDS, OneServer, opened, retrieve

REDIRECTIONS = 5
LEARN_SECONDS = 1.0
LEARN_AGAIN_SECONDS = 0.3
TRY_AGAIN_SECONDS = 0.05

Address = tuple[str, int]
SLOTS: Command = ("CLUSTER", "SLOTS")


class Cluster:
    """All masters of a cluster, and which slots they own.

    redis-py's own cluster client retries writes whose answer was lost, and closes the connections of all callers when one
    slot is not served; here a command goes out once, and a master that is away is away for its slots only.
    """

    def __init__(self, seeds: Sequence[Address], connection: Callable[[Address], AbstractConnection]) -> None:
        self._seeds = tuple(seeds)
        self._connection = connection
        self._servers: dict[Address, OneServer] = {}
        self._owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._learned_at = float("-inf")
        self._learning: asyncio.Task[None] | None = None

    async def call(self, key: bytes, command: Command) -> Any:
        """What the owner of the key answers."""
        slot = key_slot(key)
        deadline = asyncio.get_running_loop().time() + CALL_SECONDS
        address, asking = self._owners[slot] or await self._newest_owner(slot, deadline), False
        redirections = 0
        while redirections < REDIRECTIONS:
            try:
                return await self._server(address).send(command, deadline, asking=asking)
            except MovedError as moved:
                address, asking = (moved.host or address[0], moved.port), False
                self._owners[slot] = address
                self._learn_again()
            except AskError as ask:
                address, asking = (ask.host or address[0], ask.port), True
            except TryAgainError:  # the slot is on its way to another server, and only some of its keys have arrived
                if asyncio.get_running_loop().time() + TRY_AGAIN_SECONDS > deadline:
                    raise
                await asyncio.sleep(TRY_AGAIN_SECONDS)
                address, asking = self._owners[slot] or address, False
                continue
            except (LostAnswer, ClusterDownError):
                self._learn_again()
                raise
            except (ConnectionError, OSError):  # it was not sent; perhaps a replica took over
                owner, asking = await self._newest_owner(slot, deadline), False
                if owner == address:
                    raise
                address = owner
            redirections += 1
        raise ClusterDownError(f"slot {slot} is redirected without end")

    async def subscriber(self) -> AbstractConnection:
        """A connection to any server, since each hears the news of all."""
        addresses = self._known()
        random.shuffle(addresses)
        failed: Exception | None = None
        for address in addresses:
            try:
                return await opened(self._connection(address))
            except (RedisError, OSError) as error:
                failed = error
        raise failed or ConnectionError("the cluster has no servers")

    async def close(self) -> None:
        """Close all connections."""
        if self._learning is not None and not self._learning.done():
            self._learning.cancel()
            await asyncio.wait([self._learning])
        for server in self._servers.values():
            await server.close()

    def _server(self, address: Address) -> OneServer:
        if address not in self._servers:
            self._servers[address] = OneServer(lambda: self._connection(address))
        return self._servers[address]

    def _known(self) -> list[Address]:
        return list({*self._seeds, *self._servers})

    async def _newest_owner(self, slot: int, deadline: float) -> Address:
        learning = self._learn_again()
        if learning is not None:
            async with asyncio.timeout_at(deadline):
                await asyncio.shield(learning)
        owner = self._owners[slot]
        if owner is None:
            raise ClusterDownError(f"slot {slot} has no owner")
        return owner

    def _learn_again(self) -> asyncio.Task[None] | None:
        """Learn who owns what, once for all who want to know; None when that was learned a moment ago."""
        now = asyncio.get_running_loop().time()
        if self._learning is None or self._learning.done():
            if now < self._learned_at + LEARN_AGAIN_SECONDS:
                return None
            self._learning = asyncio.create_task(self._learn(now + LEARN_SECONDS))
            self._learning.add_done_callback(retrieve)
        return self._learning

    async def _learn(self, deadline: float) -> None:
        """Take over who owns what from the server that tells it first."""
        asked = [asyncio.create_task(self._told_by(address, deadline)) for address in self._known()]
        failed: Exception | None = None
        try:
            for answer in asyncio.as_completed(asked):
                try:
                    self._owners = await answer
                except (RedisError, OSError) as error:
                    failed = error
                else:
                    self._learned_at = asyncio.get_running_loop().time()
                    return
        finally:
            for each in asked:
                each.add_done_callback(retrieve)
                each.cancel()
        raise failed or ConnectionError("the cluster has no servers")

    async def _told_by(self, address: Address, deadline: float) -> list[Address | None]:
        owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in await self._server(address).send(SLOTS, deadline):
            owner = (host.decode() if host else address[0], port)
            owners[first : last + 1] = [owner] * (last + 1 - first)
        return owners

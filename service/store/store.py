"""The store: what encounters are kept in. It knows nothing of them but their ids and bytes."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any

from redis.exceptions import NoScriptError, RedisError

from service.observability.metrics import count_store_error, observe_store_command
from service.store.errors import StoreFull, store_error
from service.store.keys import API_KEYS, answer_key, bucket_key, log_key, news_channel, open_key, record_key
from service.store.line import Command
from service.store.listening import Event, Listening
from service.store.records import Appended, Conflict, Idempotency, Missing, Record, Repeated, TooManyOpen
from service.store.scripts import APPEND, REPLACE, RESERVE, SPEND, Argument, Script
from service.store.servers import Servers

REMEMBERED_SECONDS = 24 * 60 * 60
MAKING_SECONDS = 60
"""One that was counted so long ago and has no record is not just being made."""
NO_RECORD = 0


class Store:
    """Encounters as bytes: a record each, its log, and what changes with an idempotency key were answered.

    Every call answers or raises StoreUnavailable or StoreFull within two seconds, and a change is sent to the store at most
    once: the caller repeats it, with the same idempotency key, if he wants to.
    """

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._listening = Listening(self.events, self._last_sequence, servers.subscriber)

    async def create(
        self,
        encounter: str,
        *,
        body: bytes,
        events: Sequence[Event],
        ttl_seconds: int,
        owner: str,
        most_open: int,
        idempotency: Idempotency | None = None,
    ) -> Appended | Conflict | Repeated | TooManyOpen:
        """Begin an encounter with its first events, unless its owner has as many open as allowed."""
        repeated = await self.remembered(encounter, idempotency.key_hash) if idempotency else None
        if repeated is not None:
            return repeated
        reserved = await self._reserve(owner, encounter, most_open, ttl_seconds)
        if isinstance(reserved, TooManyOpen):
            return reserved
        made = await self.append(
            encounter,
            expected_revision=NO_RECORD,
            body=body,
            events=events,
            ttl_seconds=ttl_seconds,
            idempotency=idempotency,
        )
        assert not isinstance(made, Missing)
        if reserved and isinstance(made, Conflict):
            await self.no_longer_open(owner, encounter)
        return made

    async def append(
        self,
        encounter: str,
        *,
        expected_revision: int,
        body: bytes,
        events: Sequence[Event],
        ttl_seconds: int,
        idempotency: Idempotency | None = None,
    ) -> Appended | Conflict | Repeated | Missing:
        """Make one change, or none: put the new body in the record's place and the events, if any, on the log.

        The sequences of the events continue the log's without a gap; the first of an encounter is 1.
        """
        keys = [record_key(encounter), log_key(encounter)]
        arguments: list[Argument] = [expected_revision, body, ttl_seconds, news_channel(encounter)]
        if idempotency is None:
            arguments += ["", "", 0]
        else:
            keys.append(answer_key(encounter, idempotency.key_hash))
            arguments += [idempotency.fingerprint, idempotency.response, REMEMBERED_SECONDS]
        for event in events:
            arguments += event
        try:
            return _change(await self._run(APPEND, keys, arguments))
        except StoreFull:
            repeated = await self.remembered(encounter, idempotency.key_hash) if idempotency else None
            if repeated is None:
                raise
            return repeated

    async def load(self, encounter: str) -> Record | None:
        """The newest record."""
        revision, body = await self._call("HMGET", record_key(encounter), "revision", "body")
        return None if revision is None else Record(int(revision), body)

    async def remembered(self, encounter: str, key_hash: str) -> Repeated | None:
        """What the change with this idempotency key was answered."""
        fingerprint, response = await self._call("HMGET", answer_key(encounter, key_hash), "fingerprint", "response")
        return None if fingerprint is None else Repeated(fingerprint, response)

    async def events(self, encounter: str, after: int, limit: int) -> list[Event]:
        """The events that follow this sequence, in order, at most so many."""
        found = await self._call("XRANGE", log_key(encounter), f"({after}-0", "+", "COUNT", limit)
        return [_event(*each) for each in found]

    def listen(self, encounter: str, after: int) -> AsyncGenerator[list[Event], None]:
        """The events that follow this sequence, as they come, and an empty list whenever none came for two seconds.

        Nothing is lost or doubled when the store goes away and comes back. Who does not take them fast enough meets
        SlowReader, and begins anew after the last that he took. Close the iterator (contextlib.aclosing) when done.
        """
        return self._listening.listen(encounter, after)

    async def count_open(self, owner: str) -> int:
        """How many encounters the owner has open."""
        members = await self._call("ZRANGE", open_key(owner), 0, -1)
        return len(members) - len(await self._gone(members))

    async def no_longer_open(self, owner: str, encounter: str) -> None:
        """Stop counting an encounter among those that its owner has open."""
        await self._call("ZREM", open_key(owner), encounter)

    async def spend(self, bucket: str, interval: float, holds: int, cost: int, spent: int) -> tuple[int, float]:
        """Pay a cost from the bucket of a name, or do not: the units that are left, and the seconds until there is enough.

        A unit takes `interval` seconds to come back, and the bucket holds `holds`. What was `spent` already is paid in any
        case. 0 seconds say that the cost was paid.
        """
        arguments = (repr(interval * 1e6), holds, cost, spent)
        left, missing = await self._run(SPEND, (bucket_key(bucket),), arguments)
        return left, missing / 1e6

    async def api_keys(self) -> dict[str, bytes]:
        """The API keys that are kept here, by their ids."""
        told = await self._call("HGETALL", API_KEYS)
        return {name.decode(): body for name, body in zip(told[::2], told[1::2], strict=True)}

    async def keep_api_key(self, name: str, body: bytes) -> None:
        """Keep an API key, in the place of one that has the same id."""
        await self._call("HSET", API_KEYS, name, body)

    async def replace_api_key(self, name: str, before: bytes, after: bytes) -> bool:
        """Keep an API key in the place of one that is still as it was read; False when it is not."""
        return bool(await self._run(REPLACE, (API_KEYS,), (name, before, after)))

    async def ping(self) -> None:
        """Return if the store answers."""
        await self._call("EXISTS", record_key("any"))

    async def close(self) -> None:
        """Let go of the store."""
        await self._listening.close()
        await self._servers.close()

    async def _reserve(self, owner: str, encounter: str, most: int, ttl_seconds: int) -> bool | TooManyOpen:
        """Count an encounter as open; False when it was already."""
        key, arguments = open_key(owner), (encounter, most, ttl_seconds, MAKING_SECONDS)
        reserved = await self._run(RESERVE, (key,), arguments)
        if isinstance(reserved, list) and (gone := await self._gone(reserved)):
            await self._call("ZREM", key, *gone)
            reserved = await self._run(RESERVE, (key,), arguments)
        return TooManyOpen() if isinstance(reserved, list) else bool(reserved)

    async def _gone(self, encounters: Iterable[bytes]) -> list[bytes]:
        """Which of these encounters expired."""

        async def exists(encounter: bytes) -> int:
            return int(await self._call("EXISTS", record_key(encounter.decode())))

        encounters = list(encounters)
        found = await asyncio.gather(*(exists(each) for each in encounters))
        return [each for each, there in zip(encounters, found, strict=True) if not there]

    async def _last_sequence(self, encounter: str) -> int:
        newest = await self._call("XREVRANGE", log_key(encounter), "+", "-", "COUNT", 1)
        return _event(*newest[0])[0] if newest else 0

    async def _run(self, script: Script, keys: Sequence[bytes], arguments: Sequence[Argument]) -> Any:
        try:
            return await self._send(script.name, keys[0], script.by_hash(keys, arguments))
        except NoScriptError:
            return await self._send(script.name, keys[0], script.in_full(keys, arguments))

    async def _call(self, name: str, key: bytes, *arguments: Argument) -> Any:
        return await self._send(name.lower(), key, (name, key, *arguments))

    async def _send(self, name: str, key: bytes, command: Command) -> Any:
        began = time.perf_counter()
        try:
            return await self._servers.call(key, command)
        except (RedisError, OSError) as error:
            meant = store_error(error)
            if meant is None:
                raise
            count_store_error(name, type(meant).__name__)
            raise meant from error
        finally:
            observe_store_command(name, time.perf_counter() - began)


def _change(told: list[Any]) -> Appended | Conflict | Repeated | Missing:
    match told:
        case [b"appended", revision]:
            return Appended(revision)
        case [b"conflict", revision, body]:
            return Conflict(Record(revision, body))
        case [b"repeated", fingerprint, response]:
            return Repeated(fingerprint, response)
    return Missing()


def _event(identity: bytes, fields: list[bytes]) -> Event:
    return int(identity.partition(b"-")[0]), fields[1]

"""How many changes a second one process makes: by the store's script called bare through redis-py, and by the store.

Run it alone with `python -m bench.bare_script [URL of a store]`; without a URL it starts a server of its own.
"""

import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.store.connect import store_at
from service.store.embedded import EmbeddedServer
from service.store.keys import log_key, news_channel, record_key
from service.store.programs import find_program
from service.store.records import Appended
from service.store.scripts import APPEND

BODY = bytes(3_000)
EVENT = bytes(2_000)
TTL_SECONDS = 600
TASKS = (1, 16, 64)
CHANGES = 16_000
CONNECTIONS = 64

Change = Callable[[str, int], Awaitable[None]]


async def bare_script(url: str, tasks: int, changes: int = CHANGES) -> float:
    """Changes a second by redis-py, each task with an encounter of its own."""
    options = {"socket_timeout": None, "protocol": 2, "retry": Retry(NoBackoff(), 0)}
    pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, **options)
    async with Redis.from_pool(pool) as client:

        async def change(encounter: str, revision: int) -> None:
            keys = (record_key(encounter), log_key(encounter))
            arguments = (revision, BODY, TTL_SECONDS, news_channel(encounter), "", "", 0, revision + 1, EVENT)
            run = APPEND.in_full if revision == 0 else APPEND.by_hash
            told = await client.execute_command(*run(keys, arguments))  # type: ignore[no-untyped-call]
            assert told[0] == b"appended", told

        return await _per_second(change, tasks, changes)


async def through_the_store(url: str, tasks: int, changes: int = CHANGES) -> float:
    """Changes a second by the store, each task with an encounter of its own."""
    store = store_at(url)

    async def change(encounter: str, revision: int) -> None:
        events = ((revision + 1, EVENT),)
        made = await store.append(
            encounter, expected_revision=revision, body=BODY, events=events, ttl_seconds=TTL_SECONDS
        )
        assert isinstance(made, Appended), made

    try:
        return await _per_second(change, tasks, changes)
    finally:
        await store.close()


async def _per_second(change: Change, tasks: int, changes: int) -> float:
    run = secrets.token_hex(4)

    async def one_after_another(task: int, revisions: range) -> None:
        for revision in revisions:
            await change(f"{run}-{task}", revision)

    await asyncio.gather(*(one_after_another(task, range(10)) for task in range(tasks)))
    each = range(10, 10 + changes // tasks)
    began = time.perf_counter()
    await asyncio.gather(*(one_after_another(task, each) for task in range(tasks)))
    return len(each) * tasks / (time.perf_counter() - began)


async def _table(url: str) -> None:
    for tasks in TASKS:
        bare, store = await bare_script(url, tasks), await through_the_store(url, tasks)
        sys.stdout.write(f"{tasks:3} tasks: bare {bare:8.0f}/s, store {store:8.0f}/s, {store / bare:.2f} of it\n")


def main(arguments: list[str]) -> None:
    """Print the table."""
    if arguments:
        uvloop.run(_table(arguments[0]))
        return
    program = find_program()
    assert program is not None, "no server to start; name one by its URL"
    with tempfile.TemporaryDirectory() as directory:
        server = EmbeddedServer(program, Path(directory))
        server.start()
        try:
            uvloop.run(_table(server.url))
        finally:
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])

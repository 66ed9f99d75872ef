"""How many changes a second one process makes: by the store's script called bare through redis-py, and by the store.

Run it alone with `python -m bench.bare_script [URL of a store]`; without a URL it starts a server of its own.
"""

import secrets
import sys
import tempfile
from pathlib import Path

import uvloop
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from bench.rate import Rate, rate_of
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
SECONDS = 3
CONNECTIONS = 64


async def bare_script(
    url: str, tasks: int, seconds: float = SECONDS, *, body: bytes = BODY, event: bytes = EVENT
) -> Rate:
    """Changes a second by redis-py, each task with an encounter of its own."""
    run, revisions = secrets.token_hex(4), [0] * tasks
    options = {"socket_timeout": None, "protocol": 2, "retry": Retry(NoBackoff(), 0)}
    pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, **options)
    async with Redis.from_pool(pool) as client:

        async def change(task: int) -> None:
            encounter, revision = f"{run}-{task}", revisions[task]
            keys = (record_key(encounter), log_key(encounter))
            arguments = (revision, body, TTL_SECONDS, news_channel(encounter), "", "", 0, revision + 1, event)
            in_form = APPEND.in_full if revision == 0 else APPEND.by_hash
            told = await client.execute_command(*in_form(keys, arguments))  # type: ignore[no-untyped-call]
            assert told[0] == b"appended", told
            revisions[task] += 1

        return await rate_of(change, tasks, seconds)


async def through_the_store(url: str, tasks: int, seconds: float = SECONDS) -> Rate:
    """Changes a second by the store, each task with an encounter of its own."""
    run, revisions = secrets.token_hex(4), [0] * tasks
    store = store_at(url)

    async def change(task: int) -> None:
        revision = revisions[task]
        made = await store.append(
            f"{run}-{task}",
            expected_revision=revision,
            body=BODY,
            events=((revision + 1, EVENT),),
            ttl_seconds=TTL_SECONDS,
        )
        assert isinstance(made, Appended), made
        revisions[task] += 1

    try:
        return await rate_of(change, tasks, seconds)
    finally:
        await store.close()


async def _table(url: str) -> None:
    for tasks in TASKS:
        rates = await bare_script(url, tasks), await through_the_store(url, tasks)
        bare, store = (rate.per_second for rate in rates)
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

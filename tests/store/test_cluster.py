"""A cluster: one master that is away takes nothing but its own encounters with it, and slots may move."""

import asyncio
import time
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.store.errors import StoreUnavailable
from service.store.keys import log_key, record_key
from service.store.records import Appended, Idempotency, Record
from service.store.store import Store
from tests.store.servers import HOST, RunningCluster, Server, running_cluster
from tests.store.use import add_until, begin, change, event, heard, opened, refused

KEY = Idempotency("key", b"fingerprint", b"response")


def name_on(cluster: RunningCluster, master: Server, prefix: str) -> str:
    """An id that belongs to a master."""
    return next(name for number in range(99) if cluster.owner_of(record_key(name := f"{prefix}-{number}")) is master)


@pytest.mark.slow
async def test_a_master_that_fails_takes_its_own_encounters_away_and_no_others(
    bundled: Path, tmp_path: Path, encounter: str
) -> None:
    with running_cluster(bundled, tmp_path, patience=1_000) as cluster:
        await fail_and_come_back(cluster, encounter)


async def fail_and_come_back(cluster: RunningCluster, encounter: str) -> None:
    failing = cluster.masters[0]
    names = [name_on(cluster, master, encounter) for master in cluster.masters]
    async with opened(cluster.url) as store:
        await asyncio.gather(*(begin(store, name) for name in names))
        hearing = [asyncio.create_task(heard(store, name, 0, 40)) for name in names]
        await asyncio.gather(*(add_until(store, name, 1, 10) for name in names))
        failing.kill()
        others = [asyncio.create_task(add_until(store, name, 10, 40)) for name in names[1:]]
        until = time.monotonic() + 2.5
        while time.monotonic() < until:  # first it is not reached, then the others know that it failed
            await asyncio.gather(*(loads(store, name) for name in names[1:]), refuses(store, names[0]))
            await asyncio.sleep(0.1)
        await asyncio.gather(*others)
        await asyncio.to_thread(failing.start)
        async with asyncio.timeout(10):
            await add_until(store, names[0], 10, 40)
            assert await asyncio.gather(*hearing) == [[event(sequence) for sequence in range(1, 41)]] * 3


async def loads(store: Store, name: str) -> None:
    assert await store.load(name) is not None


async def refuses(store: Store, name: str) -> None:
    await refused(store.load(name))
    await refused(change(store, name, 10, 11))


@pytest.mark.slow
async def test_a_slot_that_moves_takes_its_encounters_along(cluster: RunningCluster, encounter: str) -> None:
    source, target = cluster.masters[:2]
    name = name_on(cluster, source, encounter)
    slot = key_slot(record_key(name))
    async with opened(cluster.url) as store:
        await begin(store, name)
        hearing = asyncio.create_task(heard(store, name, 0, 5))
        with source.client() as here, target.client() as there:
            ids = [client.execute_command("CLUSTER", "MYID").decode() for client in (here, there)]
            there.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
            here.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
            assert await change(store, name, 1, 2) == Appended(2)
            here.execute_command("MIGRATE", HOST, target.port, record_key(name), 0, 1000)
            with pytest.raises(StoreUnavailable):  # half of its keys are here, half are there
                await change(store, name, 2, 3)
            halfway = asyncio.create_task(change(store, name, 2, 3))
            await asyncio.sleep(0.1)
            here.execute_command("MIGRATE", HOST, target.port, log_key(name), 0, 1000)
            assert await halfway == Appended(3)  # asked of the target, which does not own the slot yet
            assert await store.load(name) == Record(3, b"3")
            for client in (there, here):
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
            assert await change(store, name, 3, 4, idempotency=KEY) == Appended(4)
            async with opened(cluster.url) as another:
                assert await change(another, name, 4, 5) == Appended(5)
        async with asyncio.timeout(15):
            assert await hearing == [event(sequence) for sequence in range(1, 6)]


async def test_one_seed_that_answers_is_enough(cluster: RunningCluster, encounter: str) -> None:
    async with opened(f"redis+cluster://{HOST}:1,{cluster.masters[1].address}") as store:
        await asyncio.gather(*(begin(store, f"{encounter}-{number}") for number in range(20)))
        assert await heard(store, f"{encounter}-0", 0, 1) == [event(1)]

"""Behind Sentinel the store follows the master."""

import asyncio
from pathlib import Path

import pytest

from service.store.errors import StoreError
from tests.store.servers import HOST, Sentinel, running, wait_until
from tests.store.use import add_until, begin, event, heard, opened


@pytest.mark.slow
async def test_a_replica_that_becomes_the_master_is_found(program: Path, tmp_path: Path, encounter: str) -> None:
    durable = ("--appendonly", "yes", "--repl-diskless-sync-delay", "0")
    with running(program, tmp_path / "master", *durable) as master:
        following = ("--replicaof", f"{HOST} {master.port}", *durable)
        with running(program, tmp_path / "replica", *following) as replica:
            sentinel = Sentinel(program, tmp_path / "sentinel", master).start()
            try:
                with replica.client() as operator, sentinel.client() as watcher:
                    wait_until(lambda: operator.info("replication")["master_link_status"] == "up")
                    wait_until(lambda: watcher.sentinel_master(Sentinel.NAME)["num-slaves"] == 1)
                async with opened(sentinel.url) as store, asyncio.timeout(20):
                    await begin(store, encounter)
                    hearing = asyncio.create_task(heard(store, encounter, 0, 20))
                    await add_until(store, encounter, 1, 10)
                    with master.client() as operator:
                        assert operator.wait(1, 1000) == 1
                    master.kill()
                    await add_until(store, encounter, 10, 20)
                    assert await hearing == [event(sequence) for sequence in range(1, 21)]
                    with replica.client() as operator:
                        assert operator.role()[0] == b"master"
            finally:
                sentinel.kill()


async def test_a_service_that_sentinel_does_not_know(program: Path, tmp_path: Path) -> None:
    with running(program, tmp_path / "master") as master:
        sentinel = Sentinel(program, tmp_path / "sentinel", master).start()
        try:
            async with opened(f"redis+sentinel://{sentinel.address}/others") as store:
                with pytest.raises(StoreError, match="others"):
                    await store.ping()
        finally:
            sentinel.kill()

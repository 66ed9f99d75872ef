"""A store that is away, hangs, is full or refuses: what callers meet, within two seconds, and that nothing is half done."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.connect import store_at
from service.store.errors import StoreFull, StoreUnavailable
from service.store.records import Appended, Idempotency, Record, Repeated
from tests.store.proxy import Listening, Proxy
from tests.store.servers import HOST, Server, free_port, running, wait_until
from tests.store.use import TTL, begin, change, event, opened, refused

KEY = Idempotency("key", b"fingerprint", b"response")


@pytest.fixture
def server(program: Path, tmp_path: Path) -> Iterator[Server]:
    """A server for one test."""
    with running(program, tmp_path, "--repl-diskless-sync-delay", "0") as server:
        yield server


def everything_in(server: Server) -> dict[bytes, object]:
    with server.client() as client:
        return {key: client.dump(key) for key in client.scan_iter()}


async def test_a_store_that_was_never_there() -> None:
    async with opened(f"redis://{HOST}:{free_port()}") as store:
        assert not (await refused(store.load("any"))).outcome_unknown
        assert not (await refused(begin(store, "any"))).outcome_unknown
        await refused(store.ping())


async def test_a_store_that_went_away_answers_again_when_it_is_back(
    program: Path, tmp_path: Path, encounter: str
) -> None:
    durable = ("--appendonly", "yes", "--appendfsync", "always")
    with running(program, tmp_path, *durable) as server:
        async with opened(server.url) as store:
            await begin(store, encounter)
            server.kill()
            for _ in range(3):
                await refused(store.load(encounter))
                await refused(store.ping())
                assert not (await refused(change(store, encounter, 1, 2))).outcome_unknown
            await asyncio.to_thread(server.start)
            await store.ping()
            assert await change(store, encounter, 1, 2) == Appended(2)
            assert await store.events(encounter, 0, 10) == [event(1), event(2)]


async def test_many_callers_of_a_store_that_is_away_all_learn_it_at_once(server: Server) -> None:
    async with opened(server.url) as store:
        await store.ping()
        server.kill()
        await asyncio.gather(*(refused(store.load("any")) for _ in range(300)))


@pytest.mark.slow
async def test_a_store_that_hangs_leaves_the_outcome_open_and_the_key_settles_it(
    bundled: Path, tmp_path: Path, encounter: str
) -> None:
    with running(bundled, tmp_path) as server:
        async with opened(server.url) as store:
            await begin(store, encounter)
            server.pause()
            assert (await refused(change(store, encounter, 1, 2, idempotency=KEY))).outcome_unknown
            assert not (await refused(change(store, encounter, 1, 2, idempotency=KEY))).outcome_unknown
            server.resume()
            assert await change(store, encounter, 1, 2, idempotency=KEY) == Repeated(b"fingerprint", b"response")
            assert await store.events(encounter, 0, 10) == [event(1), event(2)]


@pytest.mark.slow
async def test_a_port_behind_which_nobody_answers() -> None:
    async def hold(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with Listening(hold) as nobody, opened(f"redis://{nobody.address}") as store:
        assert not (await refused(begin(store, "any"))).outcome_unknown
        await asyncio.gather(*(refused(store.load("any")) for _ in range(100)))


async def test_a_change_whose_answer_is_lost_is_made_once(server: Server, encounter: str) -> None:
    async with Proxy(server.port) as proxy, opened(f"redis://{proxy.address}") as store:
        await begin(store, encounter)
        proxy.lose_answers = True
        assert (await refused(change(store, encounter, 1, 2, idempotency=KEY))).outcome_unknown
        proxy.lose_answers = False
        assert await store.load(encounter) == Record(2, b"2")
        assert await change(store, encounter, 1, 2, idempotency=KEY) == Repeated(b"fingerprint", b"response")
        assert await store.events(encounter, 0, 10) == [event(1), event(2)]
        assert proxy.changes == 3


async def test_a_full_store_is_read_but_not_changed(server: Server, encounter: str) -> None:
    async with opened(server.url) as store, opened(server.url) as another:
        await begin(store, encounter)
        await change(store, encounter, 1, 2, idempotency=KEY)
        before = everything_in(server)
        with server.client() as operator:
            operator.config_set("maxmemory", "1mb")
        for each in (store, another):
            with pytest.raises(StoreFull):
                await change(each, encounter, 2, 3)
            with pytest.raises(StoreFull):
                await each.create("new", body=b"", events=[event(1)], ttl_seconds=60, owner="me", most_open=3)
            assert await each.load(encounter) == Record(2, b"2")
            assert await each.events(encounter, 0, 10) == [event(1), event(2)]
            assert await change(each, encounter, 1, 2, idempotency=KEY) == Repeated(b"fingerprint", b"response")
        assert everything_in(server) == before
        with server.client() as operator:
            operator.config_set("maxmemory", "0")
        assert await change(store, encounter, 2, 3) == Appended(3)


async def test_a_store_that_cannot_save_is_full(program: Path, tmp_path: Path, encounter: str) -> None:
    directory = tmp_path / "server"
    with running(program, directory, "--save", "3600 1") as server, server.client() as operator:
        async with opened(server.url) as store:
            await begin(store, encounter)
            before = everything_in(server)
            shutil.rmtree(directory)
            operator.bgsave()
            wait_until(lambda: operator.info("persistence")["rdb_last_bgsave_status"] == "err")
            with pytest.raises(StoreFull, match="MISCONF"):
                await change(store, encounter, 1, 2, idempotency=KEY)
            assert await store.load(encounter) == Record(1, b"1")
            assert everything_in(server) == before


async def test_a_replica_is_read_but_not_changed(program: Path, server: Server, tmp_path: Path, encounter: str) -> None:
    with (
        running(program, tmp_path / "replica", "--replicaof", f"{HOST} {server.port}") as replica,
        replica.client() as operator,
    ):
        async with opened(server.url) as master, opened(replica.url) as store:
            await begin(master, encounter)
            wait_until(lambda: operator.exists(f"rulewright:{{{encounter}}}:log"))
            with pytest.raises(StoreFull):
                await change(store, encounter, 1, 2, idempotency=KEY)
            assert await store.load(encounter) == Record(1, b"1")
            assert everything_in(replica) == everything_in(server)
            operator.replicaof("NO", "ONE")
            assert await change(store, encounter, 1, 2, idempotency=KEY) == Appended(2)


async def test_a_server_that_reads_its_files_is_not_available_yet(server: Server, encounter: str) -> None:
    async with opened(server.url) as store:
        for name in (encounter, *(f"{encounter}-{number}" for number in range(10))):
            await store.append(name, expected_revision=0, body=os.urandom(10_000), events=[event(1)], ttl_seconds=TTL)
        with server.client() as operator:
            operator.save()
        server.kill()
        server.options += ("--key-load-delay", "80000", "--loading-process-events-interval-bytes", "1024")
        server.launch()
        async with asyncio.timeout(10):
            while True:
                error = await refused(change(store, encounter, 1, 2))
                if "loading" in str(error):
                    assert not error.outcome_unknown
                    break
            while True:
                try:
                    assert await change(store, encounter, 1, 2) == Appended(2)
                    break
                except StoreUnavailable:
                    await asyncio.sleep(0.02)


@pytest.mark.parametrize("denied", ["-publish", "-xadd", "-expire", "-hset", "resetchannels", "resetkeys"])
async def test_a_user_without_all_rights_changes_nothing(server: Server, encounter: str, denied: str) -> None:
    with server.client() as operator:
        operator.execute_command(
            "ACL", "SETUSER", "some", "on", ">pass", "~rulewright:*", "&rulewright:*", "+@all", denied
        )
    async with opened(f"redis://some:pass@{server.address}") as store:
        error = await refused(begin(store, encounter))
        assert not error.outcome_unknown
        assert "NOPERM" in str(error) or "may not" in str(error)
    assert everything_in(server) == {}


async def test_a_wrong_password_is_told_without_repeating_it(server: Server) -> None:
    with server.client() as operator:
        operator.execute_command("ACL", "SETUSER", "some", "on", ">right", "~*", "&*", "+@all")
    async with opened(f"redis://some:wrong-one@{server.address}") as store:
        error = await refused(store.ping())
        assert "wrong-one" not in str(error)
    async with opened(f"redis://some:right@{server.address}") as store:
        await store.ping()


async def test_closing_ends_all_that_was_under_way(server: Server) -> None:
    store = store_at(server.url)
    await store.ping()
    server.pause()
    calls = [asyncio.create_task(store.load("any")) for _ in range(10)]
    await asyncio.sleep(0.01)
    await store.close()
    ended = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(each, StoreUnavailable) for each in ended)

"""The server of one's own: its directory, its life, and what survives it."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from service.store import embedded
from service.store.embedded import EmbeddedServer, EmbeddedServerFailed
from service.store.errors import StoreFull
from service.store.memory import share_of_memory
from service.store.records import Appended, Record
from service.store.store import Store
from tests.store.servers import wait_until
from tests.store.use import TTL, add_until, begin, change, event, opened


@contextmanager
def started(program: Path, directory: Path, max_bytes: int | None = None) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(program, directory, max_bytes)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


async def test_it_keeps_what_it_was_given_when_it_stops(program: Path, tmp_path: Path) -> None:
    directory = tmp_path / "not" / "there" / "yet"
    with started(program, directory) as server:
        async with opened(server.url) as store:
            await begin(store, "fight")
    assert not is_running(server.process_id or 0)
    with started(program, directory) as server:
        async with opened(server.url) as store:
            assert await store.load("fight") == Record(1, b"1")
            assert await change(store, "fight", 1, 2) == Appended(2)


async def test_nobody_else_may_use_it(program: Path, tmp_path: Path) -> None:
    with started(program, tmp_path / "store") as server:
        assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "store" / "socket").stat().st_mode) == 0o700
        assert server.url == f"unix://{tmp_path}/store/socket"


async def test_a_full_one_takes_no_changes_and_is_read(program: Path, tmp_path: Path) -> None:
    large, kept = bytes(100_000), 0
    with started(program, tmp_path, max_bytes=8 * 2**20) as server:
        async with opened(server.url) as store:
            while kept < 1_000 and await has_room(store, str(kept), large):
                kept += 1
            assert 0 < kept < 100
            assert await store.load("0") == Record(1, large)
    with started(program, tmp_path, max_bytes=2**20) as server:
        async with opened(server.url) as store:
            assert await store.load(f"{kept - 1}") == Record(1, large), "one that may have less now reads what there is"
            with pytest.raises(StoreFull):
                await begin(store, "another")


async def has_room(store: Store, encounter: str, body: bytes) -> bool:
    """Whether it takes one more."""
    try:
        await store.append(encounter, expected_revision=0, body=body, events=[], ttl_seconds=TTL)
    except StoreFull:
        return False
    return True


def test_nobody_has_to_say_how_much_it_may_hold(program: Path, tmp_path: Path) -> None:
    with started(program, tmp_path) as server, Redis.from_url(server.url) as client:
        assert client.config_get("maxmemory") == {"maxmemory": str(share_of_memory())}


@pytest.mark.parametrize(("number", "told"), [(signal.SIGKILL, "signal 9"), (signal.SIGTERM, "status 0")])
def test_its_end_is_told(
    program: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, number: int, told: str
) -> None:
    with started(program, tmp_path) as server:
        before = server.process_id
        assert before is not None
        os.kill(before, number)
        wait_until(lambda: server.process_id != before)
        assert f"The store ended ({told}) and is started again" in caplog.text


async def test_a_name_that_a_url_cannot_hold_as_it_is(program: Path, tmp_path: Path) -> None:
    with started(program, tmp_path / "бои 100% & ещё?#") as server:
        async with opened(server.url) as store:
            await begin(store, "fight")


@pytest.mark.parametrize("length", [107, 108, 200])
async def test_a_path_that_is_too_long_for_a_socket(program: Path, tmp_path: Path, length: int) -> None:
    directory = tmp_path / ("d" * (length - len(str(tmp_path / "x/socket")) + 1))
    assert len(str(directory / "socket")) == length
    with started(program, directory) as server:
        assert (str(directory) in server.url) == (length <= embedded.MAX_SOCKET_PATH)
        async with opened(server.url) as store:
            await begin(store, "fight")
        socket = Path(server.url.removeprefix("unix://"))
        assert len(str(socket)) <= embedded.MAX_SOCKET_PATH
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert (length <= embedded.MAX_SOCKET_PATH) == socket.parent.exists()
    with started(program, directory) as server:
        async with opened(server.url) as store:
            assert await store.load("fight") == Record(1, b"1")


async def test_a_second_one_for_the_same_directory_is_refused(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "LOCK_SECONDS", 0.1)
    with started(program, tmp_path) as server:
        async with opened(server.url) as store:
            await begin(store, "fight")
            second = EmbeddedServer(program, tmp_path)
            with pytest.raises(EmbeddedServerFailed, match=rf"process {os.getpid()}.*{tmp_path}.*RULEWRIGHT_DATA_DIR"):
                second.start()
            second.stop()
            assert await change(store, "fight", 1, 2) == Appended(2)
    with started(program, tmp_path):
        pass


async def test_one_that_is_just_ending_is_waited_for(program: Path, tmp_path: Path) -> None:
    with started(program, tmp_path) as first:
        second = EmbeddedServer(program, tmp_path)
        starting = asyncio.create_task(asyncio.to_thread(second.start))
        await asyncio.sleep(0.2)
        assert not starting.done()
        first.stop()
        await starting
        second.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_it_dies_with_its_service_and_then_gives_the_directory_free(program: Path, tmp_path: Path) -> None:
    serve = (
        "import sys, time; from pathlib import Path; from service.store.embedded import EmbeddedServer\n"
        "server = EmbeddedServer(*map(Path, sys.argv[1:])); server.start()\n"
        "print(server.process_id, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", serve, program, tmp_path], stdout=subprocess.PIPE, text=True
    ) as service:
        assert service.stdout is not None
        process = int(service.stdout.readline())
        assert is_running(process)
        service.kill()
    wait_until(lambda: not is_running(process))
    with started(program, tmp_path):
        pass


def test_files_that_cannot_be_read_are_told_and_left_alone(program: Path, tmp_path: Path) -> None:
    with started(program, tmp_path):
        pass
    (log,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"*3\r\n$3\r\nSET\r\nthis is not a command\r\n" * 3)
    before = {file: file.read_bytes() for file in (tmp_path / "appendonlydir").iterdir()}
    server = EmbeddedServer(program, tmp_path)
    with pytest.raises(EmbeddedServerFailed, match=rf"{tmp_path}.*Bad file format reading the append only file"):
        server.start()
    assert {file: file.read_bytes() for file in (tmp_path / "appendonlydir").iterdir()} == before
    assert not is_running(server.process_id or 0)


def test_a_program_that_does_not_work_is_told(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedServerFailed, match=r"does not start.*No such file"):
        EmbeddedServer(tmp_path / "missing", tmp_path / "store").start()
    with pytest.raises(EmbeddedServerFailed, match="does not start: it said nothing"):
        EmbeddedServer(Path("/bin/false"), tmp_path / "store").start()


def test_a_directory_that_cannot_be_made_is_told(program: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedServerFailed, match=r"cannot keep encounters in .*file"):
        EmbeddedServer(program, tmp_path / "file" / "store").start()


@pytest.mark.slow
async def test_what_was_acknowledged_survives_kill_9_in_order_and_once(program: Path, tmp_path: Path) -> None:
    writers, acknowledged, stop = 16, [1] * 16, asyncio.Event()
    with started(program, tmp_path) as server:
        async with opened(server.url) as store:
            for number in range(writers):
                await begin(store, f"fight-{number}")

            async def write(number: int) -> None:
                while not stop.is_set():
                    await add_until(store, f"fight-{number}", acknowledged[number], acknowledged[number] + 1)
                    acknowledged[number] += 1

            writing = asyncio.gather(*(write(number) for number in range(writers)))
            for _ in range(5):
                await asyncio.sleep(0.25)
                before = server.process_id
                assert before is not None
                os.kill(before, signal.SIGKILL)
                async with asyncio.timeout(10):
                    while server.process_id == before:
                        await asyncio.sleep(0.01)
                    await until_all_went_on(acknowledged)
            stop.set()
            await writing
    with started(program, tmp_path) as server:
        async with opened(server.url) as store:
            for number in range(writers):
                last = acknowledged[number]
                assert await store.load(f"fight-{number}") == Record(last, str(last).encode())
                events = await store.events(f"fight-{number}", 0, last + 10)
                assert events == [event(sequence) for sequence in range(1, last + 1)]


async def until_all_went_on(counts: list[int]) -> None:
    before = list(counts)
    while not all(now > then for now, then in zip(counts, before, strict=True)):
        await asyncio.sleep(0.01)


def test_it_starts_in_a_moment(program: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    with started(program, tmp_path):
        assert time.monotonic() - began < 2

"""Several workers whose keys file breaks while they serve."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from service.commands.processes import HEALTHY_SECONDS
from service.gate.key_places import KeyFile
from service.gate.key_source import KeySource
from service.store.errors import StoreUnavailable
from tests.connections.test_workers import until_all_serve
from tests.encounters.processes import PATIENCE, serving
from tests.gate.conftest import bearer, made
from tests.house.files import ROOT
from tests.store.servers import free_port

BROKEN = '{"keys": ['


def until(true: Callable[[], bool]) -> None:
    """Return when something is so; requests may fail meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError("it did not come to be")


def answers(url: str, shown: str) -> set[int]:
    """What many new connections get, which reach all workers."""
    asked = {"roll": {"skill": 12}, "seed": "a"}
    return {
        httpx.post(f"{url}/v1/gurps/success-roll", json=asked, headers=bearer(shown), timeout=5).status_code
        for _ in range(20)
    }


@pytest.mark.slow
async def test_a_worker_that_is_replaced_while_the_keys_file_is_broken_takes_nothing_with_it(keys_file: Path) -> None:
    _, shown = await made(keys_file)
    good = keys_file.read_text()
    with serving(workers=2, keys=str(keys_file), data_dir=str(keys_file.parent)) as service:
        until_all_serve(service)
        before = service.workers()
        keys_file.write_text(BROKEN)
        os.kill(before[0], signal.SIGKILL)
        until(lambda: len(set(service.workers()) - set(before)) == 1)
        until_all_serve(service)
        until(lambda: answers(service.url, shown) == {200, 503})
        keys_file.write_text(good)
        until(lambda: answers(service.url, shown) == {200})
        assert before[1] in service.workers()


async def test_keys_that_were_never_read_are_not_said_to_stay_good(
    keys_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, shown = await made(keys_file)
    good = keys_file.read_text()
    keys_file.write_text(BROKEN)
    source = KeySource(None)
    with caplog.at_level(logging.ERROR, "rulewright.keys"):
        await source.start(KeyFile(keys_file))
        try:
            assert not source.ready
            assert "no key is good until they are" in caplog.text
            assert "stay good" not in caplog.text
            with pytest.raises(StoreUnavailable):
                await source.holder_of(bearer(shown)["authorization"].encode())
            keys_file.write_text(good)
            await source._look()
            assert source.ready
            keys_file.write_text(BROKEN)
            await source._look()
            assert "those that were read before stay good" in caplog.text
        finally:
            await source.stop()


@pytest.mark.slow
def test_a_service_whose_workers_cannot_start_says_so_by_its_exit_status(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif any('spawn_main' in each for each in sys.orig_argv):\n    sys.modules['service.app'] = None\n"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "service", "serve", "--port", str(free_port()), "--workers", "2"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "RULEWRIGHT_DATA_DIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 3, done.stderr[-2000:]
    assert time.monotonic() - began < HEALTHY_SECONDS, "a worker that died is not waited for"

"""Several workers are counted together, whichever of them is asked."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.observability.exposition import forget_dead_workers, is_alive
from service.observability.workers import DIRECTORY, counted_together
from tests.observability.counting import Samples, samples
from tests.observability.servers import LoggedService, logged_service
from tests.store.servers import wait_until

REQUESTS = ("rulewright_request_duration_seconds_count", ("GET", "/v1/systems/{system}", "404"))
RULESETS = "rulewright_ruleset_info"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[LoggedService]:
    """A service of two workers, with its temporary files where they can be seen."""
    (tmp_path / "tmp").mkdir()
    with logged_service(tmp_path, "--workers", "2", environment={"TMPDIR": str(tmp_path / "tmp")}) as service:
        wait_until(lambda: service.text().count("Application startup complete") == 2, 20)
        yield service


def told(service: LoggedService) -> Samples:
    return samples(httpx.get(f"{service.url}/metrics").text)


@pytest.mark.slow
def test_any_worker_tells_the_sum_until_they_end(two: LoggedService, tmp_path: Path) -> None:
    [directory] = (tmp_path / "tmp").glob("rulewright-metrics-*")
    for number in range(40):  # each over a connection of its own
        assert httpx.get(f"{two.url}/v1/systems/none-{number}").status_code == 404
    wait_until(lambda: told(two)[REQUESTS] == 40)
    assert [told(two)[REQUESTS] for _ in range(10)] == [40] * 10
    assert len(list(directory.glob("counter_*.db"))) == 2
    assert two.stop() == 0
    assert not directory.exists()


@pytest.mark.slow
def test_the_gauges_of_a_worker_that_was_killed_vanish_and_its_counts_stay(two: LoggedService, tmp_path: Path) -> None:
    [directory] = (tmp_path / "tmp").glob("rulewright-metrics-*")
    for number in range(40):
        assert httpx.get(f"{two.url}/v1/systems/none-{number}").status_code == 404
    wait_until(lambda: told(two)[REQUESTS] == 40)
    victim, other = two.workers()
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: victim not in two.workers() and len(two.workers()) == 2, 20)
    wait_until(lambda: two.text().count("Application startup complete") == 3, 20)
    after = told(two)
    assert after[REQUESTS] == 40
    assert after["rulewright_open_streams", ()] == 0
    alive = {int(path.stem.rpartition("_")[2]) for path in directory.glob("gauge_live*.db")}
    assert alive == set(two.workers())
    assert other in alive
    assert {value for (name, _), value in after.items() if name == RULESETS} == {1}


def test_a_gauge_of_nobody_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    nobody = 2**22 + 1  # Linux gives no process an id above 2^22
    names = [f"gauge_livesum_{nobody}.db", f"counter_{nobody}.db", f"gauge_livesum_{os.getpid()}.db"]
    for name in names:
        (tmp_path / name).touch()
    forget_dead_workers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def test_a_process_of_somebody_else_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    assert is_alive(1)


def test_one_worker_writes_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DIRECTORY, raising=False)
    with counted_together(1):
        assert DIRECTORY not in os.environ
    with counted_together(2):
        directory = Path(os.environ[DIRECTORY])
        assert directory.is_dir()
    assert DIRECTORY not in os.environ
    assert not directory.exists()


def test_a_directory_that_an_operator_named_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(DIRECTORY, str(tmp_path))
    with counted_together(2):
        assert os.environ[DIRECTORY] == str(tmp_path)
    assert tmp_path.is_dir()

"""`./dev load` at work: a few seconds of it, with nothing failing, and what it says of a service that fails."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.processes import DidNotStart
from bench.soak.__main__ import main
from bench.soak.client import Answer, Client
from bench.soak.incidents import Incidents, What, Window
from bench.soak.overload import Shed, judged
from bench.soak.samples import FEWEST, Series
from bench.soak.tally import Came, Tally
from service.store.programs import find_program

ROOT = Path(__file__).parents[2]
SECONDS_OF_A_MINUTE = 60


def load(file: Path, seconds: float, *options: str, status: int | None = 0) -> dict[str, Any]:
    """What a load of so many seconds writes."""
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    minutes = str(seconds / SECONDS_OF_A_MINUTE)
    command = [sys.executable, "-m", "bench.soak", "--minutes", minutes, "--json", str(file), *options]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert run.returncode == status or status is None, run.stdout[-4_000:] + run.stderr[-4_000:]
    told: dict[str, Any] = json.loads(file.read_bytes())
    return told


def came(told: dict[str, Any], what: Came) -> int:
    return sum(kind["came"][what] for kind in told["kinds"].values())


@pytest.mark.slow
@pytest.mark.alone
def test_mixed_users_for_a_few_seconds(tmp_path: Path) -> None:
    told = load(tmp_path / "told", 4, "--rate", "150", "--users", "16", "--streams", "40")
    assert {"resolve", "batch", "open", "command", "undo", "close", "verification", "stream"} <= set(told["kinds"])
    assert told["fights"] >= 8
    assert told["in_store"]["by_system"].keys() == {"gurps", "storyteller", "chronicles", "action-points"}
    assert told["streams"]["streams"] == 40
    assert (came(told, Came.AWAY), came(told, Came.BROKEN), told["failures"]) == (0, 0, 0)


@pytest.mark.slow
@pytest.mark.alone
def test_a_worker_is_killed_and_the_store_goes_away(tmp_path: Path) -> None:
    what_happens = ("--worker-kill", "--store-restart")
    told = load(tmp_path / "told", 9, "--rate", "150", "--users", "16", "--streams", "0", *what_happens)
    workers = [each for each in told["processes"] if each["name"].startswith("worker")]
    assert len(workers) == 3
    assert came(told, Came.AWAY) > 0
    assert told["failures"] == 0


def test_nobody_but_this_machine_is_loaded() -> None:
    command = [sys.executable, "-m", "bench.soak", "--host", "192.0.2.1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert "192.0.2.1 is not an address of the loopback" in run.stderr
    with pytest.raises(ValueError, match="not an address of the loopback"):
        Client("192.0.2.1", 80, "a key")


@pytest.mark.parametrize("nothing", [["--rate", "0"], ["--users", "0"], ["--workers", "0"], ["--minutes", "0"]])
def test_a_load_of_nothing_is_none(nothing: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(nothing)
    assert ended.value.code == 2
    assert nothing[0] in capsys.readouterr().err


@pytest.mark.parametrize("error", [DidNotStart("the store"), ExceptionGroup("", [DidNotStart("the store")])])
def test_what_does_not_start_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def soak(*_: object) -> None:
        raise error

    monkeypatch.setattr("bench.soak.__main__._soak", soak)
    assert main([]) == 1
    assert capsys.readouterr().err == "load: the store\n"


AWAY = Answer(503, {b"retry-after": b"1"}, b'{"type":"/problems/store-unavailable"}')


@pytest.mark.parametrize(
    ("happened", "kept", "expected"),
    [
        (What.STORE_RESTART, True, Came.AWAY),
        (What.STORE_RESTART, False, Came.UNEXPECTED),
        (What.WORKER_KILL, True, Came.UNEXPECTED),
        (None, True, Came.UNEXPECTED),
    ],
)
def test_an_absent_store_excuses_fights_alone_and_only_then(
    happened: What | None, *, kept: bool, expected: Came
) -> None:
    incidents = Incidents()
    incidents.windows = [] if happened is None else [Window(happened, 0)]
    tally = Tally(incidents)
    assert tally.answered("turn", AWAY, 0.1, kept=kept, may_be_refused=True) is expected
    assert tally.failures == (expected is Came.UNEXPECTED)


def test_too_much_to_do_is_expected_while_what_is_possible_is_found_out_or_a_worker_is_missing() -> None:
    incidents = Incidents()
    tally = Tally(incidents)
    answer = Answer(503, {b"retry-after": b"1"}, b'{"type":"/problems/overloaded"}')
    assert tally.answered("turn", answer, 0.1, kept=True, may_be_refused=True) is Came.AWAY
    tally.begin_anew()
    assert tally.answered("turn", answer, 0.1, kept=True, may_be_refused=True) is Came.UNEXPECTED
    incidents.windows = [Window(What.WORKER_KILL, 0)]
    assert tally.answered("turn", answer, 0.1, kept=True, may_be_refused=True) is Came.AWAY


def test_a_refusal_without_a_time_to_come_back_is_unexpected() -> None:
    incidents = Incidents()
    incidents.windows = [Window(What.STORE_RESTART, 0)]
    answer = Answer(503, {}, AWAY.body)
    assert Tally(incidents).answered("turn", answer, 0.1, kept=True, may_be_refused=True) is Came.UNEXPECTED


@pytest.mark.parametrize(("happened", "expected"), [(What.WORKER_KILL, Came.BROKEN), (None, Came.UNEXPECTED)])
def test_a_connection_ends_only_with_its_worker(happened: What | None, expected: Came) -> None:
    incidents = Incidents()
    incidents.windows = [] if happened is None else [Window(happened, 0)]
    assert Tally(incidents).broke("resolve") is expected


def test_what_happened_long_ago_excuses_nothing() -> None:
    incidents = Incidents()
    incidents.windows = [Window(What.WORKER_KILL, 0, 1e-9)]
    assert Tally(incidents).broke("resolve") is Came.UNEXPECTED


@pytest.mark.parametrize(("bytes_a_sample", "flat"), [(0, True), (1_000_000, False)])
def test_memory_that_grows_all_the_time_is_told(bytes_a_sample: int, *, flat: bool) -> None:
    series = Series("worker")
    for at in range(2 * FEWEST):
        series.at.append(at)
        series.memory.append(100_000_000 + at * bytes_a_sample)
        series.files.append(20)
    assert series.flat is flat


def test_of_a_short_run_nothing_is_said() -> None:
    series = Series("worker", at=[0.0] * (FEWEST - 1), memory=[1] * (FEWEST - 1), files=[1] * (FEWEST - 1))
    assert series.flat is None


@pytest.mark.slow
@pytest.mark.alone
def test_more_than_a_worker_can_take(tmp_path: Path) -> None:
    """How long the answers take is for a machine that does nothing else; what they are is not."""
    told = load(tmp_path / "told", 16, "--overload", status=None)
    refusing, keeping = told["sides"].values()
    assert refusing["refused"] > 0
    assert keeping["refused"] == 0
    assert all("p99" in each or " took " in each or "a second" in each for each in told["failed"])


GOOD = Shed(offered=200, answered=100, refused=100, p50=10, p99=100, refused_p99=5, newcomer_p99=50)
ALL = replace(GOOD, offered=100, refused=0, p99=1_000)


@pytest.mark.parametrize(
    ("shedding", "keeping", "failed"),
    [
        (GOOD, ALL, []),
        (replace(GOOD, answered=0), ALL, ["nothing was answered", "0 a second"]),
        (GOOD, replace(ALL, answered=0), ["nothing was answered"]),
        (replace(GOOD, newcomer_p99=0), ALL, ["nobody who connected"]),
        (GOOD, replace(ALL, newcomer_p99=0), ["nobody who connected"]),
        (replace(GOOD, answered=40), ALL, ["40 a second were answered, beside 100"]),
        (replace(GOOD, refused=0), ALL, ["nothing was refused"]),
        (GOOD, replace(ALL, refused=1), ["something was refused"]),
        (replace(GOOD, p99=800), ALL, ["p99"]),
        (replace(GOOD, newcomer_p99=3_000), ALL, ["/healthz took 3000 ms"]),
    ],
)
def test_what_is_wrong_with_refusing(shedding: Shed, keeping: Shed, failed: list[str]) -> None:
    found = judged(shedding, keeping)
    assert [each[: len(start)] for each, start in zip(found, failed, strict=True)] == failed

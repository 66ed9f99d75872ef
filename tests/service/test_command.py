"""The command line: what it tells the server, and what a mistake is answered."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from service import command
from service.command import main
from service.commands import processes, serve
from service.settings import Settings, load_settings
from service.store.embedded import EmbeddedServerFailed


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What uvicorn is told, and the store that the workers would find, instead of running them."""
    told: dict[str, Any] = {}

    @contextlib.contextmanager
    def url_of_store(_: Settings) -> Iterator[str]:
        yield "unix:///the/store"

    def run(app: str, *, bound: Callable[[], None], **configuration: Any) -> None:
        bound()
        told.update(configuration, app=app, store=os.environ["RULEWRIGHT_REDIS_URL"])

    monkeypatch.setattr(os, "environ", os.environ.copy())  # what workers are told is taken back after the test
    monkeypatch.setattr(serve, "run", run)
    monkeypatch.setattr(command, "end_in_order_on_signals", lambda: None)
    monkeypatch.setattr(serve, "url_of_store", url_of_store)
    return told


def test_workers_share_one_store(served: dict[str, Any]) -> None:
    assert main(["serve", "--workers", "2"]) == 0
    assert served["store"] == "unix:///the/store"


def test_a_store_that_does_not_start_is_told_and_nothing_is_served(
    served: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextlib.contextmanager
    def url_of_store(_: Settings) -> Iterator[str]:
        raise EmbeddedServerFailed("the disk is full")
        yield

    monkeypatch.setattr(serve, "url_of_store", url_of_store)
    assert main(["serve"]) == 1
    assert capsys.readouterr().err == "rulewright: the disk is full\n"
    assert served == {}


def test_serve_takes_the_settings_of_the_environment(
    served: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_HOST", "::1")
    monkeypatch.setenv("RULEWRIGHT_WORKERS", "3")
    assert main(["serve"]) == 0
    assert (served["app"], served["host"], served["port"], served["workers"]) == ("service.app:app", "::1", 8000, 3)
    assert "http://[::1]:8000/docs" in capsys.readouterr().out


def test_serve_takes_the_options_first(served: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_PORT", "9000")
    monkeypatch.setenv("RULEWRIGHT_OPEN", "true")
    assert main(["serve", "--host", "0.0.0.0", "--port", "9001", "--workers", "2"]) == 0
    assert (served["host"], served["port"], served["workers"]) == ("0.0.0.0", 9001, 2)


@pytest.mark.usefixtures("served")
def test_workers_are_told_what_the_command_line_says() -> None:
    assert main(["serve", "--host", "::1", "--port", "9001", "--workers", "2"]) == 0
    seen = load_settings()
    assert (seen.host, seen.port, seen.workers) == ("::1", 9001, 2)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"rulewright {version('rulewright')}\n"


def test_serve_reloads_in_one_process(served: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_WORKERS", "3")
    assert main(["serve", "--reload"]) == 0
    assert served["reload"] is True
    assert served["workers"] is None


def test_serve_logs_as_much_as_the_settings_say(served: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_LOG_LEVEL", "debug")
    assert main(["serve"]) == 0
    assert served["log_level"] == "debug"
    assert served["log_config"]["loggers"]["rulewright"]["level"] == "DEBUG"


def test_settings_that_do_not_work_are_told_and_nothing_is_served(
    served: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "70000"]) == 2
    assert "port (RULEWRIGHT_PORT)" in capsys.readouterr().err
    assert served == {}


@pytest.mark.slow
def test_two_workers_serve_and_end_together(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    program = "import sys; from service.command import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", program, "serve", "--port", port, "--workers", "2"],
        env={**os.environ, "RULEWRIGHT_DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stderr=subprocess.PIPE,
        text=True,
    ) as service:
        assert service.stderr is not None
        said = ""
        while said.count("Application startup complete") < 2:
            line = service.stderr.readline()
            assert line, said
            said += line
        assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
        service.send_signal(signal.SIGTERM)
        said += service.communicate(timeout=20)[1]
    assert service.returncode == 0, said
    assert len(re.findall("Finished server process", said)) == 2, said
    assert "Traceback" not in said


TOLD_TO_END_WHILE_IT_IMPORTS = """
import os, signal, sys

class Ends:
    def find_spec(self, name, path, target=None):
        if name == "pydantic":
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Ends())
from service.command import main
sys.exit(main())
"""


@pytest.mark.parametrize(("arguments", "status"), [(["serve"], 0), (["config"], -signal.SIGTERM)])
def test_a_signal_while_it_imports_ends_a_service_in_order(arguments: list[str], status: int) -> None:
    """As the first process of a container it would not hear of one without a handler."""
    done = subprocess.run(
        [sys.executable, "-c", TOLD_TO_END_WHILE_IT_IMPORTS, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


@pytest.mark.parametrize("arguments", [["serve"], ["config"], ["keys", "list"]])
def test_a_directory_of_metrics_that_is_none_is_told(tmp_path: Path, arguments: list[str]) -> None:
    missing = str(tmp_path / "none")
    done = subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": missing},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"PROMETHEUS_MULTIPROC_DIR: {missing}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("code", "status"), [(0, 0), (1, 3)])
def test_a_signal_while_the_address_is_taken_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, code: int, status: int
) -> None:
    def bind(_: uvicorn.Config) -> None:
        sys.exit(code)

    monkeypatch.setattr(uvicorn.Config, "bind_socket", bind)
    with pytest.raises(SystemExit) as ended:
        processes.run("service.app:app", workers=1, bound=lambda: None, host="127.0.0.1", port=1)
    assert (ended.value.code or 0) == status

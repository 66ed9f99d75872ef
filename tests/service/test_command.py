"""The command line: what it tells the server, and what a mistake is answered."""

from typing import Any

import pytest
import uvicorn

from service.command import main


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What uvicorn is told, instead of running it."""
    told: dict[str, Any] = {}

    def run(app: str, **configuration: Any) -> None:
        told.update(configuration, app=app)

    monkeypatch.setattr(uvicorn, "run", run)
    return told


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
    assert main(["serve", "--host", "0.0.0.0", "--port", "9001", "--workers", "2"]) == 0
    assert (served["host"], served["port"], served["workers"]) == ("0.0.0.0", 9001, 2)


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

"""The log of a running service: every line is one of JSON, and errors do not repeat what the client sent."""

import logging
import logging.config
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.observability import logs
from service.observability.identity import REQUEST_ID, current
from service.settings import Settings
from tests.observability.servers import UVICORN, LoggedService, logged_service

BROKEN = ("-m", "uvicorn", "tests.observability.broken:app")
Configured = Callable[..., logging.Handler]


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--workers", "2"]], ids=["one", "two"])
def test_serve_writes_json_from_its_start_to_its_end(tmp_path: Path, options: list[str]) -> None:
    with logged_service(tmp_path, *options) as service:
        assert service.stop() == 0
        lines = service.lines()
    events = [line["event"] for line in lines]
    assert any("Started server process" in event for event in events)
    assert any("Finished server process" in event for event in events)
    for line in lines:
        assert list(line)[:3] == ["event", "level", "timestamp"]
        assert line["logger"].startswith(("uvicorn", "rulewright"))


@pytest.mark.slow
def test_uvicorn_alone_writes_json_too_and_tells_no_query(tmp_path: Path) -> None:
    with logged_service(tmp_path, command=UVICORN, environment={"RULEWRIGHT_ACCESS_LOG": "all"}) as service:
        httpx.get(f"{service.url}/v1/systems?ticket=open-sesame")
        service.stop()
        assert "open-sesame" not in service.text()
        assert service.said.read_text() == ""
        assert {"Application startup complete.", f"Finished server process [{service.process.pid}]"} <= {
            line["event"] for line in service.lines()
        }
        routes = {line["route"] for line in service.lines() if line["event"] == "request"}
    assert routes == {"/healthz", "/v1/systems"}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoggedService]:
    with logged_service(tmp_path_factory.mktemp("broken"), command=BROKEN) as service:
        yield service


def line_with(service: LoggedService, event: str) -> dict[str, Any]:
    [line] = [line for line in service.lines() if line["event"] == event]
    return line


@pytest.mark.slow
def test_an_unexpected_error_is_told_with_its_request_and_without_its_message(broken: LoggedService) -> None:
    answer = httpx.get(
        f"{broken.url}/fails?what=the-sheet-of-Mira", headers={"traceparent": f"00-{'ab' * 16}-{'1' * 16}-01"}
    )
    assert answer.status_code == 500
    line = line_with(broken, "an unexpected error")
    assert (line["level"], line["logger"], line["error"]) == ("error", "rulewright", "RuntimeError")
    assert (line["request_id"], line["trace_id"]) == (answer.headers["x-request-id"], "ab" * 16)
    assert "broken.py" in line["traceback"]
    assert line["traceback"].endswith("RuntimeError")
    assert "the-sheet-of-Mira" not in broken.text()


@pytest.mark.slow
def test_a_task_that_nobody_waited_for_is_told_without_its_message(broken: LoggedService) -> None:
    assert httpx.get(f"{broken.url}/forgets").status_code == 200
    line = line_with(broken, "Task exception was never retrieved")
    assert (line["logger"], line["error"]) == ("asyncio", "RuntimeError")
    assert "no such sheet: Mira" not in broken.text()


@pytest.fixture
def configured() -> Configured:
    """The handler of the configuration, without touching the loggers of the test run."""

    def handler(**settings: Any) -> logging.Handler:
        told = pickle.loads(pickle.dumps(logs.configuration(Settings(**settings))))
        form = told["formatters"]["default"]["form"]
        made = logging.StreamHandler()
        made.setFormatter(logs.formatter(form))
        return made

    return handler


def record(message: str, *arguments: object, error: BaseException | None = None, name: str = "x") -> logging.LogRecord:
    told = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.ERROR, __file__, 1, message, arguments, told)


def test_a_line_cannot_be_forged(configured: Configured) -> None:
    text = configured(log_format="json").format(record("said %s", 'x\n{"event":"forged"}\r\u2028"'))
    assert text.count("\n") == 0
    assert text.startswith('{"event":"said x\\n{\\"event\\":\\"forged\\"}\\r')


def test_what_is_no_unicode_is_told_all_the_same(configured: Configured) -> None:
    assert "\\ud800" in configured(log_format="json").format(record("said %s", "\ud800"))


def raised(secret: str) -> Exception:
    try:
        try:
            raise KeyError(secret)
        except KeyError as error:
            raise ExceptionGroup(secret, [ValueError(secret)]) from error
    except ExceptionGroup as error:
        return error


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_error_is_told_with_all_that_led_to_it(configured: Configured, form: str) -> None:
    token = current.set({"headers": [], REQUEST_ID: b"r-1"})
    try:
        text = configured(log_format=form).format(record("broken", error=raised("open sesame")))
    finally:
        current.reset(token)
    for name in ("KeyError", "ValueError", "ExceptionGroup", "r-1", "test_logs.py"):
        assert name in text
    assert "sesame" not in text


def test_outside_of_a_request_the_message_of_an_error_is_told(configured: Configured) -> None:
    text = configured(log_format="json").format(record("broken", error=OSError("the disk is full")))
    assert '"message":"the disk is full"' in text


def test_text_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert logs.form_of(Settings()) == "text"
    assert logs.form_of(Settings(log_format="json")) == "json"  # type: ignore[arg-type]
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    assert logs.form_of(Settings()) == "json"
    assert logs.form_of(Settings(log_format="text")) == "text"  # type: ignore[arg-type]


def test_a_log_that_an_operator_configured_stays() -> None:
    logger = logging.getLogger("uvicorn")
    theirs = logging.NullHandler()
    theirs.setFormatter(logging.Formatter("%(message)s"))
    before = logger.handlers
    logger.handlers = [theirs]
    try:
        logs.take_over(Settings())
        assert logger.handlers == [theirs]
    finally:
        logger.handlers = before


@pytest.mark.parametrize(("level", "others"), [("debug", 30), ("warning", 30), ("error", 40), ("critical", 50)])
def test_other_loggers_warn_unless_less_is_wanted(level: str, others: int) -> None:
    told = logs.configuration(Settings(log_level=level))  # type: ignore[arg-type]
    assert told["root"]["level"] == others
    assert told["loggers"]["rulewright"]["level"] == level.upper()

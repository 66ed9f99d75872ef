"""The log: one JSON object a line on stderr, whoever writes it, or text for people.

An error is told by its type and where it came from. Its message is left out while a request is answered, since it may
repeat what the client sent.
"""

import json
import logging
import logging.config
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import msgspec
import structlog
from structlog.processors import TimeStamper
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.types import EventDict, Processor, WrappedLogger
from uvicorn.logging import DefaultFormatter

from service.http import header
from service.observability.identity import REQUEST_ID, current, trace_id
from service.settings import LogFormat, Settings

TRACEBACK = "traceback"
FIRST = ("event", "level", "timestamp")
_encode = msgspec.json.Encoder(enc_hook=repr).encode


def configuration(settings: Settings) -> dict[str, Any]:
    """What logging.config is told, in a form that reaches a worker."""
    level = settings.log_level.value.upper()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"default": {"()": f"{__name__}.formatter", "form": form_of(settings).value}},
        "handlers": {
            "default": {"class": "logging.StreamHandler", "formatter": "default", "stream": "ext://sys.stderr"}
        },
        "root": {"handlers": ["default"], "level": max(logging.WARNING, getattr(logging, level))},
        "loggers": {
            **{name: {"level": level, "propagate": True} for name in ("rulewright", "uvicorn", "uvicorn.error")},
            "uvicorn.access": {"handlers": [], "propagate": False},  # it would tell queries, and so tickets
        },
    }


def form_of(settings: Settings) -> LogFormat:
    """JSON or text."""
    if settings.log_format is not LogFormat.AUTO:
        return settings.log_format
    return LogFormat.TEXT if sys.stderr.isatty() else LogFormat.JSON


def take_over(settings: Settings) -> None:
    """Put our log in the place of uvicorn's own, if that is what is there; what an operator configured stays."""
    handlers = logging.getLogger("uvicorn").handlers
    if any(type(handler.formatter) is DefaultFormatter for handler in handlers):
        logging.config.dictConfig(configuration(settings))


def formatter(form: str) -> logging.Formatter:
    """What writes the records of the standard library's loggers."""
    return ProcessorFormatter(
        foreign_pre_chain=[_first_line_of_asyncio, add_log_level, add_logger_name],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            *_SHARED,
            _as_text() if form == LogFormat.TEXT else _as_json,
        ],
    )


def request_logger(settings: Settings) -> Any:
    """The logger of the line for each request: it writes to stderr itself, which is several times faster."""
    text = form_of(settings) is LogFormat.TEXT
    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr) if text else structlog.BytesLogger(sys.stderr.buffer),
        processors=[structlog.processors.add_log_level, *_SHARED, _as_text() if text else _as_bytes],
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level.value),
        cache_logger_on_first_use=True,
    )


def _first_line_of_asyncio(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Without the tasks and exceptions that asyncio writes below it."""
    if line["_record"].name == "asyncio":
        line["event"] = line["event"].partition("\n")[0]
    return line


def _with_request(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    request = current.get()
    if request is not None:
        line["request_id"] = request[REQUEST_ID].decode()
        if trace := trace_id(header(request, b"traceparent")):
            line["trace_id"] = trace
    return line


def _with_error(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    found = line.pop("exc_info", None)
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        line["error"] = _name(error)
        if current.get() is None and line.get("logger") != "asyncio":  # whose tasks belong to requests
            line["message"] = str(error)
        line[TRACEBACK] = "".join(_frames(error)).rstrip()
    return line


def _frames(error: BaseException) -> Iterator[str]:
    """Where an error and those behind it came from, the first one first."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _frames(before)
        yield "then\n"
    for each in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _frames(each)
        yield "within\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{_name(error)}\n"


def _name(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


def _as_bytes(_: WrappedLogger, __: str, line: EventDict) -> bytes:
    line = {**{name: line.pop(name) for name in FIRST}, **line}
    try:
        return _encode(line)
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(line, default=repr).encode()


def _as_json(logger: WrappedLogger, name: str, line: EventDict) -> str:
    return _as_bytes(logger, name, line).decode()


def _as_text() -> Processor:
    render = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())

    def text(logger: WrappedLogger, name: str, line: EventDict) -> str:
        frames = line.pop(TRACEBACK, "")
        return f"{render(logger, name, line)}\n{frames}".rstrip()

    return text


_SHARED: list[Processor] = [TimeStamper(fmt="iso", utc=True), _with_request, _with_error]

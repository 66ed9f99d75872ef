"""The command `rulewright`."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from service.settings import PREFIX, InvalidSettingsError, Settings, load_settings
from service.store.connect import url_of_store
from service.store.embedded import EmbeddedServerFailed

FAILED = 1
INVALID_USE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and answer its exit status."""
    given = vars(_parser().parse_args(arguments))
    run = given.pop("run")
    try:
        status: int = run(**given)
    except InvalidSettingsError as error:
        sys.stderr.write(f"rulewright: these settings do not work:\n{error}\n")
        return INVALID_USE
    except EmbeddedServerFailed as error:
        sys.stderr.write(f"rulewright: {error}\n")
        return FAILED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rulewright", description="Rules of tabletop combat as a service.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    serving = commands.add_parser("serve", help="answer over HTTP", argument_default=argparse.SUPPRESS)
    serving.set_defaults(run=serve)
    serving.add_argument("--host", help="the address to listen on (RULEWRIGHT_HOST, else 127.0.0.1)")
    serving.add_argument("--port", type=int, help="the port to listen on (RULEWRIGHT_PORT, else 8000)")
    processes = serving.add_mutually_exclusive_group()
    processes.add_argument("--workers", type=int, help="how many processes answer (RULEWRIGHT_WORKERS, else 1)")
    processes.add_argument("--reload", action="store_true", help="start anew when the code changes")
    return parser


def serve(*, reload: bool = False, **overrides: Any) -> int:
    """Answer over HTTP until a signal says to stop."""
    settings = load_settings(**overrides)
    address = f"http://{_in_url(settings.host)}:{settings.port}"
    with url_of_store(settings) as url:
        if url is not None:
            os.environ[f"{PREFIX}REDIS_URL"] = url  # all workers keep their encounters in the one store
        sys.stdout.write(f"Rulewright on {address}, its documentation on {address}/docs\n")
        sys.stdout.flush()
        uvicorn.run(
            "service.app:app",
            host=settings.host,
            port=settings.port,
            workers=None if reload else settings.workers,
            reload=reload,
            log_level=settings.log_level.value,
            log_config=_logging(settings),
            access_log=False,  # costs a quarter of the throughput
            server_header=False,
            ws="none",
        )
    return 0


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _logging(settings: Settings) -> dict[str, Any]:
    ours = {"handlers": ["default"], "level": settings.log_level.value.upper(), "propagate": False}
    return {**LOGGING_CONFIG, "loggers": {**LOGGING_CONFIG["loggers"], "rulewright": ours}}

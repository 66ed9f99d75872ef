"""`rulewright serve`."""

import argparse
import os
import sys
from typing import Any

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from service.commands.kinds import Commands
from service.settings import PREFIX, Settings, load_settings
from service.store.connect import url_of_store


def add_to(commands: Commands) -> None:
    """Add this command to those of the command line."""
    parser = commands.add_parser("serve", help="answer over HTTP", argument_default=argparse.SUPPRESS)
    parser.set_defaults(run=serve)
    parser.add_argument("--host", help="the address to listen on (RULEWRIGHT_HOST, else 127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port to listen on (RULEWRIGHT_PORT, else 8000)")
    processes = parser.add_mutually_exclusive_group()
    processes.add_argument("--workers", type=int, help="how many processes answer (RULEWRIGHT_WORKERS, else 1)")
    processes.add_argument("--reload", action="store_true", help="start anew when the code changes")


def serve(*, reload: bool = False, **overrides: Any) -> int:
    """Answer over HTTP until a signal says to stop."""
    settings = load_settings(**overrides)
    _tell_workers(overrides)
    address = f"http://{_in_url(settings.host)}:{settings.port}"
    with url_of_store(settings) as url:
        if url is not None:
            _tell_workers({"redis_url": url})  # all of them keep their encounters in the one store
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


def _tell_workers(settings: dict[str, Any]) -> None:
    """Workers read their settings from the environment, whoever started them."""
    for name, value in settings.items():
        os.environ[f"{PREFIX}{name.upper()}"] = str(value)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _logging(settings: Settings) -> dict[str, Any]:
    ours = {"handlers": ["default"], "level": settings.log_level.value.upper(), "propagate": False}
    return {**LOGGING_CONFIG, "loggers": {**LOGGING_CONFIG["loggers"], "rulewright": ours}}

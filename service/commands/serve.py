"""`rulewright serve`."""

import argparse
import importlib.util
import os
import sys
from functools import partial
from typing import Any

from service.commands.checked import checked_settings, warn_of_unknown_variables
from service.commands.kinds import Commands, add_settings
from service.commands.processes import run
from service.connections.limits import HEAD_BYTES, allow_files
from service.observability.logs import configuration
from service.observability.workers import counted_together
from service.settings import PREFIX
from service.store.connect import url_of_store

KEEP_ALIVE_SECONDS = 20
BACKLOG = 2_048
"""The connections that the system keeps until they are taken; it may keep fewer."""


def add_to(commands: Commands) -> None:
    """Add this command to those of the command line."""
    parser = commands.add_parser("serve", help="answer over HTTP", argument_default=argparse.SUPPRESS)
    parser.set_defaults(run=serve)
    processes = parser.add_mutually_exclusive_group()
    add_settings(parser, workers=processes)
    processes.add_argument("--reload", action="store_true", help="start anew when the code changes")


def serve(*, reload: bool = False, **overrides: Any) -> int:
    """Answer over HTTP until a signal says to stop."""
    settings = checked_settings(overrides)
    warn_of_unknown_variables()
    _tell_workers(overrides)
    warning = allow_files(settings.max_connections)
    if warning:
        sys.stderr.write(f"rulewright: {warning}\n")
    with counted_together(1 if reload else settings.workers), url_of_store(settings) as url:
        if url is not None:
            _tell_workers({"redis_url": url})  # all of them keep their encounters in the one store
        run(
            "service.app:app",
            bound=partial(_announce, f"http://{_in_url(settings.host)}:{settings.port}"),
            host=settings.host,
            port=settings.port,
            workers=None if reload else settings.workers,
            reload=reload,
            log_level=settings.log_level.value,
            log_config=configuration(settings),
            access_log=False,  # ours tells more and costs less
            server_header=False,
            ws="none",
            http=_connection(),
            h11_max_incomplete_event_size=HEAD_BYTES,
            proxy_headers=False,  # who a client is, is worked out behind it
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=settings.grace_seconds,
        )
    return 0


def _announce(address: str) -> None:
    sys.stdout.write(f"Rulewright on {address}, its documentation on {address}/docs\n")
    sys.stdout.flush()


def _connection() -> str:
    parser = "fast" if importlib.util.find_spec("httptools") else "plain"
    return f"service.connections.{parser}:Connection"


def _tell_workers(settings: dict[str, Any]) -> None:
    """Workers read their settings from the environment, whoever started them."""
    for name, value in settings.items():
        os.environ[f"{PREFIX}{name.upper()}"] = str(value)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""`rulewright serve`."""

import argparse
import importlib.util
import os
import sys
from typing import Any

from service.commands.kinds import Commands
from service.commands.processes import end_in_order_on_signals, run
from service.connections.limits import HEAD_BYTES, allow_files
from service.gate.admission import demand_admission
from service.observability.logs import configuration
from service.observability.tracing import demand_extra
from service.observability.workers import counted_together
from service.settings import PREFIX, load_settings
from service.store.connect import url_of_store

KEEP_ALIVE_SECONDS = 20
BACKLOG = 2_048
"""The connections that the system keeps until they are taken; it may keep fewer."""


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
    demand_admission(settings)
    _tell_workers(overrides)
    address = f"http://{_in_url(settings.host)}:{settings.port}"
    demand_extra()
    warning = allow_files(settings.max_connections)
    if warning:
        sys.stderr.write(f"rulewright: {warning}\n")
    end_in_order_on_signals()
    with counted_together(1 if reload else settings.workers), url_of_store(settings) as url:
        if url is not None:
            _tell_workers({"redis_url": url})  # all of them keep their encounters in the one store
        sys.stdout.write(f"Rulewright on {address}, its documentation on {address}/docs\n")
        sys.stdout.flush()
        run(
            "service.app:app",
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


def _connection() -> str:
    parser = "fast" if importlib.util.find_spec("httptools") else "plain"
    return f"service.connections.{parser}:Connection"


def _tell_workers(settings: dict[str, Any]) -> None:
    """Workers read their settings from the environment, whoever started them."""
    for name, value in settings.items():
        os.environ[f"{PREFIX}{name.upper()}"] = str(value)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""What commands are added to, and what several of them take."""

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_settings(parser: argparse.ArgumentParser, workers: "argparse._ActionsContainer | None" = None) -> None:
    """Add the settings that the command line takes; `workers` is where that of their number belongs."""
    parser.add_argument("--host", help="the address to listen on (RULEWRIGHT_HOST, else 127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port to listen on (RULEWRIGHT_PORT, else 8000)")
    told = "how many processes answer (RULEWRIGHT_WORKERS, else 1)"
    (workers or parser).add_argument("--workers", type=int, help=told)

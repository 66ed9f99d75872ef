"""The command line of `rulewright`: reads it and runs the command."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from service.observability.workers import demand_directory
from service.settings import InvalidSettingsError
from service.store.embedded import EmbeddedServerFailed

FAILED = 1
INVALID_USE = 2


def run(arguments: Sequence[str]) -> int:
    """Run the command and answer its exit status."""
    try:
        demand_directory()
        given = vars(_parser().parse_args(arguments))
        command = given.pop("run")
        status: int = command(**given)
    except InvalidSettingsError as error:
        sys.stderr.write(f"rulewright: these settings do not work:\n{error}\n")
        return INVALID_USE
    except EmbeddedServerFailed as error:
        sys.stderr.write(f"rulewright: {error}\n")
        return FAILED
    return status


def _parser() -> argparse.ArgumentParser:
    from service.commands import config, keys, serve  # noqa: PLC0415 - the metrics open their directory when imported

    parser = argparse.ArgumentParser(prog="rulewright", description="Rules of tabletop combat as a service.")
    parser.add_argument("--version", action="version", version=f"rulewright {version('rulewright')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for each in (serve, config, keys):
        each.add_to(commands)
    return parser

"""The command `rulewright`."""

import signal
import sys
from collections.abc import Sequence
from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and answer its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if "serve" in given[:1]:
        end_in_order_on_signals()
    # Imports take a while, in which the first process of a container does not hear of a signal that it has no handler for.
    from service.commands.line import run  # noqa: PLC0415

    return run(given)


def end_in_order_on_signals() -> None:
    """SIGTERM ends this process as if its work were done: what it has started is stopped, and its exit status is 0."""

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)

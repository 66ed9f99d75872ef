"""The processes that answer: one, or several under a parent."""

import signal
import sys
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

HEALTHY_SECONDS = 30
"""A worker that does not answer its parent for so long is killed: not one that only has much to do."""


class Parent(Multiprocess):
    """Starts workers, and others for those that die."""

    def terminate_all(self) -> None:
        """Have the workers end; the parent lets go of the socket first, or it would go on taking connections for nobody."""
        for listening in self.sockets:
            listening.close()
        super().terminate_all()


def run(app: str, *, workers: int | None, **options: Any) -> None:
    """Answer until a signal says to stop."""
    options["timeout_worker_healthcheck"] = HEALTHY_SECONDS
    if workers is None or workers == 1:
        uvicorn.run(app, workers=workers, **options)
        return
    config = uvicorn.Config(app, workers=workers, **options)
    Parent(config, sockets=[config.bind_socket()]).run()


def end_in_order_on_signals() -> None:
    """SIGTERM ends this process as if its work were done: what it has started is stopped, and its exit status is 0."""

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)

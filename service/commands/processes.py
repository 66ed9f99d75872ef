"""The processes that answer: one, or several under a parent."""

import contextlib
import signal
import socket
import sys
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from service.gate.addresses import is_foreign, is_loopback

HEALTHY_SECONDS = 30
"""A worker that does not answer its parent for so long is killed: not one that only has much to do."""

DID_NOT_START = 3
"""The exit status when the application or the socket cannot be had; uvicorn's own."""
LISTENERS = 32
"""On each of so many copies of the socket one connection is taken in a turn of the event loop. That is all uvloop takes of one
socket, and a turn of a busy worker is long: whoever came new, a probe for instance, would wait behind all who came before.
"""


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
    if options.get("reload"):
        uvicorn.run(app, workers=workers, **options)
        return
    config = uvicorn.Config(app, workers=workers, **options)
    if config.workers > 1:
        Parent(config, sockets=listeners(config.bind_socket())).run()
        return
    server = uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(listeners(config.bind_socket()) if _is_address(config.host) else None)
    if not server.started:
        sys.exit(DID_NOT_START)


def listeners(listening: socket.socket) -> list[socket.socket]:
    """A socket and copies of it, where they are of use."""
    return [listening] if sys.platform == "win32" else [listening, *(listening.dup() for _ in range(LISTENERS - 1))]


def _is_address(host: str) -> bool:
    """Whether this is one address; a name may be several, and needs a socket for each."""
    return is_foreign(host) or (is_loopback(host) and host != "localhost")


def end_in_order_on_signals() -> None:
    """SIGTERM ends this process as if its work were done: what it has started is stopped, and its exit status is 0."""

    def end(*_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)

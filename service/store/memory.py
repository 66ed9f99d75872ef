"""How much memory a store of one's own may take, where nobody says it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PARTS = 4
"""It may have one of so many: the copy that rewrites its file may come to need as much again, and the workers need theirs."""
SMALLEST = 16 * 2**20
ROOT = Path("/")
FILES = {"": ("sys/fs/cgroup", "memory.max"), "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes")}
"""Where the limit of a control group stands, by its controllers: the one hierarchy of version 2 names none."""


def share_of_memory(root: Path = ROOT) -> int:
    """A part of what this process may use: of the machine's memory, or of less where a control group says so."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(min((machine, *_limits(root))) // PARTS, SMALLEST)


def _limits(root: Path) -> Iterator[int]:
    """The limits of the groups that this process is in, and of those around them."""
    with contextlib.suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, group = line.split(":", 2)
            for controller in {*controllers.split(",")} & FILES.keys():
                folder, name = FILES[controller]
                place = Path(group.lstrip("/"))
                for each in (place, *place.parents):
                    yield from _limit(root / folder / each / name)


def _limit(file: Path) -> Iterator[int]:
    with contextlib.suppress(OSError, ValueError):  # it is not there, or says `max`
        yield int(file.read_text())

"""How much the processes take while the run lasts, and whether that grows."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

EVERY_SECONDS = 0.5
FIFTHS = 5
FEWEST = 50
"""With fewer samples nothing is said: what a process takes while it warms up is not what it takes."""
GROWTH = 1.05
SPARE_BYTES = 4 * 1024 * 1024
SPARE_FILES = 16
RULE = (
    f"flat: the median of the last fifth is at most {GROWTH} times the median of the second"
    f" and {SPARE_BYTES >> 20} MiB, or {SPARE_FILES} files"
)


@dataclass(slots=True)
class Series:
    """One process over time: memory in bytes, open files, seconds of CPU time, and when each sample was taken."""

    name: str
    at: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def fifths(self, values: list[int]) -> tuple[float, float]:
        """The medians of the second fifth and of the last."""
        part = max(1, len(values) // FIFTHS)
        return median(values[part : 2 * part] or values), median(values[-part:])

    @property
    def flat(self) -> bool | None:
        """Whether neither memory nor files grow; None when there are too few samples to say."""
        if len(self.at) < FEWEST:
            return None
        (memory, later_memory), (files, later_files) = self.fifths(self.memory), self.fifths(self.files)
        return later_memory <= memory * GROWTH + SPARE_BYTES and later_files <= files * GROWTH + SPARE_FILES

    @property
    def cores(self) -> float:
        """The CPU time that it took, in parts of one core."""
        lasted = self.at[-1] - self.at[0]
        return (self.cpu[-1] - self.cpu[0]) / lasted if lasted else 0.0


class Samples:
    """All processes that a function names, by their ids; one that is new gets a series of its own."""

    def __init__(self, processes: Callable[[], dict[int, str]]) -> None:
        self._processes = processes
        self.series: dict[int, Series] = {}

    async def go_on(self) -> None:
        """Take samples until cancelled."""
        while True:
            self.take()
            await asyncio.sleep(EVERY_SECONDS)

    def take(self) -> None:
        """One sample of each process; of those that have just ended, none."""
        for process, name in self._processes().items():
            try:
                memory, files, cpu = memory_of(process), files_of(process), cpu_of(process)
            except OSError:
                continue
            series = self.series.setdefault(process, Series(name))
            series.at.append(time.perf_counter())
            series.memory.append(memory)
            series.files.append(files)
            series.cpu.append(cpu)


def memory_of(process: int) -> int:
    """The bytes of memory that a process has resident; OSError when it has ended, or the system does not tell."""
    return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def files_of(process: int) -> int:
    """How many files a process has open."""
    return len(os.listdir(f"/proc/{process}/fd"))


def cpu_of(process: int) -> float:
    """The seconds of CPU time that a process took."""
    told = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

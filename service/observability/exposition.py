"""The metrics as text: of this process, or of all workers that write to the same directory."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.observability.metrics import REGISTRY, count_waiting
from service.observability.workers import DIRECTORY

if DIRECTORY not in os.environ:
    ProcessCollector(registry=REGISTRY)  # of several workers it would show whichever answers


def metrics_text(accept: str) -> tuple[bytes, str]:
    """The metrics in a form that the `Accept` header allows, and its media type."""
    count_waiting()
    registry = REGISTRY
    if directory := os.environ.get(DIRECTORY):
        forget_dead_workers(Path(directory))
        registry = CollectorRegistry()
        MultiProcessCollector(registry, directory)  # type: ignore[no-untyped-call]
    encode, media = negotiated(accept)
    return encode(registry), media


def negotiated(accept: str) -> tuple[Callable[[Collector], bytes], str]:
    """What writes the form that is asked for, and its media type."""
    try:
        return choose_encoder(accept)
    except (TypeError, ValueError):  # what stands there as a version is none
        return choose_encoder("")


def forget_dead_workers(directory: Path) -> None:
    """Drop the gauges of workers that ended, however they did; their counts stay, or sums would shrink."""
    for process in {int(path.stem.rpartition("_")[2]) for path in directory.glob("gauge_live*.db")}:
        if not is_alive(process):
            with suppress(FileNotFoundError):  # another worker was faster
                mark_process_dead(process, str(directory))  # type: ignore[no-untyped-call]


def is_alive(process: int) -> bool:
    """Whether there is a process with this id."""
    if os.name == "nt":  # where asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

"""The metrics, and the functions that count; `docs/metrics.md` says what each is for.

Every label has few values: templates of routes, statuses, names from the catalogue. A series is looked up once and kept,
since the library's own look-up costs more than counting.
"""

import asyncio
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from starlette.types import Scope

from rules.catalogue import SYSTEMS
from rules.core.resolution import Resolution

REFUSED = "refused"
ANSWERED = "answered"
REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
STORE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2)
WATCHED = ("internal-error", "store-full", "store-unavailable")
"""Problems of which one alone matters: they are counted from 0 on, since nobody sees a series grow that begins at 1."""
STREAMED = "rulewright.streamed"
MILESTONES = (1, 256)
"""With the first that waits somebody has to come back for them, and with so many it is time."""
TOLD_WITHIN_SECONDS = 0.5

REGISTRY = CollectorRegistry()
disable_created_metrics()  # type: ignore[no-untyped-call] # they double the series, and no query needs them

_requests = Histogram(
    "rulewright_request_duration_seconds",
    "Requests, from their first byte to the last of the answer; of a stream, to the first.",
    ("method", "route", "status"),
    buckets=REQUEST_SECONDS,
    registry=REGISTRY,
)
_resolutions = Counter(
    "rulewright_resolutions",
    "Resolutions that were answered, of actions, items of a batch and commands of fights.",
    ("system", "action", "result"),
    registry=REGISTRY,
)
_refusals = Counter("rulewright_refusals", "Rules that forbade what was asked.", ("rule",), registry=REGISTRY)
_problems = Counter(
    "rulewright_problems", "Problems that were answered, items of a batch too.", ("type",), registry=REGISTRY
)
_store_calls = Histogram(
    "rulewright_store_command_duration_seconds",
    "Commands to the store, failed ones too.",
    ("command",),
    buckets=STORE_SECONDS,
    registry=REGISTRY,
)
_store_errors = Counter(
    "rulewright_store_errors", "Commands to the store that failed.", ("command", "error"), registry=REGISTRY
)
_sheds = Counter(
    "rulewright_shed",
    "Requests that were turned away because there was too much to do.",
    ("reason",),
    registry=REGISTRY,
)
_rate_limited = Counter(
    "rulewright_rate_limited", "Requests that a rate limit turned away.", ("limit",), registry=REGISTRY
)
_streams = Gauge("rulewright_open_streams", "Streams that are open.", registry=REGISTRY, multiprocess_mode="livesum")
_draining = Gauge(
    "rulewright_draining",
    "Processes that finish what they have and take nothing new.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
_build = Gauge(
    "rulewright_build_info",
    "1, with the version of the service and of Python.",
    ("version", "python"),
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
_rulesets = Gauge(
    "rulewright_ruleset_info",
    "1, with the version of a system's rules.",
    ("system", "ruleset"),
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
_build.labels(version("rulewright"), platform.python_version()).set(1)
for _system in SYSTEMS:
    _rulesets.labels(_system.slug, _system.ruleset).set(1)

Metric = TypeVar("Metric", Counter, Histogram)


class Series(dict[tuple[object, ...], Metric]):
    """The series of a metric by the values of their labels, each made when it is first asked for."""

    def __init__(self, metric: Metric) -> None:
        super().__init__()
        self._metric: Metric = metric

    def __missing__(self, labels: tuple[object, ...]) -> Metric:
        """The series, from now on at hand."""
        made: Metric = self._metric.labels(*labels)
        self[labels] = made
        return made


_requests_by = Series(_requests)
_resolutions_by = Series(_resolutions)
_refusals_by = Series(_refusals)
_problems_by = Series(_problems)
_store_calls_by = Series(_store_calls)
_store_errors_by = Series(_store_errors)
_sheds_by = Series(_sheds)
_rate_limited_by = Series(_rate_limited)
for _problem in WATCHED:
    _problems_by[_problem,].inc(0)


_waiting: list[tuple[tuple[object, ...], float | None]] = []
"""What was counted and is not in the metrics yet: the labels, and the seconds of a request or None for a resolution.

To count many together costs a fraction of counting each in between other work.
"""


def _count_later() -> None:
    if len(_waiting) > 1:
        count_waiting()
        return
    try:
        asyncio.get_running_loop().call_later(TOLD_WITHIN_SECONDS, count_waiting)
    except RuntimeError:  # nobody would come back for it
        count_waiting()


def count_waiting() -> None:
    """Put into the metrics what waits to be; in a thread too, while others count on."""
    while _waiting:
        try:
            labels, seconds = _waiting.pop()
        except IndexError:  # somebody else had the last
            return
        if seconds is None:
            _resolutions_by[labels].inc()
        else:
            _requests_by[labels].observe(seconds)


def observe_request(method: str, route: str, status: int, seconds: float) -> None:
    """A request was answered."""
    _waiting.append(((method, route, status), seconds))
    if len(_waiting) in MILESTONES:
        _count_later()


def count_resolution(resolution: Resolution) -> None:
    """A resolution was answered."""
    if resolution.refused_by:
        result = REFUSED
        for rule in resolution.refused_by:
            _refusals_by[rule,].inc()
    else:
        result = getattr(resolution.outcome, "result", ANSWERED)
    _waiting.append(((resolution.system, resolution.action, result), None))
    if len(_waiting) in MILESTONES:
        _count_later()


def count_problem(name: str) -> None:
    """A problem of this type was answered."""
    _problems_by[name,].inc()


def observe_store_command(command: str, seconds: float) -> None:
    """The store was asked for something."""
    _store_calls_by[command,].observe(seconds)


def count_store_error(command: str, error: str) -> None:
    """The store did not do it."""
    _store_errors_by[command, error].inc()


def count_shed(reason: str) -> None:
    """A request was turned away, for one of few reasons, because there was too much to do."""
    _sheds_by[reason,].inc()


def count_rate_limited(limit: str) -> None:
    """A request was turned away by one of few limits."""
    _rate_limited_by[limit,].inc()


def set_draining(draining: bool) -> None:
    """Whether this process takes nothing new."""
    _draining.set(draining)


@contextmanager
def open_stream(scope: Scope) -> Iterator[None]:
    """A stream, counted while it is open; its request is told as one when its answer begins."""
    scope[STREAMED] = True
    _streams.inc()
    try:
        yield
    finally:
        _streams.dec()

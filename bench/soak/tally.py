"""What came of the requests: by kind, how many, how long, and what was not expected."""

from array import array
from dataclasses import dataclass, field
from enum import StrEnum

from bench.measure import milliseconds
from bench.soak.client import Answer
from bench.soak.incidents import Incidents, What

TOLD = 20
"""So many of the unexpected are told in full."""
UNREACHABLE = b"/problems/store-unavailable"
OVERLOADED = b"/problems/overloaded"
NOT_ALLOWED = b"/problems/not-allowed"


class Came(StrEnum):
    """What came of one request."""

    GOOD = "good"
    REFUSED = "refused"
    """The rules of the fight forbid it, which a command chosen at random has to expect."""
    AWAY = "away"
    """503 with Retry-After: while the store was away, while a worker was, or in the warming up, when too much comes."""
    BROKEN = "broken"
    """The connection ended, when a worker was killed."""
    UNEXPECTED = "unexpected"


AGAIN = (Came.AWAY, Came.BROKEN)
"""After these the request is sent again."""


@dataclass(slots=True)
class Kind:
    """The requests of one kind: how many came to what, and the seconds of those that were answered as they should be."""

    came: dict[Came, int] = field(default_factory=lambda: dict.fromkeys(Came, 0))
    seconds: "array[float]" = field(default_factory=lambda: array("d"))

    @property
    def all(self) -> int:
        """How many there were."""
        return sum(self.came.values())

    def milliseconds(self, part: float) -> float:
        """A quantile of the latencies; 0 without any."""
        return milliseconds(self.seconds, part)


class Tally:
    """All requests of a run."""

    def __init__(self, incidents: Incidents) -> None:
        self._incidents = incidents
        self.kinds: dict[str, Kind] = {}
        self.requests = 0
        """How many were answered or broken."""
        self.unexpected: list[str] = []
        self.failures = 0
        self.warming = True
        """Whether everybody asks as fast as possible, to find out how much that is: some of it may be refused."""

    @property
    def broken(self) -> int:
        """How many connections ended before their answer."""
        return sum(kind.came[Came.BROKEN] for kind in self.kinds.values())

    def begin_anew(self) -> None:
        """Forget latencies and counts, not what went wrong: the warming up is over."""
        self.kinds = {}
        self.requests = 0
        self.warming = False

    def answered(self, kind: str, answer: Answer, seconds: float, *, kept: bool, may_be_refused: bool) -> Came:
        """Count an answer; `kept` says that it needed the store."""
        came = self._of(answer, kept=kept, may_be_refused=may_be_refused)
        self._count(kind, came)
        if came in (Came.GOOD, Came.REFUSED):
            self.kinds[kind].seconds.append(seconds)
        elif came is Came.UNEXPECTED:
            self.fail(f"{kind}: {answer.status} {answer.body[:300].decode('utf-8', 'replace')}")
        return came

    def broke(self, kind: str) -> Came:
        """Count a connection that ended before its answer."""
        came = Came.BROKEN if self._incidents.under_way(What.WORKER_KILL) else Came.UNEXPECTED
        self._count(kind, came)
        if came is Came.UNEXPECTED:
            self.fail(f"{kind}: the connection ended, or nothing came")
        return came

    def took(self, kind: str, seconds: float) -> None:
        """Count something that was waited for and is no request."""
        self.kinds.setdefault(kind, Kind()).came[Came.GOOD] += 1
        self.kinds[kind].seconds.append(seconds)

    def fail(self, told: str) -> None:
        """Something is not as it should be."""
        self.failures += 1
        if len(self.unexpected) < TOLD:
            self.unexpected.append(told)

    def _count(self, kind: str, came: Came) -> None:
        self.requests += 1
        self.kinds.setdefault(kind, Kind()).came[came] += 1

    def _of(self, answer: Answer, *, kept: bool, may_be_refused: bool) -> Came:
        if answer.status in (200, 201):
            return Came.GOOD
        if may_be_refused and answer.status == 422 and NOT_ALLOWED in answer.body:
            return Came.REFUSED
        crowded = self.warming or self._incidents.under_way(What.WORKER_KILL)  # the others have all of it to do
        if crowded and answer.status == 503 and OVERLOADED in answer.body and b"retry-after" in answer.headers:
            return Came.AWAY
        away = answer.status == 503 and UNREACHABLE in answer.body and b"retry-after" in answer.headers
        return Came.AWAY if away and kept and self._incidents.under_way(What.STORE_RESTART) else Came.UNEXPECTED

"""Sides that take turns, so that whatever else the machine does meets all of them; what is told are medians of ratios."""

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rules.core.reading import face_chances, pool_chances, sum_chances


@dataclass(frozen=True, slots=True)
class Rounds:
    """What was measured of each side, round by round."""

    of: Mapping[str, Sequence[float]]

    def median(self, side: str) -> float:
        """The median of one side."""
        return statistics.median(self.of[side])

    def ratio(self, side: str, to: str) -> float:
        """The median, over the rounds, of one side divided by another."""
        return statistics.median(one / other for one, other in zip(self.of[side], self.of[to], strict=True))


def milliseconds(seconds: Iterable[float], part: float) -> float:
    """A quantile of what took so many seconds; 0 of nothing."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1e3 if ordered else 0.0


def in_turn(sides: Mapping[str, Callable[[], float]], rounds: int) -> Rounds:
    """Measure A B C A B C … for so many rounds."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, measure in sides.items():
            found[name].append(measure())
    return Rounds(found)


def microseconds(call: Callable[[], object], calls: int) -> Callable[[], float]:
    """The CPU time of one of so many calls, which other processes disturb less than the time that passes."""

    def measure() -> float:
        began = time.thread_time()
        for _ in range(calls):
            call()
        return (time.thread_time() - began) / calls * 1e6

    return measure


def microseconds_of_first(call: Callable[[], object]) -> Callable[[], float]:
    """The CPU time of a call for which nothing was worked out before."""

    def measure() -> float:
        for each in (sum_chances, face_chances, pool_chances):
            each.cache_clear()
        began = time.thread_time()
        call()
        return (time.thread_time() - began) * 1e6

    return measure

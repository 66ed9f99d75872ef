"""Exact odds beside icepool's: the same question to both, the answers equal, then the time that each takes."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from bench import icepool_answers as icepool
from bench.bodies import CANCELLING_POOL, CHRONICLES_ATTACK, GURPS_ATTACK, STORYTELLER_CHAIN
from bench.measure import in_turn, microseconds, microseconds_of_first
from bench.table import shown, table
from rules.core.odds import Odds
from rules.core.reading import sum_chances
from service.questions import QUESTIONS


@dataclass(frozen=True, slots=True)
class Match:
    """One question to both: `read` makes our answer comparable with theirs."""

    name: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    read: Callable[[Any], Any] = lambda answer: answer


def at_most(dice: int, number: int) -> Fraction:
    """The chance that the sum of six-sided dice is the number or less."""
    chances = sum_chances(dice, 6)
    weight = sum(weight for value, weight in zip(chances.values, chances.weights, strict=True) if value <= number)
    return Fraction(weight, chances.denominator)


def _odds(system: str, action: str, body: dict[str, Any]) -> Callable[[], Odds]:
    question = QUESTIONS[system, action]
    return partial(question.odds, question.read_for_odds(body))


def _over(*fields: str) -> Callable[[Odds], icepool.Chances]:
    """Our odds of these fields as fractions by outcome."""

    def read(odds: Odds) -> icepool.Chances:
        places = [odds.fields.index(field) for field in fields]
        found: icepool.Chances = {}
        for row in odds.rows:
            values = tuple(row.values[place] for place in places)
            found[values] = found.get(values, Fraction(0)) + Fraction(row.numerator, odds.denominator)
        return found

    return read


MATCHES = (
    Match("P(3d6 <= 11)", partial(at_most, 3, 11), partial(icepool.at_most, 3, 11)),
    Match(
        "GURPS success roll against 11: result, margin",
        _odds("gurps", "success-roll", {"roll": {"effective": 11}}),
        partial(icepool.success_roll, 11),
        _over("result", "margin"),
    ),
    Match(
        "GURPS attack 12, Dodge 8, 2d+1 cutting, DR 2: result, injury",
        _odds("gurps", "attack", GURPS_ATTACK),
        partial(icepool.gurps_attack, effective=12, dodge=8, adds=1, armor=2),
        _over("result", "injury"),
    ),
    Match(
        "Storyteller pool of 7 whose ones cancel: result, successes",
        _odds("storyteller", "roll", CANCELLING_POOL),
        partial(icepool.cancelling_pool, 7),
        _over("result", "successes"),
    ),
    Match(
        "Storyteller attack 7, dodge 5, damage 4 + net, soak 3: result, net, levels",
        _odds("storyteller", "attack", STORYTELLER_CHAIN),
        partial(icepool.storyteller_chain, attack=7, dodge=5, damage=4, soak=3),
        _over("result", "net_successes", "health_levels"),
    ),
    Match(
        "Chronicles attack 10, 8-again, rote, against Dodge 8: result, net",
        _odds("chronicles", "attack", CHRONICLES_ATTACK),
        partial(icepool.chronicles_attack, attack=10, dodge=8, waves=20),
        _over("result", "net_successes"),
    ),
)


def run(*, quick: bool) -> None:
    """Demand equal answers, then tell the times."""
    rows = []
    for match in MATCHES:
        answer = match.read(match.ours())
        if answer != match.theirs():
            raise SystemExit(f"{match.name}: the two answers differ")
        rows.append(_timed(match, 1 if isinstance(answer, Fraction) else len(answer), 7 if quick else 25))
    columns = ("microseconds", "outcomes", "first call", "again", "icepool", "icepool / first", "icepool / again")
    table("Exact odds, equal to icepool's", columns, rows)


def _timed(match: Match, outcomes: int, rounds: int) -> list[str]:
    sides = {
        "first": microseconds_of_first(match.ours),
        "again": microseconds(match.ours, 1),
        "icepool": microseconds(match.theirs, 1),
    }
    timed = in_turn(sides, rounds)
    ratios = [timed.ratio("icepool", to) for to in ("first", "again")]
    return [
        match.name,
        str(outcomes),
        *(shown(timed.median(side)) for side in sides),
        *(f"{ratio:.1f} x" for ratio in ratios),
    ]

"""A million seeded rolls beside the exact odds of the same request, within statistical bounds."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from bench.bodies import CANCELLING_POOL, SUCCESS_ROLL
from bench.table import table
from rules.core.resolution import resolve_with_seed
from service.questions import QUESTIONS

MILLION = 1_000_000
LEAST_EXPECTED = 5
MOST_DEVIATIONS = 5
CHRONICLES_POOL: dict[str, Any] = {"pool": {"total": 6, "again": "nine_again", "rote": True}}


@dataclass(frozen=True, slots=True)
class Sample:
    """So much of the million, of one request."""

    system: str
    action: str
    body: dict[str, Any]
    share: float


SAMPLES = (
    Sample("gurps", "success-roll", SUCCESS_ROLL, 0.5),
    Sample("storyteller", "roll", CANCELLING_POOL, 0.25),
    Sample("chronicles", "roll", CHRONICLES_POOL, 0.25),
)


def run(*, quick: bool) -> None:
    """Demand that no sample is further from its odds than chance explains; the seeds are the same in every run."""
    rows = []
    for sample in SAMPLES:
        rolls = int((MILLION // 10 if quick else MILLION) * sample.share)
        statistic, freedom = chi_square(sample, rolls)
        deviations = (statistic - freedom) / (2 * freedom) ** 0.5
        rows.append(
            [f"{sample.system}/{sample.action}", f"{rolls:,}", f"{statistic:.1f}", str(freedom), f"{deviations:+.2f}"]
        )
        assert abs(deviations) < MOST_DEVIATIONS, f"{sample.system}/{sample.action} is not as its odds say: {rows[-1]}"
    columns = ("seeded rolls beside their odds", "rolls", "chi-square", "degrees of freedom", "standard deviations")
    table(f"Seeded rolls agree with the exact odds (within {MOST_DEVIATIONS} standard deviations)", columns, rows)


def chi_square(sample: Sample, rolls: int) -> tuple[float, int]:
    """Pearson's statistic over the outcomes that are expected often enough, the rest as one, and its degrees of freedom."""
    question = QUESTIONS[sample.system, sample.action]
    request = question.read_for_odds(sample.body)
    read = question.action.odds_over.read
    seen: Counter[Any] = Counter()
    for number in range(rolls):
        seen[read(resolve_with_seed(question.system, question.action, request, str(number)).outcome)] += 1
    odds = question.odds(request)
    statistic, rest_seen, rest_expected, classes = 0.0, rolls, float(rolls), 0
    for row in odds.rows:
        expected = rolls * row.numerator / odds.denominator
        if expected >= LEAST_EXPECTED:
            statistic += (seen[row.values] - expected) ** 2 / expected
            rest_seen, rest_expected, classes = rest_seen - seen[row.values], rest_expected - expected, classes + 1
    if rest_expected >= LEAST_EXPECTED:
        statistic, classes = statistic + (rest_seen - rest_expected) ** 2 / rest_expected, classes + 1
    return statistic, classes - 1

"""The laws of odds: exact, equal to brute force over raw faces, and what the stream gives in the long run."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from math import gcd, sqrt
from typing import Any

from rules.core.faults import Malformed, OddsTooWide
from rules.core.odds import Odds
from rules.core.trail import Trail
from service.faults import Malformations
from service.questions import QUESTIONS, Question
from tests.face_tree import TooManyFaces, distribution, estimated_leaves
from tests.laws.corpus import answers, cases, distinct_requests, every_action, has_dice, hold, key_of, on_seed, resolved
from tests.laws.mutations import Mutations

MOST_ROWS = 2_000
CASES_COMPARED = 10
OTHERS_WALKED = 12
OTHERS_COMPARED, OTHERS_TRIED = 6, 200
ROLLS = 1_500
EXPECTED_IN_A_CELL = 8
"""Rows of odds expected less often than this are put together: the usual rule of the chi-square test."""


@cache
def odds_of(key: tuple[str, str]) -> tuple[tuple[str, Any, Odds | OddsTooWide], ...]:
    """The odds of every request of an action's cases, or what made them too wide."""
    found = []
    for name, request in distinct_requests(key):
        try:
            told: Odds | OddsTooWide = QUESTIONS[key].odds(request)
        except OddsTooWide as wide:
            told = wide
        found.append((name, request, told))
    return tuple(found)


def walked(question: Question) -> list[tuple[str, Any, Odds]]:
    """The requests whose odds were told."""
    return [(name, request, odds) for name, request, odds in odds_of(key_of(question)) if isinstance(odds, Odds)]


def first_ranks(fields: tuple[str, ...], outcome: Any) -> tuple[int, ...]:
    """For each combatant whether they have rank 1."""
    first = {place.id for place in outcome.order if place.rank == 1}
    return tuple(int(each in first) for each in fields)


def places_in_order(fields: tuple[str, ...], outcome: Any) -> tuple[int, ...]:
    """For each combatant their place."""
    order = [place.id for place in outcome.order]
    return tuple(order.index(each) + 1 for each in fields)


CLOSED_FORMS: dict[tuple[str, str], Callable[[tuple[str, ...], Any], tuple[Any, ...]]] = {
    ("action-points", "initiative"): places_in_order,
    ("storyteller", "initiative"): first_ranks,
}
"""What the odds in closed form tell of an outcome: they have a field for each combatant."""


def read(question: Question, odds: Odds, outcome: Any) -> tuple[Any, ...]:
    """The fields of an outcome that the odds are told over."""
    closed = CLOSED_FORMS.get(key_of(question))
    return closed(odds.fields, outcome) if closed else tuple(question.action.odds_over.read(outcome))


def run(question: Question, request: Any, odds: Odds, trail: Trail) -> tuple[Any, ...]:
    """One run of the rules, read as the odds read it."""
    outcome = question.action.resolve(request, trail)
    assert outcome is not None
    return read(question, odds, outcome)


def test_every_closed_form_is_read() -> None:
    assert set(CLOSED_FORMS) == {key for key, question in QUESTIONS.items() if question.action.odds is not None}


@every_action
def test_no_request_of_a_case_is_too_wide(question: Question) -> None:
    hold(
        f"{name}: {told.reason} {told.facts}"
        for name, _, told in odds_of(key_of(question))
        if isinstance(told, OddsTooWide)
    )


@every_action
def test_numerators_add_up_to_the_denominator_in_lowest_terms(question: Question) -> None:
    for name, _, odds in walked(question):
        numerators = [row.numerator for row in odds.rows]
        if odds.refused_by:
            assert (numerators, odds.mean) == ([], {}), name
        else:
            assert sum(numerators) == odds.denominator, name
            assert all(numerator > 0 for numerator in numerators), name
            assert gcd(*numerators) == 1, name


@every_action
def test_no_row_stands_twice_and_the_likeliest_stands_first(question: Question) -> None:
    for name, _, odds in walked(question):
        assert len({row.values for row in odds.rows}) == len(odds.rows), name
        assert all(len(row.values) == len(odds.fields) for row in odds.rows), name
        numerators = [row.numerator for row in odds.rows]
        assert numerators == sorted(numerators, reverse=True), name


@every_action
def test_the_mean_is_that_of_each_numeric_field(question: Question) -> None:
    for name, _, odds in walked(question):
        for at, field in enumerate(odds.fields):
            values = [row.values[at] for row in odds.rows]
            numeric = bool(values) and all(isinstance(value, int | Fraction) and value is not True for value in values)
            numeric = numeric and not any(isinstance(value, bool) for value in values)
            assert (field in odds.mean) == numeric, name
            if numeric:
                total = sum((row.values[at] * row.numerator for row in odds.rows), Fraction(0))
                assert odds.mean[field] == total / odds.denominator, name


@every_action
def test_odds_are_refused_as_the_request_is(question: Question) -> None:
    for name, request, odds in walked(question):
        assert list(odds.refused_by) == on_seed(question, request, "refused").refused_by, name


@every_action
def test_whatever_a_case_shows_is_possible(question: Question) -> None:
    told = {repr(request): odds for _, request, odds in walked(question)}
    breaches = []
    for case in cases(question):
        resolution = resolved(question, case.body, "possible")
        odds = told.get(repr(question.read_for_odds(case.bare)))
        if odds is None or resolution.refused_by:
            continue
        values = read(question, odds, resolution.outcome)
        if values not in {row.values for row in odds.rows}:
            breaches.append(f"{case.name}: {values}")
    hold(breaches)


Distribution = dict[tuple[Any, ...], Fraction]
Sized = tuple[float, str, Any]


@cache
def brute_force(key: tuple[str, str]) -> tuple[tuple[str, Odds, Distribution], ...]:
    """Requests with few rows of faces, walked face by face: of the cases, and of requests that no case has."""
    question = QUESTIONS[key]
    of_cases = sorted(small(question, distinct_requests(key), MOST_ROWS), key=lambda each: each[:2])
    given = of_cases[:: 1 + len(of_cases) // CASES_COMPARED]
    unthought = ((str(body), request) for body, request in Mutations(question).requests(OTHERS_TRIED))
    others = sorted(small(question, unthought, MOST_ROWS // 4), key=lambda each: (-each[0], each[1]))
    return tuple(by_faces(question, [*given, *others[:: 1 + len(others) // OTHERS_COMPARED]]))


def small(question: Question, requests: Iterable[tuple[str, Any]], most: int) -> Iterator[Sized]:
    """Those of the requests that roll dice and have few rows of faces, with about how many."""
    for name, request in requests:
        with suppress(Malformed):
            rows = estimated_leaves(partial(question.action.resolve, request))
            if 1 < rows <= most:
                yield rows, name, request


def by_faces(question: Question, sized: list[Sized]) -> Iterator[tuple[str, Odds, Distribution]]:
    """The odds of requests and what the faces say, unless there are more rows of them than it seemed."""
    for _, name, request in sized:
        odds = question.odds(request)
        with suppress(TooManyFaces):
            yield name, odds, distribution(partial(run, question, request, odds), MOST_ROWS)


@every_action
def test_odds_are_those_of_the_raw_faces(question: Question) -> None:
    compared = brute_force(key_of(question))
    assert bool(compared) == has_dice(question)
    hold(
        name
        for name, odds, expected in compared
        if {row.values: Fraction(row.numerator, odds.denominator) for row in odds.rows} != expected
    )


@every_action
def test_what_rolls_no_dice_is_certain(question: Question) -> None:
    for name, request, odds in walked(question):
        resolution = on_seed(question, request, "any")
        if not odds.refused_by and not resolution.randomness.faces:
            certain = read(question, odds, resolution.outcome)
            assert [(row.values, row.numerator, odds.denominator) for row in odds.rows] == [(certain, 1, 1)], name


@every_action
def test_any_question_has_odds_that_add_up_or_is_told_to_be_too_wide(question: Question) -> None:
    for body, request in Mutations(question).requests(OTHERS_WALKED):
        try:
            odds = question.odds(request)
        except (OddsTooWide, Malformations):
            continue
        if not odds.refused_by:
            assert sum(row.numerator for row in odds.rows) == odds.denominator, body
            seen = read(question, odds, on_seed(question, request, "possible").outcome)
            assert seen in {row.values for row in odds.rows}, body


@every_action
def test_the_stream_agrees_with_the_odds_in_the_long_run(question: Question) -> None:
    """Fixed seeds: the statistic is the same in every run. Its bound is passed by one of a million fair streams."""
    for name, request, odds in widest_requests(key_of(question)):
        seen = Counter(read(question, odds, on_seed(question, request, f"{name}/{n}").outcome) for n in range(ROLLS))
        assert set(seen) <= {row.values for row in odds.rows}, name
        statistic, cells = chi_square(odds, seen)
        if cells > 1:
            freedom = cells - 1
            assert statistic < freedom + 5 * sqrt(2 * freedom) + 15, f"{name}: {statistic:.1f} over {freedom}"


@cache
def widest_requests(key: tuple[str, str]) -> tuple[tuple[str, Any, Odds], ...]:
    """The requests of an action with most and with middling many outcomes."""
    wide = [each for each in walked(QUESTIONS[key]) if len(each[2].rows) > 1]
    wide.sort(key=lambda each: (-len(each[2].rows), each[0]))
    return tuple(wide[:: max(1, len(wide) // 2)][:2])


def chi_square(odds: Odds, seen: Counter[tuple[Any, ...]]) -> tuple[float, int]:
    """Pearson's statistic and its number of cells."""
    statistic, cells, rest_expected, rest_seen = 0.0, 0, 0.0, 0
    for row in odds.rows:
        expected = ROLLS * row.numerator / odds.denominator
        if expected < EXPECTED_IN_A_CELL:
            rest_expected += expected
            rest_seen += seen[row.values]
        else:
            statistic += (seen[row.values] - expected) ** 2 / expected
            cells += 1
    if rest_expected >= EXPECTED_IN_A_CELL:
        statistic += (rest_seen - rest_expected) ** 2 / rest_expected
        cells += 1
    return statistic, cells


def test_actions_with_dice_are_compared() -> None:
    """No action slips through: those whose cases roll dice are those whose odds were compared."""
    rolling = {key for key in QUESTIONS if any(resolution.randomness.faces for _, resolution in answers(key))}
    assert rolling
    assert {key for key in QUESTIONS if brute_force(key)} == rolling

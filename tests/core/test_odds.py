"""Odds: exact, in lowest terms and in order, or too wide and then told soon."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest

from rules.core.action import Action
from rules.core.faults import OddsTooWide
from rules.core.odds import MAX_DENOMINATOR_BITS, MAX_PAIRS, Budget, Odds, OddsOver, odds_of, walk
from rules.core.reading import Chances, Pool, pool_chances
from rules.core.resolution import odds
from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from tests.face_tree import distribution

ROLL = rule("example.roll", "published", Kind.ROLL)
WIDE = rule("example.wide", "published", Kind.ROLL)
FORBIDDEN = rule("example.forbidden", "published", Kind.REFUSAL)
ALSO_FORBIDDEN = rule("example.also_forbidden", "published", Kind.REFUSAL)

SECONDS_AT_MOST = 10
"""Told soon: a walk that ends at its bounds takes 1 to 3 s on a slow machine; one without them, hours."""


class Result(StrEnum):
    HIT = "hit"
    MISS = "miss"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    score: int
    options: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    result: Result
    margin: int
    injury: Fraction | None = None


def resolve(request: Question, trail: Trail) -> Answer | None:
    if request.score < 3:
        trail.refuse(FORBIDDEN)
        trail.refuse(ALSO_FORBIDDEN)
        trail.refuse(FORBIDDEN)
        return None
    margin = request.score - trail.sum(ROLL, 2, 6)
    if margin < 0:
        return Answer(result=Result.MISS, margin=margin)
    return Answer(result=Result.HIT, margin=margin, injury=Fraction(trail.sum(ROLL, 1, 3), 2))


def action(*fields: str, closed_form: Callable[[Question], Odds] | None = None) -> Action[Question, Answer]:
    return Action(
        slug="example",
        request=Question,
        outcome=Answer,
        resolve=resolve,
        rules=(ROLL, FORBIDDEN, ALSO_FORBIDDEN),
        odds_over=OddsOver(fields, lambda outcome: tuple(getattr(outcome, name) for name in fields)),
        example={},
        max_dice=3,
        max_sides=6,
        odds=closed_form,
    )


def told(found: Odds) -> list[tuple[tuple[Any, ...], int]]:
    return [(row.values, row.numerator) for row in found.rows]


def test_odds_are_those_of_the_faces_in_lowest_terms() -> None:
    found = odds(action("result", "margin", "injury"), Question(score=7))

    def run(trail: Trail) -> tuple[Any, ...]:
        outcome = resolve(Question(score=7), trail)
        assert outcome is not None
        return outcome.result, outcome.margin, outcome.injury

    expected = distribution(run)
    assert {row.values: Fraction(row.numerator, found.denominator) for row in found.rows} == expected
    assert found.denominator == 108
    assert sum(row.numerator for row in found.rows) == found.denominator


def test_the_likeliest_comes_first_then_the_order_of_the_values() -> None:
    rows = told(odds(action("margin"), Question(score=7)))
    assert [values for values, _ in rows] == [(0,), (-1,), (1,), (-2,), (2,), (-3,), (3,), (-4,), (4,), (-5,), (5,)]
    assert [numerator for _, numerator in rows] == [6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


def test_nothing_comes_before_something_and_numbers_are_not_ordered_as_words() -> None:
    values: list[Any] = [(10,), (9,), (None,), (-1,), (Fraction(1, 2),)]
    found = odds_of(("injury",), Chances(tuple(values), (1,) * 5, 5))
    assert [row.values[0] for row in found.rows] == [None, -1, Fraction(1, 2), 9, 10]


def test_what_cannot_happen_is_no_row_and_common_factors_go() -> None:
    found = odds_of(("result",), Chances(((Result.HIT,), (Result.MISS,), ("never",)), (6, 18, 0), 24))
    assert told(found) == [((Result.MISS,), 3), ((Result.HIT,), 1)]
    assert found.denominator == 4


def test_the_mean_of_each_numeric_field_and_of_no_other() -> None:
    found = odds(action("result", "margin", "injury"), Question(score=7))
    assert found.mean == {"margin": 0}
    assert odds(action("margin"), Question(score=9)).mean == {"margin": 2}
    truths = odds_of(("sure", "half"), Chances(((True, Fraction(1, 2)), (False, Fraction(3, 4))), (1, 3), 4))
    assert truths.mean == {"half": Fraction(11, 16)}


def test_what_is_refused_has_the_refusals_once_each_and_no_distribution() -> None:
    found = odds(action("margin"), Question(score=2))
    assert found == Odds(("example.forbidden", "example.also_forbidden"), ("margin",), 1, (), {})


def test_a_closed_form_takes_the_place_of_the_walk() -> None:
    form = odds_of(("margin",), Chances(((4,),), (1,), 1))
    assert odds(action("margin", closed_form=lambda _: form), Question(score=9)) is form


def test_a_walk_brings_paths_of_different_lengths_to_one_denominator() -> None:
    def run(trail: Trail) -> str:
        return "again" if trail.sum(ROLL, 1, 2) == 1 else f"then {trail.sum(ROLL, 1, 3)}"

    chances, _ = walk(run, {}, Budget())
    assert chances == Chances(("again", "then 1", "then 2", "then 3"), (3, 1, 1, 1), 6)


def within(seconds: int, run: Callable[[], object]) -> OddsTooWide:
    """What stopped a walk, which came within so much time of the processor."""
    start = time.process_time()
    with pytest.raises(OddsTooWide) as wide:
        run()
    assert time.process_time() - start < seconds
    return wide.value


def test_too_many_runs_name_the_roll_with_most_readings() -> None:
    def run(trail: Trail) -> int:
        return trail.sum(ROLL, 1, 6) + trail.sum(WIDE, 100, 6) + sum(trail.sum(ROLL, 3, 6) for _ in range(5))

    stopped = within(SECONDS_AT_MOST, lambda: walk(run, {}, Budget()))
    assert (stopped.reason, stopped.facts) == ("runs", {"rule": "example.wide", "readings": 501})


def inner(trail: Trail, depth: int) -> int:
    return sum(trail.sum(WIDE if at == 2 else ROLL, 2 + at, 6) for at in range(3)) + depth


def test_the_runs_of_parts_count_and_no_part_is_named_as_a_roll() -> None:
    def run(trail: Trail) -> int:
        return sum(trail.apart(part(inner, depth)) * 100**depth for depth in range(40))

    stopped = within(SECONDS_AT_MOST, lambda: walk(run, {}, Budget()))
    assert (stopped.reason, stopped.facts) == ("runs", {"rule": "example.wide", "readings": 21})


def test_as_many_runs_as_the_budget_has_are_walked() -> None:
    def run(trail: Trail) -> int:
        return trail.sum(ROLL, 1, 6)

    assert walk(run, {}, Budget(6))[0].denominator == 6
    with pytest.raises(OddsTooWide):
        walk(run, {}, Budget(5))


def wide_side(trail: Trail, dice: int) -> int:
    return trail.sum(WIDE, dice, 20)


def both(first: int, second: int) -> tuple[int, int]:
    return first, second


def test_too_many_pairs_are_told_before_they_are_folded() -> None:
    def run(trail: Trail) -> tuple[int, int]:
        return trail.opposed(both, part(wide_side, 100), part(wide_side, 50))

    stopped = within(SECONDS_AT_MOST, lambda: walk(run, {}, Budget()))
    assert (stopped.reason, stopped.facts) == ("pairs", {"pairs": 1901 * 951})
    assert MAX_PAIRS < 1901 * 951


def test_the_pairs_of_all_opposed_parts_count() -> None:
    def run(trail: Trail) -> int:
        return sum(sum(trail.opposed(both, part(wide_side, 1), part(wide_side, 10 + at))) for at in range(3))

    widths = [20 * (19 * (10 + at) + 1) for at in range(3)]
    assert walk(
        lambda trail: trail.opposed(margin, part(wide_side, 1), part(wide_side, 10)), {}, Budget(pairs=widths[0])
    )
    stopped = within(SECONDS_AT_MOST, lambda: walk(run, {}, Budget(pairs=sum(widths) - 1)))
    assert (stopped.reason, stopped.facts) == ("pairs", {"pairs": widths[2]})


def margin(first: int, second: int) -> int:
    return first - second


def many_dice(trail: Trail, dice: int) -> bool:
    return trail.sum(ROLL, dice, 6) > 3 * dice


def test_a_denominator_too_long_to_be_written_is_told() -> None:
    def run(trail: Trail) -> int:
        return sum(trail.apart(part(many_dice, dice)) for dice in range(1000, 1006))

    stopped = within(SECONDS_AT_MOST, lambda: walk(run, {}, Budget()))
    assert stopped.reason == "denominator"
    assert int(stopped.facts["bits"]) > MAX_DENOMINATOR_BITS


def test_every_denominator_that_passes_can_be_written_in_decimal() -> None:
    """Python writes no number of more than 4,300 digits."""
    assert len(str(2**MAX_DENOMINATOR_BITS)) < 4300


def one_of(denominator: int) -> Chances[tuple[int]]:
    return Chances(((1,), (2,)), (1, denominator - 1), denominator)


def test_odds_told_in_closed_form_have_the_same_bound() -> None:
    longest = 2 ** (MAX_DENOMINATOR_BITS - 1)
    assert odds_of(("result",), one_of(longest)).denominator == longest
    with pytest.raises(OddsTooWide) as wide:
        odds_of(("result",), one_of(2 * longest))
    assert (wide.value.reason, wide.value.facts) == ("denominator", {"bits": MAX_DENOMINATOR_BITS + 1})


def test_the_largest_pool_that_passes_comes_soon() -> None:
    def passes(count: int) -> bool:
        try:
            pool_chances(Pool(count, 8, again=8, waves=20))
        except OddsTooWide:
            return False
        return True

    start = time.process_time()
    assert passes(100)
    assert not all(passes(count) for count in range(100, 400, 10))
    assert time.process_time() - start < SECONDS_AT_MOST

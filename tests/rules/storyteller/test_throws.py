"""Successes, ones, botches, tens and Willpower, against a count that knows only faces."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, ask_seeded, odds_of

SPECIALTIES = ("reroll", "reroll_ignoring_ones", "double")
BOTCHES = ("revised", "second_edition")


def counted(
    first: list[int], rerolled: list[int], difficulty: int, specialty: str | None, botch: str
) -> tuple[int, str]:
    """Successes and result of faces, as one would count them at a table."""
    hits = len([face for face in first + rerolled if face >= difficulty])
    if specialty == "double":
        hits += first.count(10)
    ones = first.count(1) + (0 if specialty == "reroll_ignoring_ones" else rerolled.count(1))
    successes = hits - ones if hits > ones else 0
    if successes:
        return successes, "success"
    if botch == "revised":
        return 0, "botch" if ones and not hits else "failure"
    return 0, "botch" if ones > hits else "failure"


def thrown(count: int, specialty: str | None, deepest: int = 2) -> Iterator[tuple[list[int], list[int]]]:
    """Every first throw of so many dice with rerolls of a few telling faces, ten after ten at most so deep."""
    for first in product(range(1, 11), repeat=count):
        yield from ((list(first), rerolled) for rerolled in _rerolls(first, specialty, deepest))


def _rerolls(wave: tuple[int, ...], specialty: str | None, deepest: int) -> Iterator[list[int]]:
    tens = wave.count(10)
    if specialty in (None, "double") or tens == 0:
        yield []
        return
    for again in product((1, 5, 6, 10) if deepest else (1, 5, 6), repeat=tens):
        for more in _rerolls(again, specialty, deepest - 1):
            yield [*again, *more]


@pytest.mark.parametrize("botch", BOTCHES)
@pytest.mark.parametrize("specialty", [None, *SPECIALTIES])
@pytest.mark.parametrize("difficulty", [2, 6, 10])
def test_every_throw_of_two_dice(difficulty: int, specialty: str | None, botch: str) -> None:
    options = {"botch": botch, **({"specialty": specialty} if specialty else {})}
    asked = {"pool": 2, "difficulty": difficulty, "specialty": specialty is not None}
    for first, rerolled in thrown(2, specialty):
        answer = ask("roll", first + rerolled, roll=asked, options=options)
        told = answer.outcome["successes"], answer.outcome["result"]
        assert told == counted(first, rerolled, difficulty, specialty, botch), (first, rerolled)
        assert answer.outcome["rerolls"] == len(rerolled)


@pytest.mark.parametrize("botch", BOTCHES)
def test_every_throw_of_three_dice(botch: str) -> None:
    for first, rerolled in thrown(3, None):
        answer = ask("roll", first, roll={"pool": 3}, options={"botch": botch})
        told = answer.outcome["successes"], answer.outcome["result"]
        assert told == counted(first, rerolled, 6, None, botch), first


def roll(dice: list[int], options: dict[str, Any] | None = None, **fields: Any) -> Answer:
    return ask("roll", dice, roll={"pool": len(dice), **fields}, options=options or {})


def test_the_steps_of_a_throw() -> None:
    answer = roll([10, 1, 3, 6], pool=3, specialty=True, spend_willpower=True)
    assert answer.steps()[2:] == [
        ("roll.dice", "roll", 1, None),
        ("roll.specialty", "roll", 1, None),
        ("roll.successes", "base", 2, 2),
        ("roll.ones", "modifier", -1, 1),
        ("roll.willpower", "modifier", 1, 2),
        ("roll.result", "decision", 2, None),
        ("roll.degree", "result", 2, None),
    ]


def test_ones_take_away_no_more_than_there_is() -> None:
    answer = roll([6, 1, 1, 1])
    assert answer.step("roll.ones")["value"] == -1
    assert answer.step("roll.ones")["total"] == 0
    assert answer.outcome["successes"] == 0


@pytest.mark.parametrize("dice", [[1, 1, 5], [7, 8, 5]])
def test_ones_without_successes_and_successes_without_ones_have_no_step(dice: list[int]) -> None:
    assert "roll.ones" not in roll(dice).rules


def test_either_a_result_or_a_botch() -> None:
    assert "roll.botch" not in roll([2, 3]).rules
    assert "roll.result" not in roll([1, 3]).rules


@pytest.mark.parametrize("botch", BOTCHES)
@pytest.mark.parametrize("dice", [[1, 1, 1], [6, 1, 1], [1, 2, 3]])
def test_willpower_is_a_success_that_ones_leave_and_no_botch_is_left(botch: str, dice: list[int]) -> None:
    answer = roll(dice, {"botch": botch}, spend_willpower=True)
    assert (answer.outcome["successes"], answer.outcome["result"]) == (1, "success")
    assert answer.rules[-3:] == ["roll.willpower", "roll.result", "roll.degree"]


def test_willpower_is_added_after_ones_are_taken_away() -> None:
    answer = roll([6, 7, 1], spend_willpower=True)
    assert answer.outcome["successes"] == 2
    assert answer.rules.index("roll.ones") < answer.rules.index("roll.willpower")


def test_tens_are_rolled_again_at_most_ten_times() -> None:
    answer = roll([10] * 11, pool=1, specialty=True)
    assert answer.rules.count("roll.specialty") == 10
    assert ("roll.specialty_limit", "limit", 10, None) in answer.steps()
    last = roll([10] * 10 + [9], pool=1, specialty=True)
    assert last.rules.count("roll.specialty") == 10
    assert "roll.specialty_limit" not in last.rules


def test_each_wave_is_a_step_of_its_own_with_its_successes() -> None:
    answer = roll([10, 10, 4, 10, 1, 7], pool=3, specialty=True)
    waves = [step for step in answer.body["audit"] if step["rule"] == "storyteller.roll.specialty"]
    assert [(step["dice"]["faces"], step["value"]) for step in waves] == [([10, 1], 1), ([7], 1)]
    assert answer.outcome["hits"] == 4


def test_without_a_specialty_no_option_rolls_tens_again() -> None:
    for specialty in SPECIALTIES:
        answer = roll([10, 10], {"specialty": specialty})
        assert (answer.outcome["successes"], answer.outcome["rerolls"]) == (2, 0)


def test_a_rerolled_ten_that_is_doubled_is_not_rolled_again() -> None:
    assert roll([10, 9], {"specialty": "double"}, specialty=True).outcome["hits"] == 3


def test_a_ten_succeeds_at_any_difficulty_so_that_a_one_rolled_for_it_is_no_revised_botch() -> None:
    answer = roll([10, 1], pool=1, specialty=True, difficulty=10)
    assert (answer.outcome["hits"], answer.outcome["ones"], answer.outcome["result"]) == (1, 1, "failure")


@pytest.mark.parametrize(
    ("successes", "degree"),
    [
        (0, "none"),
        (1, "marginal"),
        (2, "moderate"),
        (3, "complete"),
        (4, "exceptional"),
        (5, "phenomenal"),
        (9, "phenomenal"),
    ],
)
def test_degrees(successes: int, degree: str) -> None:
    answer = roll([6] * successes + [2])
    assert answer.outcome["degree"] == degree
    assert answer.step("roll.degree")["value"] == successes


def test_fifty_dice_with_rerolls_are_rolled_on_one_stream() -> None:
    asked = {"pool": 40, "modifiers": [{"dice": 10}], "specialty": True}
    answer = ask_seeded("roll", "fifty", roll=asked)
    assert len(answer.faces) == 50 + answer.outcome["rerolls"]
    assert answer.faces == ask("roll", answer.faces, roll=asked).faces


def test_a_botch_is_as_likely_as_no_success_and_a_one() -> None:
    odds = odds_of("roll", roll={"pool": 5})
    botches = next(row.numerator for row in odds.rows if row.values[0] == "botch")
    assert botches * 10**5 == (5**5 - 4**5) * odds.denominator

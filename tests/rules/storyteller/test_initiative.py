"""The order of a round, and the chances of coming first in it."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.core.faults import OddsTooWide
from tests.rules.storyteller.asking import Answer, ask, faults, odds_of


def initiative(dice: list[int], *combatants: dict[str, Any]) -> Answer:
    return ask("initiative", dice, combatants=list(combatants))


def order(answer: Answer) -> list[tuple[str, int]]:
    return [(place["id"], place["rank"]) for place in answer.outcome["order"]]


def test_a_rating_is_dexterity_and_wits_and_one_die_is_added() -> None:
    answer = initiative([4, 9], {"id": "a", "dexterity": 3, "wits": 2}, {"id": "b", "rating": 7})
    assert answer.outcome["order"][0] == {"id": "b", "rank": 1, "rating": 7, "face": 9, "total": 16}
    assert answer.outcome["order"][1] == {"id": "a", "rank": 2, "rating": 5, "face": 4, "total": 9}
    assert answer.steps() == [
        ("initiative.rating", "base", 5, 5),
        ("initiative.roll", "roll", 4, None),
        ("initiative.rating", "base", 7, 7),
        ("initiative.roll", "roll", 9, None),
        ("initiative.order", "result", 2, None),
    ]


@pytest.mark.parametrize(
    ("rating", "health", "left"),
    [(4, "hurt", 3), (4, "mauled", 2), (4, "crippled", 0), (5, "crippled", 0), (6, "crippled", 1), (0, "hurt", 0)],
)
def test_wounds_lower_a_rating_not_below_0(rating: int, health: str, left: int) -> None:
    answer = initiative([1], {"id": "a", "rating": rating, "health": health})
    assert answer.outcome["order"][0]["rating"] == left
    if rating:
        assert answer.step("initiative.wounds") | {"value": left - rating, "total": left} == answer.step(
            "initiative.wounds"
        )
    else:
        assert "initiative.wounds" not in answer.rules


def test_equal_totals_go_by_rating_and_equal_ratings_act_together() -> None:
    answer = initiative(
        [5, 6, 5, 4, 9],
        {"id": "a", "rating": 5},
        {"id": "b", "rating": 4},
        {"id": "c", "rating": 5},
        {"id": "d", "rating": 6},
        {"id": "e", "rating": 0},
    )
    assert order(answer) == [("d", 1), ("a", 2), ("c", 2), ("b", 4), ("e", 5)]


def test_who_strikes_first_comes_before_all_who_do_not() -> None:
    answer = initiative(
        [1, 10, 1],
        {"id": "a", "rating": 1, "strikes_first": True},
        {"id": "b", "rating": 9},
        {"id": "c", "rating": 1, "strikes_first": True},
    )
    assert order(answer) == [("a", 1), ("c", 1), ("b", 3)]


def test_an_equal_total_and_rating_is_no_tie_with_one_who_strikes_first() -> None:
    answer = initiative([5, 5], {"id": "a", "rating": 5}, {"id": "b", "rating": 5, "strikes_first": True})
    assert order(answer) == [("b", 1), ("a", 2)]


def test_the_incapacitated_roll_no_die() -> None:
    answer = initiative(
        [3],
        {"id": "a", "rating": 9, "health": "incapacitated", "strikes_first": True},
        {"id": "b", "rating": 1},
        {"id": "c", "rating": 2, "health": "incapacitated"},
    )
    assert order(answer) == [("b", 1)]
    assert answer.outcome["unable"] == ["a", "c"]
    assert answer.step("health.incapacitated")["kind"] == "decision"


def test_a_round_in_which_nobody_is_able() -> None:
    answer = initiative([], {"id": "a", "rating": 9, "health": "incapacitated"})
    assert (answer.outcome["order"], answer.outcome["unable"]) == ([], ["a"])
    assert answer.step("initiative.order")["text"] == "The order of 0: —"


@pytest.mark.parametrize(
    ("combatant", "found"),
    [
        ({}, [("#/combatants/0", "exactly_one")]),
        ({"rating": 1, "dexterity": 1}, [("#/combatants/0", "exactly_one")]),
        ({"rating": 1, "wits": 1}, [("#/combatants/0/dexterity", "needed_with")]),
        ({"dexterity": 1}, [("#/combatants/0/wits", "needed_with")]),
        ({"wits": 1}, [("#/combatants/0", "exactly_one")]),
    ],
)
def test_a_rating_or_both_traits(combatant: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert faults("initiative", combatants=[{"id": "a", **combatant}]) == found


def test_ids_are_different() -> None:
    twice = [{"id": "a", "rating": 1}, {"id": "b", "rating": 1}, {"id": "a", "rating": 2}]
    assert faults("initiative", combatants=twice) == [("#/combatants/2", "duplicate")]


# chances of coming first

PARTIES: list[list[dict[str, Any]]] = [
    [{"id": "a", "rating": 5}],
    [{"id": "a", "rating": 5}, {"id": "b", "rating": 5}],
    [{"id": "a", "rating": 5}, {"id": "b", "rating": 8}],
    [{"id": "a", "rating": 0}, {"id": "b", "rating": 20}],
    [{"id": "a", "rating": 5}, {"id": "b", "rating": 5}, {"id": "c", "rating": 5}],
    [{"id": "a", "rating": 6, "health": "hurt"}, {"id": "b", "rating": 5}, {"id": "c", "rating": 7}],
    [{"id": "a", "rating": 3, "health": "crippled"}, {"id": "b", "rating": 0}, {"id": "c", "rating": 9}],
    [{"id": "a", "rating": 9}, {"id": "b", "rating": 1, "strikes_first": True}],
    [
        {"id": "a", "rating": 4, "strikes_first": True},
        {"id": "b", "rating": 4, "strikes_first": True},
        {"id": "c", "rating": 9},
    ],
    [{"id": "a", "rating": 4, "strikes_first": True, "health": "incapacitated"}, {"id": "b", "rating": 9}],
    [{"id": "a", "rating": 9, "health": "incapacitated"}],
]


@pytest.mark.parametrize("party", PARTIES)
def test_the_chances_of_rank_1_are_those_of_every_row_of_faces(party: list[dict[str, Any]]) -> None:
    able = [each for each in party if each.get("health") != "incapacitated"]
    expected: dict[tuple[int, ...], Fraction] = {}
    for faces in product(range(1, 11), repeat=len(able)):
        first = {name for name, rank in order(initiative(list(faces), *party)) if rank == 1}
        row = tuple(int(each["id"] in first) for each in party)
        expected[row] = expected.get(row, Fraction(0)) + Fraction(1, 10 ** len(able))
    odds = odds_of("initiative", combatants=party)
    assert odds.fields == tuple(each["id"] for each in party)
    assert {row.values: Fraction(row.numerator, odds.denominator) for row in odds.rows} == expected
    for at, each in enumerate(party):
        assert odds.mean[each["id"]] == sum(chance for row, chance in expected.items() if row[at])


def test_fifty_combatants_of_different_ratings_have_odds() -> None:
    party = [{"id": f"{number}", "rating": number % 20} for number in range(50)]
    odds = odds_of("initiative", combatants=party)
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    assert odds.mean["0"] == 0
    assert odds.mean["19"] == odds.mean["39"] > odds.mean["18"]


def test_too_many_equals_are_too_wide() -> None:
    odds = odds_of("initiative", combatants=[{"id": f"{number}", "rating": 5} for number in range(12)])
    assert len(odds.rows) == 2**12 - 1
    with pytest.raises(OddsTooWide) as wide:
        odds_of("initiative", combatants=[{"id": f"{number}", "rating": 5} for number in range(13)])
    assert (wide.value.reason, wide.value.facts) == ("equals", {"combatants": 13, "rows": 2**13 - 1})


def test_equals_who_cannot_come_first_are_not_too_wide() -> None:
    party = [{"id": f"{number}", "rating": 0} for number in range(40)]
    odds = odds_of("initiative", combatants=[*party, {"id": "fast", "rating": 10}])
    assert odds.mean["fast"] == 1

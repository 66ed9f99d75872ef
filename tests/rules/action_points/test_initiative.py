"""Who acts when, and the odds of it."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.action_points.initiative_odds import odds_of_order
from rules.core.faults import OddsTooWide
from tests.rules.action_points.asking import Answer, Body, ask, chances, odds

ROLL: Any = {"options": {"initiative_ties": "roll"}}


def combatants(**ap: float) -> list[Body]:
    """Fighters with these AP."""
    return [{"id": name, "fighter": {"ap": left}} for name, left in ap.items()]


def order(answer: Answer) -> list[tuple[str, str, int | None]]:
    """Who stands where and why."""
    return [(place["id"], place["reason"], place["face"]) for place in answer.outcome["order"]]


def test_the_steps_of_an_order() -> None:
    fighters = combatants(a=10, b=15.5, c=22, d=15.5, e=10)
    answer = ask("initiative", combatants=fighters, attacker="e", round=3)
    assert answer.steps == [
        ("initiative.attacker_first", "decision", 10, None),
        ("initiative.descending_ap", "decision", 22, None),
        ("initiative.tie", "decision", 15.5, None),
        ("initiative.descending_ap", "decision", 10, None),
        ("initiative.result", "result", 5, None),
    ]
    assert order(answer) == [
        ("e", "attacker", None),
        ("c", "ap", None),
        ("b", "tie_listed", None),
        ("d", "tie_listed", None),
        ("a", "ap", None),
    ]
    assert answer.outcome["round"] == 3
    assert [place["ap"] for place in answer.outcome["order"]] == [10, 22, 15.5, 15.5, 10]


@pytest.mark.parametrize(
    ("turn", "option", "first"),
    [(1, "same_order", "a"), (1, "by_ap", "a"), (2, "same_order", "a"), (2, "by_ap", "b"), (9999, "by_ap", "b")],
)
def test_the_privilege_of_the_attacker(turn: int, option: str, first: str) -> None:
    fighters = combatants(a=5, b=20)
    answer = ask("initiative", combatants=fighters, attacker="a", round=turn, options={"later_rounds": option})
    assert answer.outcome["order"][0]["id"] == first
    leads = ("initiative.attacker_first", "decision", 5, None)
    by_ap = ("initiative.later_rounds", "decision", turn, None)
    assert answer.steps[0] == (leads if first == "a" else by_ap)


def test_ties_are_rolled_from_the_highest_ap_down_in_list_order() -> None:
    fighters = combatants(a=5, b=9, c=20, d=9, e=20, f=9, g=1)
    answer = ask("initiative", [3, 17, 8, 8, 20], combatants=fighters, attacker="g", **ROLL)
    assert order(answer) == [
        ("g", "attacker", None),
        ("e", "tie_roll", 17),
        ("c", "tie_roll", 3),
        ("f", "tie_roll", 20),
        ("b", "tie_roll", 8),
        ("d", "tie_roll", 8),
        ("a", "ap", None),
    ]
    assert answer.steps == [
        ("initiative.attacker_first", "decision", 1, None),
        ("initiative.tie", "roll", 20, None),
        ("initiative.tie", "roll", 36, None),
        ("initiative.descending_ap", "decision", 5, None),
        ("initiative.result", "result", 7, None),
    ]


def test_the_attacker_who_leads_does_not_roll() -> None:
    fighters = combatants(a=5, b=5)
    assert order(ask("initiative", combatants=fighters, attacker="a", **ROLL)) == [
        ("a", "attacker", None),
        ("b", "ap", None),
    ]
    options = {"initiative_ties": "roll", "later_rounds": "by_ap"}
    later = ask("initiative", [2, 3], combatants=fighters, attacker="a", round=2, options=options)
    assert order(later) == [("b", "tie_roll", 3), ("a", "tie_roll", 2)]


def test_a_hundred_may_roll() -> None:
    fighters = [{"id": f"{at}", "fighter": {"ap": 7}} for at in range(100)]
    options = {"initiative_ties": "roll", "later_rounds": "by_ap"}
    answer = ask("initiative", [1] * 100, combatants=fighters, attacker="0", round=2, options=options)
    assert [place["id"] for place in answer.outcome["order"]] == [f"{at}" for at in range(100)]


def test_ap_without_binary_floats_tie() -> None:
    fighters: list[Body] = [
        {"id": "a", "fighter": {"ap": 1}},
        {"id": "b", "fighter": {"ap_max": 0.3, "ap_spent": 0.1}},
        {"id": "c", "fighter": {"ap": 0.2}},
    ]
    answer = ask("initiative", combatants=fighters, attacker="a")
    assert [reason for _, reason, _ in order(answer)] == ["attacker", "tie_listed", "tie_listed"]


# odds


def test_odds_without_dice_are_certain() -> None:
    fighters = combatants(zoe=5, bob=9, amy=9)
    told = odds("initiative", combatants=fighters, attacker="zoe")
    assert told.fields == ("amy", "bob", "zoe")
    assert [(row.values, row.numerator) for row in told.rows] == [((3, 2, 1), 1)]
    assert told.mean == {"amy": 3, "bob": 2, "zoe": 1}


def test_odds_of_two_who_tie() -> None:
    fighters = combatants(x=5, late=9, early=9)
    found = chances("initiative", combatants=fighters, attacker="x", **ROLL)
    assert found == {(3, 2, 1): Fraction(21, 40), (2, 3, 1): Fraction(19, 40)}


def brute_force(groups: tuple[tuple[str, ...], ...], sides: int) -> dict[tuple[str, ...], int]:
    """Every throw of every group, sorted as people would sort it."""
    found: Counter[tuple[str, ...]] = Counter()
    rolling = [len(group) if len(group) > 1 else 0 for group in groups]
    for faces in product(range(1, sides + 1), repeat=sum(rolling)):
        rest, placed = list(faces), []
        for group in groups:
            own = [rest.pop(0) for _ in group] if len(group) > 1 else [0]
            placed += [name for name, _ in sorted(zip(group, own, strict=True), key=lambda pair: -pair[1])]
        found[tuple(placed)] += 1
    return dict(found)


@pytest.mark.parametrize(
    ("groups", "sides"),
    [
        ((("a", "b", "c", "d"),), 6),
        ((("d", "b", "c", "a"),), 3),
        ((("a", "b", "c", "d", "e"),), 2),
        ((("x",), ("c", "a"), ("b",), ("e", "d", "f")), 4),
        ((("a", "b"),), 20),
    ],
)
def test_odds_are_those_of_every_throw(groups: tuple[tuple[str, ...], ...], sides: int) -> None:
    names = sorted(name for group in groups for name in group)
    counted = brute_force(groups, sides)
    throws = sum(counted.values())
    expected = {
        tuple(placed.index(name) + 1 for name in names): Fraction(times, throws) for placed, times in counted.items()
    }
    told = odds_of_order(groups, sides)
    assert told.fields == tuple(names)
    assert {row.values: Fraction(row.numerator, told.denominator) for row in told.rows} == expected


def test_odds_that_are_too_wide_are_said_to_be() -> None:
    seven = combatants(x=1, **{f"c{at}": 9 for at in range(7)})
    assert len(odds("initiative", combatants=seven, attacker="x", **ROLL).rows) == 5040
    eight = combatants(x=1, **{f"c{at}": 9 for at in range(8)})
    with pytest.raises(OddsTooWide) as wide:
        odds("initiative", combatants=eight, attacker="x", **ROLL)
    assert (wide.value.reason, wide.value.facts) == ("faces", {"dice": 8, "sides": 20})

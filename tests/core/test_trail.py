"""The verbs of the trail: what each writes, and how the running total goes on."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules.core.audit import AuditTrail
from rules.core.dice import SuppliedDice
from rules.core.odds import BranchingTrail, Budget
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

BASE = rule("example.base", "published", Kind.BASE)
MODIFIER = rule("example.modifier", "published", Kind.MODIFIER)
LIMIT = rule("example.limit", "published", Kind.LIMIT)
DECISION = rule("example.decision", "published", Kind.DECISION)
FORBIDDEN = rule("example.forbidden", "published", Kind.REFUSAL)
ALSO_FORBIDDEN = rule("example.also_forbidden", "published", Kind.REFUSAL)
EFFECT = rule("example.effect", "published", Kind.EFFECT)
RESULT = rule("example.result", "published", Kind.RESULT)
ROLL = rule("example.roll", "published", Kind.ROLL)

Written = list[tuple[str, Kind, Number | None, Number | None]]


def trail(*faces: int) -> AuditTrail:
    return AuditTrail(SuppliedDice(list(faces)))


def written(on: AuditTrail) -> Written:
    return [(step.rule.removeprefix("example."), step.kind, step.value, step.total) for step in on.steps]


def test_a_base_begins_a_running_total_and_modifiers_add_to_it() -> None:
    on = trail()
    on.base(BASE, 12)
    on.modifier(MODIFIER, -2)
    on.modifier(MODIFIER, 0)
    on.modifier(MODIFIER, Fraction(1, 2))
    assert written(on) == [
        ("base", Kind.BASE, 12, 12),
        ("modifier", Kind.MODIFIER, -2, 10),
        ("modifier", Kind.MODIFIER, 0, 10),
        ("modifier", Kind.MODIFIER, Fraction(1, 2), Fraction(21, 2)),
    ]
    assert on.total == Fraction(21, 2)


def test_another_base_begins_anew() -> None:
    on = trail()
    on.base(BASE, 12)
    on.modifier(MODIFIER, 3)
    on.base(BASE, 5)
    on.modifier(MODIFIER, 1)
    assert [total for *_, total in written(on)] == [12, 15, 5, 6]


@pytest.mark.parametrize(("value", "total"), [(-2, 1), (-3, 0), (-4, 0), (-30, 0), (2, 5)])
def test_a_modifier_with_a_floor_takes_no_more_than_there_is(value: int, total: int) -> None:
    on = trail()
    on.base(BASE, 3)
    on.modifier(MODIFIER, value, floor=0)
    assert written(on)[-1] == ("modifier", Kind.MODIFIER, value, total)
    assert on.total == total


def test_a_total_below_the_floor_is_lifted_to_it() -> None:
    on = trail()
    on.base(BASE, -5)
    on.modifier(MODIFIER, 1, floor=0)
    assert on.total == 0


def test_modifiers_of_nothing_may_leave_no_step() -> None:
    on = trail()
    on.base(BASE, 3)
    on.modifier_if_any(MODIFIER, 0)
    on.modifier_if_any(MODIFIER, 4)
    assert written(on) == [("base", Kind.BASE, 3, 3), ("modifier", Kind.MODIFIER, 4, 7)]


def test_a_limit_sets_the_total_only_where_it_says_so() -> None:
    on = trail()
    on.base(BASE, 12)
    on.limit(LIMIT, 9, total=9)
    on.limit(LIMIT, 20)
    on.modifier(MODIFIER, 1)
    assert written(on)[1:] == [
        ("limit", Kind.LIMIT, 9, 9),
        ("limit", Kind.LIMIT, 20, 9),
        ("modifier", Kind.MODIFIER, 1, 10),
    ]


def test_decisions_effects_and_results_leave_the_total_alone() -> None:
    on = trail()
    on.base(BASE, 7)
    on.decision(DECISION)
    on.decision(DECISION, 1, total=2)
    on.effect(EFFECT, 3, total=11)
    on.effect(EFFECT)
    on.result(RESULT, 5)
    assert written(on)[1:] == [
        ("decision", Kind.DECISION, None, None),
        ("decision", Kind.DECISION, 1, 2),
        ("effect", Kind.EFFECT, 3, 11),
        ("effect", Kind.EFFECT, None, None),
        ("result", Kind.RESULT, 5, None),
    ]
    assert on.total == 7


def test_a_total_is_taken_up_again_without_a_step() -> None:
    on = trail()
    on.base(BASE, 7)
    on.base(BASE, 1)
    on.carry(7)
    on.modifier(MODIFIER, 2)
    assert written(on)[-1] == ("modifier", Kind.MODIFIER, 2, 9)
    assert len(on.steps) == 3


def test_rolls_leave_the_total_alone() -> None:
    on = trail(3, 4)
    on.base(BASE, 7)
    assert on.sum(ROLL, 2, 6) == 7
    on.modifier(MODIFIER, 1)
    assert [total for *_, total in written(on)] == [7, None, 8]


def test_refusals_are_collected_in_order_each_with_its_step() -> None:
    on = trail()
    assert not on.refused
    on.refuse(FORBIDDEN, why="a fact")
    on.refuse(ALSO_FORBIDDEN)
    on.refuse(FORBIDDEN)
    assert on.refused
    assert on.refusals == ["example.forbidden", "example.also_forbidden", "example.forbidden"]
    assert [(step.rule, step.kind, step.value, step.total) for step in on.steps] == [
        (each, Kind.REFUSAL, None, None) for each in on.refusals
    ]
    assert on.steps[0].facts == {"why": "a fact"}


VERBS: dict[str, Callable[[Trail], Any]] = {
    "base": lambda on: on.base(BASE, 4),
    "modifier": lambda on: on.modifier(MODIFIER, -9, floor=-2),
    "some": lambda on: on.modifier_if_any(MODIFIER, 2),
    "none": lambda on: on.modifier_if_any(MODIFIER, 0),
    "cap": lambda on: on.limit(LIMIT, 3, total=3),
    "limit": lambda on: on.limit(LIMIT, 9),
    "decision": lambda on: on.decision(DECISION, 1, total=50),
    "effect": lambda on: on.effect(EFFECT, 1, total=50),
    "result": lambda on: on.result(RESULT, 1),
    "carry": lambda on: on.carry(6),
    "refuse": lambda on: on.refuse(FORBIDDEN),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_the_total_of_a_walk_is_that_of_a_record(verb: Callable[[Trail], Any]) -> None:
    recording, walking = trail(), BranchingTrail({}, Budget())
    for on in (recording, walking):
        on.carry(5)
        verb(on)
    assert (walking.total, walking.refusals) == (recording.total, recording.refusals)


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_facts_stay_as_they_were_given(verb: Callable[[Trail], Any]) -> None:
    on = trail()
    verb(on)
    assert all(step.facts == {} for step in on.steps)

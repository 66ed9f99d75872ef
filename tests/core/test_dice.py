"""Supplied dice: all of them are consumed, and no more; what is missing is asked for."""

import pytest

from rules.core.dice import SeededDice, SuppliedDice
from rules.core.faults import DiceLeftOver, DiceNeeded, Malformed
from rules.core.rule import Kind, rule
from rules.core.stream import Stream

ATTACK = rule("example.attack", "published", Kind.ROLL)
DAMAGE = rule("example.damage", "published", Kind.ROLL)


def test_faces_are_consumed_in_the_order_in_which_the_rules_roll() -> None:
    dice = SuppliedDice([1, 2, 3, 4, 5])
    assert dice.faces(ATTACK, 3, 6) == [1, 2, 3]
    assert dice.faces(ATTACK, 0, 6) == []
    assert dice.faces(DAMAGE, 2, 6) == [4, 5]
    dice.finish()


@pytest.mark.parametrize(("sent", "missing"), [([], 3), ([4], 2), ([4, 4], 1)])
def test_too_few_dice_are_a_question_back(sent: list[int], missing: int) -> None:
    with pytest.raises(DiceNeeded) as needed:
        SuppliedDice(sent).faces(ATTACK, 3, 6)
    assert (needed.value.rule, needed.value.count, needed.value.sides) == ("example.attack", missing, 6)


def test_the_question_is_of_the_roll_that_lacks_dice() -> None:
    dice = SuppliedDice([1, 2, 3, 9])
    dice.faces(ATTACK, 3, 6)
    with pytest.raises(DiceNeeded) as needed:
        dice.faces(DAMAGE, 2, 10)
    assert (needed.value.rule, needed.value.count, needed.value.sides) == ("example.damage", 1, 10)


def test_the_dice_that_were_asked_for_are_appended() -> None:
    """People roll as they go: each answer's missing dice, appended, lead to the next question or the end."""
    sent: list[int] = []
    asked = []
    while True:
        dice = SuppliedDice(sent)
        try:
            rolled = dice.faces(ATTACK, 3, 6), dice.faces(DAMAGE, 2, 10)
        except DiceNeeded as needed:
            asked.append((needed.rule, needed.count, needed.sides))
            sent = [*sent, *range(1, needed.count + 1)]
        else:
            break
    assert asked == [("example.attack", 3, 6), ("example.damage", 2, 10)]
    assert rolled == ([1, 2, 3], [1, 2])


def test_dice_left_over_say_how_many_were_consumed() -> None:
    dice = SuppliedDice([1, 2, 3, 4, 5])
    dice.faces(ATTACK, 3, 6)
    with pytest.raises(DiceLeftOver) as left:
        dice.finish()
    assert (left.value.consumed, left.value.sent) == (3, 5)


def test_no_dice_where_none_are_rolled() -> None:
    SuppliedDice([]).finish()
    with pytest.raises(DiceLeftOver) as left:
        SuppliedDice([6]).finish()
    assert (left.value.consumed, left.value.sent) == (0, 1)


@pytest.mark.parametrize("face", [7, 0, -1, 20])
def test_a_face_that_the_die_does_not_have_is_named_by_its_place(face: int) -> None:
    dice = SuppliedDice([1, 2, 3, 4, face])
    dice.faces(ATTACK, 3, 6)
    with pytest.raises(Malformed) as malformed:
        dice.faces(DAMAGE, 2, 6)
    assert (malformed.value.code, malformed.value.field) == ("face", "dice/4")
    assert malformed.value.facts == {"face": face, "sides": 6, "rule": "example.damage"}


def test_a_wrong_face_is_told_before_dice_that_are_missing() -> None:
    with pytest.raises(Malformed):
        SuppliedDice([7]).faces(ATTACK, 3, 6)


@pytest.mark.parametrize("sides", [2, 6, 10, 256])
def test_the_highest_face_is_one(sides: int) -> None:
    assert SuppliedDice([1, sides]).faces(ATTACK, 2, sides) == [1, sides]


def test_seeded_dice_are_the_stream_from_its_start_and_never_run_out() -> None:
    dice, stream = SeededDice("table-7"), Stream("table-7")
    assert [dice.faces(ATTACK, 3, 6), dice.faces(DAMAGE, 500, 10)] == [stream.faces(3, 6), stream.faces(500, 10)]
    dice.finish()

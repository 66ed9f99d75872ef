"""One roll: n-again adds dice, rote rolls failures once more, a chance die is a law of its own."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import ask, faults, odds_of

AGAIN = {"ten_again": 10, "nine_again": 9, "eight_again": 8, "no_again": 11}


def roll(faces: list[int], options: dict[str, str] | None = None, **pool: Any) -> Any:
    return ask("roll", faces, pool=pool, options=options or {})


@pytest.mark.parametrize("face", range(1, 11))
@pytest.mark.parametrize(("again", "lowest"), AGAIN.items())
def test_n_again_adds_a_die_and_does_not_lower_the_target_number(again: str, lowest: int, face: int) -> None:
    rolled_again = [2] if face >= lowest else []
    answer = roll([face, *rolled_again], total=1, again=again)
    assert answer.outcome["successes"] == int(face >= 8)
    assert answer.faces == [face, *rolled_again]
    assert answer.outcome["faces"] == answer.faces


@pytest.mark.parametrize("again", AGAIN)
def test_no_quality_of_again_changes_how_often_a_roll_fails(again: str) -> None:
    odds = odds_of("roll", pool={"total": 2, "again": again})
    failures = sum(row.numerator for row in odds.rows if row.values[1] == 0)
    assert failures * 100 == 49 * odds.denominator


def test_waves_are_rolled_one_after_the_other_and_each_is_one_step() -> None:
    answer = roll([10, 3, 10, 10, 9, 10, 2], total=3)
    assert answer.steps() == [
        ("pool.base", "base", 3, 3),
        ("roll.pool", "roll", 2, None),
        ("roll.again", "roll", 2, None),
        ("roll.again", "roll", 1, None),
        ("roll.again", "roll", 0, None),
        ("roll.result", "result", 5, None),
    ]
    assert faces_by_step(answer) == [[10, 3, 10], [10, 9], [10], [2]]


@pytest.mark.parametrize("rote", [False, True])
@pytest.mark.parametrize("face", range(1, 11))
def test_rote_rolls_a_failed_die_once_more_and_the_new_face_stands(face: int, *, rote: bool) -> None:
    rerolled = [4] if rote and face < 8 else []
    answer = roll([face, *rerolled], total=1, again="no_again", rote=rote)
    assert answer.faces == [face, *rerolled]
    assert ("roll.rote" in answer.rules) == bool(rerolled)
    assert answer.outcome["successes"] == int(face >= 8)


def test_rote_dice_that_fail_again_stay_and_those_that_succeed_may_go_on() -> None:
    answer = roll([1, 10, 7, 9, 5, 10, 2, 3, 10, 8], total=4, rote=True, again="nine_again")
    assert faces_by_step(answer) == [[1, 10, 7, 9], [5, 10], [2, 3, 10], [8]]
    assert answer.rules[1:] == ["roll.pool", "roll.rote", "roll.again", "roll.again", "roll.result"]
    assert (answer.outcome["successes"], answer.outcome["result"]) == (5, "exceptional_success")
    assert answer.outcome["dice_rolled"] == 4


def faces_by_step(answer: Any) -> list[list[int]]:
    return [step["dice"]["faces"] for step in answer.body["audit"] if "dice" in step]


def test_rote_without_a_failure_leaves_no_step() -> None:
    assert roll([8, 9], total=2, rote=True).rules == ["pool.base", "roll.pool", "roll.result"]


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("face", range(1, 11))
def test_a_chance_die_succeeds_on_a_ten_only_and_never_again(again: str, face: int) -> None:
    answer = roll([face], total=0, again=again)
    result = {1: "dramatic_failure", 10: "success"}.get(face, "failure")
    assert (answer.outcome["result"], answer.outcome["successes"]) == (result, int(face == 10))
    assert answer.outcome["chance_die"]
    assert answer.faces == [face]


@pytest.mark.parametrize("again", ["ten_again", "nine_again", "eight_again"])
def test_the_option_rolls_the_ten_of_a_chance_die_again_on_a_ten_only(again: str) -> None:
    answer = roll([10, 10, 9], {"chance_die_ten": "again"}, total=0, again=again)
    assert (answer.faces, answer.outcome["successes"]) == ([10, 10, 9], 2)


def test_a_one_after_the_ten_of_a_chance_die_is_no_dramatic_failure() -> None:
    assert roll([10, 1], {"chance_die_ten": "again"}, total=0).outcome["result"] == "success"


def test_the_option_leaves_a_pool_without_again_alone() -> None:
    assert roll([10], {"chance_die_ten": "again"}, total=0, again="no_again").faces == [10]


def test_the_option_is_for_chance_dice_only() -> None:
    assert roll([8, 10, 9], {"chance_die_ten": "again"}, total=2).outcome["successes"] == 3


@pytest.mark.parametrize("second", range(1, 11))
@pytest.mark.parametrize("first", range(2, 10))
def test_rote_rolls_a_failed_chance_die_once_more(first: int, second: int) -> None:
    answer = roll([first, second], total=0, rote=True)
    result = {1: "dramatic_failure", 10: "success"}.get(second, "failure")
    assert (answer.outcome["result"], answer.faces) == (result, [first, second])
    assert answer.rules[2:] == ["roll.pool", "roll.rote", "roll.result"]


def test_rote_does_not_save_the_one_of_a_chance_die() -> None:
    answer = roll([1], total=0, rote=True)
    assert answer.outcome["result"] == "dramatic_failure"
    assert answer.rules == ["pool.base", "roll.chance_die", "roll.pool", "roll.chance_rote", "roll.result"]
    assert answer.step("roll.chance_rote")["kind"] == "decision"


def test_a_one_is_rolled_once_more_on_a_pool() -> None:
    assert roll([1, 8], total=1, rote=True).outcome["successes"] == 1


def test_a_ten_of_the_rote_reroll_of_a_chance_die_goes_on_by_the_option() -> None:
    answer = roll([5, 10, 10, 2], {"chance_die_ten": "again"}, total=0, rote=True)
    assert faces_by_step(answer) == [[5], [10], [10], [2]]
    assert answer.outcome["successes"] == 2


@pytest.mark.parametrize(("total", "penalty", "size"), [(0, 0, 0), (3, -3, 0), (3, -4, -1), (1, -20, -19)])
def test_a_pool_below_one_die_is_a_chance_die(total: int, penalty: int, size: int) -> None:
    answer = roll([9], total=total, modifiers=[{"value": penalty}])
    outcome = answer.outcome
    assert (outcome["pool"], outcome["dice_rolled"], outcome["chance_die"]) == (size, 1, True)
    assert answer.step("roll.chance_die")["value"] == size


def test_one_die_is_no_chance_die() -> None:
    answer = roll([1], total=1)
    assert (answer.outcome["result"], answer.outcome["chance_die"]) == ("failure", False)
    assert "roll.chance_die" not in answer.rules


@pytest.mark.parametrize(
    ("faces", "result"),
    [
        ([1] * 5, "failure"),
        ([8, 1, 1, 1, 1], "success"),
        ([8, 8, 8, 8, 7], "success"),
        ([8] * 5, "exceptional_success"),
    ],
)
def test_the_result_is_named_by_the_successes(faces: list[int], result: str) -> None:
    assert roll(faces, total=5).outcome["result"] == result


def test_twenty_waves_are_the_last() -> None:
    answer = roll([10] * 21, total=1)
    assert answer.rules.count("roll.again") == 20
    assert answer.step("roll.again_limit") == {
        "rule": "chronicles.roll.again_limit",
        "kind": "limit",
        "value": 20,
        "text": "No die is rolled again more than 20 times in a row",
    }
    assert answer.outcome["again_limit_reached"] is True
    assert answer.outcome["successes"] == 21


def test_twenty_waves_of_which_the_last_ends_reach_no_limit() -> None:
    answer = roll([10] * 20 + [8], total=1)
    assert answer.outcome["again_limit_reached"] is False
    assert answer.outcome["successes"] == 21
    assert "roll.again_limit" not in answer.rules


def test_the_limit_counts_waves_of_the_pool_not_dice() -> None:
    answer = roll([8, 8] * 21, total=2, again="eight_again")
    assert (len(answer.faces), answer.outcome["successes"]) == (42, 42)
    assert answer.outcome["again_limit_reached"] is True


def test_the_limit_holds_for_a_chance_die() -> None:
    answer = roll([10] * 21, {"chance_die_ten": "again"}, total=0)
    assert answer.outcome["again_limit_reached"] is True


def test_pools_are_given_in_one_way() -> None:
    assert faults("roll", pool={}, dice=[]) == [("#/pool", "exactly_one")]
    assert faults("roll", pool={"total": 1, "attribute": 1, "skill": 1}, dice=[]) == [("#/pool", "exactly_one")]
    assert faults("roll", pool={"total": 1, "skill": 1}, dice=[]) == [("#/pool", "exactly_one")]
    assert faults("roll", pool={"attribute": 1}, dice=[]) == [("#/pool/skill", "needed_with")]
    assert faults("roll", pool={"skill": 1}, dice=[]) == [("#/pool/attribute", "needed_with")]


@pytest.mark.parametrize(
    ("pool", "pointer", "code"),
    [
        ({"total": -1}, "total", "greater_than_equal"),
        ({"total": 51}, "total", "less_than_equal"),
        ({"attribute": 16, "skill": 1}, "attribute", "less_than_equal"),
        ({"attribute": 1, "skill": -1}, "skill", "greater_than_equal"),
        ({"total": 1, "wound_penalty": 1}, "wound_penalty", "less_than_equal"),
        ({"total": 1, "wound_penalty": -4}, "wound_penalty", "greater_than_equal"),
        ({"total": 1, "modifiers": [{"value": 1}] * 9}, "modifiers", "too_long"),
        ({"total": 1, "modifiers": [{"value": 21}]}, "modifiers/0/value", "less_than_equal"),
        ({"total": 1, "modifiers": [{"value": -21}]}, "modifiers/0/value", "greater_than_equal"),
        ({"total": 1, "modifiers": [{"value": 1, "label": ""}]}, "modifiers/0/label", "string_too_short"),
        ({"total": 1, "modifiers": [{"value": 1, "label": "x" * 65}]}, "modifiers/0/label", "string_too_long"),
        ({"total": 1, "modifiers": [{"label": "x"}]}, "modifiers/0/value", "missing"),
        ({"total": 1, "again": "seven_again"}, "again", "enum"),
        ({"total": 1, "rote": 1}, "rote", "bool_type"),
        ({"total": "1"}, "total", "int_type"),
        ({"total": None}, "total", "int_type"),
        ({"total": 1, "difficulty": 6}, "difficulty", "unexpected_keyword_argument"),
    ],
)
def test_what_a_pool_may_not_say(pool: dict[str, Any], pointer: str, code: str) -> None:
    assert faults("roll", pool=pool, dice=[]) == [(f"#/pool/{pointer}", code)]


def test_a_pool_may_be_as_wide_as_its_ranges() -> None:
    widest = {"total": 50, "modifiers": [{"value": 20}] * 8, "willpower": True}
    answer = ask("roll", [1] * 213, pool=widest)
    assert answer.outcome["pool"] == 213

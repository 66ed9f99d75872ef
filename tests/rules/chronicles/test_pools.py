"""How many dice: everything is summed in one order before anything is judged."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import ask, faults

FULL: dict[str, Any] = {
    "attribute": 4,
    "skill": 2,
    "modifiers": [{"label": "tool", "value": 2}, {"value": 0}, {"label": "dark", "value": -3}],
    "willpower": True,
    "wound_penalty": -2,
}


def test_ingredients_modifiers_willpower_wounds_resistance() -> None:
    answer = ask("roll", [2], pool=FULL, resistance={"value": 3, "willpower": True})
    assert answer.steps()[:9] == [
        ("resistance.score", "base", 3, 3),
        ("willpower.resistance", "modifier", 2, 5),
        ("pool.base", "base", 6, 6),
        ("pool.modifier", "modifier", 2, 8),
        ("pool.modifier", "modifier", 0, 8),
        ("pool.modifier", "modifier", -3, 5),
        ("willpower.dice", "modifier", 3, 8),
        ("wounds.penalty", "modifier", -2, 6),
        ("pool.resistance", "modifier", -5, 1),
    ]
    assert answer.outcome["pool"] == 1


@pytest.mark.parametrize(("actor", "resisting"), [(False, False), (False, True), (True, False), (True, True)])
def test_each_side_says_whether_it_spent_willpower(*, actor: bool, resisting: bool) -> None:
    outcome = ask(
        "roll",
        [2] * (7 + 3 * actor - 2 * resisting),
        pool={"total": 9, "willpower": actor},
        resistance={"value": 2, "willpower": resisting},
    ).outcome
    assert (outcome["willpower_spent"], outcome["resistance_willpower_spent"]) == (actor, resisting)


def test_what_is_not_there_leaves_no_step() -> None:
    assert ask("roll", [2], pool={"total": 1}).rules == ["pool.base", "roll.pool", "roll.result"]


def test_a_resistance_of_none_comes_off_all_the_same() -> None:
    answer = ask("roll", [2], pool={"total": 1}, resistance={"value": 0})
    assert ("pool.resistance", "modifier", 0, 1) in answer.steps()
    assert answer.outcome["resistance_willpower_spent"] is False


def test_a_pool_is_judged_only_when_all_is_summed() -> None:
    """0 - 5 + 3 would be a chance die if it were judged before Willpower; 1 - 3 + 3 is one die."""
    outcome = ask("roll", [9], pool={"total": 1, "modifiers": [{"value": -3}], "willpower": True}).outcome
    assert (outcome["pool"], outcome["chance_die"], outcome["successes"]) == (1, False, 1)


def test_labels_and_ingredients_stand_in_the_texts() -> None:
    answer = ask("roll", [2] * 6, pool={"attribute": 4, "skill": 1, "modifiers": [{"label": "rope", "value": 1}]})
    assert answer.step("pool.base")["text"] == "The pool: 4 + 1 = 5 dice"
    assert answer.step("pool.modifier")["text"] == "rope: +1, now 6 dice"
    unlabelled = ask("roll", [2] * 2, pool={"total": 1, "modifiers": [{"value": 1}]})
    assert unlabelled.step("pool.modifier")["text"] == "modifier: +1, now 2 dice"


@pytest.mark.parametrize(
    ("resistance", "pointer", "code"),
    [
        ({"value": 16}, "value", "less_than_equal"),
        ({"value": -1}, "value", "greater_than_equal"),
        ({}, "value", "missing"),
        ({"value": 1, "willpower": 0}, "willpower", "bool_type"),
    ],
)
def test_what_a_resistance_may_not_say(resistance: dict[str, Any], pointer: str, code: str) -> None:
    assert faults("roll", pool={"total": 1}, resistance=resistance, dice=[]) == [(f"#/resistance/{pointer}", code)]


def test_options_that_a_roll_has_no_use_for_change_nothing() -> None:
    answer = ask("roll", [8], pool={"total": 1}, options={"defense_drop": "all_attacks", "dodge_scope": "rest_of_turn"})
    assert answer.outcome["successes"] == 1
    assert answer.body["options"] == {"defense_drop": "all_attacks", "dodge_scope": "rest_of_turn"}

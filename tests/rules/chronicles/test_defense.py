"""Defense against the next attacks: attribute and Athletics, drop, balance, floor, doubling."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import Answer, ask, faults


def defense(attacks: int = 1, against: str = "melee", options: dict[str, str] | None = None, **fields: Any) -> Answer:
    return ask("defense", defense=fields, attacks=attacks, against=against, options=options or {})


def first(answer: Answer) -> dict[str, Any]:
    attack: dict[str, Any] = answer.outcome["attacks"][0]
    return attack


@pytest.mark.parametrize(
    ("option", "dexterity", "wits", "base"),
    [
        ("lower", 4, 2, 5),
        ("lower", 2, 4, 5),
        ("dexterity", 4, 2, 7),
        ("dexterity", 2, 4, 5),
        ("higher", 4, 2, 7),
        ("higher", 2, 4, 7),
    ],
)
def test_the_option_chooses_the_attribute(option: str, dexterity: int, wits: int, base: int) -> None:
    answer = defense(
        traits={"dexterity": dexterity, "wits": wits, "athletics": 3}, options={"defense_attribute": option}
    )
    assert answer.outcome["base"] == base
    assert answer.step("defense.score")["value"] == base


@pytest.mark.parametrize("option", ["lower", "dexterity", "higher"])
def test_wits_left_out_is_as_high_as_dexterity(option: str) -> None:
    answer = defense(traits={"dexterity": 2, "athletics": 1}, options={"defense_attribute": option})
    assert answer.outcome["base"] == 3


def test_the_sum_goes_in_one_order_before_the_floor() -> None:
    answer = defense(
        score=3,
        modifiers=[{"label": "shield", "value": 2}, {"value": 0}],
        willpower=True,
        off_balance=1,
        attacks_defended=2,
        attacks_undefended=5,
    )
    assert answer.steps()[:6] == [
        ("defense.score", "base", 3, 3),
        ("defense.modifier", "modifier", 2, 5),
        ("defense.modifier", "modifier", 0, 5),
        ("willpower.resistance", "modifier", 2, 7),
        ("defense.off_balance", "modifier", -1, 6),
        ("defense.drop", "modifier", -2, 4),
    ]
    assert first(answer) == {"number": 3, "score": 2, "passive": 4, "dodge_pool": 7, "dodge_chance_die": False}


def test_bonuses_come_before_the_floor() -> None:
    answer = defense(score=1, willpower=True, attacks_defended=4)
    assert first(answer)["passive"] == 0
    assert answer.step("defense.floor") == {
        "rule": "chronicles.defense.floor",
        "kind": "limit",
        "value": 0,
        "total": 0,
        "text": "Defense does not go below 0",
    }


def test_willpower_can_lift_a_passive_defense_that_is_below_nothing() -> None:
    assert first(defense(score=1, willpower=True, attacks_defended=2)) == {
        "number": 3,
        "score": 0,
        "passive": 1,
        "dodge_pool": 3,
        "dodge_chance_die": False,
    }


def test_a_defense_of_nothing_needs_no_floor() -> None:
    answer = defense(score=2, attacks_defended=2)
    assert "defense.floor" not in answer.rules
    assert first(answer)["dodge_chance_die"] is True


@pytest.mark.parametrize(("off_balance", "single", "cumulative"), [(0, 5, 5), (1, 4, 4), (3, 4, 2), (10, 4, 0)])
def test_off_balance_is_a_state_or_adds_up(off_balance: int, single: int, cumulative: int) -> None:
    assert first(defense(score=5, off_balance=off_balance))["score"] == single
    summed = defense(score=5, off_balance=off_balance, options={"off_balance_stacking": "cumulative"})
    assert first(summed)["score"] == cumulative
    assert ("defense.off_balance" in summed.rules) == (off_balance > 0)


@pytest.mark.parametrize(("option", "score", "number"), [("defended_attacks", 4, 3), ("all_attacks", 1, 6)])
def test_the_option_counts_the_attacks_that_lower_defense(option: str, score: int, number: int) -> None:
    answer = defense(score=6, attacks_defended=2, attacks_undefended=3, options={"defense_drop": option})
    assert (first(answer)["score"], first(answer)["number"]) == (score, number)


def test_each_attack_lowers_defense_for_the_next() -> None:
    answer = defense(attacks=20, score=3, attacks_defended=1)
    assert [each["number"] for each in answer.outcome["attacks"]] == list(range(2, 22))
    assert [each["score"] for each in answer.outcome["attacks"]] == [2, 1] + [0] * 18
    assert [step["value"] for step in answer.body["audit"] if step["rule"] == "chronicles.defense.attack"] == [
        2,
        1,
    ] + [0] * 18


def test_the_steps_of_the_first_attack_stand_in_the_audit() -> None:
    assert defense(attacks=2, score=0).rules == [
        "defense.score",
        "dodge.doubled",
        "dodge.zero_defense",
        "defense.attack",
        "defense.attack",
        "defense.result",
    ]


def test_willpower_helps_against_the_first_attack_only() -> None:
    answer = defense(attacks=2, score=2, willpower=True)
    assert [(each["score"], each["passive"], each["dodge_pool"]) for each in answer.outcome["attacks"]] == [
        (2, 4, 7),
        (1, 1, 2),
    ]
    assert answer.step("dodge.doubled")["value"] == 4


def test_a_dodge_has_its_own_dice() -> None:
    fields: dict[str, Any] = {
        "score": 2,
        "roll": {"modifiers": [{"value": 3}, {"value": -1}], "wound_penalty": -2, "rote": True},
    }
    assert first(defense(**fields))["dodge_pool"] == 4
    assert first(defense(**fields, options={"dodge_wound_penalty": "ignored"}))["dodge_pool"] == 6


@pytest.mark.parametrize(("option", "pools"), [("bonuses_count", [7, 2]), ("chance_die_only", [7, 0])])
def test_the_option_says_what_bonuses_do_at_nothing(option: str, pools: list[int]) -> None:
    answer = defense(
        attacks=2,
        score=1,
        willpower=True,
        roll={"modifiers": [{"value": 2}]},
        options={"dodge_at_zero_defense": option},
    )
    assert [each["dodge_pool"] for each in answer.outcome["attacks"]] == pools
    assert [each["dodge_chance_die"] for each in answer.outcome["attacks"]] == [False, pools[1] < 1]


def test_penalties_may_leave_a_chance_die() -> None:
    answer = defense(score=1, roll={"modifiers": [{"value": -3}]})
    assert (first(answer)["dodge_pool"], first(answer)["dodge_chance_die"]) == (-1, True)
    assert "dodge.zero_defense" not in answer.rules


@pytest.mark.parametrize("availability", ["unaware", "immobilized", "sacrificed"])
def test_there_is_no_defense_for_who_cannot_use_it(availability: str) -> None:
    answer = defense(attacks=3, against="firearm", score=4, availability=availability)
    assert answer.outcome == {"result": "does_not_apply", "base": 4, "dodge_allowed": False, "attacks": []}
    assert answer.rules == ["defense.availability", "defense.result"]


@pytest.mark.parametrize("against", ["unarmed", "melee", "thrown", "firearm"])
@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("option", ["ignore_defense", "defense_applies"])
def test_firearms_ignore_defense_unless_a_power_or_the_table_says_so(option: str, against: str, *, power: bool) -> None:
    answer = defense(against=against, score=4, applies_to_firearms=power, options={"firearms_vs_defense": option})
    denied = against == "firearm" and not power and option == "ignore_defense"
    assert answer.outcome["result"] == ("does_not_apply" if denied else "applies")
    assert ("defense.firearms" in answer.rules) == denied


@pytest.mark.parametrize(("state", "allowed"), [("unspent", True), ("given_up", True), ("spent", False)])
def test_who_has_acted_cannot_dodge(state: str, *, allowed: bool) -> None:
    answer = defense(score=4, action_state=state)
    assert answer.outcome["dodge_allowed"] is allowed
    assert (first(answer)["dodge_pool"] is not None) is allowed
    assert (first(answer)["dodge_chance_die"] is not None) is allowed
    assert ("dodge.doubled" in answer.rules) is allowed


def test_no_zero_defense_for_who_cannot_dodge() -> None:
    assert "dodge.zero_defense" not in defense(score=0, action_state="spent").rules


@pytest.mark.parametrize(
    ("fields", "pointer", "code"),
    [
        ({}, "", "exactly_one"),
        ({"score": 1, "traits": {"dexterity": 1, "athletics": 1}}, "", "exactly_one"),
        ({"score": 31}, "/score", "less_than_equal"),
        ({"score": -1}, "/score", "greater_than_equal"),
        ({"score": 1, "off_balance": 11}, "/off_balance", "less_than_equal"),
        ({"score": 1, "attacks_defended": 51}, "/attacks_defended", "less_than_equal"),
        ({"score": 1, "attacks_undefended": 51}, "/attacks_undefended", "less_than_equal"),
        ({"score": 1, "availability": "asleep"}, "/availability", "enum"),
        ({"score": 1, "action_state": "taken"}, "/action_state", "enum"),
        ({"score": 1, "mode": "dodge"}, "/mode", "unexpected_keyword_argument"),
        ({"score": 1, "modifiers": [{"value": 1}] * 9}, "/modifiers", "too_long"),
        ({"traits": {"dexterity": 1}}, "/traits/athletics", "missing"),
        ({"traits": {"dexterity": 1, "athletics": 1, "wits": None}}, "/traits/wits", "int_type"),
        ({"score": 1, "roll": {"total": 3}}, "/roll/total", "unexpected_keyword_argument"),
    ],
)
def test_what_a_defense_may_not_say(fields: dict[str, Any], pointer: str, code: str) -> None:
    assert faults("defense", defense=fields, dice=[]) == [(f"#/defense{pointer}", code)]


@pytest.mark.parametrize(("attacks", "code"), [(0, "greater_than_equal"), (21, "less_than_equal")])
def test_from_one_to_twenty_attacks_are_listed(attacks: int, code: str) -> None:
    assert faults("defense", defense={"score": 1}, attacks=attacks, dice=[]) == [("#/attacks", code)]

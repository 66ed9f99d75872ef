"""What the system declares: its rules, its tables, and what it leaves to a fight."""

from collections.abc import Iterator

import pytest

from rules.chronicles import CHRONICLES
from rules.core.rule import Kind
from service.questions import QUESTIONS
from service.schemas import json_schema
from service.texts import texts_in
from service.wire import input_schema
from tests.rules.chronicles.asking import ask, faults

OF_A_FIGHT = {
    "chronicles.initiative.order": (Kind.ROLL, Kind.DECISION),
    "chronicles.dodge.scope": (Kind.REFUSAL,),
    "chronicles.turn.reset": (Kind.EFFECT,),
    "chronicles.turn.off_balance": (Kind.EFFECT,),
    "chronicles.willpower.points": (Kind.REFUSAL,),
    "chronicles.willpower.one_per_turn": (Kind.REFUSAL,),
    "chronicles.health.stay_conscious": (Kind.DECISION,),
}
TOLD_ELSEWHERE = {
    "chronicles.roll.success",
    "chronicles.roll.dramatic_failure",
    "chronicles.roll.exceptional",
    "chronicles.willpower.one_per_roll",
    "chronicles.contest.compare",
    "chronicles.contest.exceptional",
    "chronicles.dodge.roll",
    "chronicles.dodge.not_contested",
    "chronicles.dodge.before_weapon",
    "chronicles.dodge.qualities",
    "chronicles.dodge.drop_before_doubling",
    "chronicles.health.boxes",
}


def test_there_are_eighty_eight_rules() -> None:
    assert len({rule.id for rule in CHRONICLES.rules}) == len(CHRONICLES.rules) == 88


def test_a_rule_without_a_step_is_told_in_another() -> None:
    assert {rule.id for rule in CHRONICLES.rules if not rule.kinds} == TOLD_ELSEWHERE


def test_what_no_action_says_is_of_a_fight() -> None:
    said = {rule.id for action in CHRONICLES.actions for rule in action.rules}
    left = {rule.id: rule.kinds for rule in CHRONICLES.rules if rule.kinds and rule.id not in said}
    assert left == OF_A_FIGHT


def test_up_to_a_thousand_faces_of_ten_may_be_supplied() -> None:
    assert {(action.max_dice, action.max_sides) for action in CHRONICLES.actions} == {(1000, 10)}
    assert faults("roll", pool={"total": 1}, dice=[1] * 1001) == [("#/dice", "too_long")]
    assert faults("roll", pool={"total": 1}, dice=[11]) == [("#/dice/0", "less_than_equal")]


def undescribed(slug: str) -> Iterator[str]:
    top, definitions = json_schema(input_schema(QUESTIONS["chronicles", slug].action.request), "validation")
    for name, schema in {**definitions, slug: top}.items():
        yield from (
            f"{name}.{field}" for field, each in schema.get("properties", {}).items() if "description" not in each
        )


@pytest.mark.parametrize("slug", [action.slug for action in CHRONICLES.actions])
def test_every_field_of_a_request_is_described(slug: str) -> None:
    assert list(undescribed(slug)) == []


def test_the_tables_say_what_the_rules_do() -> None:
    assert [(row["again"], row["lowest_face"]) for row in CHRONICLES.tables["again"]] == [
        ("ten_again", 10),
        ("nine_again", 9),
        ("eight_again", 8),
        ("no_again", None),
    ]
    assert [tuple(row.values()) for row in CHRONICLES.tables["weapon_kinds"]] == [
        ("unarmed", "bashing", True, False, True),
        ("melee", "lethal", True, False, True),
        ("thrown", "lethal", True, False, False),
        ("firearm", "lethal", False, True, False),
    ]
    assert [tuple(row.values()) for row in CHRONICLES.tables["wound_penalties"]] == [(0, -3), (1, -2), (2, -1)]
    assert [tuple(row.values()) for row in CHRONICLES.tables["conditions"]] == [
        ("bashing", "fading"),
        ("lethal", "dying"),
        ("aggravated", "dead"),
    ]


@pytest.mark.parametrize(
    ("language", "rule", "text"),
    [
        ("en", "dodge.doubled", "Defense 1, drops included, doubled: 2 dice"),
        ("ru", "dodge.doubled", "Защита 1 после всех вычетов, удвоенная: 2 дайса"),
        ("en", "roll.pool", "The defender rolls the Dodge, 8, 7: 1 success (8 and up succeed)"),
        ("ru", "roll.pool", "Защищающийся бросает Уклонение, 8, 7: 1 успех (успех на 8 и выше)"),
        ("en", "dodge.subtract", "2 successes of the attack −1 of the Dodge: the attacker keeps 1"),
        ("ru", "dodge.subtract", "2 успеха атаки, −1 от Уклонения: атакующему остается 1"),
    ],
)
def test_steps_speak_both_languages(language: str, rule: str, text: str) -> None:
    defense = {"traits": {"dexterity": 2, "athletics": 1}, "attacks_defended": 2}
    assert ask("dodge", [8, 7], language, attack_successes=2, defense=defense).step(rule)["text"] == text


@pytest.mark.parametrize("language", ["en", "ru"])
def test_faults_of_the_system_have_sentences_of_their_own(language: str) -> None:
    texts = texts_in(language)
    assert "7" in texts.fault("overfull_track", {"boxes": 5, "marked": 7})
    assert "armor, health" in texts.fault("at_least_one", {"fields": "armor, health"})

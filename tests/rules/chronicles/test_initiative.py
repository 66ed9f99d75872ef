"""One d10, never rolled again, plus everything else."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import ask, faults, odds_of


@pytest.mark.parametrize("face", range(1, 11))
def test_the_die_plus_the_score(face: int) -> None:
    answer = ask("initiative", [face], initiative={"traits": {"dexterity": 3, "composure": 2}})
    assert answer.outcome == {"result": "rolled", "face": face, "modifier": 5, "initiative": face + 5}
    assert answer.steps() == [
        ("initiative.score", "base", 5, 5),
        ("initiative.roll", "roll", face, None),
        ("initiative.result", "result", face + 5, None),
    ]


def test_weapons_merits_and_wounds_change_the_score() -> None:
    answer = ask(
        "initiative",
        [1],
        initiative={
            "score": -10,
            "modifiers": [{"label": "spear", "value": -3}, {"value": 0}],
            "wound_penalty": -3,
        },
    )
    assert answer.steps()[:4] == [
        ("initiative.score", "base", -10, -10),
        ("initiative.modifier", "modifier", -3, -13),
        ("initiative.modifier", "modifier", 0, -13),
        ("wounds.penalty", "modifier", -3, -16),
    ]
    assert answer.outcome["initiative"] == -15


@pytest.mark.parametrize(
    ("initiative", "pointer", "code"),
    [
        ({}, "", "exactly_one"),
        ({"score": 1, "traits": {"dexterity": 1, "composure": 1}}, "", "exactly_one"),
        ({"score": 31}, "/score", "less_than_equal"),
        ({"score": -11}, "/score", "greater_than_equal"),
        ({"traits": {"dexterity": 1}}, "/traits/composure", "missing"),
        ({"traits": {"dexterity": 16, "composure": 1}}, "/traits/dexterity", "less_than_equal"),
        ({"score": 1, "wound_penalty": 1}, "/wound_penalty", "less_than_equal"),
        ({"score": 1, "modifiers": [{"value": 1}] * 9}, "/modifiers", "too_long"),
    ],
)
def test_what_an_initiative_may_not_say(initiative: dict[str, Any], pointer: str, code: str) -> None:
    assert faults("initiative", initiative=initiative, dice=[]) == [(f"#/initiative{pointer}", code)]


def test_ten_places_are_equally_likely() -> None:
    odds = odds_of("initiative", initiative={"score": 4, "modifiers": [{"value": -6}]})
    assert odds.fields == ("initiative",)
    assert sorted((row.values, row.numerator) for row in odds.rows) == [((place,), 1) for place in range(-1, 9)]

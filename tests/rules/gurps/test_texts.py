"""What the texts tell: numbers in, numbers out, in both languages."""

import pytest

from tests.rules.gurps.asking import Answer, defend, dodge, parry


def texts(answer: Answer) -> list[str]:
    return [step["text"] for step in answer.body["audit"]]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Parry = 3 + half of skill 17, rounded down: 11",
                "2 earlier parries this turn at −4 each: −8, now 3",
                "Attack from the left: −2, now 1",
                "Retreat: +1, now 2",
                "Rolled 1, 1, 1: 3 against 2",
                "A 3 always succeeds",
                "The defense succeeds: margin −1",
                "4 times its weight on a weapon of good quality: it breaks on 3 in 6",
                "Rolled 3 against 3 in 6",
                "The weapon breaks",
                "1 step away from the foe, turning right",
                "The foe may follow with the step that is left",
                "The attack is stopped",
            ],
        ),
        (
            "ru",
            [
                "Парирование = 3 + половина навыка 17, с округлением вниз: 11",
                "2 прежних парирования за ход, по −4: −8, итого 3",
                "Атака слева: −2, итого 1",
                "Отступление: +1, итого 2",
                "Выпало 1, 1, 1: 3 против 2",
                "3 — всегда успех",
                "Защита удалась: запас −1",
                "Тяжелее в 4 раза, качество оружия — обычное: ломается при 3 из 6",
                "Выпало 3 против 3 из 6",
                "Оружие ломается",
                "1 шаг дальше от врага, разворот направо",
                "Враг может последовать за счет своего шага",
                "Атака остановлена",
            ],
        ),
    ],
)
def test_a_parry_is_told_so_that_it_can_be_recomputed(language: str, expected: list[str]) -> None:
    answer = defend(
        [1, 1, 1, 3],
        parry(
            {"parry": {"skill": 17}, "hand": "left", "previous_parries": 2, "weight_g": 1000},
            option={"kind": "retreat", "facing": "right"},
        ),
        attack={"direction": "left", "attacker_step": "available", "weight_g": 4000},
        defender={"dominant_hand": "left"},
        language=language,
    )
    assert texts(answer) == expected


@pytest.mark.parametrize(
    ("language", "figured", "given"),
    [
        ("en", "Dodge = 3 + Basic Speed 6.75, encumbrance −1, rounded down: 8", "Dodge on the sheet: 9"),
        (
            "ru",
            "Уклонение = 3 + Базовая скорость 6,75, нагрузка −1, с округлением вниз: 8",
            "Уклонение с листа персонажа: 9",
        ),
    ],
)
def test_a_dodge_is_told_as_it_is_figured_or_as_it_is_given(language: str, figured: str, given: str) -> None:
    by_speed = {"dodge": {"basic_speed": 6.75}, "encumbrance": "light"}
    assert texts(defend([3, 3, 3], dodge(), defender=by_speed, language=language))[0] == figured
    by_score = {"dodge": {"score": 9}}
    assert texts(defend([3, 3, 3], dodge(), defender=by_score, language=language))[0] == given

"""Texts in the language that the client asks for; identifiers in none."""

import httpx
import pytest

from service.texts import negotiated, texts_in

REQUEST = {"roll": {"skill": 12}, "seed": "table-7"}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU", "ru"),
        ("RU", "ru"),
        ("de, ru;q=0.5", "ru"),
        ("de", "en"),
        ("en;q=0.4, ru;q=0.8", "ru"),
        ("ru;q=0.4, en;q=0.8", "en"),
        ("ru;q=0", "en"),
        ("*", "en"),
        ("*;q=0.1, ru;q=0.9", "ru"),
        ("ru;q=x", "en"),
        (",;,=", "en"),
    ],
)
def test_the_weightiest_language_that_is_there(header: str, language: str) -> None:
    assert negotiated(header) == language


async def test_only_texts_differ(client: httpx.AsyncClient) -> None:
    answers = {
        language: await client.post("/v1/gurps/success-roll", json=REQUEST, headers={"accept-language": language})
        for language in ("en", "ru")
    }
    bodies = {language: answer.json() for language, answer in answers.items()}
    assert {language: answer.headers["content-language"] for language, answer in answers.items()} == {
        "en": "en",
        "ru": "ru",
    }
    assert answers["ru"].headers["vary"].startswith("Accept-Language")
    texts = {language: [step.pop("text") for step in body["audit"]] for language, body in bodies.items()}
    assert bodies["en"] == bodies["ru"]
    assert all(russian != english for russian, english in zip(texts["ru"], texts["en"], strict=True))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0 успехов"),
        (1, "1 успех"),
        (2, "2 успеха"),
        (5, "5 успехов"),
        (11, "11 успехов"),
        (21, "21 успех"),
        (22, "22 успеха"),
    ],
)
def test_russian_nouns_agree_with_their_number(number: int, expected: str) -> None:
    assert texts_in("ru").compiled("{n:# успех|# успеха|# успехов}", {})({"n": number}) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, "0 successes"), (1, "1 success"), (2, "2 successes")])
def test_english_nouns_agree_with_their_number(number: int, expected: str) -> None:
    assert texts_in("en").compiled("{n:# success|# successes}", {})({"n": number}) == expected


def test_a_template_signs_selects_and_lists() -> None:
    render = texts_in("en").compiled("{a:+} {b:+}, {c:yes=ja|*=nein}, {d}", {})
    assert render({"a": 3, "b": -2, "c": "no", "d": [1, 2]}) == "+3 −2, nein, 1, 2"

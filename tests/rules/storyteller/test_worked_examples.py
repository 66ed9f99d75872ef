"""The worked examples that the README tells are what the actions answer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rules.storyteller
from tests.cases_of import differences
from tests.rules.storyteller.asking import ask

README = (Path(rules.storyteller.__file__).parent / "README.md").read_text("utf-8")
EXAMPLES = re.findall(
    r"`POST /v1/storyteller/([a-z-]+)`\n\n```json request\n(.*?)```\n\n```json outcome\n(.*?)```", README, re.DOTALL
)


def test_every_example_is_found() -> None:
    assert len(EXAMPLES) == README.count("```json request") == README.count("```json outcome") >= 12


@pytest.mark.parametrize(("action", "request_text", "outcome"), EXAMPLES)
def test_an_example_of_the_readme(action: str, request_text: str, outcome: str) -> None:
    body: dict[str, Any] = json.loads(request_text)
    answer = ask(action, **body)
    assert list(differences(json.loads(outcome), answer.outcome)) == []
    assert answer.faces == body["dice"]
    assert bool(answer.refused_by) == (outcome.strip() == "null")

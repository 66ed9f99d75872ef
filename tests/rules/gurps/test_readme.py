"""The examples of the README are what the engine answers."""

import json
import re
from importlib.resources import files

import pytest

from tests.cases_of import differences
from tests.rules.gurps.asking import Body, ask

README = (files("rules.gurps") / "README.md").read_text("utf-8")
EXAMPLES = re.findall(
    r"`POST /v1/gurps/([a-z-]+)`\n\n```json request\n(.*?)```\n\n```json outcome\n(.*?)```", README, re.DOTALL
)


@pytest.mark.parametrize(("action", "request_text", "outcome_text"), EXAMPLES)
def test_an_example(action: str, request_text: str, outcome_text: str) -> None:
    body: Body = json.loads(request_text)
    dice = body.pop("dice")
    assert list(differences(json.loads(outcome_text), ask(action, dice, **body).outcome)) == []


def test_every_example_is_read() -> None:
    assert len(EXAMPLES) == README.count("```json request") > 3

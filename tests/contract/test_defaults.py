"""A default that the document shows can be sent."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.questions import QUESTIONS, Question
from service.schemas import request_schema, standalone
from tests.laws.corpus import every_action


def defaults_in(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each property with a default, by the object that it stands in."""
    for place, each in {"the request": schema, **schema.get("$defs", {})}.items():
        for name, of in each.get("properties", {}).items():
            if "default" in of:
                yield f"{name} of {place}", of


@every_action
def test_every_default_is_valid(question: Question) -> None:
    schema = standalone(*request_schema(question))
    found = []
    for place, of in defaults_in(schema):
        validator = Draft202012Validator({**of, "$defs": schema.get("$defs", {})})
        found += [f"{place}: {error.message}" for error in validator.iter_errors(of["default"])]
    assert found == []


def test_there_are_defaults_within_defaults() -> None:
    schema = standalone(*request_schema(QUESTIONS["action-points", "attack"]))
    assert dict(defaults_in(schema))["defense of the request"]["default"] == {"type": "none"}


@pytest.mark.parametrize("system", ["gurps", "action-points"])
def test_house_rules_have_their_defaults(system: str) -> None:
    action = next(question for (slug, _), question in QUESTIONS.items() if slug == system)
    schema = standalone(*request_schema(action))
    assert len(dict(defaults_in(schema))["options of the request"]["default"]) > 5

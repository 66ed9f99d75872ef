"""What a plugin author reads of a field: the string under it, also where the field is inherited."""

from dataclasses import dataclass

import pytest
from pydantic_core import CoreSchema

from service.schemas import json_schema
from service.wire import input_schema, output_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Grandparent:
    """Whose field is said anew further down."""

    first: int = 0
    """The first."""
    second: int = 0
    """Said again by the parent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent(Grandparent):
    """Whose field stands in the child."""

    second: int = 0
    """The second."""
    third: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Child(Parent):
    """With a field of its own."""

    fourth: str
    """The fourth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Where the child is within."""

    child: Child
    """Whoever it is."""


@pytest.mark.parametrize("schema", [input_schema(Holder), output_schema(Holder)])
def test_an_inherited_field_has_the_string_that_stands_nearest(schema: CoreSchema) -> None:
    _, definitions = json_schema(schema, "validation")
    found = {name: each.get("description") for name, each in definitions["Child"]["properties"].items()}
    assert found == {"first": "The first.", "second": "The second.", "third": None, "fourth": "The fourth."}

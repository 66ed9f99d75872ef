"""Validators and JSON Schemas made from the dataclasses of the rules.

The rules know nothing of JSON: their requests are frozen dataclasses with ranges in `Annotated`. Here pydantic builds a
validator from each, made strict where JSON is: no unknown field, `"3"` and `true` are no integers, and null only where
the dataclass says so with `NULL_ALLOWED`. A field whose name is a keyword of Python (`class_`) has its own name here.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, SchemaValidator

from rules.core.faults import Malformed
from rules.core.nullable import NULL_ALLOWED
from service.faults import Fault, Malformations
from service.json_input import pointer_to

T = TypeVar("T")


def wire_name(field: str) -> str:
    """The name of a field in JSON: without the underscore that keeps it from being a keyword of Python."""
    return field.removesuffix("_")


READ_CONFIG = ConfigDict(extra="forbid", alias_generator=wire_name)
INPUT_CONFIG = ConfigDict(extra="forbid", use_attribute_docstrings=True, alias_generator=wire_name)
OUTPUT_CONFIG = ConfigDict(
    extra="forbid", use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
)
MANY_FAULTS = 2_000
"""More are not told one by one: to write down what is wrong with a body of a megabyte takes seconds."""
STRICT_TYPES = frozenset({"int", "float", "bool", "str"})


class Reader(Generic[T]):
    """Reads one dataclass from a parsed JSON value."""

    def __init__(self, kind: type[T]) -> None:
        self._validator = SchemaValidator(strict_schema(kind))

    def read(self, value: Any) -> T:
        """The dataclass; `Malformations` with a pointer for each thing wrong."""
        try:
            read: T = self._validator.validate_python(value)
        except ValidationError as error:
            if error.error_count() > MANY_FAULTS:
                raise Malformations([Fault("#", "too_many_faults", {"most": MANY_FAULTS})]) from None
            raise Malformations(
                [fault_of(each) for each in _meant(error.errors(include_url=False, include_input=False))]
            ) from None
        return read


_readers: dict[type[Any], Reader[Any]] = {}


def reader_of(kind: type[Any]) -> Reader[Any]:
    """The reader of a dataclass, made once."""
    if kind not in _readers:
        _readers[kind] = Reader(kind)
    return _readers[kind]


def _meant(errors: list[ErrorDetails]) -> list[ErrorDetails]:
    """Without arrays that seem too short only because pydantic does not count their wrong items."""
    containers = {error["loc"][:end] for error in errors for end in range(len(error["loc"]))}
    return [error for error in errors if error["type"] != "too_short" or error["loc"] not in containers]


def fault_of(error: ErrorDetails) -> Fault:
    """One of pydantic's errors as a fault; those that the rules raise keep their own code."""
    pointer = pointer_to(error["loc"])
    context = error.get("ctx", {})
    raised = context.get("error")
    if isinstance(raised, Malformed):
        return Fault(f"{pointer}{'/' if raised.field else ''}{raised.field}", raised.code, raised.facts)
    facts = {name: value for name, value in context.items() if isinstance(value, str | int | float)}
    if "expected" in facts:
        facts["expected"] = str(facts["expected"]).replace("' or '", "', '")
    return Fault(pointer, error["type"], facts)


def strict_schema(kind: type[Any]) -> CoreSchema:
    """Pydantic's schema of a dataclass, made as strict as JSON; without descriptions, whose reading takes seconds."""
    for each in _dataclasses_within(kind, set()):
        each.__pydantic_config__ = READ_CONFIG
    schema = TypeAdapter(kind).core_schema
    _tighten(schema, set())
    return schema


def input_schema(kind: type[Any]) -> CoreSchema:
    """The same with the descriptions of its fields, for the contract."""
    for each in _dataclasses_within(kind, set()):
        each.__pydantic_config__ = INPUT_CONFIG
    schema = _described(kind)
    _tighten(schema, set())
    return schema


def output_schema(kind: type[Any]) -> CoreSchema:
    """Pydantic's schema of an outcome, whose every field is always there."""
    for each in _dataclasses_within(kind, set()):
        each.__pydantic_config__ = OUTPUT_CONFIG
    return _described(kind)


def _described(kind: type[Any]) -> CoreSchema:
    """Pydantic's schema, in which an inherited field, too, has the string under it: pydantic reads only a class's own."""
    schema = TypeAdapter(kind).core_schema
    for each in _dataclass_schemas(schema, set()):
        inherited = _inherited_descriptions(each["cls"])
        for field in each["schema"].get("fields", ()):
            if field["name"] in inherited and not field["metadata"]:
                field["metadata"]["pydantic_js_updates"] = {"description": inherited[field["name"]]}
    return schema


def _dataclass_schemas(node: Any, seen: set[int]) -> Iterator[dict[str, Any]]:
    if not isinstance(node, dict | list | tuple) or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, dict) and node.get("type") == "dataclass":
        yield node
    for each in node.values() if isinstance(node, dict) else node:
        yield from _dataclass_schemas(each, seen)


def _inherited_descriptions(kind: type[Any]) -> dict[str, str]:
    """The strings under the fields of a dataclass's parents, by the names of the fields."""
    found: dict[str, str] = {}
    for parent in reversed(kind.__mro__[1:]):
        if dataclasses.is_dataclass(parent):
            schema = TypeAdapter(parent).json_schema(by_alias=False)
            properties: dict[str, dict[str, Any]] = schema.get("properties", {})
            found |= {name: each["description"] for name, each in properties.items() if "description" in each}
    return found


def _dataclasses_within(kind: Any, seen: set[Any]) -> Iterator[Any]:
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind not in seen:
        seen.add(kind)
        yield kind
        for hint in get_type_hints(kind, include_extras=True).values():
            yield from _dataclasses_within(hint, seen)
        for parent in kind.__bases__:
            yield from _dataclasses_within(parent, seen)
    for argument in get_args(kind):
        yield from _dataclasses_within(argument, seen)


def _tighten(node: Any, seen: set[int]) -> None:
    """Walk a core schema in place: strict scalars, finite floats, no null for a field that may only be absent."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, list | tuple):
        for each in node:
            _tighten(each, seen)
        return
    if not isinstance(node, dict):
        return
    if node.get("type") in STRICT_TYPES:
        node["strict"] = True
    if node.get("type") == "float":
        node["allow_inf_nan"] = False
    if node.get("type") == "dataclass":
        _refuse_null(node)
    for key, each in node.items():
        if key not in ("metadata", "cls", "default", "serialization"):
            _tighten(each, seen)


def _refuse_null(dataclass_schema: dict[str, Any]) -> None:
    hints = get_type_hints(dataclass_schema["cls"], include_extras=True)
    for each in dataclass_schema["schema"].get("fields", ()):
        if NULL_ALLOWED in getattr(hints[each["name"]], "__metadata__", ()):
            continue
        holder, inner = each, each["schema"]
        if inner["type"] == "default":
            holder, inner = inner, inner["schema"]
        if inner["type"] == "nullable":
            holder["schema"] = inner["schema"]

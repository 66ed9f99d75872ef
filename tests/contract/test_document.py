"""The committed contract is what the service serves, and says what a client generator needs."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate

from rules.catalogue import SYSTEMS
from service.app import create_app
from service.openapi import COMMITTED, committed_text, document
from service.settings import Settings
from tests.cases_of import cases_of


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    return document(create_app(Settings()))


def operations(served: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in served["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for each in node.values():
            yield from nodes(each)
    elif isinstance(node, list):
        for each in node:
            yield from nodes(each)


def test_the_committed_document_is_the_served_one(served: dict[str, Any]) -> None:
    same = COMMITTED.read_text("utf-8") == committed_text(served)
    assert same, "run ./dev openapi"  # not a comparison that pytest would print, thousands of lines long


def test_it_is_valid_openapi(served: dict[str, Any]) -> None:
    validate(json.loads(committed_text(served)))


def test_every_operation_is_named_tagged_and_summed_up(served: dict[str, Any]) -> None:
    names = []
    tags = {tag["name"] for tag in served["tags"]}
    for path, method, operation in operations(served):
        assert re.fullmatch(r"[a-z][A-Za-z0-9]+", operation["operationId"]), (path, method)
        assert operation["summary"]
        assert operation["description"]
        assert len(operation["tags"]) == 1
        assert set(operation["tags"]) <= tags
        names.append(operation["operationId"])
    assert len(names) == len(set(names))


def test_every_operation_tells_its_problems(served: dict[str, Any]) -> None:
    for path, method, operation in operations(served):
        expected = {"400", "413", "415", "422", "500"} if "requestBody" in operation else {"500"}
        if "/encounters" in path:
            expected |= {"503"} if path.endswith("/encounters") else {"401", "403", "404", "422", "503"}
        assert expected <= set(operation["responses"]), (path, method)


def test_every_body_has_an_example(served: dict[str, Any]) -> None:
    for path, method, operation in operations(served):
        if "requestBody" in operation:
            assert "example" in operation["requestBody"]["content"]["application/json"], (path, method)
        if method == "post" and "/encounters" not in path:
            assert operation["responses"]["200"]["content"]["application/json"]["example"], path


def test_no_one_of_and_no_integer_enum(served: dict[str, Any]) -> None:
    for node in nodes(served):
        assert "oneOf" not in node
        assert not any(isinstance(value, int) for value in node.get("enum", []) if isinstance(node.get("enum"), list))


def test_no_schema_is_called_like_a_language_type(served: dict[str, Any]) -> None:
    assert not {"System", "Error", "Object", "String", "Map", "List"} & set(served["components"]["schemas"])


def test_every_reference_leads_somewhere_and_every_schema_is_used(served: dict[str, Any]) -> None:
    references = {node["$ref"] for node in nodes(served) if isinstance(node.get("$ref"), str)}
    schemas = {f"#/components/schemas/{name}" for name in served["components"]["schemas"]}
    others = {
        f"#/components/{kind}/{name}"
        for kind in ("responses", "parameters", "headers")
        for name in served["components"][kind]
    }
    assert references == schemas | others


def test_every_right_answer_is_a_question_of_the_contract(served: dict[str, Any]) -> None:
    """The schemas of requests, as generated clients read them, take the bodies of all cases that are answered."""
    for system in SYSTEMS:
        validators = {
            f"/v1/{system.slug}/{action.slug}": jsonschema.Draft202012Validator(
                {
                    "$ref": served["paths"][f"/v1/{system.slug}/{action.slug}"]["post"]["requestBody"]["content"][
                        "application/json"
                    ]["schema"]["$ref"],
                    "components": served["components"],
                }
            )
            for action in system.actions
        }
        for case in cases_of(system.slug):
            if case["expect"].get("status", 200) == 200:
                validators[case["request"]["path"]].validate(case["request"]["body"])

"""The contract: an OpenAPI 3.1 document generated from the catalogue; `python -m service.openapi` writes it.

FastAPI lists the operations; here they get the schemas of the rules, examples that the rules computed, and every problem
that they may answer with.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from rules.catalogue import SYSTEMS
from service import encounter_contract, encounter_links, gate_contract, problems
from service.answers import as_json_values, odds_body
from service.batch import BatchItem, BatchRequest
from service.catalogue import SystemDescription, SystemList, example_resolution, path_of
from service.encounter_contract import response_name
from service.problems import PROBLEM_TYPES, ProblemType, problem_body
from service.questions import QUESTIONS, Question
from service.readiness import State, Verdict
from service.schemas import COMPONENTS, Schema, action_name, all_schemas, json_schema
from service.texts import texts_in
from service.verification import Verification, VerifyRequest, verify
from service.wire import input_schema, output_schema

COMMITTED = Path(__file__).parent.parent / "openapi" / "openapi.json"
JSON_PROBLEMS = (
    problems.INVALID_JSON,
    problems.BODY_TOO_LARGE,
    problems.UNSUPPORTED_MEDIA_TYPE,
    problems.MALFORMED,
    problems.INTERNAL_ERROR,
)
DESCRIPTION = """Rules as a service: a client sends one combat question and gets the resolved outcome with the whole audit
trail, every modifier, limit, die and decision under the id of its rule. A seed makes a result reproducible anywhere.

What the rules forbid is an answer (200 with `refused_by`), not an error. Errors are problem details (RFC 9457)."""


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the application."""
    found = get_openapi(
        title="Rulewright",
        version=version("rulewright"),
        description=DESCRIPTION,
        routes=app.routes,
        openapi_version="3.1.0",
    )
    found["info"]["license"] = {"name": "MIT", "identifier": "MIT"}
    found["servers"] = [{"url": "/", "description": "This service"}]
    found["security"] = []
    found["tags"] = _tags()
    found["components"] = {
        "schemas": {**all_schemas(), **_service_schemas()},
        "responses": _problem_responses(),
        "parameters": {"AcceptLanguage": ACCEPT_LANGUAGE},
    }
    if encounter_contract.SYSTEMS_WITH_FIGHTS:
        for name, schema in encounter_contract.schemas().items():
            if found["components"]["schemas"].setdefault(name, schema) != schema:
                raise ValueError(f"two schemas would be called {name}")
        found["components"]["parameters"] |= encounter_contract.parameters()
        encounter_contract.describe(found["paths"])
        encounter_links.link(found["paths"])
    for question in QUESTIONS.values():
        _describe_action(found["paths"], question)
    _describe_batch(found["paths"]["/v1/batch"]["post"])
    _describe_verify(found["paths"]["/v1/verify"]["post"])
    _describe_catalogue(found["paths"])
    _describe_health(found["paths"])
    if "/metrics" in found["paths"]:
        _describe_metrics(found["paths"])
    gate_contract.describe(found)
    _drop_unused_responses(found)
    return found


def _drop_unused_responses(found: dict[str, Any]) -> None:
    """A problem that no operation answers with (another method, say) is no part of the document."""
    used = json.dumps(found["paths"])
    responses = found["components"]["responses"]
    found["components"]["responses"] = {name: each for name, each in responses.items() if f'responses/{name}"' in used}


ACCEPT_LANGUAGE: Schema = {
    "name": "Accept-Language",
    "in": "header",
    "required": False,
    "description": "The language of the texts: English (`en`, the default) or Russian (`ru`).",
    "schema": {"type": "string"},
    "example": "ru",
}


def _tags() -> list[dict[str, str]]:
    english = texts_in("en").systems
    systems = [{"name": each.slug, "description": english[each.slug]["system"]["summary"]} for each in SYSTEMS]
    return [
        *systems,
        {"name": "batch", "description": "Many requests in one call."},
        {"name": "verify", "description": "Independent checks of resolutions."},
        {"name": "catalogue", "description": "What can be asked, with rules, options, schemas and examples."},
        {"name": "operations", "description": "For operators."},
    ]


def _reference(name: str) -> Schema:
    return {"$ref": COMPONENTS + name}


def _content(schema: Schema, example: Any = None) -> dict[str, Any]:
    media: dict[str, Any] = {"schema": schema}
    if example is not None:
        media["example"] = example
    return {"application/json": media}


def _ok(description: str, schema: Schema, example: Any = None) -> dict[str, Any]:
    headers = {"Content-Language": {"description": "The language of the texts.", "schema": {"type": "string"}}}
    return {"description": description, "headers": headers, "content": _content(schema, example)}


def _answers(ok: dict[str, Any], kinds: tuple[ProblemType, ...]) -> dict[str, Any]:
    responses = {"200": ok}
    for kind in kinds:
        responses[str(kind.status)] = {"$ref": f"#/components/responses/{response_name(kind)}"}
    return responses


def _problem_responses() -> dict[str, Any]:
    kinds: dict[str, list[ProblemType]] = {}
    for kind in PROBLEM_TYPES:
        kinds.setdefault(response_name(kind), []).append(kind)
    english = texts_in("en")
    return {
        name: _problem_response(
            "; ".join(english.problem(kind.name, "title", {}) for kind in each),
            {kind.name: {"value": _example(kind)} for kind in each},
            each[0].status,
        )
        for name, each in kinds.items()
    }


def _problem_response(description: str, examples: dict[str, Any], status: int) -> dict[str, Any]:
    media = {"schema": _reference("Problem"), "examples": examples}
    headers = gate_contract.problem_headers(status)
    return {"description": description, "headers": headers, "content": {"application/problem+json": media}}


EXAMPLE_FACTS: dict[str, Any] = {
    "count": 1,
    "limit": 1_048_576,
    "method": "PUT",
    "allowed": "POST",
    "rule": "gurps.defense.roll",
    "sides": 6,
    "seconds": 15,
    "headers": 100,
    "bytes": 32_768,
    "consumed": 3,
    "sent": 4,
    "role": "player",
    "needed": "gm",
    "attempts": 20,
    "version": 17,
    "seen": 16,
    "what": "combatants",
    "scope": "odds",
    "who": "address",
}


def _example(kind: ProblemType) -> dict[str, Any]:
    fields: dict[str, dict[str, Any]] = {
        "dice-needed": {"needed": {"rule": "gurps.defense.roll", "count": 1, "sides": 6}},
        "dice-left-over": {"consumed": 3, "sent": 4},
        "odds-too-wide": {"reason": "pool"},
        "scope-missing": {"needed_scope": "odds"},
        "rate-limited": {"retry_after": 2},
    }
    problem = problems.Problem(kind, EXAMPLE_FACTS, fields=fields.get(kind.name, {}))
    return problem_body(problem, texts_in("en"), "/v1/gurps/active-defense")


def _request_body(schema: Schema, example: Any) -> dict[str, Any]:
    return {"required": True, "content": _content(schema, example)}


def _describe_action(paths: dict[str, Any], question: Question) -> None:
    name, path, action = action_name(question), path_of(question), question.action
    example = dict(action.example)
    resolve = paths[path]["post"]
    resolve["parameters"] = [{"$ref": "#/components/parameters/AcceptLanguage"}]
    resolve["requestBody"] = _request_body(_reference(f"{name}Request"), example)
    answer = _ok("The resolution", _reference(f"{name}Resolution"), example_resolution(question, texts_in("en")))
    resolve["responses"] = _answers(answer, JSON_PROBLEMS)
    odds = paths[f"{path}/odds"]["post"]
    odds["parameters"] = [{"$ref": "#/components/parameters/AcceptLanguage"}]
    bare = {key: value for key, value in example.items() if key not in ("seed", "dice")}
    odds["requestBody"] = _request_body(_reference(f"{name}OddsRequest"), bare)
    walked = question.odds(question.read_for_odds(bare))
    body = as_json_values(odds_body(question.system, action.slug, walked))
    odds["responses"] = _answers(_ok("The exact distribution", _reference("Odds"), body), JSON_PROBLEMS)


def _service_schemas() -> dict[str, Schema]:
    found: dict[str, Schema] = {}
    for asked in (BatchItem, BatchRequest, VerifyRequest):
        schema, definitions = json_schema(input_schema(asked), "validation")
        found |= {**definitions, asked.__name__: schema}
    for answered in (Verification, SystemList, SystemDescription):
        schema, definitions = json_schema(output_schema(answered), "serialization")
        found |= {**definitions, answered.__name__: schema}
    found["BatchRequest"]["properties"]["items"]["items"] = _reference("BatchItem")
    found["Health"] = {
        "type": "object",
        "description": "Whether the process is alive.",
        "properties": {"status": {"type": "string"}},
        "required": ["status"],
    }
    found["Readiness"] = {
        "type": "object",
        "description": "Whether the process takes requests, and what became of each check.",
        "properties": {
            "status": {"type": "string", "enum": list(Verdict)},
            "checks": {"type": "object", "additionalProperties": {"type": "string", "enum": list(State)}},
        },
        "required": ["status", "checks"],
    }
    found["BatchAnswer"] = {
        "type": "object",
        "description": "The answer to one item: its resolution, or its problem.",
        "properties": {
            "status": {"type": "integer", "description": "The status that the action alone would have answered with."},
            "resolution": {"anyOf": [_reference("AnyResolution"), {"type": "null"}]},
            "problem": {"anyOf": [_reference("Problem"), {"type": "null"}]},
        },
        "required": ["status", "resolution", "problem"],
    }
    found["BatchAnswers"] = {
        "type": "object",
        "description": "The answers, in the order of the items.",
        "properties": {"items": {"type": "array", "items": _reference("BatchAnswer")}},
        "required": ["items"],
    }
    found["AnyResolution"] = _any_resolution()
    return found


def _any_resolution() -> Schema:
    text = {"type": "string"}
    return {
        "type": "object",
        "description": "A resolution of any action: each action's own schema says what its options and outcome are.",
        "properties": {
            "system": text,
            "action": text,
            "ruleset": text,
            "options": {"type": "object", "additionalProperties": text},
            "refused_by": {"type": "array", "items": text},
            "outcome": {"type": ["object", "null"], "additionalProperties": True},
            "audit": {"type": "array", "items": _reference("AuditStep")},
            "randomness": _reference("Randomness"),
        },
        "required": ["system", "action", "ruleset", "options", "refused_by", "outcome", "audit", "randomness"],
    }


def _first_example() -> tuple[Question, dict[str, Any], dict[str, Any]]:
    question = QUESTIONS["gurps", "success-roll"]
    return question, dict(question.action.example), example_resolution(question, texts_in("en"))


def _describe_batch(operation: dict[str, Any]) -> None:
    question, request, resolution = _first_example()
    item = {"system": question.system.slug, "action": question.action.slug, "request": request}
    answer = {"items": [{"status": 200, "resolution": resolution, "problem": None}]}
    operation["parameters"] = [{"$ref": "#/components/parameters/AcceptLanguage"}]
    operation["requestBody"] = _request_body(_reference("BatchRequest"), {"items": [item]})
    operation["responses"] = _answers(_ok("An answer to each item", _reference("BatchAnswers"), answer), JSON_PROBLEMS)


def _describe_verify(operation: dict[str, Any]) -> None:
    question, request, resolution = _first_example()
    slugs = {"system": question.system.slug, "action": question.action.slug}
    asked = {**slugs, "request": request, "resolution": resolution}
    claimed = VerifyRequest(**slugs, request=request, resolution=resolution)
    answer = as_json_values(verify(claimed, texts_in("en")))
    operation["parameters"] = [{"$ref": "#/components/parameters/AcceptLanguage"}]
    operation["requestBody"] = _request_body(_reference("VerifyRequest"), asked)
    operation["responses"] = _answers(
        _ok("Valid, or the first difference", _reference("Verification"), answer), JSON_PROBLEMS
    )


def _describe_catalogue(paths: dict[str, Any]) -> None:
    language = {"$ref": "#/components/parameters/AcceptLanguage"}
    listing = paths["/v1/systems"]["get"]
    listing["parameters"] = [language]
    listing["responses"] = _answers(_ok("The systems", _reference("SystemList")), (problems.INTERNAL_ERROR,))
    one = paths["/v1/systems/{system}"]["get"]
    slug = {"type": "string", "enum": [system.slug for system in SYSTEMS]}
    which = {"name": "system", "in": "path", "required": True, "description": "The system's slug.", "schema": slug}
    one["parameters"] = [which, language]
    kinds = (problems.NOT_FOUND, problems.INTERNAL_ERROR)
    one["responses"] = _answers(_ok("The system", _reference("SystemDescription")), kinds)


def _describe_health(paths: dict[str, Any]) -> None:
    alive = {"description": "Yes", "content": _content(_reference("Health"))}
    paths["/healthz"]["get"]["responses"] = _answers(alive, (problems.INTERNAL_ERROR,))
    ready = {"description": "Yes", "content": _content(_reference("Readiness"))}
    responses = _answers(ready, (problems.INTERNAL_ERROR,))
    paths["/readyz"]["get"]["responses"] = responses | {"503": {**ready, "description": "No"}}


def _describe_metrics(paths: dict[str, Any]) -> None:
    text = {"schema": {"type": "string"}}
    content = {"text/plain": text, "application/openmetrics-text": text}
    answer = {"description": "The metrics", "content": content}
    paths["/metrics"]["get"]["responses"] = _answers(answer, (problems.INTERNAL_ERROR,))


def committed_text(found: dict[str, Any]) -> str:
    """The document as it stands in the repository."""
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write the document of the current rules to `openapi/openapi.json`."""
    from service.app import create_app  # noqa: PLC0415 - the application needs this module

    COMMITTED.parent.mkdir(exist_ok=True)
    COMMITTED.write_text(committed_text(document(create_app())), "utf-8")
    sys.stdout.write(f"{COMMITTED.name} is up to date\n")


if __name__ == "__main__":
    main()

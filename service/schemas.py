"""JSON Schemas of requests, outcomes and resolutions, made from the dataclasses of the rules."""

import copy
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreSchema

from rules.core.action import Action
from rules.core.rule import Kind
from service.questions import MAX_SEED_LENGTH, QUESTIONS, Question
from service.wire import input_schema, output_schema

Schema = dict[str, Any]
COMPONENTS = "#/components/schemas/"
FRACTION: Schema = {"format": "fraction", "type": "string"}
NUMBER: Schema = {"type": "number"}


def pascal(slug: str) -> str:
    """`active-defense` as `ActiveDefense`."""
    return "".join(part.title() for part in slug.replace("_", "-").split("-"))


def action_name(question: Question) -> str:
    """`GurpsActiveDefense`: what the schemas and operations of an action are called by."""
    return pascal(question.system.slug) + pascal(question.action.slug)


def json_schema(core: CoreSchema, mode: JsonSchemaMode) -> tuple[Schema, dict[str, Schema]]:
    """The schema and the definitions that it refers to, by class name."""
    generator = GenerateJsonSchema(by_alias=True, ref_template=COMPONENTS + "{model}")
    schema = _plain(generator.generate(core, mode=mode))
    definitions: dict[str, Schema] = schema.pop("$defs", {})
    for name, definition in definitions.items():
        definition.pop("title", None)
        if "__" in name:
            raise ValueError(f"two classes of one system have the name of {name}")
    return schema, definitions


def _plain(node: Any) -> Any:
    """Without titles of fields, with exact fractions as the JSON numbers that they are written as."""
    if isinstance(node, list):
        return [_plain(each) for each in node]
    if not isinstance(node, dict):
        return node
    if {key: node.get(key) for key in FRACTION} == FRACTION:
        return dict(NUMBER)
    plain: Schema = {key: _properties(value) if key == "properties" else _plain(value) for key, value in node.items()}
    choices = plain.get("anyOf")
    if choices and {"type": "integer"} in choices and NUMBER in choices:
        kept = [choice for choice in choices if choice != {"type": "integer"}]
        del plain["anyOf"]
        plain |= {"anyOf": kept} if len(kept) > 1 else kept[0]
    return plain


def _properties(properties: Schema) -> Schema:
    return {name: _property(_plain(schema)) for name, schema in properties.items()}


def _property(schema: Schema) -> Schema:
    takes_null = {"type": "null"} in schema.get("anyOf", ())
    left_out = {"title"} if schema.get("default", 0) is not None or takes_null else {"title", "default"}
    kept = {key: value for key, value in schema.items() if key not in left_out}
    return {**kept, "default": _sendable(kept["default"])} if "default" in kept else kept


def _sendable(default: Any) -> Any:
    """A default as it would be sent: what is null in an object is left out of it."""
    if isinstance(default, dict):
        return {key: _sendable(value) for key, value in default.items() if value is not None}
    return [_sendable(each) for each in default] if isinstance(default, list | tuple) else default


def renamed(node: Any, names: dict[str, str]) -> Any:
    """A schema with the definitions that it refers to under other names."""
    if isinstance(node, list):
        return [renamed(each, names) for each in node]
    if not isinstance(node, dict):
        return node
    found = {key: renamed(value, names) for key, value in node.items()}
    reference = found.get("$ref")
    if isinstance(reference, str) and reference.startswith(COMPONENTS):
        found["$ref"] = COMPONENTS + names[reference.removeprefix(COMPONENTS)]
    return found


def randomness_fields(action: Action[Any, Any]) -> Schema:
    """`seed` and `dice`, which every request may carry beside the action's own fields."""
    face = {"type": "integer", "minimum": 1, "maximum": action.max_sides}
    return {
        "seed": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_SEED_LENGTH,
            "description": "Start of the random stream; without it the server draws one and returns it. Excludes `dice`.",
        },
        "dice": {
            "type": "array",
            "items": face,
            "maxItems": action.max_dice,
            "description": "Faces rolled on real dice, in the order in which the action rolls. Excludes `seed`.",
        },
    }


def request_schema(question: Question) -> tuple[Schema, dict[str, Schema]]:
    """The request with `seed` and `dice`, and its definitions."""
    schema, definitions = json_schema(input_schema(question.action.request), "validation")
    schema["properties"] = {**schema["properties"], **randomness_fields(question.action)}
    return schema, definitions


def outcome_schema(question: Question) -> tuple[Schema, dict[str, Schema]]:
    """The outcome and its definitions."""
    return json_schema(output_schema(question.action.outcome), "serialization")


def standalone(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """One schema that needs no other document."""
    text = renamed_to_local({**schema, **({"$defs": definitions} if definitions else {})})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **text}


def renamed_to_local(node: Any) -> Any:
    """A schema whose references stay inside it."""
    if isinstance(node, list):
        return [renamed_to_local(each) for each in node]
    if not isinstance(node, dict):
        return node
    found = {key: renamed_to_local(value) for key, value in node.items()}
    if isinstance(found.get("$ref"), str):
        found["$ref"] = found["$ref"].replace(COMPONENTS, "#/$defs/")
    return found


def shared_schemas() -> dict[str, Schema]:
    """What every resolution is made of."""
    text = {"type": "string"}
    return {
        "StepKind": {"type": "string", "enum": [kind.value for kind in Kind], "description": "What a step is."},
        "RolledDice": _object(
            "Faces of one roll, in order.",
            sides={"type": "integer", "minimum": 2, "maximum": 256},
            faces={"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 256}},
        ),
        "AuditStep": {
            **_object(
                "One step by which the rules went from the request to the outcome. `value` is what the step is about, "
                "`total` the running total after it; a step has them only where they mean something.",
                rule={**text, "description": "The id of the rule."},
                kind={"$ref": COMPONENTS + "StepKind"},
                value={"type": "number"},
                total={"type": "number"},
                dice={"$ref": COMPONENTS + "RolledDice"},
                text={**text, "description": "The step in words, in the language of the answer."},
            ),
            "required": ["rule", "kind", "text"],
        },
        "RandomnessSource": {"type": "string", "enum": ["seed", "dice"], "description": "Where the faces came from."},
        "Randomness": _object(
            "The randomness that produced the outcome; `algorithm` and `seed` are null for supplied dice.",
            source={"$ref": COMPONENTS + "RandomnessSource"},
            algorithm={"type": ["string", "null"]},
            seed={"type": ["string", "null"]},
            faces={"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 256}},
        ),
        "OddsRow": _object(
            "One joint value of the fields with its exact chance.",
            outcome={"type": "object", "description": "The value of each field.", "additionalProperties": True},
            numerator={"type": "string", "pattern": "^[0-9]+$"},
            probability={"type": "number", "minimum": 0, "maximum": 1},
        ),
        "Odds": _object(
            "The exact joint distribution of the fields: numerators add up to the denominator, the likeliest row first.",
            system=text,
            action=text,
            ruleset=text,
            refused_by={"type": "array", "items": text},
            fields={"type": "array", "items": text},
            denominator={"type": "string", "pattern": "^[0-9]+$"},
            distribution={"type": "array", "items": {"$ref": COMPONENTS + "OddsRow"}},
            mean={"type": "object", "additionalProperties": {"type": "number"}},
        ),
        "ProblemError": _object(
            "One thing wrong with a request.",
            pointer={**text, "description": "JSON pointer to the place, as a URI fragment."},
            code={**text, "description": "Stable name of the fault."},
            detail={**text, "description": "What would be right, in the language of the answer."},
        ),
        "DiceNeeded": _object(
            "Which rule rolls next, and how many more faces it needs.",
            rule=text,
            count={"type": "integer", "minimum": 1},
            sides={"type": "integer", "minimum": 2},
        ),
        "Problem": {
            "type": "object",
            "description": "Problem details (RFC 9457).",
            "properties": {
                "type": {**text, "description": "`/problems/<name>`, a page that explains it."},
                "title": text,
                "status": {"type": "integer"},
                "detail": text,
                "instance": text,
                "errors": {"type": "array", "items": {"$ref": COMPONENTS + "ProblemError"}},
                "needed": {"$ref": COMPONENTS + "DiceNeeded"},
                "consumed": {"type": "integer", "description": "Of `dice-left-over`: how many faces were consumed."},
                "needed_scope": {"type": "string", "description": "Of `scope-missing`: what the key is not for."},
                "retry_after": {
                    "type": "integer",
                    "description": "Of `rate-limited`: the seconds until there is enough.",
                },
                "sent": {"type": "integer", "description": "Of `dice-left-over`: how many faces were sent."},
                "reason": {**text, "description": "Of `odds-too-wide`: what made it so."},
            },
            "required": ["type", "title", "status", "detail", "instance", "errors"],
        },
    }


def _object(description: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def resolution_schema(question: Question, outcome: str, options: str) -> Schema:
    """The envelope of one action."""
    text = {"type": "string"}
    return _object(
        f"A resolution of {question.system.slug}/{question.action.slug}.",
        system={**text, "enum": [question.system.slug]},
        action={**text, "enum": [question.action.slug]},
        ruleset={**text, "description": "The version of the meaning of the rules."},
        options={
            "allOf": [{"$ref": COMPONENTS + options}],
            "description": "House rules that differ from the defaults.",
        },
        refused_by={"type": "array", "items": text, "description": "Rules that forbid the choice; empty if none does."},
        outcome={"anyOf": [{"$ref": COMPONENTS + outcome}, {"type": "null"}]},
        audit={"type": "array", "items": {"$ref": COMPONENTS + "AuditStep"}},
        randomness={"$ref": COMPONENTS + "Randomness"},
    )


def all_schemas() -> dict[str, Schema]:
    """Every named schema of the contract."""
    found: dict[str, Schema] = shared_schemas()
    inputs: dict[str, set[str]] = {}
    for question in QUESTIONS.values():
        _add_request(found, question, inputs.setdefault(question.system.slug, set()))
    for question in QUESTIONS.values():
        _add_outcome(found, question, inputs[question.system.slug])
    return found


def _add_request(found: dict[str, Schema], question: Question, inputs: set[str]) -> None:
    prefix, name = pascal(question.system.slug), action_name(question)
    schema, definitions = request_schema(question)
    names = {each: prefix + each for each in definitions}
    inputs |= {each for each, definition in definitions.items() if definition.get("type") == "object"}
    for each, definition in definitions.items():
        _add(found, names[each], renamed(definition, names))
    request = renamed({**schema, "title": f"{name}Request"}, names)
    _add(found, f"{name}Request", request)
    odds = copy.deepcopy(request)
    odds["title"] = f"{name}OddsRequest"
    for each in ("seed", "dice"):
        del odds["properties"][each]
    _add(found, f"{name}OddsRequest", odds)


def _add_outcome(found: dict[str, Schema], question: Question, inputs: set[str]) -> None:
    prefix, name = pascal(question.system.slug), action_name(question)
    schema, definitions = outcome_schema(question)
    names = {each: prefix + each + ("Output" if each in inputs else "") for each in definitions}
    for each, definition in definitions.items():
        _add(found, names[each], renamed(definition, names))
    _add(found, f"{name}Outcome", renamed({**schema, "title": f"{name}Outcome"}, names))
    _add(found, f"{name}Resolution", resolution_schema(question, f"{name}Outcome", f"{prefix}Options"))


def _add(found: dict[str, Schema], name: str, schema: Schema) -> None:
    if found.setdefault(name, schema) != schema:
        raise ValueError(f"two schemas would be called {name}")

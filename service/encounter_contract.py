"""The encounters' part of the contract: schemas typed by each system, examples, and the problems of every operation."""

from typing import Any

from rules.catalogue import SYSTEMS
from rules.core.encounter import Command
from rules.core.system import System
from service import problems
from service.encounters.bodies import JoinRequest, TokenRequest, bodies_of
from service.encounters.desk import MAX_OWN_DICE, MAX_OWN_SIDES
from service.encounters.kept import OwnDice, Role, Status, rules_of
from service.encounters.ledger import EventKind, Visibility
from service.encounters.verification import LogVerification
from service.problems import ProblemType
from service.schemas import COMPONENTS, Schema, json_schema, pascal, renamed
from service.texts import texts_in
from service.wire import input_schema, output_schema

TEXT: Schema = {"type": "string"}
SEQUENCE: Schema = {"type": "integer", "minimum": 0}
READ = (
    problems.TOKEN_NEEDED,
    problems.NOT_FOR_YOU,
    problems.NOT_FOUND,
    problems.MALFORMED,
    problems.INTERNAL_ERROR,
    problems.STORE_UNAVAILABLE,
)
CHANGE = (*READ, problems.CONTENDED, problems.VERSION_MISMATCH)
BODY = (problems.INVALID_JSON, problems.BODY_TOO_LARGE, problems.UNSUPPORTED_MEDIA_TYPE)
OPEN = (*BODY, problems.MALFORMED, problems.INTERNAL_ERROR, problems.STORE_UNAVAILABLE)
SYSTEMS_WITH_FIGHTS = tuple(system for system in SYSTEMS if system.encounter is not None)


def parameters() -> dict[str, Schema]:
    """The parameters that the operations of encounters share."""
    return {
        "EncounterId": _parameter("id", "path", "The id of the encounter.", TEXT),
        "EncounterToken": _parameter(
            "Encounter-Token", "header", "The token of the one who asks.", TEXT, required=False
        ),
        "CombatantId": _parameter("combatant", "path", "The id of the combatant.", TEXT),
        "TokenId": _parameter("token", "path", "The id of the token, not its secret.", TEXT),
        "IfMatch": _parameter(
            "If-Match",
            "header",
            "The version that was seen; a stale one is 412 and nothing changes.",
            TEXT,
            required=False,
        ),
        "IdempotencyKey": _parameter(
            "Idempotency-Key",
            "header",
            "A change with a key that was seen within a day answers what it answered then, and does nothing again. "
            "To open a fight it has at least 16 characters.",
            {**TEXT, "maxLength": 128},
            required=False,
        ),
    }


def _parameter(name: str, place: str, description: str, schema: Schema, *, required: bool = True) -> Schema:
    return {"name": name, "in": place, "required": required, "description": description, "schema": schema}


def schemas() -> dict[str, Schema]:
    """The schemas of encounters: those that all systems share, and those of each."""
    found = _shared()
    for system in SYSTEMS_WITH_FIGHTS:
        found |= _of_system(system)
    return found


def _shared() -> dict[str, Schema]:
    found: dict[str, Schema] = {}
    for kind in (TokenRequest, JoinRequest):
        schema, definitions = json_schema(input_schema(kind), "validation")
        found |= {**definitions, kind.__name__: schema}
    schema, definitions = json_schema(output_schema(LogVerification), "serialization")
    found |= {**definitions, "LogVerification": schema}
    anything = {"description": "Any JSON value."}
    nothing_or_object = {"type": ["object", "null"], "additionalProperties": True}
    objects = {"type": ["array", "null"], "items": {"type": "object", "additionalProperties": True}}
    return {
        **found,
        "EncounterRole": _enum(Role, "What the holder of a token is."),
        "EncounterStatus": _enum(Status, "Whether a fight goes on."),
        "OwnDice": _enum(OwnDice, "Whose commands may bring dice."),
        "EventKind": _enum(EventKind, "What happened."),
        "EventVisibility": _enum(Visibility, "Who may see what was rolled."),
        "EventEffect": _object(
            "One change of one field; applying the effects of all events in order gives the state.",
            combatant={"type": ["string", "null"], "description": "Null for a field of the fight itself."},
            field={**TEXT, "description": "`parries.rapier`: an entry of a field; `*`: the combatant as a whole."},
            **{"from": anything, "to": anything},
            rule={"type": ["string", "null"]},
        ),
        "EncounterEvent": _object(
            "One event of the log. What its reader may not see is null.",
            sequence={"type": "integer"},
            version={"type": "integer"},
            at={**TEXT, "format": "date-time"},
            kind=_reference("EventKind"),
            by=TEXT,
            actor={"type": ["string", "null"]},
            action={"type": ["string", "null"]},
            command=nothing_or_object,
            visibility=_reference("EventVisibility"),
            request={**nothing_or_object, "description": "The stateless request that it became."},
            resolution={**nothing_or_object, "description": "The resolution of that request."},
            further={**objects, "description": "What else it asked of the rules: action, request and resolution."},
            audit={**objects, "description": "Steps of the fight itself."},
            effects={"type": "array", "items": _reference("EventEffect")},
            previous={"type": ["string", "null"], "description": "The hash of the event before it."},
            hash={**TEXT, "description": "SHA-256 of its canonical JSON without `hash` and texts, hex."},
        ),
        "EventPage": _object(
            "A page of the log.",
            events={"type": "array", "items": _reference("EncounterEvent")},
            next={"type": ["integer", "null"], "description": "What to ask for `after`; null at the end."},
        ),
        "IssuedToken": _object(
            "A token, shown this once.",
            token=TEXT,
            id=TEXT,
            role=_reference("EncounterRole"),
            combatants={"type": "array", "items": TEXT},
        ),
        "TokenView": _object(
            "A token without its secret.",
            id=TEXT,
            role=_reference("EncounterRole"),
            combatants={"type": "array", "items": TEXT},
            label={"type": ["string", "null"]},
            parent={"type": ["string", "null"]},
        ),
        "TokenList": _object("The tokens.", tokens={"type": "array", "items": _reference("TokenView")}),
        "RevokedTokens": _object("The ids of the tokens that were revoked.", revoked={"type": "array", "items": TEXT}),
        "TurnEnd": {
            "type": "object",
            "description": "The end of a turn; `dice` are for what is rolled then, where `own_dice` allows it.",
            "properties": {"dice": _beside_a_command()["dice"]},
            "additionalProperties": False,
        },
        "StreamTicket": _object("A ticket for the stream.", ticket=TEXT, expires_in={"type": "integer"}),
    }


def _of_system(system: System) -> dict[str, Schema]:
    prefix, rules, bodies = pascal(system.slug), rules_of(system), bodies_of(system)
    found: dict[str, Schema] = {}
    named = [
        (bodies.opening, "EncounterOpening"),
        (bodies.combatant, "CombatantJoining"),
        (bodies.change, "CombatantChange"),
    ]
    named += [(command.body, f"{pascal(command.slug)}Command") for command in rules.commands]
    for kind, name in named:
        schema, definitions = json_schema(input_schema(kind), "validation")
        names = {each: prefix + each for each in definitions}
        found |= {names[each]: renamed(definition, names) for each, definition in definitions.items()}
        found[prefix + name] = renamed({**schema, "title": prefix + name}, names)
    for command in rules.commands:
        found[f"{prefix}{pascal(command.slug)}Command"]["properties"] |= _beside_a_command()
    found |= _combatant(system, prefix)
    change: dict[str, Schema] = {
        "version": {"type": "integer"},
        "event": {"anyOf": [_reference("EncounterEvent"), {"type": "null"}]},
    }
    state = {"state": _reference(f"{prefix}Encounter")}
    found[f"{prefix}EncounterChange"] = _object("A change that was made.", **change, **state)
    opened: dict[str, Schema] = {"id": TEXT, "gm_token": TEXT, "spectator_token": TEXT, "commitment": TEXT}
    found[f"{prefix}EncounterOpened"] = _object(
        "An open fight; its tokens are shown this once.", **opened, **change, **state
    )
    found[f"{prefix}CombatantJoined"] = _object("One who joined.", player_token=TEXT, **change, **state)
    return found


def _combatant(system: System, prefix: str) -> dict[str, Schema]:
    rules = rules_of(system)
    anything = {"type": "object", "additionalProperties": True}
    return {
        f"{prefix}EncounterCombatant": _object(
            "One who fights: the sheet as it was sent, what lasts, and what counts within a turn.",
            name=TEXT,
            joined={"type": "integer", "description": "How many had joined before."},
            sheet={**anything, "description": f"As sent: {rules.sheet.__name__}."},
            state=anything,
            turn=anything,
        ),
        f"{prefix}Encounter": _object(
            "The state of a fight.",
            id=TEXT,
            system={**TEXT, "enum": [system.slug]},
            version={"type": "integer"},
            status=_reference("EncounterStatus"),
            round={"type": "integer"},
            turn={"type": ["string", "null"]},
            order={"type": "array", "items": TEXT},
            combatants={"type": "object", "additionalProperties": _reference(f"{prefix}EncounterCombatant")},
            pending={"type": ["object", "null"], "additionalProperties": True},
            options={"type": "object", "additionalProperties": TEXT},
            opening=anything,
            own_dice=_reference("OwnDice"),
            commitment={**TEXT, "description": "SHA-256 of the secret seed, hex."},
            seed={"type": ["string", "null"], "description": "The seed, once the fight is closed."},
            created_at={**TEXT, "format": "date-time"},
            expires_at={**TEXT, "format": "date-time", "description": "When it is forgotten, unless it is used."},
        ),
    }


def _beside_a_command() -> dict[str, Schema]:
    face = {"type": "integer", "minimum": 1, "maximum": MAX_OWN_SIDES}
    return {
        "dice": {
            "type": "array",
            "items": face,
            "maxItems": MAX_OWN_DICE,
            "description": "Faces rolled on real dice, where `own_dice` lets the sender bring them.",
        },
        "visibility": {
            "allOf": [_reference("EventVisibility")],
            "default": Visibility.PUBLIC.value,
            "description": "`gm`: only the game master sees what was rolled; only the game master may say so.",
        },
    }


def describe(paths: dict[str, Any]) -> None:
    """Give every operation of encounters its parameters, bodies, answers and problems."""
    for system in SYSTEMS_WITH_FIGHTS:
        _describe_system(paths, system)


def _describe_system(paths: dict[str, Any], system: System) -> None:
    prefix, root = pascal(system.slug), f"/v1/{system.slug}/encounters"
    one = f"{root}/{{id}}"
    rules = rules_of(system)
    joining = {"id": "mira", "name": "Mira", "sheet": dict(rules.sheet_example)}
    changed = f"{prefix}EncounterChange"
    _operation(
        paths[root]["post"],
        "Opens a fight.",
        ("IdempotencyKey",),
        OPEN,
        201,
        f"{prefix}EncounterOpened",
        f"{prefix}EncounterOpening",
        {"own_dice": OwnDice.GM.value},
    )
    _operation(
        paths[one]["get"], "The state, as its reader may see it.", ("EncounterId",), READ, 200, f"{prefix}Encounter"
    )
    combatants, combatant = paths[f"{one}/combatants"], paths[f"{one}/combatants/{{combatant}}"]
    named = ("EncounterId", "CombatantId")
    _change(
        combatants["post"],
        "Adds a combatant; answers the player's token for it.",
        f"{prefix}CombatantJoined",
        body=f"{prefix}CombatantJoining",
        example=joining,
    )
    _change(
        combatant["patch"], "Changes a combatant by hand.", changed, named, body=f"{prefix}CombatantChange", example={}
    )
    _change(combatant["delete"], "Removes a combatant.", changed, named)
    _change(paths[f"{one}/turns"]["post"], "Ends the turn.", changed, body="TurnEnd", example={})
    _change(paths[f"{one}/undo"]["post"], "Takes the last event back, as a new event.", changed)
    _change(paths[f"{one}/close"]["post"], "Ends the fight and reveals the seed.", changed)
    for command in rules.commands:
        _change(
            paths[f"{one}/actions/{command.slug}"]["post"],
            _summary(system, command),
            changed,
            body=f"{prefix}{pascal(command.slug)}Command",
            example=dict(command.example),
        )
    _operation(paths[f"{one}/verification"]["get"], "Replays the log.", ("EncounterId",), READ, 200, "LogVerification")
    _operation(paths[f"{one}/events"]["get"], "The log after a sequence.", ("EncounterId",), READ, 200, "EventPage")
    paths[f"{one}/events"]["get"]["parameters"] += [
        _parameter("after", "query", "The sequence after which to begin.", SEQUENCE, required=False),
        _parameter(
            "limit", "query", "How many at most.", {"type": "integer", "minimum": 1, "maximum": 500}, required=False
        ),
    ]
    tokens = paths[f"{one}/tokens"]
    _operation(tokens["get"], "The tokens, without their secrets.", ("EncounterId",), READ, 200, "TokenList")
    _change(tokens["post"], "Hands out a token.", "IssuedToken", body="TokenRequest", example={"role": "spectator"})
    _change(
        paths[f"{one}/join"]["post"],
        "Exchanges an invite for a token.",
        "IssuedToken",
        body="JoinRequest",
        example={"invite": "the-token-of-a-link"},
    )
    _change(
        paths[f"{one}/tokens/{{token}}"]["delete"],
        "Revokes a token.",
        "RevokedTokens",
        ("EncounterId", "TokenId"),
        status=200,
    )
    _operation(
        paths[f"{one}/tickets"]["post"], "A ticket for EventSource.", ("EncounterId",), READ, 201, "StreamTicket"
    )
    _stream(paths[f"{one}/stream"]["get"])


def _summary(system: System, command: Command[Any]) -> str:
    words = texts_in("en").systems[system.slug]["commands"][command.slug]
    summary: str = words["summary"]
    return summary


def _change(
    operation: dict[str, Any],
    description: str,
    answer: str,
    named: tuple[str, ...] = ("EncounterId",),
    *,
    body: str | None = None,
    example: Any = None,
    status: int = 201,
) -> None:
    kinds = (*CHANGE, *BODY) if body else CHANGE
    _operation(operation, description, (*named, "IfMatch", "IdempotencyKey"), kinds, status, answer, body, example)


def _operation(
    operation: dict[str, Any],
    description: str,
    named: tuple[str, ...],
    kinds: tuple[ProblemType, ...],
    status: int,
    answer: str,
    body: str | None = None,
    example: Any = None,
) -> None:
    operation["description"] = description
    operation["parameters"] = [{"$ref": f"#/components/parameters/{each}"} for each in ("AcceptLanguage", *named)]
    if "EncounterId" in named:
        operation["parameters"].append({"$ref": "#/components/parameters/EncounterToken"})
    if body:
        media = {"schema": _reference(body), "example": example}
        needed = not body.endswith(("TurnEnd", "EncounterOpening"))  # which have no field that has to be there
        operation["requestBody"] = {"required": needed, "content": {"application/json": media}}
    ok = {
        "description": "Done" if status == 201 else "Here it is",
        "content": {"application/json": {"schema": _reference(answer)}},
    }
    operation["responses"] = {str(status): ok, **{str(kind.status): _problem(kind) for kind in kinds}}


def _stream(operation: dict[str, Any]) -> None:
    _operation(operation, "The log as server-sent events.", ("EncounterId",), READ, 200, "EncounterEvent")
    operation["parameters"] += [
        _parameter("Last-Event-ID", "header", "The last sequence that was seen.", SEQUENCE, required=False),
        _parameter("after", "query", "The same, where headers cannot be sent.", SEQUENCE, required=False),
        _parameter("ticket", "query", "A ticket of the last minute, for EventSource.", TEXT, required=False),
    ]
    operation["responses"]["200"]["content"] = {"text/event-stream": {"schema": {"type": "string"}}}
    operation["responses"]["204"] = {"description": "The fight is over, and all of its log was seen"}


def _problem(kind: ProblemType) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{response_name(kind)}"}


def response_name(kind: ProblemType) -> str:
    """What the answers of a status are called in the contract."""
    shared = {
        401: "Unauthorized",
        403: "Forbidden",
        409: "Conflicting",
        422: "Unprocessable",
        429: "TooMuch",
        503: "Unavailable",
    }
    return shared.get(kind.status) or "".join(part.title() for part in kind.name.split("-"))


def _reference(name: str) -> Schema:
    return {"$ref": COMPONENTS + name}


def _enum(kind: Any, description: str) -> Schema:
    return {"type": "string", "enum": [each.value for each in kind], "description": description}


def _object(description: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

"""The catalogue: what a client can ask, projected from the rules and their texts."""

import dataclasses
from functools import lru_cache
from typing import Any

from rules.catalogue import SYSTEMS, find_system
from rules.core.system import System
from service.answers import as_json_values, resolution_body
from service.questions import QUESTIONS, Question
from service.schemas import outcome_schema, request_schema, standalone
from service.texts import Texts

EXAMPLE_SEED = "example"


@dataclasses.dataclass(frozen=True, slots=True)
class ActionSummary:
    """An action and where it is asked."""

    slug: str
    title: str
    summary: str
    path: str
    odds_path: str


@dataclasses.dataclass(frozen=True, slots=True)
class SystemLinks:
    """Where a system is described and what it is asked under."""

    self: str
    batch: str
    verify: str
    openapi: str


@dataclasses.dataclass(frozen=True, slots=True)
class SystemSummary:
    """A system and its actions, in short."""

    slug: str
    title: str
    summary: str
    ruleset: str
    actions: tuple[ActionSummary, ...]
    links: SystemLinks


@dataclasses.dataclass(frozen=True, slots=True)
class SystemList:
    """Every system."""

    systems: tuple[SystemSummary, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of a house rule."""

    value: str
    summary: str


@dataclasses.dataclass(frozen=True, slots=True)
class OptionDescription:
    """A house rule: its default, and every value with what it means."""

    name: str
    summary: str
    default: str
    values: tuple[OptionValue, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class RuleDescription:
    """A rule: its stable id, what it says, where it stands, and the kinds of step that it writes."""

    id: str
    text: str
    source: str
    kinds: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class ActionDescription:
    """An action with the rules that its steps may name, its JSON Schemas, and an example that was run."""

    slug: str
    title: str
    summary: str
    path: str
    odds_path: str
    rules: tuple[str, ...]
    odds_fields: tuple[str, ...]
    max_dice: int
    request_schema: dict[str, Any]
    outcome_schema: dict[str, Any]
    example_request: dict[str, Any]
    example_resolution: dict[str, Any]


@dataclasses.dataclass(frozen=True, slots=True)
class TableDescription:
    """A table of the rules."""

    name: str
    title: str
    rows: tuple[dict[str, Any], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class FactDescription:
    """A constant of the game."""

    name: str
    title: str
    value: int


@dataclasses.dataclass(frozen=True, slots=True)
class SystemDescription:
    """All of a system that a client may want to show."""

    slug: str
    title: str
    summary: str
    ruleset: str
    actions: tuple[ActionDescription, ...]
    options: tuple[OptionDescription, ...]
    rules: tuple[RuleDescription, ...]
    tables: tuple[TableDescription, ...]
    facts: tuple[FactDescription, ...]
    links: SystemLinks


@lru_cache(maxsize=8)
def system_list(texts: Texts) -> SystemList:
    """Every system, in short."""
    return SystemList(tuple(_summary(system, texts) for system in SYSTEMS))


@lru_cache(maxsize=32)
def system_description(slug: str, texts: Texts) -> SystemDescription | None:
    """One system, whole; None when there is none of that name."""
    system = find_system(slug)
    if system is None:
        return None
    entry = texts.systems[slug]
    return SystemDescription(
        slug=slug,
        title=entry["system"]["title"],
        summary=entry["system"]["summary"],
        ruleset=system.ruleset,
        actions=tuple(_action(QUESTIONS[slug, action.slug], texts) for action in system.actions),
        options=_options(system, texts),
        rules=tuple(
            RuleDescription(each.id, texts.rule(slug, each.id), each.source, tuple(kind.value for kind in each.kinds))
            for each in system.rules
        ),
        tables=tuple(
            TableDescription(name, entry["tables"][name]["title"], tuple(dict(row) for row in rows))
            for name, rows in system.tables.items()
        ),
        facts=tuple(
            FactDescription(name, entry["facts"][name]["title"], value) for name, value in system.facts.items()
        ),
        links=_links(slug),
    )


def path_of(question: Question) -> str:
    """Where an action is asked."""
    return f"/v1/{question.system.slug}/{question.action.slug}"


def example_resolution(question: Question, texts: Texts) -> dict[str, Any]:
    """The answer to an action's example, computed by the rules."""
    resolution = question.resolve(question.read(dict(question.action.example)), EXAMPLE_SEED)
    answer: dict[str, Any] = as_json_values(resolution_body(resolution, texts))
    return answer


def _summary(system: System, texts: Texts) -> SystemSummary:
    entry = texts.systems[system.slug]
    actions = []
    for action in system.actions:
        path = f"/v1/{system.slug}/{action.slug}"
        words = entry["actions"][action.slug]
        actions.append(ActionSummary(action.slug, words["title"], words["summary"], path, f"{path}/odds"))
    words = entry["system"]
    return SystemSummary(
        system.slug, words["title"], words["summary"], system.ruleset, tuple(actions), _links(system.slug)
    )


def _links(slug: str) -> SystemLinks:
    return SystemLinks(f"/v1/systems/{slug}", "/v1/batch", "/v1/verify", "/openapi.json")


def _action(question: Question, texts: Texts) -> ActionDescription:
    action = question.action
    words = texts.systems[question.system.slug]["actions"][action.slug]
    return ActionDescription(
        slug=action.slug,
        title=words["title"],
        summary=words["summary"],
        path=path_of(question),
        odds_path=f"{path_of(question)}/odds",
        rules=tuple(each.id for each in action.rules),
        odds_fields=action.odds_over.fields,
        max_dice=action.max_dice,
        request_schema=standalone(*request_schema(question)),
        outcome_schema=standalone(*outcome_schema(question)),
        example_request=dict(action.example),
        example_resolution=example_resolution(question, texts),
    )


def _options(system: System, texts: Texts) -> tuple[OptionDescription, ...]:
    words = texts.systems[system.slug].get("options", {})
    return tuple(
        OptionDescription(
            name=each.name,
            summary=words[each.name]["summary"],
            default=str(each.default),
            values=tuple(
                OptionValue(value.value, words[each.name][value.value]) for value in _default_first(each.default)
            ),
        )
        for each in dataclasses.fields(system.options)
    )


def _default_first(default: Any) -> list[Any]:
    return [default, *(value for value in type(default) if value is not default)]

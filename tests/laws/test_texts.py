"""The laws of texts: complete in both languages, right for every step, and no part of what a resolution means."""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, get_type_hints

import pytest

from rules.catalogue import SYSTEMS
from rules.core.faults import DiceLeftOver, DiceNeeded
from rules.core.rule import Rule
from rules.core.system import System
from service.faults import Malformations
from service.questions import Question
from service.texts import texts_in
from tests.laws import breaches
from tests.laws.corpus import (
    LANGUAGES,
    REPOSITORY,
    as_json,
    cases,
    each_answer,
    every_action,
    hold,
    malformed_cases,
    resolved,
)
from tests.laws.test_rules import every_system

every_language = pytest.mark.parametrize("language", LANGUAGES)


def texts_of(system: System, language: str) -> dict[str, Any]:
    """The texts of one system."""
    return texts_in(language).systems[system.slug]


def leaves(texts: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text with its keys."""
    for key, value in texts.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def all_texts(language: str) -> dict[str, dict[str, Any]]:
    """The texts of the service and of every system, by name."""
    texts = texts_in(language)
    return {"service": texts.service, **texts.systems}


# complete


@pytest.mark.parametrize("of", ["service", *(system.slug for system in SYSTEMS)])
def test_both_languages_have_the_same_keys(of: str) -> None:
    english, russian = ({path for path, _ in leaves(all_texts(language)[of])} for language in LANGUAGES)
    hold(f"{'.'.join(path)} only in {'en' if path in english else 'ru'}" for path in english ^ russian)


@pytest.mark.parametrize("of", ["service", *(system.slug for system in SYSTEMS)])
def test_no_text_is_empty_and_russian_is_russian(of: str) -> None:
    hold(
        f"{'.'.join(path)}: empty"
        for language in LANGUAGES
        for path, text in leaves(all_texts(language)[of])
        if not text
    )
    hold(
        f"{'.'.join(path)}: {text}"
        for path, text in leaves(all_texts("ru")[of])
        if not breaches.CYRILLIC.search(text) and re.search("[a-z]{2}", re.sub(r"\{[^}]*\}", "", text))
    )
    hold(f"{'.'.join(path)}: {text}" for path, text in leaves(all_texts("en")[of]) if breaches.CYRILLIC.search(text))


@every_system
@every_language
def test_every_rule_says_what_it_says_and_nothing_else_does(system: System, language: str) -> None:
    told = {path[1] for path, _ in leaves(texts_of(system, language)) if path[0] == "rules" and path[2:] == ("rule",)}
    hold(
        f"{rule} has {'no rule' if rule not in told else 'a text only'}"
        for rule in told ^ {each.id for each in system.rules}
    )


@every_system
@every_language
def test_every_kind_of_step_has_a_text_and_nothing_else_does(system: System, language: str) -> None:
    entries = texts_of(system, language).get("rules", {})
    hold(breach for rule in system.rules for breach in wrong_steps(rule, entries.get(rule.id, {}).get("step")))


def wrong_steps(rule: Rule, steps: str | dict[str, str] | None) -> Iterator[str]:
    """Where the step texts of a rule are not those of its kinds."""
    if steps is None:
        if rule.kinds:
            yield f"{rule.id} has no step text"
    elif isinstance(steps, str):
        if not rule.kinds:
            yield f"{rule.id} has a step text and no step"
    elif set(steps) != {kind.value for kind in rule.kinds}:
        yield f"{rule.id} has step texts for {sorted(steps)}, not for {sorted(rule.kinds)}"


@every_system
@every_language
def test_the_system_has_a_title_and_a_summary(system: System, language: str) -> None:
    assert sorted(texts_of(system, language)["system"]) == ["summary", "title"]
    assert set(texts_of(system, language).get("actions", {})) == {action.slug for action in system.actions}


@every_system
@every_language
def test_every_command_has_a_title_and_a_summary(system: System, language: str) -> None:
    told = {slug: sorted(entry) for slug, entry in texts_of(system, language).get("commands", {}).items()}
    commands = system.encounter.commands if system.encounter else ()
    assert told == {command.slug: ["summary", "title"] for command in commands}


@every_system
@every_language
def test_every_option_has_a_summary_and_a_text_for_each_value(system: System, language: str) -> None:
    expected = {each.name: {"summary", *values_of(system, each.name)} for each in dataclasses.fields(system.options)}
    assert {name: set(entry) for name, entry in texts_of(system, language).get("options", {}).items()} == expected


def values_of(system: System, option: str) -> tuple[str, ...]:
    """The values of an option that are named."""
    kind = get_type_hints(system.options)[option]
    return tuple(value.value for value in kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()


@every_system
@every_language
def test_every_table_and_every_fact_has_a_title(system: System, language: str) -> None:
    texts = texts_of(system, language)
    assert set(texts.get("tables", {})) == set(system.tables)
    assert set(texts.get("facts", {})) == set(system.facts)
    assert all(entry.get("title") for part in ("tables", "facts") for entry in texts.get(part, {}).values())


@every_system
@every_language
def test_no_text_stands_under_a_heading_that_nobody_reads(system: System, language: str) -> None:
    headings = {"system", "actions", "commands", "options", "terms", "tables", "facts", "rules", "faults"}
    assert set(texts_of(system, language)) <= headings


@every_system
@every_language
def test_every_fault_that_the_rules_raise_has_a_sentence(system: System, language: str) -> None:
    told = {*texts_in(language).service["faults"], *texts_of(system, language).get("faults", {})}
    hold(f"{code}, raised in {where}" for code, where in codes_raised_in(system.package) if code not in told)


@lru_cache
def codes_raised_in(package: str) -> tuple[tuple[str, str], ...]:
    """Each code that stands as such in a `Malformed`, `NotAllowed` or `NotForYou` of a system or of the core."""
    found = []
    place = {"Malformed": 0, "NotAllowed": 1, "NotForYou": 0}
    for folder in (package, "core"):
        for file in sorted((REPOSITORY / "rules" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in place:
                    of_code = node.args[place[node.func.id] :][:1]
                    codes = [str(at.value) for each in of_code for at in ast.walk(each) if isinstance(at, ast.Constant)]
                    found += [(code, f"{folder}/{file.name}") for code in codes]
    return tuple(found)


@every_action
def test_every_malformed_case_is_told_in_words(question: Question) -> None:
    found = []
    for case in malformed_cases(question):
        with pytest.raises((Malformations, DiceNeeded, DiceLeftOver)) as raised:
            resolved(question, case.body)
        for fault in getattr(raised.value, "faults", ()):
            found += [f"{case.name}: {breach}" for breach in breaches.in_fault(fault, case.body)]
    hold(found)


# right for every step


@every_action
@every_language
def test_every_step_has_the_facts_and_the_words_that_its_text_needs(question: Question, language: str) -> None:
    hold(
        f"{breach}, in {name}"
        for name, resolution in each_answer(question)
        for breach in breaches.in_facts(question, resolution, language)
    )


@every_action
@every_language
def test_texts_are_whole_and_in_their_language(question: Question, language: str) -> None:
    """No brace is left over, no value of the program shows through, Russian is Russian and English is not."""
    hold(
        breach
        for case, (_, resolution) in zip([*cases(question)] * 2, each_answer(question), strict=True)
        for breach in breaches.in_texts(resolution, breaches.words_of(case.body), language)
    )


# no part of what a resolution means


@every_action
def test_texts_change_nothing_else_of_a_resolution(question: Question) -> None:
    for name, resolution in each_answer(question):
        english, russian = as_json(resolution, "en"), as_json(resolution, "ru")
        for step in (*english["audit"], *russian["audit"]):
            assert step.pop("text"), name
        assert english == russian, name


@every_action
def test_nothing_but_a_step_has_a_text(question: Question) -> None:
    """What replays compare leaves every `text` out: an outcome may not have one."""
    hold(name for name, resolution in each_answer(question) if "text" in keys_of(as_json(resolution)["outcome"]))


def keys_of(value: Any) -> set[str]:
    """Every key of a JSON value, however deep."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = set(value) if isinstance(value, dict) else set()
    return own.union(*map(keys_of, parts))

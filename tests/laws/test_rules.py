"""The laws of rule ids: declared, sourced, and shown by a case."""

import importlib
import pkgutil
import re
from collections import Counter
from functools import lru_cache

import pytest

from rules.catalogue import SYSTEMS
from rules.core.rule import Rule
from rules.core.system import System
from service.questions import Question
from tests.laws.corpus import REPOSITORY, all_cases, every_action, hold

every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)


@every_action
def test_the_system_has_every_rule_of_its_actions(question: Question) -> None:
    hold(rule.id for rule in question.action.rules if rule not in question.system.rules)


@every_action
def test_an_action_names_each_of_its_rules_once(question: Question) -> None:
    hold(rule for rule, times in Counter(each.id for each in question.action.rules).items() if times > 1)


@every_system
def test_ids_are_unique(system: System) -> None:
    hold(rule for rule, times in Counter(each.id for each in system.rules).items() if times > 1)


@every_system
def test_ids_are_dotted_snake_case_and_begin_with_the_package(system: System) -> None:
    form = re.compile(rf"{system.package}(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)+")
    hold(rule.id for rule in system.rules if not form.fullmatch(rule.id))


@every_system
def test_every_rule_that_a_module_defines_belongs_to_the_system(system: System) -> None:
    defined = rules_defined_in(system.package)
    hold(set(defined) - {rule.id for rule in system.rules})


@lru_cache
def rules_defined_in(package: str) -> dict[str, Rule]:
    """Every rule that stands in a module of a system, by its id."""
    folder = importlib.import_module(f"rules.{package}")
    modules = [
        importlib.import_module(f"{folder.__name__}.{each.name}") for each in pkgutil.iter_modules(folder.__path__)
    ]
    return {value.id: value for module in modules for value in vars(module).values() if isinstance(value, Rule)}


@every_system
def test_every_rule_has_a_source(system: System) -> None:
    """A heading of the book, in its own language, or a word for what the book does not print."""
    known = re.compile(r"published|beyond the source|.*[а-яё]", re.IGNORECASE)
    hold(f"{rule.id}: {rule.source!r}" for rule in system.rules if not known.match(rule.source))


@every_system
def test_every_rule_with_a_step_is_named_by_a_case_or_a_test(system: System) -> None:
    """The rules that only an encounter plays are asked for once the system has one."""
    named = {rule for cases in all_cases(system.slug).values() for case in cases for rule in case.rules}
    of_actions = {rule.id for action in system.actions for rule in action.rules}
    tests = text_of_the_tests()
    hold(
        rule.id
        for rule in system.rules
        if rule.kinds and (rule.id in of_actions or system.encounter is not None)
        if rule.id not in named and f'"{rule.id}"' not in tests
    )


@lru_cache
def text_of_the_tests() -> str:
    """The text of every test."""
    return "\n".join(path.read_text("utf-8") for path in sorted((REPOSITORY / "tests").rglob("*.py")))


@every_system
def test_the_cases_name_rules_that_exist(system: System) -> None:
    declared = {rule.id for rule in system.rules}
    hold(
        f"{rule} in {case.name}"
        for cases in all_cases(system.slug).values()
        for case in cases
        for rule in case.rules
        if rule not in declared
    )

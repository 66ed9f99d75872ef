"""The law of addresses: from a path to its module, its cases and its texts without searching."""

import importlib

import pytest

from rules.catalogue import SYSTEMS
from rules.core.action import Action
from rules.core.system import System
from service.questions import QUESTIONS, Question
from service.texts import texts_in
from tests.cases_of import FOLDER
from tests.laws.corpus import LANGUAGES, REPOSITORY, all_cases, every_action, has_dice, hold
from tests.laws.test_rules import every_system


@every_action
def test_the_module_of_an_action_is_named_as_its_path(question: Question) -> None:
    module = question.action.slug.replace("-", "_")
    assert (REPOSITORY / "rules" / question.system.package / f"{module}.py").is_file()
    defined = importlib.import_module(f"rules.{question.system.package}.{module}")
    assert question.action in [value for value in vars(defined).values() if isinstance(value, Action)]
    assert question.action.request.__module__ == defined.__name__


@every_action
def test_the_module_of_an_action_says_its_question_and_its_dice(question: Question) -> None:
    defined = importlib.import_module(question.action.request.__module__)
    text = defined.__doc__ or ""
    assert "?" in text.split("\n\n")[0]
    assert "dice" in text.lower()


@every_action
def test_an_action_has_a_case(question: Question) -> None:
    assert all_cases(question.system.slug).get(question.action.slug)


@every_action
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_action_has_a_title_and_a_summary(question: Question, language: str) -> None:
    entry = texts_in(language).systems[question.system.slug]["actions"][question.action.slug]
    assert sorted(entry) == ["summary", "title"]


@every_system
def test_every_case_asks_an_action_that_is_there(system: System) -> None:
    hold(action for action in all_cases(system.slug) if (system.slug, action) not in QUESTIONS)


def test_every_file_of_cases_is_of_a_system() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == {system.slug for system in SYSTEMS}


@every_system
def test_a_system_stands_in_the_folder_of_its_slug(system: System) -> None:
    assert system.package == system.slug.replace("-", "_")
    assert (REPOSITORY / "rules" / system.package / "__init__.py").is_file()


def test_every_folder_of_rules_is_a_system() -> None:
    folders = {file.parent.name for file in (REPOSITORY / "rules").glob("*/__init__.py")}
    assert folders - {"core"} == {system.package for system in SYSTEMS}


@every_action
def test_the_example_of_an_action_can_be_sent(question: Question) -> None:
    asked = question.read(dict(question.action.example))
    assert asked.seed is not None or asked.dice is not None or not has_dice(question)
    assert question.resolve(asked).outcome is not None

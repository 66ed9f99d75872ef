"""What the laws are held to: every action of the catalogue, and every request of its cases.

Each law takes one action and looks at all requests, and tells every breach at once.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import SYSTEMS
from rules.core.audit import Step
from rules.core.resolution import Resolution
from rules.core.rule import Kind
from service.answers import as_json_values, resolution_body
from service.questions import QUESTIONS, Asked, Question
from service.texts import texts_in
from tests.cases_of import cases_of

LANGUAGES = ("en", "ru")
RULE_ID = re.compile(r"\b(" + "|".join(system.package for system in SYSTEMS) + r")(\.[a-z_]+)+")
JUDGES_A_LIST = ("action-points", "turn-plan")
"""The one action that answers with an outcome what the rules refuse."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of an action: `body` as it is sent, `bare` without its randomness; `rules` are those that it is there for."""

    name: str
    rules: tuple[str, ...]
    body: dict[str, Any]
    status: int

    @property
    def bare(self) -> dict[str, Any]:
        """The request without seed and dice."""
        return {name: value for name, value in self.body.items() if name not in ("seed", "dice")}


def hold(breaches: Iterable[str]) -> None:
    """Demand that there are no breaches, and tell all of them, those of one rule together."""
    found: dict[str, list[str]] = {}
    for breach in sorted(set(breaches)):
        rule = RULE_ID.search(breach)
        found.setdefault(rule[0] if rule else breach, []).append(breach)
    if found:
        told = [each for of_one in found.values() for each in (*of_one[:2], *(["  ..."] if of_one[2:] else []))]
        pytest.fail(f"{len(found)} breaches:\n" + "\n".join(told), pytrace=False)


def address(key: tuple[str, str]) -> str:
    """`gurps/attack`."""
    return "/".join(key)


every_action: Callable[[Any], Any] = pytest.mark.parametrize(
    "question", list(QUESTIONS.values()), ids=[address(key) for key in QUESTIONS]
)


@lru_cache
def all_cases(system: str) -> dict[str, tuple[Case, ...]]:
    """The cases of a system by action."""
    found: dict[str, list[Case]] = {}
    for case in cases_of(system):
        request, expect = case["request"], case["expect"]
        action = request["path"].removeprefix(f"/v1/{system}/")
        rules = *case["rule"], *expect.get("audit_rules", ()), *expect.get("refused_by", ())
        found.setdefault(action, []).append(Case(case["name"], rules, request["body"], expect.get("status", 200)))
    return {action: tuple(cases) for action, cases in found.items()}


def cases(question: Question) -> tuple[Case, ...]:
    """The cases of an action that are answered with a resolution, its example among them."""
    given = all_cases(question.system.slug).get(question.action.slug, ())
    example = Case("the example", (), dict(question.action.example), 200)
    return (example, *(case for case in given if case.status == 200))


def malformed_cases(question: Question) -> tuple[Case, ...]:
    """The cases of an action that are no question at all."""
    given = all_cases(question.system.slug).get(question.action.slug, ())
    return tuple(case for case in given if case.status == 422)


def key_of(question: Question) -> tuple[str, str]:
    """The slugs of a question."""
    return question.system.slug, question.action.slug


def resolved(question: Question, body: dict[str, Any], seed: str | None = None) -> Resolution:
    """A request resolved anew: on its own randomness, or on a seed."""
    return question.resolve(question.read(body), seed)


@lru_cache
def answers(key: tuple[str, str]) -> tuple[tuple[str, Resolution], ...]:
    """Every case of an action resolved on its own dice, and once more on the stream of a seed."""
    question = QUESTIONS[key]
    given = [(case.name, resolved(question, case.body, f"law of {case.name}")) for case in cases(question)]
    drawn = [(f"{case.name}, seeded", resolved(question, case.bare, f"{case.name} 🎲")) for case in cases(question)]
    return (*given, *drawn)


def each_answer(question: Question) -> Iterator[tuple[str, Resolution]]:
    """The name and the resolution of every case, resolved once for all laws."""
    yield from answers(key_of(question))


def as_json(resolution: Resolution, language: str = "en") -> Any:
    """A resolution as a client sees it."""
    return as_json_values(resolution_body(resolution, texts_in(language)))


def rolls(resolution: Resolution) -> list[Step]:
    """The steps in which dice were rolled."""
    return [step for step in resolution.audit if step.kind is Kind.ROLL]


def shown_faces(resolution: Resolution) -> list[int]:
    """The faces of the roll steps in order."""
    return [face for step in rolls(resolution) for face in step.faces or ()]


def has_dice(question: Question) -> bool:
    """Whether any request of an action's cases rolls a die."""
    return any(rolls(resolution) for _, resolution in each_answer(question))


@lru_cache
def distinct_requests(key: tuple[str, str]) -> tuple[tuple[str, Any], ...]:
    """Each request of an action's cases once, whatever its dice: the name of the first case, and the request as read."""
    question = QUESTIONS[key]
    found: dict[str, Case] = {}
    for case in cases(question):
        found.setdefault(json.dumps(case.bare, sort_keys=True), case)
    return tuple((case.name, question.read_for_odds(case.bare)) for case in found.values())


def on_dice(question: Question, request: Any, faces: list[int]) -> Resolution:
    """A request that was read, resolved on supplied dice."""
    return question.resolve(Asked(request, None, faces))


def on_seed(question: Question, request: Any, seed: str) -> Resolution:
    """A request that was read, resolved on the stream of a seed."""
    return question.resolve(Asked(request, seed, None))


REPOSITORY = Path(__file__).parents[2]

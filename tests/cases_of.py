"""The cases: right answers, as they would be sent to and come from the service."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rules.core.faults import DiceLeftOver, DiceNeeded
from service.answers import as_json_values, resolution_body
from service.faults import Malformations
from service.questions import QUESTIONS
from service.texts import texts_in

FOLDER = Path(__file__).parent / "cases"


def cases_of(system: str) -> list[dict[str, Any]]:
    """Every case of a system."""
    cases: list[dict[str, Any]] = json.loads((FOLDER / f"{system}.json").read_text("utf-8"))
    return cases


def answer_to(case: dict[str, Any], language: str = "en") -> tuple[int, Any]:
    """The status and the body with which the engine answers a case, without HTTP."""
    _, _, system, action = case["request"]["path"].split("/")
    question = QUESTIONS[system, action]
    try:
        resolution = question.resolve(question.read(case["request"]["body"]))
    except (Malformations, DiceNeeded, DiceLeftOver) as fault:
        return 422, repr(fault)
    return 200, as_json_values(resolution_body(resolution, texts_in(language)))


def differences(expected: Any, actual: Any, where: str = "") -> Iterator[str]:
    """Where an answer lacks what a case expects: objects as subsets, arrays element by element, null is null."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            yield from (
                differences(value, actual[key], f"{where}/{key}") if key in actual else [f"{where}/{key}: missing"]
            )
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, (wanted, found) in enumerate(zip(expected, actual, strict=True)):
            yield from differences(wanted, found, f"{where}/{index}")
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield f"{where}: expected {expected!r}, got {actual!r}"


def in_order(wanted: Iterable[str], present: Iterable[str]) -> bool:
    """Whether the wanted values stand among those present in that order."""
    rest = iter(present)
    return all(any(each == found for found in rest) for each in wanted)


def faults_of(case: dict[str, Any], status: int, body: Any) -> list[str]:
    """Everything in which an answer differs from its case and from the laws of every answer."""
    expect = case["expect"]
    if status != expect.get("status", 200):
        return [f"status {status}, expected {expect.get('status', 200)}: {str(body)[:300]}"]
    if status != 200:
        return []
    found = list(differences(expect.get("outcome", {}), body["outcome"], "/outcome"))
    found += differences(expect.get("refused_by", []), body["refused_by"], "/refused_by")
    rules = [step["rule"] for step in body["audit"]]
    if not in_order(expect.get("audit_rules", []), rules):
        found.append(f"the audit {rules} lacks, in order, {expect['audit_rules']}")
    faces = [face for step in body["audit"] if "dice" in step for face in step["dice"]["faces"]]
    if faces != body["randomness"]["faces"] or case["request"]["body"].get("dice", faces) != faces:
        found.append(f"the faces of the steps are {faces}")
    return found

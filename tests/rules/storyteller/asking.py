"""Asking an action as a client does, without HTTP."""

from typing import Any

from rules.core.odds import Odds
from service.answers import as_json_values, resolution_body
from service.faults import Malformations
from service.questions import QUESTIONS, Question
from service.texts import texts_in


class Answer:
    """A resolution as a client sees it; rule ids without the system's name."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.outcome: Any = body["outcome"]
        self.refused_by = [_short(rule) for rule in body["refused_by"]]
        self.rules = [_short(step["rule"]) for step in body["audit"]]
        self.faces: list[int] = body["randomness"]["faces"]

    def step(self, rule: str, at: int = 0) -> dict[str, Any]:
        """One step of a rule, the first unless said otherwise."""
        found: list[dict[str, Any]] = [step for step in self.body["audit"] if _short(step["rule"]) == rule]
        return found[at]

    def steps(self) -> list[tuple[str, str, int | None, int | None]]:
        """Every step: rule, kind, value, total."""
        return [
            (_short(step["rule"]), step["kind"], step.get("value"), step.get("total")) for step in self.body["audit"]
        ]


def _short(rule: str) -> str:
    return rule.removeprefix("storyteller.")


def question(action: str) -> Question:
    """An action of the system."""
    return QUESTIONS["storyteller", action]


def ask(action: str, dice: list[int] | None = None, language: str = "en", **body: Any) -> Answer:
    """What an action answers on these dice, none unless said otherwise."""
    return _answer(action, {**body, "dice": dice or []}, language)


def ask_seeded(action: str, seed: str, **body: Any) -> Answer:
    """What an action answers on the stream of a seed."""
    return _answer(action, {**body, "seed": seed}, "en")


def _answer(action: str, body: dict[str, Any], language: str) -> Answer:
    asked = question(action)
    return Answer(as_json_values(resolution_body(asked.resolve(asked.read(body)), texts_in(language))))


def odds_of(action: str, **body: Any) -> Odds:
    """The exact odds of a request."""
    asked = question(action)
    return asked.odds(asked.read_for_odds(body))


def faults(action: str, **body: Any) -> list[tuple[str, str]]:
    """Where and how a request is malformed; nothing if it is not."""
    asked = question(action)
    try:
        asked.resolve(asked.read({"seed": "malformed", **body}))
    except Malformations as malformed:
        return [(fault.pointer, fault.code) for fault in malformed.faults]
    return []


def refused(answer: Answer) -> list[str]:
    """Why a request is refused; what the contract says of every refusal is demanded along the way."""
    if not answer.refused_by:
        assert answer.outcome is not None
        return []
    assert answer.outcome is None
    assert answer.faces == []
    assert list(dict.fromkeys(answer.rules)) == answer.refused_by
    assert {step["kind"] for step in answer.body["audit"]} == {"refusal"}
    return answer.rules

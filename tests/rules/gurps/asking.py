"""Asking an action as a client does, without HTTP."""

from typing import Any

from rules.core.odds import Odds
from service.answers import as_json_values, resolution_body
from service.faults import Malformations
from service.questions import QUESTIONS
from service.texts import texts_in

Body = dict[str, Any]
StepSeen = tuple[str, str, int | None, int | None]


class Answer:
    """A resolution as a client sees it; rule ids without the system's name."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.outcome: Any = body["outcome"]
        self.refused_by = [_short(rule) for rule in body["refused_by"]]
        self.rules = [_short(step["rule"]) for step in body["audit"]]
        self.faces: list[int] = body["randomness"]["faces"]

    def steps(self) -> list[StepSeen]:
        """Every step: rule, kind, value, total."""
        return [
            (_short(step["rule"]), step["kind"], step.get("value"), step.get("total")) for step in self.body["audit"]
        ]

    def step(self, rule: str, kind: str | None = None) -> StepSeen:
        """The only step of a rule (and kind)."""
        (found,) = [each for each in self.steps() if each[0] == rule and kind in (None, each[1])]
        return found

    @property
    def attempt(self) -> Any:
        """The only attempt of a defense."""
        (attempt,) = self.outcome["attempts"]
        return attempt


def _short(rule: str) -> str:
    return rule.removeprefix("gurps.")


def ask(action: str, dice: list[int] | None = None, language: str = "en", **body: Any) -> Answer:
    """What an action answers on these dice, none unless said otherwise."""
    question = QUESTIONS["gurps", action]
    asked = question.read({**body, "dice": dice or []})
    return Answer(as_json_values(resolution_body(question.resolve(asked), texts_in(language))))


def defend(dice: list[int] | None = None, *defenses: Body, **body: Any) -> Answer:
    """Defend against a blow in melee, or what `attack` says of it, by a defender of whom only `defender` is known."""
    return ask(
        "active-defense",
        dice,
        attack={"kind": "melee", **body.pop("attack", {})},
        defender=body.pop("defender", {}),
        defenses=list(defenses),
        **body,
    )


def dodge(**more: Any) -> Body:
    """A dodge."""
    return {"kind": "dodge", **more}


def block(**more: Any) -> Body:
    """A block."""
    return {"kind": "block", **more}


def parry(tool: Body | None = None, **more: Any) -> Body:
    """A parry with a sword at Parry 10 in the right hand, or what `tool` says of it."""
    return {"kind": "parry", "tool": {"parry": {"score": 10}, **(tool or {})}, **more}


def bare_hand(skill: str = "boxing", **more: Any) -> Body:
    """A bare hand at Parry 10."""
    return {"kind": "unarmed", "skill_name": skill, **more}


SHEET: Body = {
    "dodge": {"score": 9},
    "shield": {"block": {"score": 11}},
    "hearing": 12,
    "dx": 11,
}


def sheet(**more: Any) -> Body:
    """A defender who can dodge at 9, block at 11, hear at 12, and has DX 11."""
    return {**SHEET, **more}


def refused(*defenses: Body, attack: Any = None, options: Any = None, **defender: Any) -> list[str]:
    """What forbids a defense of someone who can otherwise dodge, block and hear; no dice, no outcome."""
    answer = defend([], *defenses, attack=attack or {}, defender=sheet(**defender), options=options or {})
    assert answer.outcome is None
    assert answer.faces == []
    return answer.refused_by


def thrown(*sums: int) -> list[int]:
    """Faces of three dice for each sum."""
    faces: list[int] = []
    for wanted in sums:
        first = min(6, wanted - 2)
        second = min(6, wanted - first - 1)
        faces += [first, second, wanted - first - second]
    return faces


def odds_of(action: str, **body: Any) -> Odds:
    """The exact odds of a request."""
    question = QUESTIONS["gurps", action]
    return question.odds(question.read_for_odds(body))


def faults(action: str, **body: Any) -> list[tuple[str, str]]:
    """Where and how a request is malformed; nothing if it is not."""
    question = QUESTIONS["gurps", action]
    try:
        question.resolve(question.read(body))
    except Malformations as malformed:
        return [(fault.pointer, fault.code) for fault in malformed.faults]
    return []

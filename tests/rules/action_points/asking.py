"""Asking an action as a client does, without HTTP."""

from fractions import Fraction
from typing import Any

from rules.core.odds import Odds
from rules.core.resolution import Resolution
from service.answers import as_json_values, resolution_body
from service.faults import Malformations
from service.questions import QUESTIONS
from service.texts import texts_in

Body = dict[str, Any]
StepSeen = tuple[str, str, float | None, float | None]

SWORDSMAN: Body = {"ap": 20}
TARGET: Body = {"hp_max": 150, "ap": 20}


class Answer:
    """A resolution as a client sees it; rule ids without the system's name."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.outcome: Any = body["outcome"]
        self.refused_by = [_short(rule) for rule in body["refused_by"]]
        self.rules = [_short(step["rule"]) for step in body["audit"]]
        self.texts: list[str] = [step["text"] for step in body["audit"]]
        self.faces: list[int] = body["randomness"]["faces"]

    @property
    def steps(self) -> list[StepSeen]:
        """Every step: rule, kind, value, total."""
        return [
            (_short(step["rule"]), step["kind"], step.get("value"), step.get("total")) for step in self.body["audit"]
        ]

    def text(self, rule: str) -> str:
        """The text of the first step of a rule."""
        return self.texts[self.rules.index(rule)]


def _short(rule: str) -> str:
    return rule.removeprefix("action_points.")


def resolution(action: str, dice: list[int] | None = None, **body: Any) -> Resolution:
    """The resolution on these dice, none unless said otherwise."""
    question = QUESTIONS["action-points", action]
    return question.resolve(question.read({**body, "dice": dice or []}))


def ask(action: str, dice: list[int] | None = None, language: str = "en", **body: Any) -> Answer:
    """What an action answers on these dice, none unless said otherwise."""
    return Answer(as_json_values(resolution_body(resolution(action, dice, **body), texts_in(language))))


def strike(
    attack: Body | str,
    defense: Body | str = "none",
    *,
    dice: list[int] | None = None,
    attacker: Body | None = None,
    defender: Body | None = None,
    **body: Any,
) -> Answer:
    """An attack by one with 20 AP on one with 150 HP and 20 AP, unless more is said of them."""
    return ask(
        "attack",
        dice,
        attack={"type": attack} if isinstance(attack, str) else attack,
        defense={"type": defense} if isinstance(defense, str) else defense,
        attacker=SWORDSMAN | (attacker or {}),
        defender=TARGET | (defender or {}),
        **body,
    )


def plan(*items: Body | str, fighter: Body | None = None, **body: Any) -> Answer:
    """A plan of one with 20 AP, unless more is said."""
    listed = [{"type": item} if isinstance(item, str) else item for item in items]
    return ask("turn-plan", fighter={"ap": 20} if fighter is None else fighter, items=listed, **body)


def quote(defense: Body | str, **body: Any) -> Answer:
    """What a defense would cost."""
    return ask("defense-cost", defense={"type": defense} if isinstance(defense, str) else defense, **body)


def spell(**custom: Any) -> Body:
    """An attack by a spell of 6 AP, unless more is said of it."""
    return {"type": "custom", "custom": {"ap": 6, "delivery": "spell"} | custom}


def faults(action: str, **body: Any) -> list[tuple[str, str]]:
    """Where and why a request is malformed; none if it is a question."""
    try:
        resolution(action, **body)
    except Malformations as malformed:
        return [(fault.pointer, fault.code) for fault in malformed.faults]
    return []


def odds(action: str, **body: Any) -> Odds:
    """The exact odds of a request."""
    question = QUESTIONS["action-points", action]
    return question.odds(question.read_for_odds(body))


def chances(action: str, **body: Any) -> dict[tuple[Any, ...], Fraction]:
    """Each joint value of the odds with its chance."""
    told = odds(action, **body)
    return {row.values: Fraction(row.numerator, told.denominator) for row in told.rows}

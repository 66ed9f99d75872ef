"""What each reader sees: the state, and events with texts in the reader's language; secrets only for the game master."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec

from rules.catalogue import find_system
from rules.core.faults import DiceLeftOver, DiceNeeded
from rules.core.resolution import Resolution
from service.answers import resolution_body
from service.encounters.kept import Kept, Role, Status, plain
from service.encounters.ledger import Visibility, resolutions_in
from service.faults import Malformations
from service.questions import QUESTIONS, Asked
from service.texts import Texts

SECRET_FIELDS = ("command", "request", "resolution", "further", "audit")


def state_view(kept: Kept) -> dict[str, Any]:
    """The state of an encounter; its seed only when it is closed."""
    return {
        "id": kept.id,
        "system": kept.system,
        "version": kept.version,
        "status": kept.status.value,
        "round": kept.state["round"],
        "turn": kept.state["turn"],
        "order": kept.state["order"],
        "combatants": kept.state["combatants"],
        "pending": kept.state["pending"],
        "options": kept.opening["options"],
        "opening": {name: value for name, value in kept.opening.items() if name != "options"},
        "own_dice": kept.own_dice.value,
        "commitment": kept.commitment,
        "seed": kept.seed if kept.status is Status.CLOSED else None,
        "created_at": kept.created_at,
        "expires_at": kept.expires_at,
    }


def event_view(
    event: dict[str, Any], role: Role, texts: Texts, answered: Sequence[Resolution] | None = None
) -> dict[str, Any]:
    """An event for one reader: a secret one is seen to have happened, not what it was.

    `answered` is what the rules just answered; without it, they are asked again for the texts.
    """
    if event["visibility"] == Visibility.GM.value and role is not Role.GM:
        return {**event, **dict.fromkeys(SECRET_FIELDS)}
    found = dict(event)
    if answered is None:
        told = [_told(each, texts) for each in resolutions_in(event)]
    else:
        told = [resolution_body(each, texts) for each in answered]
    if told:
        found["resolution"] = told[0]
        found["further"] = [{**each, "resolution": text} for each, text in zip(event["further"], told[1:], strict=True)]
    found["audit"] = [step_told(step, texts) for step in event["audit"]]
    return found


@lru_cache(maxsize=4096)
def rendered_event(body: bytes, role: Role, texts: Texts) -> bytes:
    """A stored event as one kind of reader sees it, encoded once for all of them."""
    return msgspec.json.encode(event_view(msgspec.json.decode(body), role, texts))


def _told(asked: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """The resolution with its texts: they follow from the request and the faces, and are kept nowhere."""
    resolution: dict[str, Any] = asked["resolution"]
    question = QUESTIONS[resolution["system"], asked["action"]]
    faces = resolution["randomness"]["faces"]
    try:
        request = question.reader.read(asked["request"])
        replayed = plain(resolution_body(question.resolve(Asked(request, None, faces)), texts))
    except (Malformations, DiceNeeded, DiceLeftOver):
        replayed = {"audit": []}
    told = [step.get("text", "") for step in replayed["audit"]]
    rules = [step["rule"] for step in replayed["audit"]]
    audit = [
        {**step, "text": told[at] if at < len(told) and rules[at] == step["rule"] else _rule_text(step["rule"], texts)}
        for at, step in enumerate(resolution["audit"])
    ]
    return {**resolution, "audit": audit}


def _rule_text(rule: str, texts: Texts) -> str:
    system = find_system(rule.split(".", maxsplit=1)[0].replace("_", "-"))
    return texts.rule(system.slug, rule) if system else rule


def step_told(step: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """A step of the fight itself with its text in place of the facts for it."""
    facts = {name: _named(value["term"]) if isinstance(value, dict) else value for name, value in step["facts"].items()}
    facts |= {name: step[name] for name in ("value", "total") if name in step}
    if "dice" in step:
        facts["faces"] = step["dice"]["faces"]
    bare = {name: value for name, value in step.items() if name != "facts"}
    return {**bare, "text": texts.step(step["rule"], step["kind"], facts)}


@lru_cache(maxsize=1024)
def _named(value: str) -> StrEnum:
    """A named value as the rules had it: texts choose by it, or show the term for it."""
    named = StrEnum("named", {"VALUE": value})
    return named["VALUE"]

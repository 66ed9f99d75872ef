"""Events: how they are made, chained by their hashes, and read back."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec

from rules.core.audit import Step
from rules.core.encounter import Asked, Combatant, Effect, Play, as_sent
from rules.core.resolution import Resolution, resolution_of
from rules.core.stream import ALGORITHM
from rules.core.system import System
from service.answers import encode, resolution_body, step_body
from service.encounters.kept import Kept, plain

HASHED_ELSEWHERE = frozenset({"hash"})


class EventKind(StrEnum):
    """What happened."""

    OPENED = "opened"
    JOINED = "joined"
    CHANGED = "changed"
    LEFT = "left"
    ACTION = "action"
    TURN = "turn"
    UNDONE = "undone"
    CLOSED = "closed"


class Visibility(StrEnum):
    """Who may see what an event rolled."""

    PUBLIC = "public"
    GM = "gm"


@dataclass(slots=True)
class Draft:
    """An event before it has a place in the log; `answered` is what `resolutions` say, still with the facts for its texts."""

    kind: EventKind
    by: str
    actor: str | None = None
    action: str | None = None
    command: Any = None
    visibility: Visibility = Visibility.PUBLIC
    resolutions: list[dict[str, Any]] = field(default_factory=list)
    audit: list[dict[str, Any]] = field(default_factory=list)
    effects: list[dict[str, Any]] = field(default_factory=list)
    answered: list[Resolution] = field(default_factory=list)

    def take(self, play: Play, system: System, source: str) -> None:
        """Take over what was decided: what was asked of the rules, the fight's own steps, the effects."""
        self.answered = [_resolution(asked, system, source) for asked in play.asked]
        self.resolutions = [_resolved(*each) for each in zip(play.asked, self.answered, strict=True)]
        self.audit = [fight_step(step) for step in play.trail.steps]
        self.effects = [effect_body(effect) for effect in play.effects]


def now() -> str:
    """The time, in UTC to the millisecond, as RFC 3339."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event_of(draft: Draft, kept: Kept) -> dict[str, Any]:
    """The event in its place after the last one, with its hash."""
    first = draft.resolutions[0] if draft.resolutions else {"request": None, "resolution": None}
    sequence = kept.version + 1
    event: dict[str, Any] = {
        "sequence": sequence,
        "version": sequence,
        "at": now(),
        "kind": draft.kind.value,
        "by": draft.by,
        "actor": draft.actor,
        "action": draft.action,
        "command": draft.command,
        "visibility": draft.visibility.value,
        "request": first["request"],
        "resolution": first["resolution"],
        "further": draft.resolutions[1:],
        "audit": draft.audit,
        "effects": draft.effects,
        "previous": kept.last_hash,
    }
    event["hash"] = hash_of(event)
    return event


def hash_of(event: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON (keys sorted, no spaces, UTF-8) of an event without `hash` and without texts."""
    hashed = {key: value for key, value in event.items() if key not in HASHED_ELSEWHERE}
    return hashlib.sha256(canonical(without_texts(hashed)).encode()).hexdigest()


def canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785 for what an event holds: whole numbers, tenths, strings)."""
    return _encode_sorted(_decode_whole(encode(value))).decode()


def _whole(literal: str) -> int | float:
    """JSON has one kind of number: 30.0 is written as 30."""
    value = float(literal)
    return int(value) if value.is_integer() else value


_decode_whole = msgspec.json.Decoder(float_hook=_whole).decode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


def without_texts(event: dict[str, Any]) -> dict[str, Any]:
    """An event without the texts that are rendered for each reader, and without the facts that they are rendered from."""
    found = dict(event)
    found["audit"] = [_bare(step) for step in event["audit"] or ()] if event["audit"] is not None else None
    found["resolution"] = _bare_resolution(event["resolution"])
    if event["further"] is not None:
        found["further"] = [{**each, "resolution": _bare_resolution(each["resolution"])} for each in event["further"]]
    return found


def _bare_resolution(resolution: dict[str, Any] | None) -> dict[str, Any] | None:
    if resolution is None:
        return None
    return {**resolution, "audit": [_bare(step) for step in resolution["audit"]]}


def _bare(step: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key not in ("text", "facts")}


def effect_body(effect: Effect) -> dict[str, Any]:
    """An effect as JSON values."""
    return {
        "combatant": effect.combatant,
        "field": effect.field,
        "from": _stored(effect.field, effect.before),
        "to": _stored(effect.field, effect.after),
        "rule": effect.rule,
    }


def _stored(field_name: str, value: Any) -> Any:
    """A value of a field as JSON values; a sheet as it would be sent."""
    if isinstance(value, Combatant):
        parts = {"state": plain(value.state), "turn": plain(value.turn)}
        return {"name": value.name, "joined": value.joined, "sheet": plain(as_sent(value.sheet)), **parts}
    return plain(as_sent(value) if field_name == "sheet" else value)


def fight_step(step: Step) -> dict[str, Any]:
    """A step of the fight itself, with the facts for its text."""
    facts = {
        name: {"term": value.value} if isinstance(value, StrEnum) else plain(value)
        for name, value in step.facts.items()
    }
    return {**plain(step_body(step, None)), "facts": facts}


def _resolution(asked: Asked, system: System, source: str) -> Resolution:
    origin = (source, ALGORITHM if source == "seed" else None, None)
    return resolution_of(system, asked.action, asked.request, asked.outcome, asked.trail, origin)


def _resolved(asked: Asked, resolution: Resolution) -> dict[str, Any]:
    body = resolution_body(resolution, None)
    found: dict[str, Any] = plain({"action": asked.action.slug, "request": as_sent(asked.request), "resolution": body})
    return found


def resolutions_in(event: dict[str, Any]) -> Sequence[dict[str, Any]]:
    """Everything that an event asked of the rules, as `action`, `request` and `resolution`."""
    if event["resolution"] is None:
        return []
    first = {"action": event["resolution"]["action"], "request": event["request"], "resolution": event["resolution"]}
    return [first, *event["further"]]

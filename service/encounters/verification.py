"""Whether every event of a log follows: from the one before it, from the rules, from the dice, and from the seed."""

import hashlib
from dataclasses import dataclass
from typing import Any

from rules.catalogue import find_system
from rules.core.dice import SuppliedDice
from rules.core.encounter import NotAllowed, NotForYou, Play, Sender
from rules.core.evolve import evolve
from rules.core.faults import DiceLeftOver, DiceNeeded, Malformed
from rules.core.stream import Stream
from rules.core.system import System
from rules.core.verify import Difference, first_difference
from service.answers import resolution_body
from service.encounters.kept import Kept, Status, empty_state, fight_of, plain, rules_of
from service.encounters.ledger import Draft, EventKind, hash_of, resolutions_in
from service.faults import Malformations
from service.questions import QUESTIONS, Asked
from service.wire import reader_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDifference:
    """The first place where a log does not follow."""

    sequence: int
    """The event."""
    pointer: str
    """JSON pointer into it, as a URI fragment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogVerification:
    """Whether a whole log follows."""

    valid: bool
    events: int
    """How many events were checked."""
    seed_checked: bool
    """Whether the faces were recomputed from the seed, which is revealed when the encounter is closed."""
    difference: LogDifference | None


def verify_log(kept: Kept, events: list[dict[str, Any]]) -> LogVerification:
    """Replay a log from its first event."""
    closed = kept.status is Status.CLOSED
    state, previous = empty_state(), None
    for at, event in enumerate(events, 1):
        pointer = (
            _broken_link(event, at, previous)
            or _broken_resolution(event)
            or _broken_decision(kept, state, event)
            or (_broken_stream(kept, event) if closed else None)
        )
        if pointer:
            return _invalid(at, pointer, closed)
        evolve(state, event["effects"])
        previous = event["hash"]
    if closed and hashlib.sha256(kept.seed.encode()).hexdigest() != kept.commitment:
        return _invalid(len(events), "#/commitment", closed)
    difference = first_difference(state, kept.state)
    if difference:
        return _invalid(len(events), f"#/effects{difference.pointer.removeprefix('#')}", closed)
    return LogVerification(valid=True, events=len(events), seed_checked=closed, difference=None)


def _invalid(sequence: int, pointer: str, closed: bool) -> LogVerification:
    difference = LogDifference(sequence=sequence, pointer=pointer)
    return LogVerification(valid=False, events=sequence, seed_checked=closed, difference=difference)


def _broken_link(event: dict[str, Any], sequence: int, previous: str | None) -> str | None:
    if event["sequence"] != sequence:
        return "#/sequence"
    if event["previous"] != previous:
        return "#/previous"
    return None if event["hash"] == hash_of(event) else "#/hash"


def _broken_resolution(event: dict[str, Any]) -> str | None:
    for at, asked in enumerate(resolutions_in(event)):
        difference = _replayed(asked)
        if difference:
            place = "resolution" if at == 0 else f"further/{at - 1}/resolution"
            return f"#/{place}{difference.pointer.removeprefix('#')}"
    return None


def _replayed(asked: dict[str, Any]) -> Difference | None:
    claimed = asked["resolution"]
    question = QUESTIONS[claimed["system"], asked["action"]]
    try:
        request = question.reader.read(asked["request"])
        resolution = question.resolve(Asked(request, None, claimed["randomness"]["faces"]))
    except (Malformations, DiceNeeded, DiceLeftOver):
        return Difference("#/randomness/faces", None, None)
    expected = plain(resolution_body(resolution, None))
    expected["randomness"] = {**claimed["randomness"], "faces": expected["randomness"]["faces"]}
    return first_difference(expected, claimed)


def _broken_decision(kept: Kept, state: dict[str, Any], event: dict[str, Any]) -> str | None:
    """The same command on the state before it comes to the same requests, steps and effects."""
    system = find_system(kept.system)
    if system is None or event["kind"] not in (EventKind.ACTION.value, EventKind.TURN.value):
        return None
    dice = SuppliedDice([face for each in _rolled(event) for face in each["faces"]])
    play = Play(fight_of(state, kept.opening, system), dice, Sender(event["by"]), frozenset(state["combatants"]))
    source = "dice" if _sources(event) == {"dice"} else "seed"
    draft = Draft(EventKind(event["kind"]), event["by"])
    try:
        _decide(system, event, play)
        dice.finish()
        draft.take(play, system, source)
    except (NotAllowed, NotForYou, Malformed, Malformations, DiceNeeded, DiceLeftOver):
        return "#/command"
    expected = {"resolutions": draft.resolutions, "audit": draft.audit, "effects": draft.effects}
    found = {"resolutions": list(resolutions_in(event)), "audit": event["audit"], "effects": event["effects"]}
    difference = first_difference(expected, found)
    return difference.pointer if difference else None


def _decide(system: System, event: dict[str, Any], play: Play) -> None:
    rules = rules_of(system)
    if event["kind"] == EventKind.TURN.value:
        rules.end_turn(play)
        return
    command = rules.command(event["action"])
    if command is None:
        raise NotAllowed([])
    command.play(play, reader_of(command.body).read(event["command"]))


def _rolled(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The dice of an event in the order in which they were rolled: those of its resolutions, then the fight's own."""
    steps = [step for asked in resolutions_in(event) for step in asked["resolution"]["audit"]]
    return [step["dice"] for step in [*steps, *event["audit"]] if "dice" in step]


def _sources(event: dict[str, Any]) -> set[str]:
    return {asked["resolution"]["randomness"]["source"] for asked in resolutions_in(event)}


def _broken_stream(kept: Kept, event: dict[str, Any]) -> str | None:
    """The dice of an event are those of its stream, in the order in which they were rolled."""
    if _sources(event) - {"seed"}:
        return None
    stream = Stream(f"{kept.seed}/{event['sequence']}")
    for dice in _rolled(event):
        if stream.faces(len(dice["faces"]), dice["sides"]) != dice["faces"]:
            return "#/resolution/randomness/faces"
    return None

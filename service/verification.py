"""Verify: whether the rules and the stream give exactly the resolution that somebody claims."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from annotated_types import Len

from rules.catalogue import find_system
from rules.core.faults import DiceLeftOver, DiceNeeded
from rules.core.verify import Difference, first_difference
from service.answers import as_json_values, resolution_body
from service.faults import Fault, Malformations
from service.questions import QUESTIONS, Asked, Question
from service.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """A request with the resolution that is said to follow from it."""

    system: Annotated[str, Len(1, 64)]
    """The system, as in the path: `gurps`."""
    action: Annotated[str, Len(1, 64)]
    """The action, as in the path: `active-defense`."""
    request: dict[str, Any]
    """The request as it was sent. Without `seed` and `dice` those that the resolution shows are used."""
    resolution: dict[str, Any]
    """The resolution as it was received. Texts are not compared: they may be reworded."""


class VerifyReason(StrEnum):
    """Why a resolution is valid or not."""

    FOLLOWS = "follows"
    DIFFERS = "differs"
    UNKNOWN_RULESET = "unknown_ruleset"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyDifference:
    """The first place where the resolution differs from what the rules give."""

    pointer: str
    """JSON pointer into the resolution, as a URI fragment."""
    expected: Any
    """What the rules give there; null when they give nothing."""
    actual: Any
    """What the resolution says there; null when it says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a resolution follows from its request, by the rules and the stream."""

    valid: bool
    reason: VerifyReason
    ruleset: str
    """The version of the rules that this service knows."""
    difference: VerifyDifference | None


def verify(asked: VerifyRequest, texts: Texts) -> Verification:
    """Replay a request on the randomness of its resolution and compare; `Malformations` for a request that is none."""
    question = _question(asked)
    claimed = asked.resolution
    known = question.system.ruleset
    if claimed.get("ruleset") != known and isinstance(claimed.get("ruleset"), str):
        return Verification(valid=False, reason=VerifyReason.UNKNOWN_RULESET, ruleset=known, difference=None)
    difference = _difference(question, asked, texts)
    if difference is None:
        return Verification(valid=True, reason=VerifyReason.FOLLOWS, ruleset=known, difference=None)
    shown = VerifyDifference(pointer=difference.pointer, expected=difference.expected, actual=difference.actual)
    return Verification(valid=False, reason=VerifyReason.DIFFERS, ruleset=known, difference=shown)


def _question(asked: VerifyRequest) -> Question:
    question = QUESTIONS.get((asked.system, asked.action))
    if question is not None:
        return question
    system = find_system(asked.system)
    if system is None:
        raise Malformations([Fault("#/system", "unknown_system", {})])
    raise Malformations([Fault("#/action", "unknown_action", {"system": asked.system})])


def _difference(question: Question, asked: VerifyRequest, texts: Texts) -> Difference | None:
    try:
        read = question.read(asked.request)
    except Malformations as malformed:
        raise Malformations(
            [
                Fault(f"#/request{fault.pointer.removeprefix('#')}", fault.code, fault.facts)
                for fault in malformed.faults
            ]
        ) from None
    randomness = asked.resolution.get("randomness")
    if not isinstance(randomness, dict):
        return Difference("#/randomness", None, randomness)
    replayed = _with_randomness(question, read, randomness)
    if replayed is None:
        return Difference("#/randomness/source", None, randomness.get("source"))
    try:
        resolution = question.resolve(replayed)
    except (DiceNeeded, DiceLeftOver, Malformations):
        return Difference("#/randomness/faces", None, randomness.get("faces"))
    return first_difference(as_json_values(resolution_body(resolution, texts)), asked.resolution)


def _with_randomness(question: Question, read: Asked, randomness: dict[str, Any]) -> Asked | None:
    """The request on its own randomness, else on that of the resolution; None when that is none."""
    if read.seed is not None or read.dice is not None:
        return read
    seed, faces = randomness.get("seed"), randomness.get("faces")
    if randomness.get("source") == "seed" and isinstance(seed, str) and seed:
        return Asked(read.request, seed, None)
    if randomness.get("source") == "dice" and isinstance(faces, list) and not question.faults_of_dice(faces):
        return Asked(read.request, None, faces)
    return None

"""One action as the service asks it: from a parsed JSON value to a resolution, odds or faults."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.catalogue import SYSTEMS
from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import Budget, Odds
from rules.core.resolution import Resolution, odds, resolve_with_dice, resolve_with_seed
from rules.core.system import System
from service.faults import Fault, Malformations
from service.wire import Reader

MAX_SEED_LENGTH = 128
SEED_BYTES = 16
ABSENT: Any = object()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was read: the question, and the randomness that was sent with it (None: not sent)."""

    request: Any
    seed: str | None
    dice: list[int] | None


class Question:
    """An action with the reader of its requests, made once."""

    __slots__ = ("action", "reader", "system")

    def __init__(self, system: System, action: Action[Any, Any]) -> None:
        self.system = system
        self.action = action
        self.reader: Reader[Any] = Reader(action.request)

    def read(self, value: Any) -> Asked:
        """The request in a parsed JSON value; `Malformations` when it is none."""
        if not isinstance(value, dict):
            raise Malformations([Fault("#", "dataclass_type", {})])
        fields = dict(value)
        seed, dice = fields.pop("seed", ABSENT), fields.pop("dice", ABSENT)
        faults = [*self._seed_faults(seed, dice), *self.faults_of_dice(dice)]
        try:
            request = self.reader.read(fields)
        except Malformations as malformed:
            raise Malformations([*faults, *malformed.faults]) from None
        if faults:
            raise Malformations(faults)
        return Asked(request, None if seed is ABSENT else seed, None if dice is ABSENT else dice)

    def resolve(self, asked: Asked, seed: str | None = None) -> Resolution:
        """Resolve on the dice or the seed that were sent, else on `seed`, else on 128 bits of the operating system."""
        try:
            if asked.dice is not None:
                return resolve_with_dice(self.system, self.action, asked.request, asked.dice)
            key = asked.seed or seed or os.urandom(SEED_BYTES).hex()
            return resolve_with_seed(self.system, self.action, asked.request, key)
        except Malformed as malformed:
            raise Malformations([_fault(malformed)]) from None

    def read_for_odds(self, value: Any) -> Any:
        """The request of `…/odds`, which has neither seed nor dice."""
        try:
            return self.reader.read(value)
        except Malformations as malformed:
            raise Malformations(malformed.faults) from None

    def odds(self, request: Any, budget: Budget | None = None) -> Odds:
        """The exact odds; `OddsTooWide` when there is more to walk than the budget allows."""
        try:
            return odds(self.action, request, budget)
        except Malformed as malformed:
            raise Malformations([_fault(malformed)]) from None

    def _seed_faults(self, seed: Any, dice: Any) -> list[Fault]:
        if seed is ABSENT:
            return []
        if not isinstance(seed, str):
            return [Fault("#/seed", "string_type", {})]
        if not seed:
            return [Fault("#/seed", "string_too_short", {"min_length": 1})]
        if len(seed) > MAX_SEED_LENGTH:
            return [Fault("#/seed", "string_too_long", {"max_length": MAX_SEED_LENGTH})]
        return [] if dice is ABSENT else [Fault("#/dice", "not_together", {"fields": "seed, dice"})]

    def faults_of_dice(self, dice: Any) -> list[Fault]:
        """What is wrong with supplied dice before any is rolled."""
        return [] if dice is ABSENT else faults_of_dice(dice, self.action.max_dice, self.action.max_sides)


def faults_of_dice(dice: Any, max_dice: int, max_sides: int) -> list[Fault]:
    """What is wrong with supplied dice, of which there may be so many with so many sides, before any is rolled."""
    if not isinstance(dice, list):
        return [Fault("#/dice", "list_type", {})]
    if len(dice) > max_dice:
        return [Fault("#/dice", "too_long", {"max_length": max_dice})]
    faults = [_face_fault(f"#/dice/{index}", face, max_sides) for index, face in enumerate(dice)]
    return [fault for fault in faults if fault]


def _face_fault(pointer: str, face: Any, max_sides: int) -> Fault | None:
    if not isinstance(face, int) or isinstance(face, bool):
        return Fault(pointer, "int_type", {})
    if face < 1:
        return Fault(pointer, "greater_than_equal", {"ge": 1})
    return Fault(pointer, "less_than_equal", {"le": max_sides}) if face > max_sides else None


def _fault(malformed: Malformed) -> Fault:
    return Fault(f"#/{malformed.field}" if malformed.field else "#", malformed.code, malformed.facts)


QUESTIONS: Mapping[tuple[str, str], Question] = {
    (system.slug, action.slug): Question(system, action) for system in SYSTEMS for action in system.actions
}

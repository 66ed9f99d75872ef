"""Where faces come from: a seed's stream, or dice that people rolled and sent."""

from collections.abc import Sequence
from typing import Protocol

from rules.core.faults import DiceLeftOver, DiceNeeded, Malformed
from rules.core.rule import Rule
from rules.core.stream import Stream


class Dice(Protocol):
    """A source of faces, consumed in the order in which the rules roll."""

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        """The next `count` faces, which `rule` asks for."""

    def finish(self) -> None:
        """Say that the rules roll no more."""


class SeededDice:
    """Faces of a seed's stream; there are always more."""

    __slots__ = ("_stream",)

    def __init__(self, seed: str) -> None:
        self._stream = Stream(seed)

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        """The next `count` faces of the stream."""
        return self._stream.faces(count, sides)

    def finish(self) -> None:
        """Nothing: a stream has no end."""


class SuppliedDice:
    """Faces that were sent with the request; all of them have to be consumed, and no more."""

    __slots__ = ("_consumed", "_faces")

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = faces
        self._consumed = 0

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        """The next `count` faces; `DiceNeeded` when they ran out, `Malformed` for a face that the die does not have."""
        start = self._consumed
        taken = list(self._faces[start : start + count])
        for index, face in enumerate(taken, start):
            if not 1 <= face <= sides:
                raise Malformed("face", f"dice/{index}", face=face, sides=sides, rule=rule.id)
        if len(taken) < count:
            raise DiceNeeded(rule.id, count - len(taken), sides)
        self._consumed += count
        return taken

    def finish(self) -> None:
        """`DiceLeftOver` when not every face was consumed."""
        if self._consumed != len(self._faces):
            raise DiceLeftOver(self._consumed, len(self._faces))

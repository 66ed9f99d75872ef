"""What the store keeps of one encounter, secrets included, and its form in JSON."""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from rules.core.encounter import Combatant, EncounterRules, Fight
from rules.core.system import System
from service.answers import encode
from service.wire import reader_of

T = TypeVar("T")


class Role(StrEnum):
    """What the holder of a token is in a fight."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class OwnDice(StrEnum):
    """Whose commands may bring dice of their own."""

    EVERYONE = "everyone"
    GM = "gm"
    NOBODY = "nobody"


class Status(StrEnum):
    """Whether a fight goes on."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(slots=True)
class Token:
    """A token as it is kept: hashed, with what its holder may do. `parent` is the invite that it was exchanged for."""

    id: str
    role: Role
    combatants: list[str]
    hash: str
    label: str | None = None
    parent: str | None = None


@dataclass(slots=True)
class Kept:
    """One encounter: `state` is the fold of its log as JSON values; `seed` is secret until it is closed.

    `owner` is who opened it, hashed: whose open encounters it counts among. `undoable` are the sequences of the events that
    can still be taken back, as ranges with their first and last, so that a long log does not make a long record.
    """

    id: str
    system: str
    seed: str
    commitment: str
    own_dice: OwnDice
    opening: dict[str, Any]
    created_at: str
    expires_at: str
    owner: str = ""
    version: int = 0
    status: Status = Status.OPEN
    last_hash: str | None = None
    state: dict[str, Any] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    undoable: list[list[int]] = field(default_factory=list)

    @property
    def last_undoable(self) -> int | None:
        """The sequence of the event that is taken back next."""
        return self.undoable[-1][1] if self.undoable else None

    def may_be_undone(self, sequence: int) -> None:
        """An event is the next one to be taken back."""
        if self.last_undoable == sequence - 1:
            self.undoable[-1][1] = sequence
        else:
            self.undoable.append([sequence, sequence])

    def was_undone(self) -> None:
        """The event that was to be taken back next is taken back."""
        first, last = self.undoable.pop()
        if first < last:
            self.undoable.append([first, last - 1])


_kept_decoder = msgspec.json.Decoder(Kept)


def written(kept: Kept) -> bytes:
    """The record as it is stored."""
    return encode(kept)


def read(body: bytes) -> Kept:
    """The record that was stored."""
    return _kept_decoder.decode(body)


def empty_state() -> dict[str, Any]:
    """The state before any event."""
    return {"round": 0, "turn": None, "order": [], "combatants": {}, "pending": None}


def fight_of(state: dict[str, Any], opening: dict[str, Any], system: System) -> Fight:
    """The state as the rules see it: a copy of its own, typed."""
    rules = rules_of(system)
    combatants = sorted(state["combatants"].items(), key=lambda each: each[1]["joined"])
    return Fight(
        opening=typed(opening, rules.opening),
        round=state["round"],
        turn=state["turn"],
        order=list(state["order"]),
        combatants={name: _combatant(each, rules) for name, each in combatants},
        pending=None if state["pending"] is None or rules.pending is None else typed(state["pending"], rules.pending),
    )


def rules_of(system: System) -> EncounterRules:
    """How a system keeps a fight."""
    if system.encounter is None:
        raise ValueError(f"{system.slug} keeps no fights")
    return system.encounter


def _combatant(each: dict[str, Any], rules: EncounterRules) -> Combatant:
    kind: Any = rules.sheet
    sheet = _sheet(kind, encode(each["sheet"]))
    state, turn = typed(each["state"], rules.state), typed(each["turn"], rules.turn)
    return Combatant(each["name"], each["joined"], sheet, state, turn)


@lru_cache(maxsize=2048)
def _sheet(kind: Any, sheet: bytes) -> Any:
    """A sheet, which is only ever replaced as a whole, read once for all changes until it is."""
    return reader_of(kind).read(msgspec.json.decode(sheet))


def typed(value: Any, kind: type[T]) -> T:
    """A JSON value as a dataclass of the rules."""
    return msgspec.convert(value, kind, dec_hook=_from_json)


def plain(value: Any) -> Any:
    """A value of the rules as JSON values."""
    return msgspec.json.decode(encode(value))


def _from_json(kind: type[Any], value: Any) -> Any:
    if kind is Fraction:
        return Fraction(str(value))
    raise TypeError(f"no {kind.__name__} in a stored state")

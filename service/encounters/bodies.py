"""What clients send about encounters, the same in every system; what differs is made from the system's own dataclasses."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, make_dataclass
from functools import lru_cache
from typing import Annotated, Any, TypeVar, get_type_hints

from annotated_types import Len
from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from rules.core.encounter import EncounterRules
from rules.core.system import System
from service.encounters.kept import OwnDice, Role
from service.faults import Fault, Malformations
from service.json_input import pointer_to
from service.names import BLANK, UNPRINTABLE
from service.wire import reader_of

CombatantId = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern="^[a-z][a-z0-9_]*$")]
_unprintable = re.compile(f"[{UNPRINTABLE}]")
_unprintable_in_lines = re.compile(rf"(?![\t\n\r])[{UNPRINTABLE}]")
T = TypeVar("T")


def _printable(name: str) -> str:
    if _unprintable.search(name) or not any(map(_is_seen, name)):
        raise PydanticCustomError("unprintable", "a name is one line of what can be seen")
    return name


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANK


Name = Annotated[
    str, Len(1, 80), AfterValidator(_printable), Field(json_schema_extra={"pattern": f"^[^{UNPRINTABLE}]*$"})
]
"""What people are shown: kept and given back exactly as it was sent, in any script. Ids tell apart, names do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRequest:
    """A token that the game master hands out."""

    role: Role
    """What its holder is: another game master, a player, a spectator."""
    combatants: Annotated[tuple[CombatantId, ...], Len(0, 20)] = ()
    """The combatants that a player acts for."""
    label: Name | None = None
    """A name by which the game master knows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """An invite, which is any token of the encounter, to be exchanged for a token of one's own."""

    invite: Annotated[str, Len(1, 200)]
    """The token that came in a link."""
    label: Name | None = None
    """A name by which the game master knows whose token it is."""


@dataclass(frozen=True, slots=True)
class SystemBodies:
    """The bodies that a system types: to open an encounter, and to add and to change a combatant."""

    opening: type[Any]
    combatant: type[Any]
    change: type[Any]


@lru_cache(maxsize=16)
def bodies_of(system: System) -> SystemBodies:
    """The bodies of one system, made once from its rules."""
    rules = system.encounter
    if rules is None:
        raise ValueError(f"{system.slug} keeps no fights")
    return SystemBodies(_opening(rules), _combatant(rules), rules.change)


def _opening(rules: EncounterRules) -> type[Any]:
    hints = get_type_hints(rules.opening, include_extras=True)
    said = [(each.name, hints[each.name], field(default=each.default)) for each in fields(rules.opening)]
    made = make_dataclass(
        "EncounterOpening",
        [*said, ("own_dice", OwnDice, field(default=OwnDice.GM))],
        frozen=True,
        slots=True,
        kw_only=True,
    )
    made.__doc__ = "A fight is opened: what its system has to know, and whose commands may bring dice of their own."
    made.__module__ = rules.opening.__module__
    return made


def _combatant(rules: EncounterRules) -> type[Any]:
    made = make_dataclass(
        "CombatantJoining",
        [("id", CombatantId), ("name", Name), ("sheet", rules.sheet)],
        frozen=True,
        slots=True,
        kw_only=True,
    )
    made.__doc__ = "One who enters the fight: an id of the client's choice, a name for people, and the sheet."
    made.__module__ = rules.sheet.__module__
    return made


def read_shown(kind: type[T], value: Any) -> T:
    """A body whose texts others are shown: `Malformations` for what cannot be seen in them, line ends and tabs aside."""
    read: T = reader_of(kind).read(value)
    faults = [Fault(pointer_to(place), "unprintable_text", {}) for place in _unprintable_places(value, ())]
    if faults:
        raise Malformations(faults)
    return read


def _unprintable_places(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        if _unprintable_in_lines.search(value):
            yield place
    elif isinstance(value, dict):
        for name, each in value.items():
            if _unprintable_in_lines.search(name):
                yield place
            yield from _unprintable_places(each, (*place, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _unprintable_places(each, (*place, at))

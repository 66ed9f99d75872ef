"""Which command a user sends next: any of the system's, for whom it is the turn of, and an answer where one is waited for."""

import random
from typing import Any

import msgspec

from rules.core.encounter import Command
from rules.core.system import System
from service.encounters.kept import rules_of

COMBATANTS = ("mira", "ogre")
ANSWERS = {"gurps": "active-defense", "storyteller": "defend", "action-points": "answer"}
"""The command for which a pending attack waits."""
OF_THE_SHEETS = {"axe": "sword", "knife": "fist", "left": "right"}
"""What the examples of commands name, and what goes with those of sheets: weapons, and the side which these can parry."""
FITTING = 0.8
"""So many commands fit the state; the others are as they come, and mostly refused."""


class Seen(msgspec.Struct):
    """What a user sees of the state."""

    turn: str | None
    pending: Any


def next_command(system: System, seen: Seen) -> tuple[Command[Any], dict[str, Any]]:
    """A command, and its body."""
    rules = rules_of(system)
    fits = random.random() < FITTING  # noqa: S311 - as users come
    answer = rules.command(ANSWERS.get(system.slug, "")) if seen.pending is not None and fits else None
    command = answer or random.choice(rules.commands)  # noqa: S311
    first = _first_named(command.example)
    other_side = seen.turn not in (None, first) if fits and answer is None else random.random() < 0.5  # noqa: S311
    body: dict[str, Any] = _said(dict(command.example), other_side)
    return command, body


def _first_named(example: Any) -> str | None:
    return next((value for name, value in example.items() if name in ("actor", "attacker")), None)


def _said(value: Any, other_side: bool) -> Any:
    """The body with the weapons of the sheets, and with the sides exchanged."""
    match value:
        case dict():
            return {name: _said(each, other_side) for name, each in value.items()}
        case list() | tuple():
            return [_said(each, other_side) for each in value]
        case str() if value in COMBATANTS and other_side:
            return COMBATANTS[1 - COMBATANTS.index(value)]
        case str():
            return OF_THE_SHEETS.get(value, value)
    return value

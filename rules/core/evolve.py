"""The fold by which a log of effects becomes a state, and by which effects are taken back; all as JSON values."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.encounter import WHOLE


def evolve(state: dict[str, Any], effects: Sequence[Mapping[str, Any]]) -> None:
    """Apply effects to a state, both as JSON values and the state in place: the fold by which a log becomes a state."""
    for effect in effects:
        _apply(state, effect["combatant"], effect["field"], effect["to"])


def undone(effects: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The effects that take others back, last first."""
    return [{**effect, "from": effect["to"], "to": effect["from"], "rule": None} for effect in reversed(effects)]


def _apply(state: dict[str, Any], combatant_id: str | None, path: str, value: Any) -> None:
    if path == WHOLE:
        if value is None:
            state["combatants"].pop(combatant_id)
        else:
            state["combatants"][combatant_id] = copy.deepcopy(value)
        return
    first, _, key = path.partition(".")
    holder = state if combatant_id is None else _json_part_with(state["combatants"][combatant_id], first)
    if not key:
        holder[first] = copy.deepcopy(value)
    elif value is None:
        holder[first].pop(key, None)
    else:
        holder[first][key] = copy.deepcopy(value)


def _json_part_with(combatant: dict[str, Any], name: str) -> dict[str, Any]:
    for part in ("turn", "state"):
        held: dict[str, Any] = combatant[part]
        if name in held:
            return held
    return combatant

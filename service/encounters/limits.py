"""Bounds on what one encounter may cost."""

from dataclasses import dataclass

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Limits:
    """How many combatants, events and tokens an encounter may have, and after how many idle seconds it is forgotten."""

    max_combatants: int = 100
    max_events: int = 10_000
    max_tokens: int = 500
    idle_seconds: int = 30 * DAY

"""Bounds on what one encounter may cost."""

from dataclasses import dataclass

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Limits:
    """How many combatants, events and tokens an encounter may have, how many one client may have open, and when one expires.

    `idle_seconds` after its last change an encounter is forgotten.
    """

    max_combatants: int = 100
    max_events: int = 10_000
    max_tokens: int = 500
    max_open: int = 1_000
    idle_seconds: int = 30 * DAY

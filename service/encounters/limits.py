"""Bounds on what one encounter may cost."""

from dataclasses import dataclass

from service.settings import Settings

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Limits:
    """How many combatants, events and tokens an encounter may have, how many one client may have open, and when one expires.

    `idle_seconds` after its last change an encounter is forgotten.
    """

    max_combatants: int
    max_events: int
    max_tokens: int
    max_open: int
    idle_seconds: int


def limits_of(settings: Settings) -> Limits:
    """The bounds that the operator has set."""
    return Limits(
        max_combatants=settings.max_combatants,
        max_events=settings.max_events,
        max_tokens=settings.max_tokens,
        max_open=settings.max_open_encounters,
        idle_seconds=settings.encounter_idle_days * DAY,
    )

"""Every system that is there."""

from rules.action_points import ACTION_POINTS
from rules.chronicles import CHRONICLES
from rules.core.system import System
from rules.gurps import GURPS
from rules.storyteller import STORYTELLER

SYSTEMS: tuple[System, ...] = (STORYTELLER, CHRONICLES, GURPS, ACTION_POINTS)


def find_system(slug: str) -> System | None:
    """The system with this slug, or None."""
    return next((system for system in SYSTEMS if system.slug == slug), None)

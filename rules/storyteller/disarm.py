"""Striking the opponent's weapon: what has to be more than Strength, and what a failure costs."""

from enum import StrEnum

from rules.core.rule import Kind, rule
from rules.core.trail import Trail

NO_WEAPON = rule("storyteller.disarm.no_weapon", "Обезоружить", Kind.REFUSAL)
COMPARE = rule("storyteller.disarm.compare", "Обезоружить", Kind.DECISION)
DISARMED = rule("storyteller.disarm.disarmed", "Обезоружить", Kind.EFFECT)
BACKFIRE = rule("storyteller.disarm.backfire", "Обезоружить", Kind.EFFECT)

RULES = (NO_WEAPON, COMPARE, DISARMED, BACKFIRE)


class Backfire(StrEnum):
    """What a failed disarm does to the attacker: left to the Storyteller, the weapon dropped, the opponent's blow."""

    REPORT = "report"
    DROP_WEAPON = "drop_weapon"
    STRUCK = "struck"


def disarms(successes: int, strength: int, trail: Trail) -> bool:
    """Successes are compared with the opponent's Strength: more disarm."""
    disarmed = successes > strength
    trail.decision(COMPARE, successes, strength=strength)
    if disarmed:
        trail.effect(DISARMED)
    return disarmed

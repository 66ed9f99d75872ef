"""A roll inside another roll: Hearing before a parry, Acrobatics before a dodge, DX to keep one's feet."""

from rules.core.rule import Rule
from rules.core.trail import Trail, part
from rules.gurps.rolls import LOWEST_ATTEMPTED, MINIMUM, succeeds

ALWAYS_SUCCEEDS = 4


def passes(trail: Trail, rule: Rule, effective: int) -> bool:
    """Whether an inner roll succeeds; what follows may not look at its dice."""
    return trail.apart(part(_rolled, rule, effective))


def _rolled(trail: Trail, rule: Rule, effective: int) -> bool:
    """3d against the score, 3 and 4 always succeeding; below an effective 3 it has failed without dice."""
    if effective < LOWEST_ATTEMPTED:
        trail.decision(MINIMUM, effective=effective)
        passed = False
    else:
        rolled = trail.sum(rule, 3, 6, effective=effective)
        passed = rolled <= ALWAYS_SUCCEEDS or succeeds(rolled, effective)
    trail.decision(rule, int(passed))
    return passed

"""Combat at different levels."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.incoming_attack import Height

SOURCE = "Бой на разной высоте"
SLOPE = rule("gurps.height.slope", SOURCE, Kind.MODIFIER)
STEEP = rule("gurps.height.steep", SOURCE, Kind.MODIFIER)
HUGE_DEFENDER = rule("gurps.height.huge_defender", SOURCE, Kind.LIMIT)

HEIGHT_RULES = (SLOPE, STEEP, HUGE_DEFENDER)

LEAST_DIFFERENCE_CM = 60


def modify_for_height(trail: Trail, height: Height) -> None:
    """60 cm or more: +1 for the higher, -1 for the lower; 2 when it is steep. A huge defender has no penalty from it."""
    difference = abs(height.vertical_cm)
    if difference < LEAST_DIFFERENCE_CM:
        return
    steep = height.flying or difference >= height.horizontal_cm
    value = 2 if steep else 1
    if height.vertical_cm > 0:
        trail.modifier(STEEP if steep else SLOPE, value, difference=difference)
    elif height.huge_defender:
        trail.limit(HUGE_DEFENDER, 0, difference=difference)
    else:
        trail.modifier(STEEP if steep else SLOPE, -value, difference=difference)

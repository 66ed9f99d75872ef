"""Rules of the fight as a whole, which show in an encounter and in the catalogue, not in a step of a single question."""

from rules.action_points.sources import BEYOND, ON_COMBAT, ON_ORDER, ON_PARAMETERS
from rules.core.rule import Kind, rule

TURN_BASED = rule("action_points.fight.turn_based", ON_ORDER, Kind.DECISION, Kind.REFUSAL)
DECLARATION = rule("action_points.fight.declaration", ON_ORDER, Kind.DECISION)
TURN_LENGTH = rule("action_points.turn.length", ON_PARAMETERS)
PHASES = rule("action_points.fight.phases", ON_COMBAT)
WEAPON_DROPPED = rule("action_points.weapon.dropped", BEYOND, Kind.REFUSAL)
FIGHT_RULES = (TURN_BASED, DECLARATION, TURN_LENGTH, PHASES, WEAPON_DROPPED)

FACTS = {"turn_seconds": 10}

"""The action point duel of play-by-post forums: every step, blow and defense has a price; nothing is rolled by default."""

from rules.action_points.attack import ATTACK
from rules.action_points.character import CHARACTER
from rules.action_points.defense_cost import DEFENSE_COST
from rules.action_points.encounter import ENCOUNTER
from rules.action_points.fight import FACTS, FIGHT_RULES
from rules.action_points.initiative import INITIATIVE
from rules.action_points.options import Options
from rules.action_points.sources import CHAPTERS
from rules.action_points.tables import TABLES
from rules.action_points.turn_plan import TURN_PLAN
from rules.action_points.upkeep import UPKEEP
from rules.core.system import System

ACTIONS = (CHARACTER, INITIATIVE, TURN_PLAN, ATTACK, DEFENSE_COST, UPKEEP)

ALL_RULES = dict.fromkeys((*FIGHT_RULES, *(each for action in ACTIONS for each in action.rules)))

ACTION_POINTS = System(
    slug="action-points",
    package="action_points",
    ruleset="1.0.0",
    options=Options,
    actions=ACTIONS,
    rules=tuple(sorted(ALL_RULES, key=lambda each: CHAPTERS.index(each.source))),
    tables=TABLES,
    facts=FACTS,
    encounter=ENCOUNTER,
)

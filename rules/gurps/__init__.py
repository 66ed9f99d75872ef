"""GURPS 4e in its Dungeon Fantasy form: active defenses, and the rolls around them."""

from rules.core.system import System
from rules.gurps.active_defense import ACTIVE_DEFENSE
from rules.gurps.attack import ATTACK
from rules.gurps.defense_scores import DEFENSE_SCORES
from rules.gurps.encounter import ENCOUNTER
from rules.gurps.options import Options
from rules.gurps.rulebook import RULES
from rules.gurps.success_roll import SUCCESS_ROLL
from rules.gurps.tables import FACTS, TABLES

GURPS = System(
    slug="gurps",
    package="gurps",
    ruleset="1.0.0",
    options=Options,
    actions=(ACTIVE_DEFENSE, ATTACK, SUCCESS_ROLL, DEFENSE_SCORES),
    rules=RULES,
    tables=TABLES,
    facts=FACTS,
    encounter=ENCOUNTER,
)

"""Chronicles of Darkness, second edition: Defense and Dodge, and a whole fight around them."""

from rules.chronicles import (
    armor,
    attack,
    contested_roll,
    damage,
    defense,
    defense_score,
    dodge,
    dodge_roll,
    health,
    initiative,
    pools,
    roll,
    rolls,
    strike,
    turn,
    weapons,
)
from rules.chronicles.encounter import ENCOUNTER
from rules.chronicles.options import Options
from rules.chronicles.tables import FACTS, TABLES
from rules.core.system import System

CHRONICLES = System(
    slug="chronicles",
    package="chronicles",
    ruleset="1.0.0",
    options=Options,
    actions=(
        roll.ROLL,
        contested_roll.CONTESTED_ROLL,
        defense.DEFENSE,
        attack.ATTACK,
        dodge.DODGE,
        damage.DAMAGE,
        initiative.INITIATIVE,
    ),
    rules=(
        *roll.RULES,
        *pools.RULES,
        *rolls.RULES,
        *contested_roll.RULES,
        *defense_score.RULES,
        *defense.RULES,
        *dodge_roll.RULES,
        *dodge.RULES,
        *strike.RULES,
        *weapons.RULES,
        *attack.RULES,
        *damage.RULES,
        *armor.RULES,
        *health.RULES,
        *initiative.RULES,
        *turn.RULES,
    ),
    tables=TABLES,
    facts=FACTS,
    encounter=ENCOUNTER,
)

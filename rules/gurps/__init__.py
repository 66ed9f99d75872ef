"""GURPS 4e in its Dungeon Fantasy form: active defenses, and the rolls around them."""

from rules.core.system import System
from rules.gurps.options import Options
from rules.gurps.success_roll import SUCCESS_ROLL

GURPS = System(
    slug="gurps",
    package="gurps",
    ruleset="1.0.0",
    options=Options,
    actions=(SUCCESS_ROLL,),
    rules=SUCCESS_ROLL.rules,
)

"""To be filled."""

from rules.chronicles.options import Options
from rules.core.system import System

CHRONICLES = System(slug="chronicles", package="chronicles", ruleset="1.0.0", options=Options, actions=(), rules=())

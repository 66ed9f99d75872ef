"""To be filled."""

from rules.core.system import System
from rules.storyteller.options import Options

STORYTELLER = System(slug="storyteller", package="storyteller", ruleset="1.0.0", options=Options, actions=(), rules=())

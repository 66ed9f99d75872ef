"""To be filled."""

from rules.action_points.options import Options
from rules.core.system import System

ACTION_POINTS = System(
    slug="action-points", package="action_points", ruleset="1.0.0", options=Options, actions=(), rules=()
)

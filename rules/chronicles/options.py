"""The house rules: every default is the ruleset's reading of the source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """House rules."""

"""One refusal, listed once however often it is found."""

from rules.core.rule import Rule
from rules.core.trail import Fact, Trail


def forbid(trail: Trail, rule: Rule, **facts: Fact) -> None:
    """Refuse, unless the same rule has refused already."""
    if rule.id not in trail.refusals:
        trail.refuse(rule, **facts)

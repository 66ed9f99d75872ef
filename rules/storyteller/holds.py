"""Being in a clinch or in a hold: how it begins, and what one cannot do in it."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.terms import Condition, Side

CLINCH_BEGINS = rule("storyteller.clinch.begins", "Борьба", Kind.EFFECT)
CLINCH_NO_OTHER = rule("storyteller.clinch.no_other", "Борьба", Kind.REFUSAL)
HOLD_BEGINS = rule("storyteller.hold.begins", "Захват", Kind.EFFECT)
HOLD_IMMOBILE = rule("storyteller.hold.immobile", "Захват", Kind.REFUSAL)

RULES = (CLINCH_BEGINS, CLINCH_NO_OTHER, HOLD_BEGINS, HOLD_IMMOBILE)


def refuse_bound(condition: Condition, side: Side, trail: Trail) -> None:
    """In a clinch neither can do anything else; who is held takes no action but the attempt to get free."""
    if condition is Condition.CLINCHED:
        trail.refuse(CLINCH_NO_OTHER, side=side)
    elif condition is Condition.HELD:
        trail.refuse(HOLD_IMMOBILE, side=side)

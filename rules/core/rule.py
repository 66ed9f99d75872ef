"""A rule: an id that never changes its meaning, the kinds of step it writes, and where it stands."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a step of the audit trail is."""

    BASE = "base"
    MODIFIER = "modifier"
    LIMIT = "limit"
    ROLL = "roll"
    DECISION = "decision"
    REFUSAL = "refusal"
    EFFECT = "effect"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of the rules.

    `id` is dotted snake_case and begins with the system. `source` is the heading of the book page that says it, or
    `published`, or `beyond the source` for what was added so that a fight can be played. `kinds` are the kinds of step
    that it writes; none means that the rule shows in what is possible, not in a step of its own.
    """

    id: str
    source: str
    kinds: tuple[Kind, ...]


def rule(rule_id: str, source: str, *kinds: Kind) -> Rule:
    """A rule with the kinds of step that it writes, none for one without a step."""
    return Rule(rule_id, source, kinds)

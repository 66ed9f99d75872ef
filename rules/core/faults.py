"""What makes a request malformed: faults that say which field, and what would be right.

A fault names a code, whose sentence stands in the texts of both languages, and facts for that sentence. Rules raise
faults while a request is read (`__post_init__`) or before anything is looked at in `resolve`; a choice that the game
forbids is never a fault but a refusal on the trail.
"""

from collections.abc import Iterable

FaultFact = str | int | float


class Malformed(ValueError):
    """A request that is no question: `field` is the slash-separated path below the object that raised it."""

    def __init__(self, code: str, field: str = "", /, **facts: FaultFact) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.facts = facts


class DiceNeeded(Exception):
    """Supplied dice ran out: `rule` needs `count` more faces of `sides` sides, appended to those that were sent."""

    def __init__(self, rule: str, count: int, sides: int) -> None:
        super().__init__(rule)
        self.rule = rule
        self.count = count
        self.sides = sides


class DiceLeftOver(Exception):
    """More dice were supplied than the rules consumed."""

    def __init__(self, consumed: int, sent: int) -> None:
        super().__init__(consumed)
        self.consumed = consumed
        self.sent = sent


class OddsTooWide(Exception):
    """The outcomes are too many to be walked; `reason` is a code, `facts` say what made it so."""

    def __init__(self, reason: str, **facts: FaultFact) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


def exactly_one(**fields: object) -> None:
    """Demand that exactly one of the fields is present (not None)."""
    present = 0
    for value in fields.values():
        if value is not None:
            present += 1
    if present != 1:
        raise Malformed("exactly_one", fields=", ".join(fields))


def not_together(**fields: object) -> None:
    """Demand that at most one of the fields is present (not None)."""
    present = [name for name, value in fields.items() if value is not None]
    if len(present) > 1:
        raise Malformed("not_together", present[-1], fields=", ".join(present))


def all_or_none(**fields: object) -> None:
    """Demand that the fields are present (not None) all together or not at all."""
    missing = [name for name, value in fields.items() if value is None]
    if missing and len(missing) != len(fields):
        raise Malformed(
            "needed_with", missing[0], field=missing[0], condition=", ".join(sorted(set(fields) - set(missing)))
        )


def only_with(condition: str, allowed: bool, **fields: object) -> None:
    """Demand that the fields are absent (None) unless the condition, said in field names, holds."""
    if allowed:
        return
    for name, value in fields.items():
        if value is not None:
            raise Malformed("only_with", name, field=name, condition=condition)


def needed_with(condition: str, needed: bool, **fields: object) -> None:
    """Demand that the fields are present (not None) when the condition, said in field names, holds."""
    if not needed:
        return
    for name, value in fields.items():
        if value is None:
            raise Malformed("needed_with", name, field=name, condition=condition)


def unique(field: str, values: Iterable[object]) -> None:
    """Demand that no value stands twice in an array."""
    seen = set()
    for index, value in enumerate(values):
        if value in seen:
            raise Malformed("duplicate", f"{field}/{index}", value=str(value))
        seen.add(value)

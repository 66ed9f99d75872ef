"""Contradictions in a request: each helper names the code, the field and what would be right."""

from collections.abc import Callable

import pytest

from rules.core.faults import Malformed, all_or_none, exactly_one, needed_with, not_together, only_with, unique

CONSISTENT: dict[str, Callable[[], None]] = {
    "one of two": lambda: exactly_one(pool=3, traits=None),
    "nothing is not none": lambda: exactly_one(pool=0, traits=None),
    "neither": lambda: not_together(seed=None, dice=None),
    "one alone": lambda: not_together(seed="", dice=None),
    "none": lambda: all_or_none(kind=None, level=None),
    "all": lambda: all_or_none(kind="fae", level=0),
    "with its condition": lambda: only_with("skill", True, cap=9, modifiers=()),
    "absent without its condition": lambda: only_with("skill", False, cap=None, modifiers=None),
    "needed and there": lambda: needed_with("parry", True, tool="sword"),
    "not needed": lambda: needed_with("parry", False, tool=None),
    "each once": lambda: unique("ids", ["a", "b"]),
    "empty": lambda: unique("ids", []),
}


@pytest.mark.parametrize("demand", CONSISTENT.values(), ids=CONSISTENT)
def test_what_is_consistent_passes(demand: Callable[[], None]) -> None:
    demand()


@pytest.mark.parametrize(
    ("demand", "code", "field", "facts"),
    [
        (lambda: exactly_one(pool=None, traits=None), "exactly_one", "", {"fields": "pool, traits"}),
        (lambda: exactly_one(pool=0, traits=1), "exactly_one", "", {"fields": "pool, traits"}),
        (lambda: not_together(a=1, b=None, c=0), "not_together", "c", {"fields": "a, c"}),
        (lambda: all_or_none(kind="fae", level=None), "needed_with", "level", {"field": "level", "condition": "kind"}),
        (lambda: all_or_none(kind=None, level=0), "needed_with", "kind", {"field": "kind", "condition": "level"}),
        (lambda: only_with("skill", False, cap=0), "only_with", "cap", {"field": "cap", "condition": "skill"}),
        (lambda: needed_with("parry", True, tool=None), "needed_with", "tool", {"field": "tool", "condition": "parry"}),
        (lambda: unique("ids", ["a", "b", "a"]), "duplicate", "ids/2", {"value": "a"}),
    ],
    ids=["neither", "both", "last of two", "one missing", "the other missing", "without", "not there", "third"],
)
def test_what_is_not_is_told(demand: Callable[[], None], code: str, field: str, facts: dict[str, str]) -> None:
    with pytest.raises(Malformed) as malformed:
        demand()
    assert (malformed.value.code, malformed.value.field, malformed.value.facts) == (code, field, facts)

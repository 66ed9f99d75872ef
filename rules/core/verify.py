"""Replay: whether a resolution is what the rules and the dice give, and where it first differs."""

from dataclasses import dataclass
from typing import Any

MISSING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a claimed resolution differs; `expected` and `actual` are None where there is nothing."""

    pointer: str
    expected: Any
    actual: Any


def first_difference(expected: Any, actual: Any, pointer: str = "#") -> Difference | None:
    """Compare two JSON values, texts aside; the pointer is a URI fragment (RFC 6901)."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in [*expected, *(key for key in actual if key not in expected)]:
            if key == "text":
                continue
            found = first_difference(expected.get(key, MISSING), actual.get(key, MISSING), f"{pointer}/{escape(key)}")
            if found:
                return found
        return None
    if isinstance(expected, list) and isinstance(actual, list):
        for index in range(max(len(expected), len(actual))):
            wanted = expected[index] if index < len(expected) else MISSING
            claimed = actual[index] if index < len(actual) else MISSING
            found = first_difference(wanted, claimed, f"{pointer}/{index}")
            if found:
                return found
        return None
    if expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return None
    return Difference(pointer, None if expected is MISSING else expected, None if actual is MISSING else actual)


def escape(key: str) -> str:
    """One token of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")

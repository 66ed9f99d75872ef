"""What is added to the head of an answer by those who looked at its request before, in one place and one step."""

from collections.abc import Callable
from typing import TypeAlias

from starlette.types import Scope

Header: TypeAlias = tuple[bytes, bytes]
Hook: TypeAlias = Callable[[int, list[Header]], None]
"""Takes the status of the answer, and the headers to add to."""
HOOKS = "rulewright.head"


def add_to_head(scope: Scope, hook: Hook) -> None:
    """Call a hook when the answer of this request begins."""
    scope[HOOKS].append(hook)

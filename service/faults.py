"""What can be wrong with a request, before it is put into words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where (a JSON pointer as URI fragment), which (a code that has a text), and facts for the text."""

    pointer: str
    code: str
    facts: Mapping[str, Any]


class InvalidJson(Exception):
    """The body is no JSON; `code` says why."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Malformations(Exception):
    """The body is JSON but no question of the kind that was asked."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__([fault.code for fault in faults])
        self.faults = faults

"""What a rule needs of a request in which it may be absent."""

from typing import TypeVar

from rules.core.faults import Malformed

T = TypeVar("T")


def demand(ingredient: object, path: str, condition: str) -> None:
    """What is not there is needed under the condition, said in field names: the request is malformed."""
    if ingredient is None:
        raise Malformed("needed_with", path, field=path.replace("/", "."), condition=condition)


def given(ingredient: T | None) -> T:
    """An ingredient that was demanded, or whose absence was refused, before the rule came to it."""
    if ingredient is None:
        raise ValueError("a rule came to an ingredient that nobody demanded")
    return ingredient

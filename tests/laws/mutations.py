"""Requests that no case has: the cases crossed with each other, and their numbers pushed about.

What comes out may be malformed; what is not, is a question like any other, and the laws hold for it too.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from enum import StrEnum
from random import Random
from typing import Any, get_type_hints

from service.faults import Malformations
from service.questions import Question
from tests.laws.corpus import cases, key_of

Path = tuple[Any, ...]
MOST_CHANGES = 4
ATTEMPTS = 40


class Mutations:
    """The requests of one action's cases, and what stood at each place of any of them."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._random = Random(f"mutations of {key_of(question)}")
        self._bodies = [case.bare for case in cases(question)]
        self._seen: dict[Path, list[Any]] = defaultdict(list)
        for body in self._bodies:
            for path in places(body):
                self._seen[without_indices(path)].append(at(body, path))

    def requests(self, count: int) -> Iterator[tuple[dict[str, Any], Any]]:
        """So many bodies that are questions, each with the request that was read."""
        for _ in range(count * ATTEMPTS):
            body = self._body()
            try:
                request = self._question.read(body).request
            except Malformations:
                continue
            yield body, request
            count -= 1
            if count == 0:
                return

    def _body(self) -> dict[str, Any]:
        body: dict[str, Any] = deepcopy(self._random.choice(self._bodies))
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            self._random.choice((self._replace, self._replace, self._drop, self._add))(body)
        if self._random.random() < 0.5:
            body["options"] = self._options()
        return body

    def _options(self) -> dict[str, Any]:
        hints = get_type_hints(self._question.system.options)
        named = [field.name for field in dataclasses.fields(self._question.system.options)]
        chosen = self._random.sample(named, min(len(named), self._random.randint(1, 3)))
        values: dict[str, list[Any]] = {
            name: [each.value for each in hints[name]]
            for name in chosen
            if isinstance(hints[name], type) and issubclass(hints[name], StrEnum)
        }
        return {name: self._random.choice(of) for name, of in values.items()}

    def _replace(self, body: dict[str, Any]) -> None:
        path = self._random.choice(list(places(body)) or [()])
        if path:
            old = at(body, path)
            number = isinstance(old, int) and not isinstance(old, bool)
            new = self._near(old) if number and self._random.random() < 0.6 else self._seen_at(path)
            at(body, path[:-1])[path[-1]] = new

    def _near(self, number: int) -> int:
        return self._random.choice((number - 1, number + 1, number * 2, number - 5, number + 7, 0, 1))

    def _seen_at(self, path: Path) -> Any:
        return deepcopy(self._random.choice(self._seen[without_indices(path)] or [0]))

    def _drop(self, body: dict[str, Any]) -> None:
        path = self._random.choice(list(places(body)) or [()])
        if path:
            del at(body, path[:-1])[path[-1]]

    def _add(self, body: dict[str, Any]) -> None:
        """Something that another case has where this one has nothing."""
        holders = [(), *(path for path in places(body) if isinstance(at(body, path), dict | list))]
        path = self._random.choice(holders)
        holder, form = at(body, path), without_indices(path)
        if isinstance(holder, list):
            if self._seen[(*form, "*")]:
                holder.append(self._seen_at((*path, "*")))
            return
        keys = [seen[-1] for seen in self._seen if seen[:-1] == form and seen[-1] not in holder and seen[-1] != "*"]
        if keys:
            key = self._random.choice(keys)
            holder[key] = self._seen_at((*path, key))


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of everything within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*path, key)
        yield from places(part, (*path, key))


def at(value: Any, path: Path) -> Any:
    """What stands at a path."""
    for step in path:
        value = value[step]
    return value


def without_indices(path: Path) -> Path:
    """A path in which every place of an array is alike."""
    return tuple("*" if isinstance(step, int) else step for step in path)

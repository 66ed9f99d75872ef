"""Replay: where a claimed resolution first differs, texts aside."""

from copy import deepcopy
from typing import Any

import pytest

from rules.core.verify import Difference, first_difference

RESOLUTION: dict[str, Any] = {
    "system": "example",
    "outcome": {"result": "hit", "net": 2, "dead": False, "left": None, "half": 2.5},
    "audit": [
        {"rule": "example.a", "kind": "base", "value": 11, "total": 11, "text": "Eleven"},
        {"rule": "example.b", "kind": "roll", "dice": {"sides": 6, "faces": [3, 5, 2]}, "value": 10, "text": "Ten"},
    ],
    "odd/key~": 1,
}


def changed(path: list[str | int], value: Any) -> dict[str, Any]:
    """The resolution with one value in another's place."""
    claimed = deepcopy(RESOLUTION)
    place: Any = claimed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return claimed


def without(path: list[str | int]) -> dict[str, Any]:
    """The resolution with one value taken away."""
    claimed = deepcopy(RESOLUTION)
    place: Any = claimed
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return claimed


def test_a_resolution_does_not_differ_from_itself() -> None:
    assert first_difference(RESOLUTION, deepcopy(RESOLUTION)) is None


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (["system"], "other", "#/system"),
        (["outcome", "net"], 3, "#/outcome/net"),
        (["outcome", "net"], "2", "#/outcome/net"),
        (["outcome", "net"], None, "#/outcome/net"),
        (["outcome", "dead"], True, "#/outcome/dead"),
        (["outcome", "dead"], 0, "#/outcome/dead"),
        (["outcome", "left"], False, "#/outcome/left"),
        (["outcome", "half"], 2, "#/outcome/half"),
        (["outcome"], None, "#/outcome"),
        (["outcome"], [], "#/outcome"),
        (["audit", 0, "rule"], "example.b", "#/audit/0/rule"),
        (["audit", 1, "dice", "faces", 2], 3, "#/audit/1/dice/faces/2"),
        (["audit", 1, "dice", "sides"], 10, "#/audit/1/dice/sides"),
        (["audit", 1, "dice", "faces"], {"0": 3}, "#/audit/1/dice/faces"),
        (["odd/key~"], 2, "#/odd~1key~0"),
    ],
)
def test_one_changed_value_is_found(path: list[str | int], value: Any, pointer: str) -> None:
    expected: Any = RESOLUTION
    for step in path:
        expected = expected[step]
    assert first_difference(RESOLUTION, changed(path, value)) == Difference(pointer, expected, value)


@pytest.mark.parametrize("value", ["Ten!", "", None])
def test_texts_are_no_difference(value: Any) -> None:
    assert first_difference(RESOLUTION, changed(["audit", 1, "text"], value)) is None
    assert first_difference(RESOLUTION, without(["audit", 1, "text"])) is None


def test_a_whole_number_is_one_however_it_was_written() -> None:
    assert first_difference(RESOLUTION, changed(["outcome", "net"], 2.0)) is None


def test_something_missing_is_found() -> None:
    found = first_difference(RESOLUTION, without(["outcome", "net"]))
    assert found == Difference("#/outcome/net", 2, None)
    assert first_difference(RESOLUTION, without(["outcome", "left"])) == Difference("#/outcome/left", None, None)


def test_something_more_is_found() -> None:
    assert first_difference(RESOLUTION, changed(["extra"], 1)) == Difference("#/extra", None, 1)
    assert first_difference(RESOLUTION, changed(["extra"], None)) == Difference("#/extra", None, None)


def test_a_step_more_and_a_step_less() -> None:
    more = changed(["audit"], [*RESOLUTION["audit"], {"rule": "example.c"}])
    assert first_difference(RESOLUTION, more) == Difference("#/audit/2", None, {"rule": "example.c"})
    less = changed(["audit"], RESOLUTION["audit"][:1])
    assert first_difference(RESOLUTION, less) == Difference("#/audit/1", RESOLUTION["audit"][1], None)


def test_the_first_of_several_differences_is_told() -> None:
    claimed = changed(["odd/key~"], 5)
    claimed["outcome"]["net"] = 9
    claimed["audit"] = []
    found = first_difference(RESOLUTION, claimed)
    assert found is not None
    assert found.pointer == "#/outcome/net"


@pytest.mark.parametrize("claimed", [None, 1, "x", [], True])
def test_what_is_no_resolution_at_all_differs_at_its_root(claimed: Any) -> None:
    assert first_difference(RESOLUTION, claimed) == Difference("#", RESOLUTION, claimed)


def test_a_claim_nested_without_end_is_compared_only_as_deep_as_what_is_expected() -> None:
    claimed: Any = {}
    for _ in range(100_000):
        claimed = {"outcome": claimed}
    found = first_difference(RESOLUTION, claimed)
    assert found is not None
    assert found.pointer == "#/system"

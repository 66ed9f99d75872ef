"""Parts and opposed parts: a short cut for odds that changes nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rules.core.audit import AuditTrail
from rules.core.dice import SuppliedDice
from rules.core.odds import BranchingTrail, Budget, walk
from rules.core.reading import Ones, Pool, PoolRules
from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from tests.face_tree import distribution

ATTACK = rule("example.attack", "published", Kind.ROLL)
DEFENSE = rule("example.defense", "published", Kind.ROLL)
DAMAGE = rule("example.damage", "published", Kind.ROLL)
RESULT = rule("example.result", "published", Kind.RESULT)

Run = Callable[[Trail], Any]


@dataclass(frozen=True, slots=True)
class Wound:
    """What a blow did."""

    net: int
    levels: int


def successes(trail: Trail, dice: int) -> int:
    return trail.pool(Pool(dice, 3, sides=4, ones=Ones.CANCEL), PoolRules(ATTACK)).successes


def defended(trail: Trail, dice: int) -> int:
    return trail.pool(Pool(dice, 4, sides=4), PoolRules(DEFENSE)).successes


def levels(trail: Trail, net: int) -> int:
    return trail.sum(DAMAGE, net, 2) if net else 0


def net_of(attack: int, defense: int) -> int:
    return max(0, attack - defense)


def plain_blow(trail: Trail) -> Wound:
    attack = successes(trail, 2)
    net = net_of(attack, defended(trail, 2))
    wound = Wound(net, levels(trail, net))
    trail.result(RESULT, wound.levels)
    return wound


def blow_in_parts(trail: Trail) -> Wound:
    attack, defense = trail.opposed(net_of, part(successes, 2), part(defended, 2))
    net = net_of(attack, defense)
    wound = Wound(net, trail.apart(part(levels, net)))
    trail.result(RESULT, wound.levels)
    return wound


def nested(trail: Trail, depth: int) -> int:
    face = trail.sum(ATTACK, 1, 3)
    return face if depth == 0 else face + trail.apart(part(nested, depth - 1))


def parts_within_opposed_parts(trail: Trail) -> int:
    first, second = trail.opposed(net_of, part(nested, 1), part(nested, 0))
    return net_of(first, second)


def walked(run: Run) -> dict[Any, Fraction]:
    chances, refused_by = walk(run, {}, Budget())
    assert refused_by == ()
    assert sum(chances.weights) == chances.denominator
    return {
        value: Fraction(weight, chances.denominator)
        for value, weight in zip(chances.values, chances.weights, strict=True)
    }


def nested_thrice(trail: Trail) -> int:
    return nested(trail, 3)


@pytest.mark.parametrize("run", [plain_blow, blow_in_parts, nested_thrice, parts_within_opposed_parts])
def test_a_walk_gives_what_the_faces_give(run: Run) -> None:
    assert walked(run) == distribution(run)


def test_parts_give_what_the_plain_run_gives() -> None:
    assert walked(blow_in_parts) == walked(plain_blow)


@pytest.mark.parametrize("faces", [[3, 4, 1, 2, 2, 1], [1, 1, 4, 4], [4, 4, 3, 3, 1, 2]])
def test_parts_record_what_the_plain_run_records(faces: list[int]) -> None:
    def recorded(run: Run) -> tuple[Any, list[Any]]:
        trail = AuditTrail(SuppliedDice(faces))
        return run(trail), [(step.rule, step.value, step.faces) for step in trail.steps]

    assert recorded(blow_in_parts) == recorded(plain_blow)


def test_a_part_is_walked_once_for_equal_arguments() -> None:
    """Sixteen sums of three dice come to two arguments: two walks, and each run of the rest takes what they gave."""
    walks: list[int] = []

    def counted(trail: Trail, high: int) -> int:
        walks.append(high)
        return trail.sum(DAMAGE, 1, 6) + high

    def run(trail: Trail) -> int:
        return trail.apart(part(counted, int(trail.sum(ATTACK, 3, 6) > 10)))

    assert walked(run) == distribution(run)
    walks.clear()
    walked(run)
    assert sorted(walks) == [0] * 6 + [1] * 6


def test_opposed_parts_stand_for_what_is_seen_of_them() -> None:
    """Three by three faces are five differences: five branches, each with a pair that has that difference."""

    def run(trail: Trail) -> tuple[int, int]:
        return trail.opposed(difference, part(nested, 0), part(nested, 0))

    chances, _ = walk(run, {}, Budget())
    assert sorted(difference(*pair) for pair in chances.values) == [-2, -1, 0, 1, 2]
    assert dict(zip([difference(*pair) for pair in chances.values], chances.weights, strict=True)) == {
        -2: 1,
        -1: 2,
        0: 3,
        1: 2,
        2: 1,
    }


def difference(first: int, second: int) -> int:
    return first - second


def test_the_total_within_a_part_begins_at_nothing_and_the_rest_takes_its_own_up_again() -> None:
    """What a part leaves on the running total is not for the rest to read: here it says so, and both trails agree."""

    def with_total(trail: Trail, bonus: int) -> int:
        trail.base(ATTACK, bonus)
        trail.modifier(ATTACK, trail.sum(ATTACK, 1, 2))
        return int(trail.total)

    def run(trail: Trail) -> int:
        trail.base(DEFENSE, 10)
        inner = trail.apart(part(with_total, 3))
        trail.carry(10)
        trail.modifier(DEFENSE, inner)
        return int(trail.total)

    assert walked(run) == distribution(run) == {14: Fraction(1, 2), 15: Fraction(1, 2)}


def test_a_walk_begins_every_path_at_nothing() -> None:
    def run(trail: Trail) -> int:
        before = int(trail.total)
        trail.modifier(ATTACK, trail.sum(ATTACK, 1, 3))
        return before

    assert walked(run) == {0: 1}


def test_next_branch_ends_with_the_last_path() -> None:
    trail = BranchingTrail({}, Budget())
    seen = []
    while True:
        seen.append((trail.sum(ATTACK, 1, 2), trail.sum(ATTACK, 1, 2)))
        if not trail.next_branch():
            break
    assert seen == [(1, 1), (1, 2), (2, 1), (2, 2)]

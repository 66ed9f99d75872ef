"""Pools: the tally's chances are those of the raw faces, whatever the rerolls; and what is recorded."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.core.audit import AuditTrail
from rules.core.dice import SuppliedDice
from rules.core.faults import OddsTooWide
from rules.core.reading import Botch, Ones, Pool, PoolRules, Tally, pool_chances
from rules.core.rule import Kind, rule
from tests.face_tree import distribution

THROW = rule("example.throw", "published", Kind.ROLL)
AGAIN = rule("example.again", "published", Kind.ROLL)
ROTE = rule("example.rote", "published", Kind.ROLL)
SPARED = rule("example.spared", "published", Kind.DECISION)
LIMIT = rule("example.limit", "published", Kind.LIMIT)
RULES = PoolRules(THROW, AGAIN, LIMIT, ROTE, SPARED)

MODES = [
    (ones, botch)
    for ones in Ones
    for botch in Botch
    if not (ones is Ones.IGNORED and botch is Botch.MORE_ONES_THAN_HITS)
]
MOST_ROWS = 3_000


def rows_at_most(count: int, sides: int, throws: int) -> int:
    """How many rows of faces there can be when every die of every throw is rolled again."""
    return int(sides ** (count * throws))


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """A pool of every form, small enough to walk its faces."""
    sides = draw(st.integers(2, 6))
    rote = draw(st.booleans())
    most = max(count for count in range(1, 12) if count == 1 or rows_at_most(count, sides, 1 + rote) <= MOST_ROWS)
    count = draw(st.integers(0, most))
    success = draw(st.integers(2, sides))
    ones, botch = draw(st.sampled_from(MODES))
    lowest = success if botch is Botch.NO_HITS else 1
    again = draw(st.none() | st.integers(lowest, sides))
    waves = max(waves for waves in range(4) if waves == 0 or rows_at_most(count, sides, 1 + rote + waves) <= MOST_ROWS)
    return Pool(
        count=count,
        success=success,
        sides=sides,
        ones=ones,
        botch=botch,
        again=again,
        waves=draw(st.integers(0, waves)),
        rote=rote,
        rote_spares_ones=draw(st.booleans()),
        top_counts_twice=draw(st.booleans()),
    )


def of_faces(pool: Pool) -> dict[tuple[int, bool], Fraction]:
    """The chances of each tally, face by face."""

    def roll(trail: AuditTrail) -> tuple[int, bool]:
        tally = trail.pool(pool, RULES)
        return tally.successes, tally.botch

    return distribution(roll, MOST_ROWS)


def as_fractions(pool: Pool) -> dict[tuple[int, bool], Fraction]:
    chances = pool_chances(pool)
    assert sum(chances.weights) == chances.denominator
    assert all(weight > 0 for weight in chances.weights)
    return {
        (tally.successes, tally.botch): Fraction(weight, chances.denominator)
        for tally, weight in zip(chances.values, chances.weights, strict=True)
    }


@given(pools())
@example(Pool(1, 6, sides=6, botch=Botch.NO_HITS))
@example(Pool(3, 2, sides=4, botch=Botch.NO_HITS, rote=True, rote_spares_ones=True))
@example(Pool(2, 2, sides=3, ones=Ones.CANCEL, again=3, waves=2, top_counts_twice=True))
@settings(max_examples=400, deadline=None)
def test_tallies_are_those_of_the_faces(pool: Pool) -> None:
    assert as_fractions(pool) == of_faces(pool)


@pytest.mark.parametrize(("ones", "botch"), MODES)
@pytest.mark.parametrize("success", [2, 3, 4])
@pytest.mark.parametrize(("again", "waves"), [(None, 0), (4, 2), (4, 1)])
def test_ones_and_botches_in_all_modes(ones: Ones, botch: Botch, success: int, again: int | None, waves: int) -> None:
    pool = Pool(2, success, sides=4, ones=ones, botch=botch, again=again, waves=waves)
    assert as_fractions(pool) == of_faces(pool)


@pytest.mark.parametrize("spares", [False, True])
@pytest.mark.parametrize("ones", Ones)
@pytest.mark.parametrize("botch", [Botch.NEVER, Botch.NO_HITS])
@pytest.mark.parametrize("again", [None, 4, 3])
def test_rote_with_waves(spares: bool, ones: Ones, botch: Botch, again: int | None) -> None:
    pool = Pool(2, 3, sides=4, ones=ones, botch=botch, again=again, waves=1, rote=True, rote_spares_ones=spares)
    assert as_fractions(pool) == of_faces(pool)


@pytest.mark.parametrize("rote", [False, True])
@pytest.mark.parametrize("spares", [False, True])
def test_the_chance_die(rote: bool, spares: bool) -> None:
    """One d10 of which only a 10 is a success and a 1 fails dramatically."""
    pool = Pool(1, 10, botch=Botch.NO_HITS, rote=rote, rote_spares_ones=spares)
    assert as_fractions(pool) == of_faces(pool)
    botch = {(False, False): 10, (False, True): 10, (True, False): 9, (True, True): 10 + 8}[rote, spares]
    assert as_fractions(pool)[0, True] == Fraction(botch, 100)


@pytest.mark.parametrize(
    ("success", "fields"),
    [
        (11, {}),
        (1, {}),
        (8, {"again": 7, "waves": 1, "botch": Botch.NO_HITS}),
        (8, {"botch": Botch.MORE_ONES_THAN_HITS}),
    ],
)
def test_pools_that_no_reading_is_told_for_are_not_made(success: int, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hit|ones"):
        Pool(3, success, **fields)


@pytest.mark.parametrize(
    ("pool", "faces", "tally"),
    [
        (Pool(4, 8), [7, 8, 9, 3], (2, False)),
        (Pool(4, 6, ones=Ones.CANCEL), [6, 10, 1, 5], (1, False)),
        (Pool(3, 6, ones=Ones.CANCEL), [6, 1, 1], (0, False)),
        (Pool(3, 6, ones=Ones.CANCEL, botch=Botch.NO_HITS), [6, 1, 1], (0, False)),
        (Pool(3, 6, ones=Ones.CANCEL, botch=Botch.NO_HITS), [5, 1, 2], (0, True)),
        (Pool(3, 6, ones=Ones.CANCEL, botch=Botch.NO_HITS), [5, 2, 2], (0, False)),
        (Pool(3, 6, ones=Ones.CANCEL, botch=Botch.MORE_ONES_THAN_HITS), [6, 1, 1], (0, True)),
        (Pool(2, 6, ones=Ones.CANCEL, botch=Botch.MORE_ONES_THAN_HITS), [6, 1], (0, False)),
        (Pool(2, 6, ones=Ones.CANCEL, again=10, waves=9), [10, 7, 1], (1, False)),
        (Pool(2, 6, ones=Ones.CANCEL_ON_FIRST_THROW, again=10, waves=9), [10, 7, 1], (2, False)),
        (Pool(2, 6, top_counts_twice=True), [10, 9], (3, False)),
        (Pool(2, 6, top_counts_twice=True, again=10, waves=9), [10, 9, 10, 5], (4, False)),
        (Pool(2, 8, rote=True), [8, 3, 9], (2, False)),
        (Pool(2, 8, rote=True, rote_spares_ones=True), [8, 1], (1, False)),
        (Pool(0, 8, botch=Botch.NO_HITS), [], (0, False)),
    ],
)
def test_readings_of_faces(pool: Pool, faces: list[int], tally: tuple[int, bool]) -> None:
    dice = SuppliedDice(faces)
    read = AuditTrail(dice).pool(pool, RULES)
    dice.finish()
    assert (read.successes, read.botch) == tally
    assert tally in as_fractions(pool)


def test_throw_rote_and_waves_are_steps_of_their_own_in_that_order() -> None:
    """The example of a rote Dodge with 8-again: two dice show 8, 3; the 3 becomes 9; 8 and 9 give two more, and so on."""
    pool = Pool(2, 8, again=8, waves=20, rote=True)
    trail = AuditTrail(SuppliedDice([8, 3, 9, 2, 8, 1]))
    tally = trail.pool(pool, RULES, why="a fact")
    assert [(step.rule, step.faces, step.value) for step in trail.steps] == [
        ("example.throw", [8, 3], 1),
        ("example.rote", [9], 1),
        ("example.again", [2, 8], 1),
        ("example.again", [1], 0),
    ]
    assert all(step.kind is Kind.ROLL and step.sides == 10 and step.facts["why"] == "a fact" for step in trail.steps)
    assert (tally.successes, tally.detail.hits, tally.detail.ones, tally.detail.rerolls) == (3, 3, 1, 4)
    assert tally.detail.faces == (8, 3, 9, 2, 8, 1)
    assert not tally.detail.limit_reached


def test_a_last_wave_that_would_go_on_is_a_limit() -> None:
    pool = Pool(1, 8, again=10, waves=2)
    trail = AuditTrail(SuppliedDice([10, 10, 10]))
    tally = trail.pool(pool, RULES)
    assert [(step.rule, step.kind, step.value) for step in trail.steps][2:] == [
        ("example.again", Kind.ROLL, 1),
        ("example.limit", Kind.LIMIT, 2),
    ]
    assert (tally.successes, tally.detail.limit_reached) == (3, True)


def test_a_last_wave_that_ends_by_itself_is_none() -> None:
    trail = AuditTrail(SuppliedDice([10, 10, 9]))
    assert not trail.pool(Pool(1, 8, again=10, waves=2), RULES).detail.limit_reached
    assert [step.rule for step in trail.steps] == ["example.throw", "example.again", "example.again"]


def test_without_waves_nothing_is_rolled_again_and_no_limit_stands() -> None:
    trail = AuditTrail(SuppliedDice([10, 10]))
    assert not trail.pool(Pool(2, 8, again=10, waves=0), RULES).detail.limit_reached
    assert len(trail.steps) == 1


def test_a_spared_one_stands_as_a_decision() -> None:
    trail = AuditTrail(SuppliedDice([1]))
    assert trail.pool(Pool(1, 10, botch=Botch.NO_HITS, rote=True, rote_spares_ones=True), RULES).botch
    assert [(step.rule, step.kind, step.value) for step in trail.steps][1:] == [("example.spared", Kind.DECISION, 1)]


@pytest.mark.parametrize("faces", [[10], [5, 6]])
def test_nothing_is_spared_where_no_one_fell(faces: list[int]) -> None:
    trail = AuditTrail(SuppliedDice(faces))
    trail.pool(Pool(1, 10, botch=Botch.NO_HITS, rote=True, rote_spares_ones=True), RULES)
    assert "example.spared" not in [step.rule for step in trail.steps]


def test_an_empty_pool_leaves_no_step() -> None:
    trail = AuditTrail(SuppliedDice([]))
    assert trail.pool(Pool(0, 8), RULES) == Tally(0, botch=False)
    assert trail.steps == []


@pytest.mark.parametrize("pool", [Pool(1, 8, again=8, waves=1), Pool(1, 9, rote=True)])
def test_dice_rolled_again_need_a_rule_that_says_so(pool: Pool) -> None:
    with pytest.raises(ValueError, match="no rule"):
        AuditTrail(SuppliedDice([8, 8])).pool(pool, PoolRules(THROW))


def test_the_detail_of_a_tally_is_no_part_of_a_comparison() -> None:
    trail = AuditTrail(SuppliedDice([8, 2]))
    rolled = trail.pool(Pool(2, 8), RULES)
    assert rolled.detail != Tally(1, botch=False).detail
    assert rolled == Tally(1, botch=False)
    assert hash(rolled) == hash(Tally(1, botch=False))


def test_a_pool_too_large_to_walk_is_told_before_it_is_walked() -> None:
    with pytest.raises(OddsTooWide) as wide:
        pool_chances(Pool(100_000, 8, again=8, waves=20))
    assert (wide.value.reason, wide.value.facts) == ("pool", {"dice": 100_000})


def test_fifty_dice_with_eight_again_add_up() -> None:
    """The largest pool there is; its mean is that of one die, fifty times."""
    chances = pool_chances(Pool(50, 8, again=8, waves=20))
    assert sum(chances.weights) == chances.denominator
    mean = Fraction(
        sum(tally.successes * weight for tally, weight in zip(chances.values, chances.weights, strict=True)),
        chances.denominator,
    )
    one = Fraction(3, 10)
    assert mean == 50 * sum((one**wave for wave in range(1, 22)), Fraction(0))


def test_a_highest_face_that_counts_twice_is_one_hit_more_in_the_mean() -> None:
    pool = Pool(3, 6, top_counts_twice=True)
    assert sum(tally[0] * chance for tally, chance in as_fractions(pool).items()) == 3 * Fraction(5 + 1, 10)

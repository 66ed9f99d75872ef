"""What rules may read off a throw of dice, with the exact chances of each reading.

A rule never looks at faces that it does not need: it reads a sum, or a tally of successes. So one body of rules serves
seeded and supplied dice (the faces are recorded, the reading is returned) and exact odds (every reading is walked with
its whole-number weight, however many faces it stands for). Dice that are rolled again are part of the reading.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import Generic, TypeVar

from rules.core.faults import OddsTooWide
from rules.core.rule import Rule

MAX_WORK = 1_200_000_000
MAX_FACE_TUPLES = 10_000

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Chances(Generic[R]):
    """The exact distribution of a reading: `weights[i]` of `denominator` chances for `values[i]`."""

    values: tuple[R, ...]
    weights: tuple[int, ...]
    denominator: int


class Ones(StrEnum):
    """What a 1 does to the successes of a pool."""

    IGNORED = "ignored"
    CANCEL = "cancel"
    CANCEL_ON_FIRST_THROW = "cancel_on_first_throw"


class Botch(StrEnum):
    """When a pool botches (a chance die: fails dramatically)."""

    NEVER = "never"
    NO_HITS = "no_hits"
    MORE_ONES_THAN_HITS = "more_ones_than_hits"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of dice whose faces at or over `success` are hits.

    `count` dice of `sides` sides. A face at or over `again` (None: never) gives one more die, in waves, at most `waves`
    in a row. `rote` rolls each die of the first throw that is no hit once more, before any wave, and the new face stands;
    `rote_spares_ones` keeps a 1. `ones` take hits away, never below 0; `botch` says when there is one. With
    `top_counts_twice` the highest face of the first throw is two hits. Order of dice: throw, rote, wave after wave.
    """

    count: int
    success: int
    sides: int = 10
    ones: Ones = Ones.IGNORED
    botch: Botch = Botch.NEVER
    again: int | None = None
    waves: int = 0
    rote: bool = False
    rote_spares_ones: bool = False
    top_counts_twice: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.success <= self.sides:
            raise ValueError("a 1 is never a hit, and the highest face always")
        if self.botch is Botch.NO_HITS and self.again is not None and self.again < self.success:
            raise ValueError("dice that fail are not rolled again where no hit is a botch")
        if self.botch is Botch.MORE_ONES_THAN_HITS and self.ones is Ones.IGNORED:
            raise ValueError("ones that are ignored make no botch by their number")


@dataclass(frozen=True, slots=True)
class PoolRules:
    """The rules under which the steps of a pool are recorded.

    `throw` the first throw, `again` each wave, `limit` the step after a last wave that would have gone on, `rote` the
    second throw of failed dice, `rote_spared` the step that stands instead when only a 1 was left to roll.
    """

    throw: Rule
    again: Rule | None = None
    limit: Rule | None = None
    rote: Rule | None = None
    rote_spared: Rule | None = None


@dataclass(frozen=True, slots=True)
class TallyDetail:
    """What only the record shows: rules copy it into steps and outcomes but decide nothing by it."""

    hits: int = 0
    ones: int = 0
    rerolls: int = 0
    faces: tuple[int, ...] = ()
    limit_reached: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """What a pool came to: `successes` after ones were taken away (0 or more), and whether it botched.

    `detail` is empty while odds are walked, and no part of a comparison.
    """

    successes: int
    botch: bool
    detail: TallyDetail = field(default=TallyDetail(), compare=False)


@dataclass(frozen=True, slots=True)
class Throws:
    """The faces of one pool in the order in which they fell: `rote` replaced the failed ones of `first`."""

    first: list[int]
    rote: list[int]
    waves: list[list[int]]
    limit_reached: bool

    def standing(self, pool: Pool) -> list[int]:
        """The faces of the first throw after its rote reroll."""
        if not self.rote:
            return self.first
        new = iter(self.rote)
        return [next(new) if rerolled_by_rote(pool, face) else face for face in self.first]


def rerolled_by_rote(pool: Pool, face: int) -> bool:
    """Whether a rote action rolls a die with this face once more."""
    return face < pool.success and not (pool.rote_spares_ones and face == 1)


def hits_among(pool: Pool, faces: list[int]) -> int:
    """How many of the faces are at or over the success number."""
    success = pool.success
    return sum(face >= success for face in faces)


def tally(pool: Pool, throws: Throws) -> Tally:
    """The reading of recorded throws."""
    standing = throws.standing(pool)
    hits = hits_among(pool, standing) + sum(hits_among(pool, wave) for wave in throws.waves)
    if pool.top_counts_twice:
        hits += standing.count(pool.sides)
    ones = standing.count(1)
    if pool.ones is not Ones.CANCEL_ON_FIRST_THROW:
        ones += sum(wave.count(1) for wave in throws.waves)
    rerolled = [face for wave in throws.waves for face in wave]
    faces = (*throws.first, *throws.rote, *rerolled)
    detail = TallyDetail(hits, ones, len(rerolled) + len(throws.rote), faces, throws.limit_reached)
    successes = hits if pool.ones is Ones.IGNORED else max(0, hits - ones)
    return Tally(successes, _botched(pool.botch, hits, ones), detail)


def _botched(botch: Botch, hits: int, ones: int) -> bool:
    if botch is Botch.NEVER:
        return False
    return ones > hits if botch is Botch.MORE_ONES_THAN_HITS else hits == 0 and ones > 0


@lru_cache(maxsize=256)
def sum_chances(count: int, sides: int) -> Chances[int]:
    """The distribution of the sum of `count` dice."""
    if count == 0:
        return Chances((0,), (1,), 1)
    weights = _convolution_power(dict.fromkeys(range(1, sides + 1), 1), count)
    return Chances(tuple(weights), tuple(weights.values()), sides**count)


@lru_cache(maxsize=64)
def face_chances(count: int, sides: int) -> Chances[tuple[int, ...]]:
    """The distribution of `count` faces in order; `OddsTooWide` over ten thousand of them."""
    if sides**count > MAX_FACE_TUPLES:
        raise OddsTooWide("faces", dice=count, sides=sides)
    values = tuple(product(range(1, sides + 1), repeat=count))
    return Chances(values, (1,) * len(values), len(values))


@lru_cache(maxsize=64)
def pool_chances(pool: Pool) -> Chances[Tally]:
    """The distribution of a pool's tally: one die with all its rerolls, folded `count` times over whole numbers."""
    if pool.count == 0:
        return Chances((Tally(0, False),), (1,), 1)
    die, die_denominator = _one_die(pool)
    scores = _convolution_power(die, pool.count)
    denominator = die_denominator**pool.count
    weights: dict[tuple[int, bool], int] = defaultdict(int)
    for score, weight in scores.items():
        weights[max(0, score), pool.botch is Botch.MORE_ONES_THAN_HITS and score < 0] += weight
    if pool.botch is Botch.NO_HITS:
        botches = _weight_of_ones_without_hits(pool, die_denominator)
        weights[0, False] -= botches
        weights[0, True] += botches
    kept = [(Tally(successes, botch), weight) for (successes, botch), weight in sorted(weights.items()) if weight]
    return Chances(tuple(value for value, _ in kept), tuple(weight for _, weight in kept), denominator)


def _one_die(pool: Pool) -> tuple[dict[int, int], int]:
    """Hits less ones of one die with its rote reroll and all its waves: weights, and their sum."""
    tail = {0: 1}
    for _ in range(pool.waves if pool.again is not None else 0):
        tail = _thrown(pool, tail, first=False)
    throw = _thrown(pool, tail, first=True)
    total = sum(throw.values())
    if not pool.rote:
        return throw, total
    rerolled: dict[int, int] = defaultdict(int)
    for face in range(1, pool.sides + 1):
        again = rerolled_by_rote(pool, face)
        scores = throw if again else _continued(pool, tail, face, first=True)
        for score, weight in scores.items():
            rerolled[score] += weight if again else weight * pool.sides
    return dict(rerolled), total * pool.sides


def _thrown(pool: Pool, tail: dict[int, int], *, first: bool) -> dict[int, int]:
    """The scores of one die: `tail` are those of the die that it gives, a certain 0 where it gives none any more."""
    scores: dict[int, int] = defaultdict(int)
    for face in range(1, pool.sides + 1):
        for score, weight in _continued(pool, tail, face, first=first).items():
            scores[score] += weight
    return dict(scores)


def _continued(pool: Pool, tail: dict[int, int], face: int, *, first: bool) -> dict[int, int]:
    score = _score(pool, face, first=first)
    if pool.again is not None and face >= pool.again:
        return {score + more: weight for more, weight in tail.items()}
    return {score: sum(tail.values())}


def _score(pool: Pool, face: int, *, first: bool) -> int:
    score = int(face >= pool.success)
    if pool.top_counts_twice and first and face == pool.sides:
        score += 1
    cancels = pool.ones is Ones.CANCEL or (pool.ones is Ones.CANCEL_ON_FIRST_THROW and first)
    return score - (1 if cancels and face == 1 else 0)


def _weight_of_ones_without_hits(pool: Pool, die_denominator: int) -> int:
    """How often no die of the pool hits and at least one shows a 1, in n-th powers of the die's denominator."""
    sides, blanks, misses = pool.sides, pool.success - 2, pool.success - 1
    if not pool.rote:
        of = sides
    else:
        of = sides * sides
        spared = 1 if pool.rote_spares_ones else 0
        blanks, misses = blanks * (misses - spared), misses * (misses - spared) + spared * sides
    scale = die_denominator // of
    return int((misses * scale) ** pool.count - (blanks * scale) ** pool.count)


def _convolution_power(die: dict[int, int], count: int) -> dict[int, int]:
    """The distribution of the sum of `count` independent dice, in exact whole numbers.

    The weights are the coefficients of the n-th power q of one die's polynomial p, which satisfy
    p0 k q_k = sum over i of ((n + 1) i - k) p_i q_(k-i): every coefficient from the few before it.
    """
    lowest, highest = min(die), max(die)
    first = die[lowest]
    terms = [(score - lowest, weight) for score, weight in sorted(die.items()) if score > lowest]
    size = (highest - lowest) * count + 1
    if size * len(terms) * count * sum(die.values()).bit_length() > MAX_WORK:
        raise OddsTooWide("pool", dice=count)
    weights = [first**count]
    for k in range(1, size):
        coefficient = 0
        for i, weight in terms:
            if i > k:
                break
            coefficient += ((count + 1) * i - k) * weight * weights[k - i]
        weights.append(coefficient // (k * first))
    return {score: weight for score, weight in enumerate(weights, lowest * count) if weight}

"""Who comes first in a round: the exact chances, without walking every row of faces."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb, prod

from rules.core.faults import OddsTooWide
from rules.core.odds import Odds, odds_of
from rules.core.reading import Chances
from rules.storyteller.tables import SIDES

MOST_ROWS = 4096


def first_rank_odds(ids: tuple[str, ...], ratings: Mapping[str, int]) -> Odds:
    """The joint distribution of rank 1: a field for each id, 1 if it has that rank, 0 if not.

    `ratings` are those of the combatants who may come first; all of them roll one die. Only equal ratings can share rank
    1, so that each set of equals is one row. `OddsTooWide` when there are too many such sets.
    """
    if not ratings:
        return odds_of(ids, Chances(((0,) * len(ids),), (1,), 1))
    sizes = Counter(ratings.values())
    groups = {rating: _weights_by_size(rating, sizes) for rating in sizes}
    _demand_narrow(groups, sizes)
    values: list[tuple[int, ...]] = []
    weights: list[int] = []
    for rating, by_size in groups.items():
        equals = [each for each in ids if ratings.get(each) == rating]
        for size, weight in by_size.items():
            for first in map(frozenset, combinations(equals, size)):
                values.append(tuple(int(each in first) for each in ids))
                weights.append(weight)
    return odds_of(ids, Chances(tuple(values), tuple(weights), SIDES ** len(ratings)))


def _weights_by_size(rating: int, sizes: Mapping[int, int]) -> dict[int, int]:
    """In how many ways exactly these so many of a rating come first together, by how many they are."""
    equals = sizes[rating]
    weights = dict.fromkeys(range(1, equals + 1), 0)
    for face in range(1, SIDES + 1):
        others = prod(
            _ways_behind(rating + face, rating, other) ** count for other, count in sizes.items() if other != rating
        )
        for size in weights:
            weights[size] += others * (face - 1) ** (equals - size)
    return {size: weight for size, weight in weights.items() if weight}


def _ways_behind(total: int, rating: int, other: int) -> int:
    """How many faces leave another rating behind this total: a higher rating goes before an equal total."""
    highest = total - other if other < rating else total - other - 1
    return min(max(highest, 0), SIDES)


def _demand_narrow(groups: Mapping[int, Mapping[int, int]], sizes: Mapping[int, int]) -> None:
    rows = sum(comb(sizes[rating], size) for rating, by_size in groups.items() for size in by_size)
    if rows > MOST_ROWS:
        raise OddsTooWide("equals", combatants=max(sizes.values()), rows=rows)

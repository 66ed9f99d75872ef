"""The exact odds of an order, in closed form: walking a tie of five would take 3,200,000 throws.

Those who tie roll a die each; the higher face goes first, equal faces as listed. An order of k of them comes about in as
many ways as there are rows of faces that do not rise along it and that fall wherever one listed later stands before one
listed earlier: with d such places, C(sides + k − 1 − d, k) of sides ** k.
"""

from collections.abc import Iterator
from itertools import pairwise, permutations, product
from math import comb, factorial, prod

from rules.core.faults import OddsTooWide
from rules.core.odds import Odds, odds_of
from rules.core.reading import Chances

MAX_PLACES = 100_000

Ids = tuple[str, ...]


def places_of(order: Ids) -> tuple[int, ...]:
    """Each one's place in an order, 1 for the first; in the alphabetical order of their ids."""
    place = {each: at for at, each in enumerate(order, 1)}
    return tuple(place[each] for each in sorted(order))


def odds_of_order(groups: tuple[Ids, ...], sides: int) -> Odds:
    """Each one's place over all orders; groups that tie roll dice of so many sides, 0: they go as listed."""
    rolling = [group for group in groups if len(group) > 1] if sides else []
    fields = tuple(sorted(each for group in groups for each in group))
    orders = prod(factorial(len(group)) for group in rolling)
    if orders * len(fields) > MAX_PLACES:
        raise OddsTooWide("faces", dice=sum(len(group) for group in rolling), sides=sides)
    weighed = [tuple(orders_of(group, sides)) if sides else ((group, 1),) for group in groups]
    values, weights = [], []
    for chosen in product(*weighed):
        values.append(places_of(tuple(each for group, _ in chosen for each in group)))
        weights.append(prod(weight for _, weight in chosen))
    return odds_of(fields, Chances(tuple(values), tuple(weights), sum(weights)))


def orders_of(group: Ids, sides: int) -> Iterator[tuple[Ids, int]]:
    """Every order of those who tie, with the number of throws that lead to it; one alone does not roll."""
    count = len(group)
    if count == 1:
        yield group, 1
        return
    for order in permutations(range(count)):
        falls = sum(before > after for before, after in pairwise(order))
        yield tuple(group[at] for at in order), comb(sides + count - 1 - falls, count)

"""AP numbers and distances: JSON numbers with one digit after the point, exact from the moment they are read.

Money has to add up: prices, budgets and what is left are whole numbers or fractions, never binary floats.
"""

from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import Annotated

from annotated_types import Ge, Le

from rules.action_points.options import ApRounding
from rules.action_points.sources import BEYOND
from rules.core.faults import Malformed
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

AP_ROUNDING = rule("action_points.ap.rounding", BEYOND, Kind.LIMIT)

TOLERANCE = 1e-6

ApNumber = Annotated[float, Ge(0), Le(1000)]
Distance = Annotated[float, Ge(0), Le(10_000)]


class PriceUnit(StrEnum):
    """What the number in a price is."""

    AP = "ap"
    PERCENT = "percent"


def only_tenths(**fields: float | None) -> None:
    """Demand that the fields that are present have at most one digit after the point."""
    for name, value in fields.items():
        if value is not None and abs(value * 10 - round(value * 10)) > TOLERANCE:
            raise Malformed("tenths", name, field=name)


def exact(value: float) -> Number:
    """A number of at most one digit after the point, exactly."""
    return in_tenths(round(value * 10))


def in_tenths(tenths: int) -> Number:
    """So many tenths: a whole number if they are one."""
    whole, rest = divmod(tenths, 10)
    return Fraction(tenths, 10) if rest else whole


def divided(number: Number, by: int) -> Number:
    """A quotient, exactly: a whole number if it is one."""
    quotient = Fraction(number, by)
    return quotient.numerator if quotient.denominator == 1 else quotient


def rounded(price: Number, rounding: ApRounding) -> Number:
    """Up or down to whole AP, or up to one decimal."""
    if rounding is ApRounding.UP:
        return ceil(price)
    if rounding is ApRounding.DOWN:
        return floor(price)
    return in_tenths(ceil(price * 10))


def rounded_price(price: Number, rounding: ApRounding, trail: Trail) -> Number:
    """Rounding happens once, on the finished price of one thing; one that is whole leaves no step."""
    cost = rounded(price, rounding)
    if cost != price:
        trail.limit(AP_ROUNDING, cost, total=cost, exact=price, rounding=rounding)
    return cost

"""Range: up to the first distance every shot hits, beyond it every second, every third, none."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.action_points.attack_kinds import Attack
from rules.action_points.exact import exact
from rules.action_points.options import Options, RangeMisses
from rules.action_points.sources import ON_ATTACKS
from rules.action_points.tables import Bands
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

ALWAYS = rule("action_points.range.always", ON_ATTACKS, Kind.DECISION)
EVERY_SECOND = rule("action_points.range.every_second", ON_ATTACKS, Kind.DECISION)
EVERY_THIRD = rule("action_points.range.every_third", ON_ATTACKS, Kind.DECISION)
INEFFECTIVE = rule("action_points.range.ineffective", ON_ATTACKS, Kind.DECISION)
CADENCE = rule("action_points.range.cadence", ON_ATTACKS, Kind.DECISION)
CHANCE = rule("action_points.range.chance", ON_ATTACKS, Kind.ROLL)
RANGE_RULES = (ALWAYS, EVERY_SECOND, EVERY_THIRD, INEFFECTIVE, CADENCE, CHANCE)


class RangeBand(StrEnum):
    """Where the target stands; `none`: the attack has no bands, or it never came to a shot."""

    NONE = "none"
    ALWAYS = "always"
    EVERY_SECOND = "every_second"
    EVERY_THIRD = "every_third"
    INEFFECTIVE = "ineffective"


BAND_RULES: Mapping[RangeBand, Rule] = {
    RangeBand.ALWAYS: ALWAYS,
    RangeBand.EVERY_SECOND: EVERY_SECOND,
    RangeBand.EVERY_THIRD: EVERY_THIRD,
    RangeBand.INEFFECTIVE: INEFFECTIVE,
}
PERIODS: Mapping[RangeBand, int] = {RangeBand.EVERY_SECOND: 2, RangeBand.EVERY_THIRD: 3}


@dataclass(frozen=True, slots=True)
class Reach:
    """Where the target stands, whether the shot can still hit, and the sides of the die that is left to decide it, if any."""

    band: RangeBand
    hits: bool
    die: int | None = None


NO_BANDS = Reach(RangeBand.NONE, hits=True)


def band_at(distance: Number, bands: Bands) -> RangeBand:
    """Beyond is strictly more, and the farthest distance that is passed counts."""
    if bands.ineffective_beyond_m is not None and distance > bands.ineffective_beyond_m:
        return RangeBand.INEFFECTIVE
    if bands.every_third_beyond_m is not None and distance > bands.every_third_beyond_m:
        return RangeBand.EVERY_THIRD
    if bands.every_second_beyond_m is not None and distance > bands.every_second_beyond_m:
        return RangeBand.EVERY_SECOND
    return RangeBand.ALWAYS


def reach(attack: Attack, options: Options, trail: Trail) -> Reach:
    """The band of the distance, and by the count of shots whether this one can hit."""
    bands = attack.bands
    if bands is None:
        return NO_BANDS
    distance = exact(attack.distance_m or 0)
    band = band_at(distance, bands)
    trail.decision(BAND_RULES[band], distance)
    period = PERIODS.get(band)
    if period is None:
        return Reach(band, hits=band is RangeBand.ALWAYS)
    if options.range_misses is RangeMisses.CHANCE:
        return Reach(band, hits=True, die=period)
    hits = attack.shot_number % period == 0
    trail.decision(CADENCE, attack.shot_number, period=period, hits=int(hits))
    return Reach(band, hits=hits)


def hits_by_chance(sides: int, trail: Trail) -> bool:
    """One die of 2 or 3 sides; its highest face hits."""
    return trail.sum(CHANCE, 1, sides, period=sides) == sides

"""Parrying heavy weapons: what attacks weigh, what is too heavy, and what breaks."""

from enum import Enum, auto

from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.gurps.incoming_attack import Attack, BodyForm
from rules.gurps.options import Options, UnarmedLift
from rules.gurps.sheet import Defender
from rules.gurps.tool import Hand, Quality, Tool, ToolKind, ToolTrait

SOURCE = "Парирование тяжелого оружия"
WEIGHT = rule("gurps.heavy.weight", SOURCE, Kind.DECISION)
IMPROVISED = rule("gurps.parry.improvised", "Чем я парирую? (импровизированным)", Kind.LIMIT)
CHANCE = rule("gurps.heavy.breakage_chance", SOURCE, Kind.DECISION)
BREAKAGE = rule("gurps.heavy.breakage", SOURCE, Kind.ROLL)
BROKEN = rule("gurps.heavy.broken", SOURCE, Kind.EFFECT)
NO_RESISTANCE = rule("gurps.heavy.no_resistance", SOURCE, Kind.EFFECT)
TOO_HEAVY = rule("gurps.heavy.too_heavy", SOURCE, Kind.DECISION)
DROPPED = rule("gurps.heavy.dropped", SOURCE, Kind.EFFECT)
KNOCKBACK = rule("gurps.heavy.knockback", SOURCE, Kind.EFFECT)
KEEP_FEET = rule("gurps.heavy.keep_feet", SOURCE, Kind.ROLL, Kind.DECISION)
FALL = rule("gurps.heavy.fall", SOURCE, Kind.EFFECT)

HEAVY_WEAPON_RULES = (
    WEIGHT,
    IMPROVISED,
    CHANCE,
    BREAKAGE,
    BROKEN,
    NO_RESISTANCE,
    TOO_HEAVY,
    DROPPED,
    KNOCKBACK,
    KEEP_FEET,
    FALL,
)

GRAMS_PER_ST = {
    BodyForm.STRIKE: 50,
    BodyForm.GRAPPLE: 50,
    BodyForm.SHOVE: 500,
    BodyForm.KNOCK_DOWN: 500,
    BodyForm.TRAMPLE: 500,
}
QUALITY_CHANCES = {Quality.CHEAP: 2, Quality.GOOD: 0, Quality.FINE: -1, Quality.VERY_FINE: -2}
LEAST_MULTIPLE = 3


class Breakage(Enum):
    """What a heavy attack does to the weapon that parries it."""

    HOLDS = auto()
    BREAKS = auto()
    GIVES_WAY = auto()


def weight_of(attack: Attack) -> int | None:
    """An unarmed attack weighs ST / 20 kg (strike, grapple) or ST / 2 kg (shove, knock down, trample)."""
    if attack.body is None:
        return attack.weight_g
    return attack.body.st * GRAMS_PER_ST[attack.body.form]


def most_that_is_parried(tool: Tool, defender: Defender, options: Options) -> int | None:
    """Basic Lift for one hand, twice that for two, if it is known."""
    lift = defender.basic_lift
    if lift is None or tool.hand is not Hand.BOTH:
        return lift
    single = tool.kind is ToolKind.UNARMED and options.unarmed_lift is UnarmedLift.SINGLE
    return lift if single else 2 * lift


def is_too_heavy(weight: int | None, tool: Tool, defender: Defender, options: Options) -> bool:
    """Whether a parry fails by itself, because the attack weighs more than the defender can stop."""
    if weight is None:
        return False
    most = most_that_is_parried(tool, defender, options)
    return most is not None and weight > most


def breakage(trail: Trail, weight: int | None, tool: Tool) -> Breakage:
    """From three times its own weight a weapon may break; above 6 in 6 it offers no resistance at all."""
    if tool.kind is not ToolKind.WEAPON or weight is None or tool.weight_g is None:
        return Breakage.HOLDS
    multiple = weight // tool.weight_g
    if multiple < LEAST_MULTIPLE:
        return Breakage.HOLDS
    chance = breakage_chance(trail, multiple, tool)
    if not trail.apart(part(breaks, chance)):
        return Breakage.HOLDS
    return Breakage.GIVES_WAY if chance > 6 else Breakage.BREAKS


def breakage_chance(trail: Trail, multiple: int, tool: Tool) -> int:
    """2 in 6 at three times, +1 for each further multiple; cheap +2, fine -1, very fine -2; improvised counts as cheap."""
    quality = tool.quality or Quality.GOOD
    chance = multiple - 1 + QUALITY_CHANCES[quality]
    if tool.has(ToolTrait.IMPROVISED) and quality is not Quality.CHEAP:
        chance = multiple - 1 + QUALITY_CHANCES[Quality.CHEAP]
        trail.limit(IMPROVISED, QUALITY_CHANCES[Quality.CHEAP], total=chance, quality=quality)
        quality = Quality.CHEAP
    trail.decision(CHANCE, chance, multiple=multiple, quality=quality)
    return chance


def breaks(trail: Trail, chance: int) -> bool:
    """One die, at the chance or lower; none if it cannot hold, or cannot break."""
    broken = chance > 0 and (chance >= 6 or trail.sum(BREAKAGE, 1, 6, chance=chance) <= chance)
    if broken:
        trail.effect(BROKEN)
    return broken

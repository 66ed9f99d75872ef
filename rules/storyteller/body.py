"""What damage meets: who soaks what, armor, and the health levels that it fills."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.faults import Malformed, exactly_one, only_with
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller.options import ArmorVsAggravated, MortalLethalSoak, Options
from rules.storyteller.tables import DAMAGE_DIFFICULTY, HEALTH_LEVELS, LEVELS, WOUND_PENALTY
from rules.storyteller.terms import DamageType, HealthLevel

STAMINA = rule("storyteller.soak.stamina", "Повреждения; Поглощение", Kind.BASE)
MORTAL_LETHAL = rule("storyteller.soak.mortal_lethal", "Повреждения; Поглощение", Kind.BASE)
AGGRAVATED = rule("storyteller.soak.aggravated", "Повреждения (непоглощаемые)", Kind.BASE)
GIVEN = rule("storyteller.soak.given", "beyond the source", Kind.BASE)
REFLEXIVE = rule("storyteller.soak.reflexive", "Поглощение")
ARMOR = rule("storyteller.armor.soak", "Броня", Kind.MODIFIER)
BYPASS_ARMOR = rule("storyteller.targeting.bypass_armor", "Целиться", Kind.DECISION)
TRACK = rule("storyteller.health.track", "published", Kind.EFFECT)

RULES = (STAMINA, MORTAL_LETHAL, AGGRAVATED, GIVEN, REFLEXIVE, ARMOR, BYPASS_ARMOR, TRACK)


class Nature(StrEnum):
    """Who soaks what: an ordinary person, or a being like the fallen."""

    MORTAL = "mortal"
    SUPERNATURAL = "supernatural"


class HealthStatus(StrEnum):
    """What a health track leaves someone able to."""

    ABLE = "able"
    UNCONSCIOUS = "unconscious"
    INCAPACITATED = "incapacitated"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wounds:
    """Health levels that are filled, by the type of damage; together at most seven."""

    bashing: Annotated[int, Ge(0), Le(7)] = 0
    """Levels filled with bashing damage."""
    lethal: Annotated[int, Ge(0), Le(7)] = 0
    """Levels filled with lethal damage."""
    aggravated: Annotated[int, Ge(0), Le(7)] = 0
    """Levels filled with aggravated damage."""

    def __post_init__(self) -> None:
        if self.filled > HEALTH_LEVELS:
            raise Malformed("wounds_over", filled=self.filled, levels=HEALTH_LEVELS)

    @property
    def filled(self) -> int:
        """How many levels are filled."""
        return self.bashing + self.lethal + self.aggravated


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What damage meets: a finished `soak` pool, or `stamina` with what is worn."""

    nature: Nature
    """Who soaks what: a mortal's Stamina does not soak lethal damage."""
    soak: Annotated[int, Ge(0), Le(40)] | None = None
    """A finished soak pool against this damage, armor and all; nothing changes it, not even an aimed attack. Exactly one
    of `soak`, `stamina`."""
    stamina: Annotated[int, Ge(0), Le(10)] | None = None
    """Stamina, of which the soak pool is made."""
    aggravated_soak: Annotated[int, Ge(0), Le(20)] | None = None
    """Dice that a power grants against aggravated damage, 0 unless said. Only with `stamina`."""
    armor: Annotated[int, Ge(0), Le(10)] = 0
    """The armor rating; beside `soak` it serves only to see whether the armor is destroyed."""
    soak_difficulty: Annotated[int, Ge(2), Le(10)] = DAMAGE_DIFFICULTY
    """The difficulty of the soak roll."""
    wounds: Wounds | None = None
    """Health levels filled before; with it the outcome tells the health afterwards."""

    def __post_init__(self) -> None:
        exactly_one(soak=self.soak, stamina=self.stamina)
        only_with("stamina", self.stamina is not None, aggravated_soak=self.aggravated_soak)


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthAfter:
    """The health track after damage."""

    bashing: int
    """Levels filled with bashing damage."""
    lethal: int
    """Levels filled with lethal damage."""
    aggravated: int
    """Levels filled with aggravated damage."""
    level: HealthLevel
    """The health level that this is."""
    penalty: int | None
    """Dice that the wounds take, 0 or less; null for one who takes no action any more."""
    status: HealthStatus
    """What the character is still able to."""


def _soak_base(body: Body, damage: DamageType, armor: int, options: Options) -> tuple[Rule, int]:
    """Stamina against bashing, that of supernatural beings against lethal too; a power alone against aggravated."""
    if body.soak is not None:
        return GIVEN, body.soak
    if damage is DamageType.AGGRAVATED:
        return AGGRAVATED, body.aggravated_soak or 0
    in_armor = armor > 0 and options.mortal_lethal_soak is MortalLethalSoak.STAMINA_WITH_ARMOR
    if damage is DamageType.LETHAL and body.nature is Nature.MORTAL and not in_armor:
        return MORTAL_LETHAL, 0
    return STAMINA, body.stamina or 0


def _armor_dice(body: Body, damage: DamageType, armor: int, options: Options) -> int:
    """The armor rating is added to the soak pool, against aggravated damage only by option."""
    if body.soak is not None:
        return 0
    against_it = damage is not DamageType.AGGRAVATED or options.armor_vs_aggravated is ArmorVsAggravated.FULL
    return armor if against_it else 0


def worn(body: Body, *, past_armor: bool) -> int:
    """The armor rating that an attack meets: an aimed one may go past it."""
    return 0 if past_armor else body.armor


def soak_dice(body: Body, damage: DamageType, options: Options, *, past_armor: bool) -> int:
    """How many dice a soak pool has, before anything is rolled or written."""
    armor = worn(body, past_armor=past_armor)
    return _soak_base(body, damage, armor, options)[1] + _armor_dice(body, damage, armor, options)


def soak_pool(body: Body, damage: DamageType, options: Options, trail: Trail, *, past_armor: bool) -> int:
    """SOAK POOL: Stamina, what a mortal or a power has instead, and armor that is not aimed past."""
    armor = worn(body, past_armor=past_armor)
    base, dice = _soak_base(body, damage, armor, options)
    trail.base(base, dice, damage=damage)
    if past_armor and body.armor:
        trail.decision(BYPASS_ARMOR, armor=body.armor)
    trail.modifier_if_any(ARMOR, _armor_dice(body, damage, armor, options))
    return int(trail.total)


def fill_track(wounds: Wounds, damage: DamageType, levels: int, trail: Trail) -> HealthAfter:
    """Seven levels; on a full track what is bashing becomes lethal, and where nothing is bashing one dies."""
    filled = {each: int(getattr(wounds, each.value)) for each in DamageType}
    fitting = min(levels, HEALTH_LEVELS - wounds.filled)
    filled[damage] += fitting
    worsened = min(levels - fitting, filled[DamageType.BASHING])
    filled[DamageType.BASHING] -= worsened
    filled[DamageType.AGGRAVATED if damage is DamageType.AGGRAVATED else DamageType.LETHAL] += worsened
    after = _health(filled, dead=levels > fitting + worsened)
    trail.effect(TRACK, levels, filled=wounds.filled + fitting, level=after.level, status=after.status)
    return after


def _health(filled: dict[DamageType, int], *, dead: bool) -> HealthAfter:
    level = LEVELS[sum(filled.values())]
    return HealthAfter(
        bashing=filled[DamageType.BASHING],
        lethal=filled[DamageType.LETHAL],
        aggravated=filled[DamageType.AGGRAVATED],
        level=level,
        penalty=WOUND_PENALTY.get(level),
        status=_status(level, bashing=filled[DamageType.BASHING], dead=dead),
    )


def _status(level: HealthLevel, *, bashing: int, dead: bool) -> HealthStatus:
    """A track filled with bashing among it means unconscious; without it incapacitated."""
    if dead:
        return HealthStatus.DEAD
    if level is not HealthLevel.INCAPACITATED:
        return HealthStatus.ABLE
    return HealthStatus.UNCONSCIOUS if bashing else HealthStatus.INCAPACITATED

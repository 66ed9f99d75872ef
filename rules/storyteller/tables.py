"""The tables of the rules as data: maneuvers, weapons, armor, cover, aimed targets, health levels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.storyteller.terms import (
    Cover,
    DamageBase,
    DamageType,
    HealthLevel,
    HitEffect,
    Maneuver,
    Range,
    TargetSize,
    Trait,
    WeaponPreset,
)

DEFAULT_DIFFICULTY = 6
LOWEST_DIFFICULTY = 2
HIGHEST_DIFFICULTY = 10
DAMAGE_DIFFICULTY = 6
MOST_DICE = 50
MOST_WAVES = 10
HEALTH_LEVELS = 7
MOST_FOR_OPPONENTS = 4
BLIND_PENALTY = 2
SIDES = 10


@dataclass(frozen=True, slots=True)
class Reads:
    """The pair of traits that an action names."""

    attribute: Trait
    ability: Trait


@dataclass(frozen=True, slots=True)
class Arms:
    """What a weapon is, whichever way the request says it."""

    range: Range
    base: DamageBase
    dice: int
    type: DamageType
    supernatural: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """What an attack is, whichever maneuver makes it: `base` None is one without damage."""

    range: Range
    armed: bool
    reads: Reads
    base: DamageBase | None
    dice: int
    type: DamageType
    accuracy: int = 0
    difficulty: int = 0
    effect: HitEffect = HitEffect.NONE


DEXTERITY_BRAWL = Reads(Trait.DEXTERITY, Trait.BRAWL)
DEXTERITY_DODGE = Reads(Trait.DEXTERITY, Trait.DODGE)
DEXTERITY_MELEE = Reads(Trait.DEXTERITY, Trait.MELEE)
DEXTERITY_FIREARMS = Reads(Trait.DEXTERITY, Trait.FIREARMS)
DEXTERITY_STEALTH = Reads(Trait.DEXTERITY, Trait.STEALTH)
PERCEPTION_ALERTNESS = Reads(Trait.PERCEPTION, Trait.ALERTNESS)
STRENGTH_BRAWL = Reads(Trait.STRENGTH, Trait.BRAWL)


def _bare_hands(
    reads: Reads,
    base: DamageBase | None,
    dice: int = 0,
    difficulty: int = 0,
    effect: HitEffect = HitEffect.NONE,
) -> Form:
    return Form(Range.CLOSE, False, reads, base, dice, DamageType.BASHING, difficulty=difficulty, effect=effect)


UNARMED: Mapping[Maneuver, Form] = {
    Maneuver.STRIKE: _bare_hands(DEXTERITY_BRAWL, DamageBase.STRENGTH),
    Maneuver.KICK: _bare_hands(DEXTERITY_BRAWL, DamageBase.STRENGTH, 1, 1),
    Maneuver.CLINCH: _bare_hands(STRENGTH_BRAWL, DamageBase.STRENGTH, effect=HitEffect.CLINCH),
    Maneuver.HOLD: _bare_hands(DEXTERITY_BRAWL, None, effect=HitEffect.HOLD),
    Maneuver.DISARM: _bare_hands(DEXTERITY_BRAWL, DamageBase.STRENGTH, difficulty=1),
}
"""The maneuvers of bare hands; the type of a hold is what a block of it is judged by."""

ARMED: Mapping[Maneuver, tuple[Range, Reads, int]] = {
    Maneuver.DISARM: (Range.CLOSE, DEXTERITY_MELEE, 1),
    Maneuver.WEAPON_STRIKE: (Range.CLOSE, DEXTERITY_MELEE, 0),
    Maneuver.SHOT: (Range.RANGED, DEXTERITY_FIREARMS, 0),
}
"""The maneuvers with a weapon: of which class it has to be, what is rolled, the change of the difficulty."""


def _close(dice: int, damage: DamageType) -> Arms:
    return Arms(Range.CLOSE, DamageBase.STRENGTH, dice, damage)


def _ranged(dice: int) -> Arms:
    return Arms(Range.RANGED, DamageBase.FIXED, dice, DamageType.LETHAL)


WEAPONS: Mapping[WeaponPreset, Arms] = {
    WeaponPreset.SAP: _close(1, DamageType.BASHING),
    WeaponPreset.CLUB: _close(2, DamageType.BASHING),
    WeaponPreset.KNIFE: _close(1, DamageType.LETHAL),
    WeaponPreset.SWORD: _close(2, DamageType.LETHAL),
    WeaponPreset.AXE: _close(3, DamageType.LETHAL),
    WeaponPreset.STAKE: _close(1, DamageType.LETHAL),
    WeaponPreset.LIGHT_REVOLVER: _ranged(4),
    WeaponPreset.HEAVY_REVOLVER: _ranged(6),
    WeaponPreset.LIGHT_PISTOL: _ranged(4),
    WeaponPreset.HEAVY_PISTOL: _ranged(5),
    WeaponPreset.RIFLE: _ranged(8),
    WeaponPreset.SMALL_SMG: _ranged(4),
    WeaponPreset.LARGE_SMG: _ranged(4),
    WeaponPreset.ASSAULT_RIFLE: _ranged(7),
    WeaponPreset.SHOTGUN: _ranged(8),
    WeaponPreset.SEMI_AUTO_SHOTGUN: _ranged(8),
    WeaponPreset.CROSSBOW: _ranged(5),
}

ARMOR: tuple[tuple[int, int], ...] = ((1, 0), (2, 1), (3, 1), (4, 2), (5, 3))
"""Ratings with the dice that armor of that rating takes from Dexterity pools."""

TARGET_COVER: Mapping[Cover, int] = {Cover.NONE: 0, Cover.LIGHT: 1, Cover.GOOD: 2, Cover.SUPERIOR: 3}
OWN_COVER: Mapping[Cover, int] = {Cover.NONE: 0, Cover.LIGHT: 0, Cover.GOOD: 1, Cover.SUPERIOR: 2}

TARGET_DIFFICULTY: Mapping[TargetSize, int] = {TargetSize.MEDIUM: 1, TargetSize.SMALL: 2, TargetSize.PRECISE: 3}
TARGET_DAMAGE: Mapping[TargetSize, int] = {TargetSize.MEDIUM: 0, TargetSize.SMALL: 1, TargetSize.PRECISE: 2}

LEVELS: tuple[HealthLevel, ...] = tuple(HealthLevel)
"""The health level by the number of filled ones."""

WOUND_PENALTY: Mapping[HealthLevel, int] = {
    HealthLevel.HEALTHY: 0,
    HealthLevel.BRUISED: 0,
    HealthLevel.HURT: -1,
    HealthLevel.INJURED: -1,
    HealthLevel.WOUNDED: -2,
    HealthLevel.MAULED: -2,
    HealthLevel.CRIPPLED: -5,
}
"""Dice that wounds take; an incapacitated character takes no action at all."""

Row = Mapping[str, Any]


def _maneuver_row(maneuver: Maneuver, form: Form) -> Row:
    return {
        "maneuver": maneuver,
        "range": form.range,
        "armed": form.armed,
        "attribute": form.reads.attribute,
        "ability": form.reads.ability,
        "accuracy": form.accuracy,
        "difficulty": form.difficulty,
        "damage_base": form.base or "none",
        "damage_dice": form.dice,
        "damage_type": form.type,
        "effect": form.effect,
    }


def _armed_row(maneuver: Maneuver, reach: Range, reads: Reads, difficulty: int) -> Row:
    return {
        "maneuver": maneuver,
        "range": reach,
        "armed": True,
        "attribute": reads.attribute,
        "ability": reads.ability,
        "accuracy": 0,
        "difficulty": difficulty,
        "damage_base": "weapon",
        "damage_dice": 0,
        "damage_type": "weapon",
        "effect": HitEffect.NONE,
    }


TABLES: Mapping[str, tuple[Row, ...]] = {
    "maneuvers": (
        *(_maneuver_row(maneuver, form) for maneuver, form in UNARMED.items()),
        *(_armed_row(maneuver, *form) for maneuver, form in ARMED.items()),
    ),
    "weapons": tuple(
        {
            "preset": preset,
            "class": arms.range,
            "damage_base": arms.base,
            "damage_dice": arms.dice,
            "damage_type": arms.type,
            "supernatural": arms.supernatural,
        }
        for preset, arms in WEAPONS.items()
    ),
    "armor": tuple({"rating": rating, "penalty": penalty} for rating, penalty in ARMOR),
    "cover": tuple(
        {"cover": cover, "at_target": at_target, "from_own": OWN_COVER[cover]}
        for cover, at_target in TARGET_COVER.items()
    ),
    "target_sizes": tuple(
        {"size": size, "difficulty": difficulty, "damage": TARGET_DAMAGE[size]}
        for size, difficulty in TARGET_DIFFICULTY.items()
    ),
    "health_levels": tuple(
        {"filled": filled, "level": level, "penalty": WOUND_PENALTY.get(level)} for filled, level in enumerate(LEVELS)
    ),
}

FACTS: Mapping[str, int] = {
    "default_difficulty": DEFAULT_DIFFICULTY,
    "lowest_difficulty": LOWEST_DIFFICULTY,
    "highest_difficulty": HIGHEST_DIFFICULTY,
    "damage_difficulty": DAMAGE_DIFFICULTY,
    "most_dice": MOST_DICE,
    "most_waves": MOST_WAVES,
    "health_levels": HEALTH_LEVELS,
    "blind_penalty": BLIND_PENALTY,
    "most_for_opponents": MOST_FOR_OPPONENTS,
}

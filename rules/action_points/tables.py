"""The tables of the source as data: kinds and levels, movement, actions, attacks, range bands."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from rules.core.trail import Number


class CreatureKind(StrEnum):
    """What a fighter is."""

    HUMAN = "human"
    MAGE = "mage"
    EXORCIST = "exorcist"
    FAE = "fae"
    ABYSSAL = "abyssal"
    GUARDIAN = "guardian"
    LYCAN = "lycan"
    POLYMORPH = "polymorph"
    LUCIFUGE = "lucifuge"


class Group(StrEnum):
    """Kinds that share one table of levels."""

    HUMANS = "humans"
    FAE = "fae"
    LYCANS = "lycans"
    POLYMORPHS = "polymorphs"


class Delivery(StrEnum):
    """How an attack reaches its target, which decides what can answer it."""

    UNARMED = "unarmed"
    COLD_WEAPON = "cold_weapon"
    RANGED = "ranged"
    SPELL = "spell"
    ABILITY = "ability"


class AttackType(StrEnum):
    """An attack of the table, or one that the table does not price."""

    PUNCH = "punch"
    HEAVY_STRIKE = "heavy_strike"
    KNIFE = "knife"
    SWORD = "sword"
    CLUB = "club"
    SWORD_SWING = "sword_swing"
    CLUB_SWING = "club_swing"
    TWO_HANDED = "two_handed"
    WHIP = "whip"
    WHIP_GRAB = "whip_grab"
    PISTOL = "pistol"
    AIMED_SHOT = "aimed_shot"
    RIFLE = "rifle"
    CUSTOM = "custom"


class ItemType(StrEnum):
    """One thing that may be done in a turn."""

    WALK = "walk"
    RUN = "run"
    FLY = "fly"
    CLIMB = "climb"
    DASH = "dash"
    DRAW_WEAPON = "draw_weapon"
    STOW_WEAPON = "stow_weapon"
    SWAP_WEAPON = "swap_weapon"
    RELOAD = "reload"
    RELOAD_CROSSBOW = "reload_crossbow"
    PICK_UP = "pick_up"
    INTERACT = "interact"
    THROW = "throw"
    TELEKINETIC_THROW = "telekinetic_throw"
    CHANGE_SHAPE = "change_shape"
    WHIP_RELEASE = "whip_release"
    ATTACK = "attack"
    ABILITY = "ability"


class Direction(StrEnum):
    """Where a dash goes: 3 m forward, 2.5 m sideways, 2 m back."""

    FORWARD = "forward"
    SIDEWAYS = "sideways"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Level:
    """What a level gives; the circle of power is the level itself."""

    hp: int
    ap: int
    regeneration: int


@dataclass(frozen=True, slots=True)
class Pace:
    """So many AP for so many metres."""

    ap: int
    metres: int


@dataclass(frozen=True, slots=True)
class Bands:
    """Beyond these metres every second shot hits, every third, none; a band that is None does not exist."""

    every_second_beyond_m: Number | None
    every_third_beyond_m: Number | None
    ineffective_beyond_m: Number | None


@dataclass(frozen=True, slots=True)
class Attacking:
    """What an attack of the table costs and does."""

    ap: int
    damage: int
    delivery: Delivery
    bands: Bands | None = None


GROUPS: Mapping[CreatureKind, Group] = {
    CreatureKind.HUMAN: Group.HUMANS,
    CreatureKind.MAGE: Group.HUMANS,
    CreatureKind.EXORCIST: Group.HUMANS,
    CreatureKind.FAE: Group.FAE,
    CreatureKind.ABYSSAL: Group.FAE,
    CreatureKind.GUARDIAN: Group.FAE,
    CreatureKind.LYCAN: Group.LYCANS,
    CreatureKind.POLYMORPH: Group.POLYMORPHS,
    CreatureKind.LUCIFUGE: Group.POLYMORPHS,
}

LEVELS: Mapping[Group, tuple[Level, ...]] = {
    Group.HUMANS: (Level(100, 10, 0), Level(120, 14, 0), Level(140, 18, 0), Level(160, 22, 0), Level(180, 26, 0)),
    Group.FAE: (Level(150, 15, 3), Level(180, 20, 4), Level(210, 25, 5), Level(240, 30, 6), Level(270, 35, 7)),
    Group.LYCANS: (Level(200, 15, 4), Level(240, 20, 6), Level(280, 25, 8), Level(320, 30, 10), Level(360, 35, 12)),
    Group.POLYMORPHS: (Level(150, 15, 4), Level(180, 20, 6), Level(210, 25, 8), Level(240, 30, 10), Level(270, 35, 12)),
}

SHAPE_CHANGERS = frozenset({CreatureKind.LYCAN, CreatureKind.POLYMORPH})

PACES: Mapping[ItemType, Pace] = {
    ItemType.WALK: Pace(2, 1),
    ItemType.RUN: Pace(1, 1),
    ItemType.FLY: Pace(1, 2),
    ItemType.CLIMB: Pace(3, 1),
}

DASH_AP = 5
DASH_METRES: Mapping[Direction, Number] = {
    Direction.FORWARD: 3,
    Direction.SIDEWAYS: Fraction(5, 2),
    Direction.BACK: 2,
}

FIXED_AP: Mapping[ItemType, int] = {
    ItemType.DASH: DASH_AP,
    ItemType.DRAW_WEAPON: 2,
    ItemType.STOW_WEAPON: 2,
    ItemType.SWAP_WEAPON: 4,
    ItemType.RELOAD: 4,
    ItemType.RELOAD_CROSSBOW: 8,
    ItemType.PICK_UP: 3,
    ItemType.INTERACT: 4,
    ItemType.CHANGE_SHAPE: 10,
}

THROWS = (ItemType.THROW, ItemType.TELEKINETIC_THROW)
WEAK_THROW_METRES = 3
WEAK_THROW_AP = 3
STRONG_THROW_AP = 6

WHIP_RELEASE_AP = 15

PISTOL_BANDS = Bands(10, 25, 50)
RIFLE_BANDS = Bands(50, 100, 150)

ATTACKS: Mapping[AttackType, Attacking] = {
    AttackType.PUNCH: Attacking(5, 10, Delivery.UNARMED),
    AttackType.HEAVY_STRIKE: Attacking(7, 15, Delivery.UNARMED),
    AttackType.KNIFE: Attacking(5, 20, Delivery.COLD_WEAPON),
    AttackType.SWORD: Attacking(7, 35, Delivery.COLD_WEAPON),
    AttackType.CLUB: Attacking(7, 25, Delivery.COLD_WEAPON),
    AttackType.SWORD_SWING: Attacking(9, 45, Delivery.COLD_WEAPON),
    AttackType.CLUB_SWING: Attacking(9, 35, Delivery.COLD_WEAPON),
    AttackType.TWO_HANDED: Attacking(10, 60, Delivery.COLD_WEAPON),
    AttackType.WHIP: Attacking(7, 15, Delivery.COLD_WEAPON),
    AttackType.WHIP_GRAB: Attacking(10, 0, Delivery.COLD_WEAPON),
    AttackType.PISTOL: Attacking(4, 25, Delivery.RANGED, PISTOL_BANDS),
    AttackType.AIMED_SHOT: Attacking(8, 40, Delivery.RANGED, RIFLE_BANDS),
    AttackType.RIFLE: Attacking(8, 60, Delivery.RANGED, RIFLE_BANDS),
}

TABLES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "levels": tuple(
        {"group": group, "level": level, "circle_of_power": level, **asdict(given)}
        for group, levels in LEVELS.items()
        for level, given in enumerate(levels, 1)
    ),
    "kinds": tuple(
        {"kind": kind, "group": group, "changes_shape": kind in SHAPE_CHANGERS} for kind, group in GROUPS.items()
    ),
    "movement": tuple({"type": kind, "ap": pace.ap, "for_metres": pace.metres} for kind, pace in PACES.items()),
    "dashes": tuple({"direction": where, "ap": DASH_AP, "metres": metres} for where, metres in DASH_METRES.items()),
    "actions": (
        *(
            {"type": kind, "ap": ap, "within_metres": None}
            for kind, ap in FIXED_AP.items()
            if kind is not ItemType.DASH
        ),
        *({"type": kind, "ap": WEAK_THROW_AP, "within_metres": WEAK_THROW_METRES} for kind in THROWS),
        *({"type": kind, "ap": STRONG_THROW_AP, "within_metres": None} for kind in THROWS),
        {"type": ItemType.WHIP_RELEASE, "ap": WHIP_RELEASE_AP, "within_metres": None},
    ),
    "attacks": tuple(
        {"type": kind, "ap": attack.ap, "damage": attack.damage, "delivery": attack.delivery}
        for kind, attack in ATTACKS.items()
    ),
    "range_bands": tuple(
        {"type": kind, **asdict(attack.bands)} for kind, attack in ATTACKS.items() if attack.bands is not None
    ),
}

"""The words of the rules that several actions speak: each a closed set of values."""

from enum import StrEnum


class Trait(StrEnum):
    """The traits that an action may name."""

    STRENGTH = "strength"
    DEXTERITY = "dexterity"
    STAMINA = "stamina"
    PERCEPTION = "perception"
    WITS = "wits"
    BRAWL = "brawl"
    DODGE = "dodge"
    MELEE = "melee"
    FIREARMS = "firearms"
    ATHLETICS = "athletics"
    STEALTH = "stealth"
    ALERTNESS = "alertness"


class HealthLevel(StrEnum):
    """How badly someone is hurt, by the number of filled health levels."""

    HEALTHY = "healthy"
    BRUISED = "bruised"
    HURT = "hurt"
    INJURED = "injured"
    WOUNDED = "wounded"
    MAULED = "mauled"
    CRIPPLED = "crippled"
    INCAPACITATED = "incapacitated"


class DamageType(StrEnum):
    """What kind of harm an attack does: blows, shots and blades, or what nothing ordinary soaks."""

    BASHING = "bashing"
    LETHAL = "lethal"
    AGGRAVATED = "aggravated"


class Range(StrEnum):
    """Whether one fights hand to hand or shoots."""

    CLOSE = "close"
    RANGED = "ranged"


class DamageBase(StrEnum):
    """Whether a weapon's damage is Strength and some dice, or those dice alone."""

    STRENGTH = "strength"
    FIXED = "fixed"


class HitEffect(StrEnum):
    """What a hit does beside damage."""

    NONE = "none"
    CLINCH = "clinch"
    HOLD = "hold"


class Cover(StrEnum):
    """How well someone is covered against shots."""

    NONE = "none"
    LIGHT = "light"
    GOOD = "good"
    SUPERIOR = "superior"


class TargetSize(StrEnum):
    """How small an aimed target is: a limb or a bag; a hand, a head, a computer; an eye, the heart, a lock."""

    MEDIUM = "medium"
    SMALL = "small"
    PRECISE = "precise"


class Maneuver(StrEnum):
    """How someone attacks."""

    STRIKE = "strike"
    KICK = "kick"
    CLINCH = "clinch"
    HOLD = "hold"
    DISARM = "disarm"
    WEAPON_STRIKE = "weapon_strike"
    SHOT = "shot"
    CUSTOM = "custom"


class WeaponPreset(StrEnum):
    """The published weapons; none of them is supernatural."""

    SAP = "sap"
    CLUB = "club"
    KNIFE = "knife"
    SWORD = "sword"
    AXE = "axe"
    STAKE = "stake"
    LIGHT_REVOLVER = "light_revolver"
    HEAVY_REVOLVER = "heavy_revolver"
    LIGHT_PISTOL = "light_pistol"
    HEAVY_PISTOL = "heavy_pistol"
    RIFLE = "rifle"
    SMALL_SMG = "small_smg"
    LARGE_SMG = "large_smg"
    ASSAULT_RIFLE = "assault_rifle"
    SHOTGUN = "shotgun"
    SEMI_AUTO_SHOTGUN = "semi_auto_shotgun"
    CROSSBOW = "crossbow"


class Condition(StrEnum):
    """Whether someone is free to act: not in a clinch, not in a hold."""

    FREE = "free"
    CLINCHED = "clinched"
    HELD = "held"


class Side(StrEnum):
    """Which of the two a step is about."""

    ACTOR = "actor"
    OPPONENT = "opponent"
    ATTACKER = "attacker"
    DEFENDER = "defender"

"""Aiming at a part of the target: harder to hit, more damage, past armor or cover."""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.rule import Kind, Rule, rule
from rules.storyteller.options import Options, TargetingBypass, TargetingScope
from rules.storyteller.pools import Change
from rules.storyteller.tables import TARGET_DAMAGE, TARGET_DIFFICULTY
from rules.storyteller.terms import Range, TargetSize

MEDIUM = rule("storyteller.targeting.medium", "Целиться; published", Kind.MODIFIER)
SMALL = rule("storyteller.targeting.small", "Целиться; published", Kind.MODIFIER)
PRECISE = rule("storyteller.targeting.precise", "Целиться; published", Kind.MODIFIER)
TARGETING_DAMAGE = rule("storyteller.targeting.damage", "Целиться", Kind.MODIFIER)
BYPASS_COVER = rule("storyteller.targeting.bypass_cover", "Целиться", Kind.DECISION)
SHOTS_ONLY = rule("storyteller.targeting.shots_only", "Целиться", Kind.REFUSAL)

RULES = (MEDIUM, SMALL, PRECISE, TARGETING_DAMAGE, BYPASS_COVER, SHOTS_ONLY)

SIZE_RULES: dict[TargetSize, Rule] = {
    TargetSize.MEDIUM: MEDIUM,
    TargetSize.SMALL: SMALL,
    TargetSize.PRECISE: PRECISE,
}


class Bypass(StrEnum):
    """What an aimed attack goes past."""

    NONE = "none"
    ARMOR = "armor"
    COVER = "cover"


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeting:
    """What an attack is aimed at."""

    size: TargetSize
    """How small the target is."""
    bypass: Bypass = Bypass.NONE
    """Whether the attack goes past the armor, or finds the target in its cover."""


def aimed_difficulty(targeting: Targeting | None) -> tuple[Change, ...]:
    """The smaller the target, the harder."""
    if targeting is None:
        return ()
    return (Change(SIZE_RULES[targeting.size], TARGET_DIFFICULTY[targeting.size]),)


def aimed_dice(targeting: Targeting | None, options: Options) -> tuple[Change, ...]:
    """The damage dice of the aimed size, by option not of one that goes past armor or cover instead."""
    if targeting is None:
        return ()
    instead = options.targeting_bypass is TargetingBypass.REPLACES_DAMAGE and targeting.bypass is not Bypass.NONE
    return () if instead else (Change(TARGETING_DAMAGE, TARGET_DAMAGE[targeting.size], targeting.size),)


def is_past_armor(targeting: Targeting | None) -> bool:
    """Whether the armor adds nothing to soak and is not destroyed."""
    return targeting is not None and targeting.bypass is Bypass.ARMOR


def finds_covered(targeting: Targeting | None) -> bool:
    """Whether the target's cover counts for nothing."""
    return targeting is not None and targeting.bypass is Bypass.COVER


def is_forbidden(targeting: Targeting | None, reach: Range, options: Options) -> bool:
    """By option only shots are aimed."""
    return targeting is not None and reach is Range.CLOSE and options.targeting is TargetingScope.SHOTS_ONLY

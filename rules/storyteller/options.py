"""The house rules of the Storyteller system: every default is the ruleset's reading of the source."""

from dataclasses import dataclass
from enum import StrEnum


class BotchRule(StrEnum):
    """When a roll is a botch."""

    REVISED = "revised"
    SECOND_EDITION = "second_edition"


class SpecialtyRule(StrEnum):
    """What a specialty does with tens."""

    REROLL = "reroll"
    REROLL_IGNORING_ONES = "reroll_ignoring_ones"
    DOUBLE = "double"


class SoakRule(StrEnum):
    """What a success of the soak roll takes away."""

    REMOVES_DICE = "removes_dice"
    REMOVES_LEVELS = "removes_levels"


class BashingRounding(StrEnum):
    """How half of an odd number of bashing levels is rounded."""

    DOWN = "down"
    UP = "up"


class BashingHalvedFor(StrEnum):
    """Whose bashing damage is halved."""

    EVERYONE = "everyone"
    SUPERNATURAL = "supernatural"


class MortalLethalSoak(StrEnum):
    """What a mortal soaks lethal damage with."""

    ARMOR_ONLY = "armor_only"
    STAMINA_WITH_ARMOR = "stamina_with_armor"


class ArmorVsAggravated(StrEnum):
    """Whether armor soaks aggravated damage."""

    NONE = "none"
    FULL = "full"


class ArmorDestruction(StrEnum):
    """When armor is destroyed."""

    AT_DOUBLE = "at_double"
    NEVER = "never"


class TargetingScope(StrEnum):
    """Which attacks may be aimed."""

    ANY_ATTACK = "any_attack"
    SHOTS_ONLY = "shots_only"


class TargetingBypass(StrEnum):
    """What becomes of the size's damage dice when an aimed attack goes past armor or cover."""

    KEEPS_DAMAGE = "keeps_damage"
    REPLACES_DAMAGE = "replaces_damage"


class PartialBlindShooting(StrEnum):
    """Whether the partly blinded may shoot."""

    REFUSED = "refused"
    PENALTY = "penalty"


class AmbushBonus(StrEnum):
    """What the difference of a won ambush is added as."""

    DICE = "dice"
    SUCCESSES = "successes"


class AmbushEngaged(StrEnum):
    """Who must not be in the fight yet for an ambush."""

    ATTACKER = "attacker"
    TARGET = "target"
    EITHER = "either"


class UnawareDodge(StrEnum):
    """Whether one may dodge an attack that one does not know of."""

    ALLOWED = "allowed"
    REFUSED = "refused"


class BlockScope(StrEnum):
    """Which attacks may be blocked."""

    CLOSE_ATTACKS = "close_attacks"
    UNARMED_ATTACKS = "unarmed_attacks"


class DefenseTie(StrEnum):
    """What equal successes of attack and defense come to."""

    MISS = "miss"
    HIT = "hit"


class DodgeRefuge(StrEnum):
    """After which dodges one is in the cover that one dodged for."""

    ALWAYS = "always"
    ON_MISS = "on_miss"


class DisarmCompare(StrEnum):
    """Which successes of a disarm are compared with the opponent's Strength."""

    DAMAGE_SUCCESSES = "damage_successes"
    ATTACK_SUCCESSES = "attack_successes"


class DisarmBackfire(StrEnum):
    """Which failed disarms fall back on the attacker."""

    ON_FAILURE = "on_failure"
    ON_BOTCH = "on_botch"


class ClinchExtraSuccesses(StrEnum):
    """Whether net successes add damage dice to the attack that begins a clinch."""

    IGNORED = "ignored"
    ADDED = "added"


class ClinchDamage(StrEnum):
    """How the damage of a later round of a clinch comes about."""

    ROLLED = "rolled"
    AUTOMATIC = "automatic"


class SqueezeRule(StrEnum):
    """Whether a squeeze has to be won first."""

    AUTOMATIC = "automatic"
    CONTESTED = "contested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """House rules: where the source can be read in more than one way, or published editions differ."""

    botch: BotchRule = BotchRule.REVISED
    """`revised`: no die succeeded and at least one shows 1; `second_edition`: more ones than dice that succeeded."""
    specialty: SpecialtyRule = SpecialtyRule.REROLL
    """`reroll`: each 10 counts and is rolled again; `reroll_ignoring_ones`: so, but ones among rerolled dice do not
    count; `double`: a 10 counts twice and nothing is rolled again."""
    soak: SoakRule = SoakRule.REMOVES_DICE
    """`removes_dice`: soak first, each success takes a damage die; `removes_levels`: damage first, each success of soak
    takes a level."""
    bashing_rounding: BashingRounding = BashingRounding.DOWN
    """How half of an odd number of bashing levels is rounded."""
    bashing_halved_for: BashingHalvedFor = BashingHalvedFor.EVERYONE
    """Whose bashing damage is halved."""
    mortal_lethal_soak: MortalLethalSoak = MortalLethalSoak.ARMOR_ONLY
    """`armor_only`: a mortal soaks lethal damage with the armor alone; `stamina_with_armor`: in armor the Stamina counts
    too."""
    armor_vs_aggravated: ArmorVsAggravated = ArmorVsAggravated.NONE
    """`none`: only a power soaks aggravated damage; `full`: armor adds its rating to that."""
    armor_destruction: ArmorDestruction = ArmorDestruction.AT_DOUBLE
    """`at_double`: a damage roll with at least twice the rating in successes destroys armor; `never`: nothing does."""
    targeting: TargetingScope = TargetingScope.ANY_ATTACK
    """Which attacks may be aimed."""
    targeting_bypass: TargetingBypass = TargetingBypass.KEEPS_DAMAGE
    """`keeps_damage`: past armor or cover, and more damage; `replaces_damage`: past armor or cover instead of it."""
    partial_blind_shooting: PartialBlindShooting = PartialBlindShooting.REFUSED
    """`refused`: the partly blinded do not shoot; `penalty`: they do at +2. In full darkness no one does."""
    ambush_bonus: AmbushBonus = AmbushBonus.DICE
    """`dice`: the difference of the ambush is added to the dice of the attack; `successes`: to its successes, after ones
    are taken away."""
    ambush_engaged: AmbushEngaged = AmbushEngaged.ATTACKER
    """Who must not be in the fight yet for an ambush."""
    unaware_dodge: UnawareDodge = UnawareDodge.ALLOWED
    """Whether one may dodge an attack that one does not know of."""
    block_scope: BlockScope = BlockScope.CLOSE_ATTACKS
    """Which attacks may be blocked."""
    defense_tie: DefenseTie = DefenseTie.MISS
    """`miss`: equal successes are a miss; `hit`: the attack strikes with 0 net successes, if it has any at all."""
    dodge_refuge: DodgeRefuge = DodgeRefuge.ALWAYS
    """`always`: a dodge under fire ends in cover whether it helped or not; `on_miss`: only if the attack misses."""
    disarm_compare: DisarmCompare = DisarmCompare.DAMAGE_SUCCESSES
    """`damage_successes`: those of the damage roll are compared with the opponent's Strength; `attack_successes`: the net
    ones of the attack, and a disarmed opponent is not rolled damage for."""
    disarm_backfire: DisarmBackfire = DisarmBackfire.ON_FAILURE
    """`on_failure`: a failure or a botch falls back on the attacker; `on_botch`: only a botch."""
    clinch_extra_successes: ClinchExtraSuccesses = ClinchExtraSuccesses.IGNORED
    """Whether net successes add damage dice to the attack that begins a clinch."""
    clinch_damage: ClinchDamage = ClinchDamage.ROLLED
    """`rolled`: damage is rolled in every round of a clinch; `automatic`: later rounds do as many levels as the pool has
    dice, before soak."""
    squeeze: SqueezeRule = SqueezeRule.AUTOMATIC
    """`automatic`: who holds may squeeze; `contested`: after winning a roll of Strength + Brawl."""

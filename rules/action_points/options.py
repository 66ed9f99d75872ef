"""The house rules of the action point duel: every default is the ruleset's reading of the source."""

from dataclasses import dataclass
from enum import StrEnum


class ApRounding(StrEnum):
    """How a price that is not whole is rounded."""

    UP = "up"
    DOWN = "down"
    TENTHS = "tenths"


class EscalationBase(StrEnum):
    """By which AP the second defense and those after it are priced."""

    ATTACK = "attack"
    FIRST_DEFENSE = "first_defense"


class DefenseCounter(StrEnum):
    """Which earlier defenses make the next one dearer."""

    SHARED = "shared"
    BY_TYPE = "by_type"


class DisarmCost(StrEnum):
    """Whether the price of a disarm replaces that of the parry or comes on top of it."""

    INSTEAD = "instead"
    IN_ADDITION = "in_addition"


class DisarmLimit(StrEnum):
    """Whose "once a fight" a disarm is."""

    PER_CHARACTER = "per_character"
    PER_FIGHT = "per_fight"


class AbsorbCost(StrEnum):
    """What Absorb Spell costs."""

    AS_PARRY = "as_parry"
    OWN_PRICE = "own_price"


class DashScope(StrEnum):
    """Which attacks a dash avoids."""

    PROJECTILES_AND_SPELLS = "projectiles_and_spells"
    ANY_DIRECT = "any_direct"


class DashEscalation(StrEnum):
    """Whether a dash is counted among the defenses."""

    SEPARATE = "separate"
    COUNTS = "counts"


class ParryReading(StrEnum):
    """Who needs the cold weapon of "a physical attack with a cold weapon can be parried"."""

    ATTACK_WITH_COLD_WEAPON = "attack_with_cold_weapon"
    DEFEND_WITH_COLD_WEAPON = "defend_with_cold_weapon"
    BOTH = "both"


class RangeMisses(StrEnum):
    """How "every second shot" is told."""

    CADENCE = "cadence"
    CHANCE = "chance"


class CriticalScope(StrEnum):
    """Which attacks may be critical."""

    NAMED = "named"
    ANY = "any"


class CriticalAnswers(StrEnum):
    """What saves from a critical attack."""

    ALL_DEFENSES = "all_defenses"
    INTERRUPT_OR_COVER = "interrupt_or_cover"


class WhipRelease(StrEnum):
    """Whether the 15 AP that free from a whip may be paid in parts."""

    AT_ONCE = "at_once"
    INSTALMENTS = "instalments"


class StealthRule(StrEnum):
    """Which movement ends stealth."""

    ONLY_RUN_BREAKS = "only_run_breaks"
    ONLY_WALK_KEEPS = "only_walk_keeps"


class BoundMovement(StrEnum):
    """Whether the bound may walk, run and fly."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"


class MagicResistance(StrEnum):
    """How much of a reduction magic resistance takes away."""

    PERCENT = "percent"
    THRESHOLD = "threshold"
    IGNORED = "ignored"


class LowHpStun(StrEnum):
    """When the stun of low HP ends."""

    WHILE_BELOW = "while_below"
    UNTIL_LIFTED = "until_lifted"


class AtZeroHp(StrEnum):
    """What 0 HP mean."""

    STUNNED = "stunned"
    DIES = "dies"


class SelfHealing(StrEnum):
    """Who is capable of self-healing."""

    ALL_KINDS = "all_kinds"
    POLYMORPHS_AND_LUCIFUGES = "polymorphs_and_lucifuges"


class ApRefresh(StrEnum):
    """When AP are restored."""

    END_OF_OWN_TURN = "end_of_own_turn"
    START_OF_OWN_TURN = "start_of_own_turn"
    ROUND_END = "round_end"


class RegenerationAt(StrEnum):
    """When a round's regeneration is added."""

    ROUND_END = "round_end"
    TURN_END = "turn_end"


class InitiativeTies(StrEnum):
    """Who goes first of those with equal AP."""

    LISTED = "listed"
    ROLL = "roll"


class LaterRounds(StrEnum):
    """How the order goes from round 2."""

    SAME_ORDER = "same_order"
    BY_AP = "by_ap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """House rules."""

    ap_rounding: ApRounding = ApRounding.UP
    """A price that is not whole goes up to whole AP, down to whole AP, or up to one decimal (`tenths`)."""
    escalation_base: EscalationBase = EscalationBase.ATTACK
    """A defense is priced by the attack that it answers; `first_defense`: from the second on by the AP of the first one."""
    defense_counter: DefenseCounter = DefenseCounter.SHARED
    """Dodges, parries and absorptions are counted together; `by_type`: dodges apart from parries and absorptions."""
    disarm_cost: DisarmCost = DisarmCost.INSTEAD
    """150 % instead of the 120 % of a parry; `in_addition`: both, 270 %."""
    disarm_limit: DisarmLimit = DisarmLimit.PER_CHARACTER
    """Whose "once a fight" a disarm is. Read only in an encounter: a single request says `disarm_used`."""
    absorb_cost: AbsorbCost = AbsorbCost.AS_PARRY
    """Absorb Spell costs as a parry; `own_price`: `absorb_ap`, which does not rise with the number of defenses."""
    dash_scope: DashScope = DashScope.PROJECTILES_AND_SPELLS
    """A dash avoids ranged attacks, spells and abilities aimed at the person; `any_direct`: blows as well."""
    dash_escalation: DashEscalation = DashEscalation.SEPARATE
    """A dash costs 5 AP and is not counted; `counts`: 5 AP × 100, 150, 200 % by its number, and it counts as a dodge."""
    parry_reading: ParryReading = ParryReading.ATTACK_WITH_COLD_WEAPON
    """Whether the attack has to be made with a cold weapon, the defender has to have one, or both."""
    range_misses: RangeMisses = RangeMisses.CADENCE
    """Shots are counted and every second or third hits; `chance`: one die of two or three sides, its highest face hits."""
    critical_scope: CriticalScope = CriticalScope.NAMED
    """Sword blows, two-handed blows, aimed and rifle shots and their like; `any`: every attack but a whip grab."""
    critical_answers: CriticalAnswers = CriticalAnswers.ALL_DEFENSES
    """The ordinary defenses work against a critical attack; `interrupt_or_cover`: nothing but interrupting it or cover."""
    whip_release: WhipRelease = WhipRelease.AT_ONCE
    """15 AP in one payment; `instalments`: over turns, what was paid stands in `paid_ap` of the condition."""
    stealth_rule: StealthRule = StealthRule.ONLY_RUN_BREAKS
    """Only running ends stealth; `only_walk_keeps`: flight, climbing and a dash end it too."""
    bound_movement: BoundMovement = BoundMovement.FORBIDDEN
    """The bound stay where they are; `allowed`: they may walk, run and fly."""
    magic_resistance: MagicResistance = MagicResistance.PERCENT
    """That share of a reduction is resisted; `threshold`: all of it by one who has at least the attacker's circle of power."""
    low_hp_stun: LowHpStun = LowHpStun.WHILE_BELOW
    """The stun of low HP ends with them; `until_lifted`: somebody has to lift it."""
    at_zero_hp: AtZeroHp = AtZeroHp.STUNNED
    """At 0 HP one is stunned; `dies`: dead."""
    self_healing: SelfHealing = SelfHealing.ALL_KINDS
    """All kinds heal themselves; `polymorphs_and_lucifuges`: only these two."""
    ap_refresh: ApRefresh = ApRefresh.END_OF_OWN_TURN
    """AP are restored at the end of the own turn, at its start, or at the end of the round."""
    regeneration_at: RegenerationAt = RegenerationAt.ROUND_END
    """Regeneration comes at the end of the round; `turn_end`: at the end of the own turn."""
    initiative_ties: InitiativeTies = InitiativeTies.LISTED
    """Of those with equal AP the one listed earlier goes first; `roll`: a d20 each, higher first, equal faces as listed."""
    later_rounds: LaterRounds = LaterRounds.SAME_ORDER
    """The attacker is first in every round; `by_ap`: from round 2 everybody goes by AP."""

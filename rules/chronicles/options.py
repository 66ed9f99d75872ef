"""The house rules of Chronicles of Darkness: every default is the ruleset's reading of the source."""

from dataclasses import dataclass
from enum import StrEnum


class DefenseAttribute(StrEnum):
    """Which of Dexterity and Wits goes into Defense."""

    LOWER = "lower"
    DEXTERITY = "dexterity"
    HIGHER = "higher"


class DefenseDrop(StrEnum):
    """Which attacks of the turn lower Defense."""

    DEFENDED_ATTACKS = "defended_attacks"
    ALL_ATTACKS = "all_attacks"


class DodgeAtZeroDefense(StrEnum):
    """What bonus dice do for a Dodge with Defense 0."""

    BONUSES_COUNT = "bonuses_count"
    CHANCE_DIE_ONLY = "chance_die_only"


class DodgeWoundPenalty(StrEnum):
    """Whether wounds take dice from a Dodge."""

    APPLIES = "applies"
    IGNORED = "ignored"


class OffBalanceStacking(StrEnum):
    """What several dramatic failures on Dodges in one turn cost."""

    SINGLE = "single"
    CUMULATIVE = "cumulative"


class ChanceDieTen(StrEnum):
    """Whether a 10 on a chance die is rolled again."""

    NO_AGAIN = "no_again"
    AGAIN = "again"


class FirearmsVsDefense(StrEnum):
    """Whether Defense counts against firearms."""

    IGNORE_DEFENSE = "ignore_defense"
    DEFENSE_APPLIES = "defense_applies"


class ContestedTie(StrEnum):
    """Who wins a contest with equal successes."""

    ROLL_AGAIN = "roll_again"
    OPPONENT_WINS = "opponent_wins"
    ACTOR_WINS = "actor_wins"


class DodgeScope(StrEnum):
    """For how long a Dodge is chosen."""

    PER_ATTACK = "per_attack"
    REST_OF_TURN = "rest_of_turn"


class TurnReset(StrEnum):
    """When full Defense comes back."""

    NEW_TURN = "new_turn"
    OWN_INITIATIVE = "own_initiative"


class WillpowerLimit(StrEnum):
    """How often Willpower may be spent."""

    PER_ROLL = "per_roll"
    PER_TURN = "per_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """House rules; one that an action has no use for is accepted and changes nothing."""

    defense_attribute: DefenseAttribute = DefenseAttribute.LOWER
    """The published rule takes the lower of Dexterity and Wits; `dexterity` is the source's example read alone, `higher`
    is for powers that say so."""
    defense_drop: DefenseDrop = DefenseDrop.DEFENDED_ATTACKS
    """Defense drops for each attack against which it was used; `all_attacks`: for every attack of the turn."""
    dodge_at_zero_defense: DodgeAtZeroDefense = DodgeAtZeroDefense.BONUSES_COUNT
    """At Defense 0 bonus dice are added as to any pool; `chance_die_only`: modifiers, wounds and Willpower do nothing, and
    no point of Willpower is spent, but the `again` and `rote` qualities stay."""
    dodge_wound_penalty: DodgeWoundPenalty = DodgeWoundPenalty.APPLIES
    """A Dodge is a roll, so the wound penalty comes off it; `ignored`: it does not."""
    off_balance_stacking: OffBalanceStacking = OffBalanceStacking.SINGLE
    """Off balance is a state that costs 1 Defense however often it came about; `cumulative`: 1 for each time."""
    chance_die_ten: ChanceDieTen = ChanceDieTen.NO_AGAIN
    """A 10 on a chance die is not rolled again; `again`: it is, unless the pool is `no_again`, and the extra dice, too,
    succeed and go on only on a 10."""
    firearms_vs_defense: FirearmsVsDefense = FirearmsVsDefense.IGNORE_DEFENSE
    """Defense does not count against firearms; `defense_applies`: it does."""
    contested_tie: ContestedTie = ContestedTie.ROLL_AGAIN
    """A contest with equal successes is nobody's and is rolled again as a new one; else the side that wins it."""
    dodge_scope: DodgeScope = DodgeScope.PER_ATTACK
    """In encounters: Dodge is chosen attack by attack; `rest_of_turn`: once chosen it stays for the turn."""
    turn_reset: TurnReset = TurnReset.NEW_TURN
    """In encounters: full Defense comes back with the new turn, or at the character's own place in the order."""
    willpower_limit: WillpowerLimit = WillpowerLimit.PER_ROLL
    """In encounters: one point of Willpower on a roll; `per_turn`: only one in a turn."""

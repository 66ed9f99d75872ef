"""What became of an attack: the outcome of `attack` and of `dodge`."""

from dataclasses import dataclass
from enum import StrEnum

from rules.chronicles.damage_points import DamagePoints
from rules.chronicles.rolls import RollResult
from rules.chronicles.target import TargetResult
from rules.core.odds import OddsOver


class DefenseMode(StrEnum):
    """What the defender does against one attack."""

    NONE = "none"
    PASSIVE = "passive"
    DODGE = "dodge"


class AttackResult(StrEnum):
    """Whether at least one success was left."""

    HIT = "hit"
    MISS = "miss"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseUsed:
    """The defender's side of an attack, and what the next request has to say of it."""

    mode: DefenseMode
    """As asked."""
    applied: bool
    """Whether Defense was used: dodged, or passive where it applies, even at 0."""
    score: int | None
    """Defense against this attack, before any doubling; null if it was not used."""
    roll: RollResult | None
    """The roll of the Dodge; null without one."""
    willpower_spent: bool
    """Whether a point of Willpower was spent on this defense."""
    gives_up_action: bool
    """Whether this Dodge cost the action of the turn; false if it was given up before."""
    off_balance_next_turn: bool
    """Whether the Dodge failed dramatically: 1 Defense less on the next turn."""
    attacks_defended: int
    """What the next request of this turn says as `attacks_defended`."""
    attacks_undefended: int
    """What the next request of this turn says as `attacks_undefended`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOutcome:
    """An attack from the pool to the marked boxes."""

    result: AttackResult
    """`hit` if at least one success is left after the Dodge."""
    attack_successes: int
    """The attacker's successes."""
    dodge_successes: int
    """The defender's successes; 0 without a Dodge."""
    net_successes: int
    """What is left of the attacker's successes, 0 or more."""
    exceptional: bool
    """Whether five or more are left; the weapon's rating is not counted."""
    damage: DamagePoints
    """Points before armor."""
    damage_total: int
    """All of them together."""
    attack_roll: RollResult | None
    """The roll of the attack; null for known successes."""
    defense: DefenseUsed
    """The defender's side."""
    attacker_defense_lost: bool
    """Whether the attacker went all-out and has no Defense for the rest of the turn."""
    target: TargetResult | None
    """What the damage did to the target; null if none was given."""


def damage_taken(outcome: AttackOutcome) -> int:
    """Points after armor; 0 without a target."""
    return outcome.target.damage_taken.total if outcome.target is not None else 0


ATTACK_ODDS: OddsOver[AttackOutcome] = OddsOver(
    ("result", "net_successes", "damage_total", "damage_taken"),
    lambda outcome: (outcome.result, outcome.net_successes, outcome.damage_total, damage_taken(outcome)),
)

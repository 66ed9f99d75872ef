"""What a combatant has used up since the own last turn began."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from rules.core.nullable import NULL_ALLOWED
from rules.gurps.posture import Posture


class OptionKind(StrEnum):
    """What is added to a defense: a step away from the foe, or falling flat."""

    RETREAT = "retreat"
    DROP = "drop"


class OptionAgainst(StrEnum):
    """Against whom an option was used."""

    THIS_ATTACKER = "this_attacker"
    OTHER = "other"
    NO_ONE = "no_one"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedOption:
    """The retreat or drop that was used since the own last turn began."""

    kind: OptionKind
    """What it was."""
    against: OptionAgainst
    """Against whom; `no_one` for a dive for cover whose bonus does not last."""
    posture_before: Posture = Posture.STANDING
    """The posture before it; it counts only for a `drop` against `this_attacker`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What this turn has used already; an outcome's `turn` is to be sent with the next request."""

    block_used: bool = False
    """Whether a block was tried."""
    acrobatic_dodge_used: bool = False
    """Whether an acrobatic dodge was tried."""
    double_defense_used: bool = False
    """Whether a second defense against one attack was tried."""
    option: Annotated[UsedOption | None, NULL_ALLOWED] = None
    """The retreat or drop that was used; null: none yet."""

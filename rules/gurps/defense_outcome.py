"""What a defense comes to: the fields that are answered."""

from dataclasses import dataclass
from enum import StrEnum

from rules.gurps.defense_choice import DefenseKind, Facing
from rules.gurps.posture import Posture
from rules.gurps.turn import TurnState


class DefenseResult(StrEnum):
    """Whether the attack is stopped."""

    SUCCESS = "success"
    FAILURE = "failure"


class AttemptResult(StrEnum):
    """What one attempt came to."""

    SUCCESS = "success"
    FAILURE = "failure"
    AUTOMATIC_FAILURE = "automatic_failure"
    OVERWHELMED = "overwhelmed"
    PREVENTED = "prevented"


class Automatic(StrEnum):
    """Whether the sum of the dice alone decided."""

    NONE = "none"
    SUCCESS = "success"
    FAILURE = "failure"


class WeaponAfter(StrEnum):
    """What has become of the weapon that parried."""

    INTACT = "intact"
    BROKEN = "broken"
    DROPPED = "dropped"


class PossibleTarget(StrEnum):
    """What the attacker may choose to hit."""

    ORIGINAL_TARGET = "original_target"
    RIGHT_ARM = "right_arm"
    LEFT_ARM = "left_arm"


class AwayFrom(StrEnum):
    """What a step leads away from."""

    ATTACKER = "attacker"
    ATTACK = "attack"


class MovementTime(StrEnum):
    """When a step counts."""

    AFTER_ATTACK = "after_attack"
    BEFORE_EFFECT = "before_effect"
    AFTER_EFFECT = "after_effect"


class ProtectedBy(StrEnum):
    """What keeps an area effect off."""

    NONE = "none"
    COVER_OR_DISTANCE = "cover_or_distance"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseAttempt:
    """One defense that was tried, or prevented."""

    kind: DefenseKind
    """What was tried; `dodge` after a fallback."""
    result: AttemptResult
    """`prevented`: it was not made; `automatic_failure`: too heavy to parry; `overwhelmed`: the weapon gave way."""
    base: int | None = None
    """The score before anything about the attack counts; null where no defense roll was made."""
    effective: int | None = None
    """The score that was rolled against."""
    roll: int | None = None
    """The sum of the dice."""
    margin: int | None = None
    """The effective score less the sum."""
    automatic: Automatic = Automatic.NONE
    """Whether the sum alone decided: 3 and 4, 17 and 18."""
    parries_after: int | None = None
    """Parries tried with this tool so far, for a parry that was not prevented."""
    weapon: WeaponAfter | None = None
    """What has become of the weapon, for a parry with one that was not prevented."""
    limb_injured: bool | None = None
    """Whether the follow-up injured the attacker's limb, where it was due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseMovement:
    """The step of a retreat or a dive."""

    steps: int
    """Always 1."""
    away_from: AwayFrom
    """The attacker, or the area that is attacked."""
    when: MovementTime
    """`after_attack`: the old hex counts until the foe has finished; `after_effect`: if still able."""
    facing: Facing
    """A turn by one hex side."""
    attacker_may_follow: bool
    """Whether the attacker has a step left to follow with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseOutcome:
    """What becomes of the attack, and what the defense does to the defender."""

    result: DefenseResult
    """`success`: the attack is stopped; `failure`: it gets through."""
    attempts: tuple[DefenseAttempt, ...]
    """Each defense tried, in order; empty when the target did not defend."""
    attacker_may_hit: tuple[PossibleTarget, ...]
    """What the attacker may choose to hit; empty unless the attack gets through. Damage is for the original target."""
    movement: DefenseMovement | None
    """The step taken; null without one."""
    knockback_m: int
    """How far the defender is thrown back: 0 or 1 metre."""
    posture: Posture
    """The posture afterwards."""
    protected_by: ProtectedBy
    """Cover or distance, after success against an area."""
    later_cover: bool
    """Whether one dropped behind cover: it counts against later ranged attacks that must cross it, not against this one."""
    now_alert: bool
    """Whether the defender, attacked by an unseen and unknown foe, is alert from now on."""
    turn: TurnState
    """What the turn has used now; to be sent with the next request."""

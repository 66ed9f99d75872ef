"""What an attack comes to: the result, what both spent, and the target's sheet to keep."""

from dataclasses import dataclass
from enum import StrEnum

from rules.action_points.conditions import KeptCondition
from rules.action_points.defenses import DefenseType
from rules.action_points.fighter import EarlierDefenseType
from rules.action_points.range_bands import RangeBand
from rules.action_points.whip import WhipStatus
from rules.core.trail import Number


class AttackResult(StrEnum):
    """What an attack came to; `missed` and `out_of_range` by distance, the last three are those of critical attacks."""

    HIT = "hit"
    DODGED = "dodged"
    DASHED = "dashed"
    PARRIED = "parried"
    DISARMED = "disarmed"
    ABSORBED = "absorbed"
    MISSED = "missed"
    OUT_OF_RANGE = "out_of_range"
    CONTINUES = "continues"
    INTERRUPTED = "interrupted"
    COVERED = "covered"


class DefenseStatus(StrEnum):
    """Whether there was a defense: none was chosen, it was made and paid, or the attack needed none."""

    NONE = "none"
    MADE = "made"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackerAfter:
    """What the attack cost the attacker."""

    ap_spent: Number
    """AP paid now; 0 for a further target of a mass attack."""
    ap_after: Number | None
    """AP left; null if they are not known."""
    critical_paid_ap: Number | None
    """With result `continues`: all AP paid so far, the next request's `critical.paid_ap`; otherwise null."""
    weapon_dropped: bool
    """A disarm knocked the weapon out of the hand: it cannot attack until it is picked up, which the caller has to remember."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseTaken:
    """The target's answer and how its price came about; all numbers but `cost_ap` are null unless it was made."""

    type: DefenseType
    """The answer that was chosen."""
    status: DefenseStatus
    """Whether it was made; `not_needed` against what misses or ends by itself: nothing is paid and nothing counted."""
    ordinal: int | None
    """The how-manieth counted defense it is; null for a dash that is not counted."""
    percent: int | None
    """The percentage of `base_ap`; null for a price that is none."""
    base_ap: Number | None
    """The AP that the percentage is taken of."""
    exact_ap: Number | None
    """The price before rounding."""
    cost_ap: Number
    """What was paid; 0 unless it was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDefense:
    """A defense as the sheet keeps it; it can be sent as it is in the next request."""

    type: EarlierDefenseType
    """How the attack was answered."""
    ap: Number | None
    """What it cost; null if it was not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenderAfter:
    """The target's sheet to keep."""

    ap_spent: Number
    """AP paid now for the defense and for a release from the whip."""
    ap_after: Number | None
    """AP left, also after a reduction of AP; null if they are not known."""
    hp_before: int
    """HP before the attack."""
    hp_after: int
    """HP after it, 0 at least; reductions of HP are not in it."""
    hp_effective: int
    """`hp_after` less the reductions of HP: what decides the stun."""
    stunned: bool
    """Stunned by any cause; the dead are not stunned."""
    dead: bool
    """Killed by a critical attack, or at 0 HP with option `at_zero_hp` `dies`. The next request does not know it: keep it."""
    moved_m: Number
    """Metres moved by a dash."""
    dash_used: bool
    """Whether the one dash of the turn is used."""
    disarm_used: bool
    """Whether the one disarm of the fight is used."""
    earlier_defenses: tuple[KeptDefense, ...]
    """All defenses since the last AP refresh, this one included."""
    conditions_after: tuple[KeptCondition, ...]
    """All conditions, those that this attack caused included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOutcome:
    """One attack on one target, and what came of it."""

    result: AttackResult
    """What came of the attack; only `hit` does anything to the target beside what it pays."""
    attack_ap: Number
    """The whole price of the attack, which defenses are priced by."""
    range_band: RangeBand
    """The band of the distance: beyond `always` not every shot hits."""
    attacker: AttackerAfter
    """What it cost the attacker."""
    defense: DefenseTaken
    """The answer and its price."""
    damage: int
    """HP that the hit was worth after protection; more than were left if it was; of a critical hit the HP before it."""
    grab: WhipStatus
    """What became of a whip grab that landed; `none`: there was none."""
    defender: DefenderAfter
    """The target's sheet to keep."""

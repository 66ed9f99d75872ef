"""The health track: which boxes damage marks, and what that does to the one who takes it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.damage_points import DamagePoints
from rules.chronicles.weapons import DamageType
from rules.core.faults import Malformed, all_or_none, exactly_one
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

BOXES = rule("chronicles.health.boxes", "published")
MARK = rule("chronicles.health.mark", "published", Kind.EFFECT)
UPGRADE = rule("chronicles.health.upgrade", "published", Kind.EFFECT)
EXCESS = rule("chronicles.health.excess", "published", Kind.EFFECT)
WOUND_PENALTY = rule("chronicles.health.wound_penalty", "published", Kind.RESULT)
CONDITION = rule("chronicles.health.condition", "published", Kind.RESULT)

RULES = (BOXES, MARK, UPGRADE, EXCESS, WOUND_PENALTY, CONDITION)
TRACK_STEPS = (MARK, UPGRADE, EXCESS, WOUND_PENALTY, CONDITION)

Marks = Annotated[int, Ge(0), Le(50)]
WOUND_PENALTY_BY_EMPTY_BOXES = {0: -3, 1: -2, 2: -1}


class Condition(StrEnum):
    """How a character with this track is."""

    ABLE = "able"
    FADING = "fading"
    DYING = "dying"
    DEAD = "dead"


CONDITION_OF_FULL_TRACK = {
    DamageType.BASHING: Condition.FADING,
    DamageType.LETHAL: Condition.DYING,
    DamageType.AGGRAVATED: Condition.DEAD,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """A health track: its `boxes`, or `stamina` and `size`, and the boxes that are marked now."""

    boxes: Annotated[int, Ge(1), Le(50)] | None = None
    """How many boxes the track has."""
    stamina: Annotated[int, Ge(1), Le(15)] | None = None
    """Stamina; `size` beside it."""
    size: Annotated[int, Ge(0), Le(30)] | None = None
    """Size (5 for a grown human); `stamina` beside it. The track has Stamina + Size boxes."""
    bashing: Marks = 0
    """Boxes marked with bashing damage now."""
    lethal: Marks = 0
    """Boxes marked with lethal damage now."""
    aggravated: Marks = 0
    """Boxes marked with aggravated damage now."""

    def __post_init__(self) -> None:
        exactly_one(**{"boxes": self.boxes, "stamina + size": self.size if self.stamina is None else self.stamina})
        all_or_none(stamina=self.stamina, size=self.size)
        marked = self.bashing + self.lethal + self.aggravated
        if marked > self.length:
            raise Malformed("overfull_track", marked=marked, boxes=self.length)

    @property
    def length(self) -> int:
        """A track has Stamina + Size boxes."""
        return self.boxes if self.boxes is not None else (self.stamina or 0) + (self.size or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTrack:
    """A health track after damage."""

    boxes: int
    """How many boxes it has."""
    bashing: int
    """Boxes marked with bashing damage."""
    lethal: int
    """Boxes marked with lethal damage."""
    aggravated: int
    """Boxes marked with aggravated damage."""


class Marking:
    """A track while points are put on it, the worst first."""

    __slots__ = ("aggravated", "bashing", "boxes", "excess", "lethal", "upgrades")

    def __init__(self, health: Health) -> None:
        self.boxes = health.length
        self.bashing = health.bashing
        self.lethal = health.lethal
        self.aggravated = health.aggravated
        self.upgrades = 0
        self.excess = 0

    @property
    def empty(self) -> int:
        """How many boxes are not marked."""
        return self.boxes - self.bashing - self.lethal - self.aggravated

    def take(self, points: DamagePoints, trail: Trail) -> None:
        """All aggravated points, then all lethal, then all bashing."""
        self._take(DamageType.AGGRAVATED, points.aggravated, trail)
        self._take(DamageType.LETHAL, points.lethal, trail)
        self._take(DamageType.BASHING, points.bashing, trail)

    def _take(self, severity: DamageType, points: int, trail: Trail) -> None:
        """Points fill empty boxes; on a full track they make boxes worse; on one full of aggravated they do nothing."""
        filled = self._fill(severity, min(points, self.empty))
        upgraded = self._upgrade(severity, points - filled)
        excess = points - filled - upgraded
        self.upgrades += upgraded
        self.excess += excess
        for rule_, number in ((MARK, filled), (UPGRADE, upgraded), (EXCESS, excess)):
            if number:
                trail.effect(rule_, number, severity=severity, boxes=self.boxes)

    def _fill(self, severity: DamageType, points: int) -> int:
        if severity is DamageType.BASHING:
            self.bashing += points
        elif severity is DamageType.LETHAL:
            self.lethal += points
        else:
            self.aggravated += points
        return points

    def _upgrade(self, severity: DamageType, points: int) -> int:
        """Each point makes the least severe box worse: every bashing one first, then the lethal ones."""
        from_bashing = min(points, self.bashing)
        self.bashing -= from_bashing
        if severity is DamageType.AGGRAVATED:
            self.aggravated += from_bashing
        else:
            self.lethal += from_bashing
        from_lethal = min(points - from_bashing, self.lethal)
        self.lethal -= from_lethal
        self.aggravated += from_lethal
        return from_bashing + from_lethal

    def track(self) -> HealthTrack:
        """The track as it stands now."""
        return HealthTrack(boxes=self.boxes, bashing=self.bashing, lethal=self.lethal, aggravated=self.aggravated)


def wound_penalty_of(track: HealthTrack) -> int:
    """-1, -2, -3 when the third-to-last, second-to-last, last box is marked."""
    marked = track.bashing + track.lethal + track.aggravated
    return WOUND_PENALTY_BY_EMPTY_BOXES.get(track.boxes - marked, 0) if marked else 0


def condition_of(track: HealthTrack) -> Condition:
    """Able while a box is empty; else by the least severe box."""
    if track.boxes > track.bashing + track.lethal + track.aggravated:
        return Condition.ABLE
    if track.bashing:
        return CONDITION_OF_FULL_TRACK[DamageType.BASHING]
    return CONDITION_OF_FULL_TRACK[DamageType.LETHAL if track.lethal else DamageType.AGGRAVATED]

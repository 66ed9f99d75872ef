"""Points of damage by severity."""

from dataclasses import dataclass

from rules.chronicles.weapons import DamageType


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagePoints:
    """Points of damage by severity."""

    bashing: int = 0
    """Points of bashing damage."""
    lethal: int = 0
    """Points of lethal damage."""
    aggravated: int = 0
    """Points of aggravated damage."""

    @property
    def total(self) -> int:
        """All points together."""
        return self.bashing + self.lethal + self.aggravated


NO_DAMAGE = DamagePoints()


def points_of(severity: DamageType, points: int) -> DamagePoints:
    """Points of one severity."""
    if severity is DamageType.BASHING:
        return DamagePoints(bashing=points)
    return DamagePoints(lethal=points) if severity is DamageType.LETHAL else DamagePoints(aggravated=points)

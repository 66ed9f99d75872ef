"""The postures of a combatant."""

from enum import StrEnum


class Posture(StrEnum):
    """How a combatant stands, or does not."""

    STANDING = "standing"
    CROUCHING = "crouching"
    KNEELING = "kneeling"
    SITTING = "sitting"
    CRAWLING = "crawling"
    LYING = "lying"


DEFENSE_MODIFIERS = {
    Posture.STANDING: 0,
    Posture.CROUCHING: 0,
    Posture.KNEELING: -2,
    Posture.SITTING: -2,
    Posture.CRAWLING: -3,
    Posture.LYING: -3,
}

"""What blocks: a shield, a cloak, or a foe who was grappled and lifted."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.faults import Malformed
from rules.gurps.scores import SkillScore
from rules.gurps.tool import Hand


class ShieldKind(StrEnum):
    """What is put between oneself and the attack."""

    SHIELD = "shield"
    CLOAK = "cloak"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shield:
    """A shield, a cloak, or a grappled body."""

    kind: ShieldKind = ShieldKind.SHIELD
    """What it is; `body` is a foe grappled and lifted."""
    hand: Hand = Hand.LEFT
    """The side on which it is carried; `both` covers either side."""
    ready: bool = True
    """Whether it is ready; for a `body`, whether somebody is grappled and lifted."""
    db: Annotated[int, Ge(0), Le(10)] = 0
    """Its plain Defense Bonus, without magic; 0 for a `body`."""
    block: SkillScore | None = None
    """Block; needed to block with it."""

    def __post_init__(self) -> None:
        if self.db and self.kind is ShieldKind.BODY:
            raise Malformed("body_db", "db")

"""Going into cover, or to the ground, and out of it.

Order of dice: none.
"""

from dataclasses import dataclass

from rules.core.encounter import CombatantId, Command, Play
from rules.core.faults import Malformed
from rules.storyteller.encounter_fighter import own_fighter
from rules.storyteller.terms import Cover
from rules.storyteller.turn import TURN_ORDER


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCommand:
    """Where a combatant is from now on; it takes no action."""

    actor: CombatantId
    """Who moves."""
    cover: Cover | None = None
    """The cover; left out, as before. At least one of `cover`, `prone`."""
    prone: bool | None = None
    """Whether on the ground, which is light cover where there is no other; left out, as before."""

    def __post_init__(self) -> None:
        if self.cover is None and self.prone is None:
            raise Malformed("nothing_said", "", fields="cover, prone")


def take_position(play: Play, body: PositionCommand) -> None:
    """On one's own turn, of one who can move."""
    actor = own_fighter(play, body.actor)
    play.demand_turn(actor.id, TURN_ORDER)
    play.refuse(*actor.hindrances)
    if body.cover is not None:
        play.set(actor.id, "cover", body.cover)
    if body.prone is not None:
        play.set(actor.id, "prone", body.prone)


POSITION_COMMAND = Command(
    slug="take-position",
    body=PositionCommand,
    play=take_position,
    example={"actor": "mira", "cover": "good"},
    rules=(TURN_ORDER,),
)

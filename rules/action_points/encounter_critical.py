"""What saves from a critical attack that is paid in part: interrupting it, or cover.

Order of dice: none.
"""

from dataclasses import dataclass

from rules.action_points.critical import COVERED, INTERRUPTED
from rules.action_points.encounter_aftermath import lose_critical
from rules.action_points.encounter_state import demand_nothing_waits, participant
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptCommand:
    """A critical attack that is paid in part is interrupted; for its target's player or the game master to say."""

    attacker: CombatantId
    """Whose critical attack it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeCoverCommand:
    """The target of a critical attack that is paid in part takes cover; for its player or the game master to say."""

    attacker: CombatantId
    """Whose critical attack it is."""


def interrupt(play: Play, body: InterruptCommand) -> None:
    """The attack is lost."""
    _lose(play, body.attacker, INTERRUPTED)


def take_cover(play: Play, body: TakeCoverCommand) -> None:
    """The attack is lost."""
    _lose(play, body.attacker, COVERED)


def _lose(play: Play, attacker: str, rule: Rule) -> None:
    owner = participant(play, attacker)
    critical = owner.state.pending_critical
    if critical is None:
        raise NotAllowed([], "no_critical", combatant=attacker)
    play.act_for(critical.target)
    demand_nothing_waits(play)
    lose_critical(play, owner, rule)


INTERRUPT_COMMAND = Command(
    slug="interrupt", body=InterruptCommand, play=interrupt, example={"attacker": "mira"}, rules=(INTERRUPTED,)
)
TAKE_COVER_COMMAND = Command(
    slug="take-cover", body=TakeCoverCommand, play=take_cover, example={"attacker": "mira"}, rules=(COVERED,)
)

"""What the game master may change of a combatant by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.chronicles.armor import Armor
from rules.chronicles.defense_score import Availability
from rules.chronicles.encounter_order import fix_order
from rules.chronicles.encounter_sheet import AttackName, NamedAttack, SheetDefense, Willpower
from rules.chronicles.encounter_state import track_of
from rules.chronicles.health import Health
from rules.chronicles.turn import ActionState
from rules.core.encounter import Play, change_fields

Attacks = Annotated[int, Ge(0), Le(50)]
LostBalance = Annotated[int, Ge(0), Le(10)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantChange:
    """What changes by hand; what is left out stays as it is."""

    defense: SheetDefense | None = None
    """Another Defense."""
    armor: Armor | None = None
    """Other armor; 0 and 0 is none."""
    stamina: Annotated[int, Ge(0), Le(15)] | None = None
    """Another Stamina for staying conscious."""
    attacks: Annotated[Mapping[AttackName, NamedAttack], Len(0, 20)] | None = None
    """Other attacks that a command can name, all of them."""
    health: Health | None = None
    """The health track as it is now; its Stamina is rolled to stay conscious from now on, unless `stamina` is given too."""
    willpower: Willpower | None = None
    """Points of Willpower, those that are left included."""
    initiative: Annotated[int, Ge(-200), Le(200)] | None = None
    """The Initiative by which the order is made anew; among equals it changes nothing."""
    availability: Availability | None = None
    """Whether there is Defense at all: `unaware` and `immobilized` hold until they are changed, `sacrificed` for the turn;
    `available` ends all three."""
    unconscious: bool | None = None
    """Whether the character is unconscious."""
    action_state: ActionState | None = None
    """The action of this turn."""
    attacks_defended: Attacks | None = None
    """Attacks this turn against which Defense was used."""
    attacks_undefended: Attacks | None = None
    """Attacks this turn against which it was not used."""
    off_balance: LostBalance | None = None
    """Dodges that failed dramatically last turn."""
    off_balance_pending: LostBalance | None = None
    """Dodges that failed dramatically this turn."""
    willpower_spent_this_turn: Annotated[int, Ge(0), Le(50)] | None = None
    """Points of Willpower spent this turn."""


def changed(play: Play, combatant_id: str, change: CombatantChange) -> None:
    """Set what is given; a new Initiative moves its place in the order."""
    if change.health is not None:
        play.set(combatant_id, "health", track_of(change.health))
        if change.stamina is None and change.health.stamina is not None:
            change = replace(change, stamina=change.health.stamina)
    if change.willpower is not None:
        play.set(combatant_id, "willpower", replace(change.willpower, current=change.willpower.left))
    if change.availability is not None:
        _change_availability(play, combatant_id, change.availability)
    change_fields(play, combatant_id, replace(change, health=None, willpower=None, availability=None))
    if change.initiative is not None:
        fix_order(play, set())


def _change_availability(play: Play, combatant_id: str, availability: Availability) -> None:
    """An all-out attack costs Defense for the turn, anything else until it is changed."""
    if availability is not Availability.SACRIFICED:
        play.set(combatant_id, "availability", availability)
    if availability in (Availability.AVAILABLE, Availability.SACRIFICED):
        play.set(combatant_id, "sacrificed", availability is Availability.SACRIFICED)

"""What may be changed of a combatant by hand, and what follows from joining and leaving.

Order of dice: by option those of `initiative`, when one who has the turn leaves and a round begins.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.encounter_aftermath import settle
from rules.action_points.encounter_sheet import FightConditions, FighterSheet
from rules.action_points.encounter_state import (
    Participant,
    demand_nothing_waits,
    options_of,
    participant,
    participants,
    use_disarm,
)
from rules.action_points.encounter_turns import hand_on_from, place_latecomer
from rules.action_points.exact import ApNumber, exact, only_tenths
from rules.action_points.fighter import EarlierDefense
from rules.action_points.options import AtZeroHp, DisarmLimit
from rules.action_points.sheet import HP_ZERO
from rules.core.encounter import Play, change_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantChange:
    """What changes by hand; what is left out stays as it is."""

    sheet: FighterSheet | None = None
    """Another sheet, as a whole. HP, conditions and stealth stay as they are now, HP not above the new maximum."""
    magic_resistance: Annotated[int, Ge(0), Le(100)] | None = None
    """Magic resistance."""
    passive_protection: Annotated[int, Ge(0), Le(100_000)] | None = None
    """HP taken off the damage of each hit."""
    has_cold_weapon: bool | None = None
    """Whether there is a melee weapon to parry with."""
    hp: Annotated[int, Ge(0), Le(100_000)] | None = None
    """HP now, not above the maximum."""
    conditions: FightConditions | None = None
    """What the combatant is in now, all of it: this is how states are laid and lifted."""
    hidden: bool | None = None
    """Whether the combatant is in stealth."""
    dead: bool | None = None
    """Whether the combatant is dead."""
    ap_spent: ApNumber | None = None
    """AP spent since the last refresh, one decimal at most."""
    earlier_defenses: Annotated[tuple[EarlierDefense, ...], Len(0, 20)] | None = None
    """Defenses made since the last refresh, all of them, in order."""
    dash_used: bool | None = None
    """Whether the one dash of the turn is used."""
    disarm_used: bool | None = None
    """Whether the one disarm of the fight is used; with option `disarm_limit` `per_fight` everybody's."""
    disarmed: bool | None = None
    """Whether a weapon was knocked away and none has been taken in hand since."""
    dropped_weapon: Annotated[str, Len(0, 64)] | None = None
    """The weapon that lies on the ground: `knife`, `sword`, `club`, `two_handed`, `whip` or the name of a custom one; the empty
    string: none does."""

    def __post_init__(self) -> None:
        only_tenths(ap_spent=self.ap_spent)


def changed(play: Play, combatant_id: str, change: CombatantChange) -> None:
    """Set what is given, and what follows from it."""
    demand_nothing_waits(play)
    changing = participant(play, combatant_id)
    if change.sheet is not None:
        play.set(combatant_id, "sheet", change.sheet)
        play.set(combatant_id, "hp", min(changing.state.hp, change.sheet.fighter().hp_maximum or 0))
    if change.conditions is not None:
        play.set(combatant_id, "conditions", list(change.conditions))
    if change.earlier_defenses is not None:
        play.set(combatant_id, "earlier_defenses", list(change.earlier_defenses))
    if change.ap_spent is not None:
        play.set(combatant_id, "ap_spent", Fraction(exact(change.ap_spent)))
    if change.disarm_used is not None:
        use_disarm(play, combatant_id, None, used=change.disarm_used)
    if change.dropped_weapon is not None:
        play.set(combatant_id, "dropped_weapon", change.dropped_weapon or None)
        play.set(combatant_id, "dropped_before", [])
    change_fields(play, combatant_id, _plain(change))
    changing.told()
    if change.hp is not None:
        _die_at_zero(play, changing)
    settle(play)


def _plain(change: CombatantChange) -> CombatantChange:
    """Those fields that are kept as they are sent."""
    return replace(
        change,
        sheet=None,
        conditions=None,
        earlier_defenses=None,
        ap_spent=None,
        disarm_used=None,
        dropped_weapon=None,
    )


def _die_at_zero(play: Play, each: Participant) -> None:
    """By option 0 HP are death."""
    if each.state.hp == 0 and options_of(play).at_zero_hp is AtZeroHp.DIES:
        play.set(each.id, "dead", True, HP_ZERO)


def joined(play: Play, combatant_id: str) -> None:
    """Who comes when the fight is on has a place in the order, and a disarm that is one for all may be used already."""
    demand_nothing_waits(play)
    _die_at_zero(play, participant(play, combatant_id))
    one_for_all = options_of(play).disarm_limit is DisarmLimit.PER_FIGHT
    if one_for_all and any(each.state.disarm_used for each in participants(play)):
        play.set(combatant_id, "disarm_used", True)
    if play.fight.round:
        place_latecomer(play, combatant_id)


def left(play: Play, combatant_id: str) -> None:
    """Who leaves hands the turn on; whom they held is free, and who aimed at them has lost the target."""
    demand_nothing_waits(play)
    hand_on_from(play, combatant_id)
    settle(play, gone=combatant_id)

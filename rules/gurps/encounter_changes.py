"""What may be changed of a combatant by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.encounter import CombatantId, Play, change_fields
from rules.core.faults import Malformed, unique
from rules.gurps.encounter_fighter import Fighter, demand_nothing_pending, fighter
from rules.gurps.encounter_sheet import Sheet
from rules.gurps.encounter_turns import fix_order, forget
from rules.gurps.encounter_weapon import WeaponId, WeaponStatus
from rules.gurps.posture import Posture
from rules.gurps.sheet import DefenderState, Encumbrance, Maneuver
from rules.gurps.shield import Shield

PLAYER_FIELDS = frozenset({"covered"})
NOTHING_LEFT = -10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantChange:
    """What changes by hand; what is left out stays as it is."""

    sheet: Sheet | None = None
    """Another sheet, as a whole. The points and the status of weapons stay as they are; weapons that are new are ready."""
    encumbrance: Encumbrance | None = None
    """The level of encumbrance."""
    free_hands: Annotated[int, Ge(0), Le(2)] | None = None
    """Free hands, for parries with bare hands."""
    shield: Shield | None = None
    """The shield, the cloak, or the foe who is held up as one; `ready` false: none."""
    dr: Annotated[int, Ge(0), Le(200)] | None = None
    """Damage Resistance."""
    hp: Annotated[int, Ge(NOTHING_LEFT), Le(1000)] | None = None
    """Hit points now."""
    fp: Annotated[int, Ge(NOTHING_LEFT), Le(1000)] | None = None
    """Fatigue points now."""
    posture: Posture | None = None
    """The posture now."""
    state: DefenderState | None = None
    """Whether the combatant can act at all."""
    stunned: bool | None = None
    """Whether the combatant is stunned."""
    blind: bool | None = None
    """Whether the combatant is blind."""
    shock: Annotated[int, Ge(0), Le(8)] | None = None
    """Shock now."""
    maneuver: Maneuver | None = None
    """The last maneuver."""
    weapons: Annotated[Mapping[WeaponId, WeaponStatus], Len(0, 20)] | None = None
    """The status of weapons of the sheet, by their ids; those not named stay as they are."""
    covered: bool | None = None
    """The mark of who dropped behind cover; the player may change it too."""
    hidden: bool | None = None
    """Whether nobody sees the combatant, weapon included. Whoever hides no longer is forgotten by those on guard."""
    witnesses: Annotated[tuple[CombatantId, ...], Len(0, 100)] | None = None
    """Who saw the combatant hide, and is on guard from then on; only of one who is hidden."""
    block_used: bool | None = None
    """Whether a block was tried this turn."""
    acrobatic_dodge_used: bool | None = None
    """Whether an acrobatic dodge was tried this turn."""
    double_defense_used: bool | None = None
    """Whether a second defense against one attack was tried this turn."""

    def __post_init__(self) -> None:
        unique("witnesses", self.witnesses or ())


def changed(play: Play, combatant_id: str, change: CombatantChange) -> None:
    """Set what is given, and what follows from it."""
    demand_nothing_pending(play)
    if change.sheet is not None:
        _change_sheet(play, combatant_id, change.sheet)
    plain = replace(change, sheet=None, weapons=None, witnesses=None)
    change_fields(play, combatant_id, plain)
    _change_weapons(play, fighter(play, combatant_id), change.weapons or {})
    _change_guard(play, combatant_id, change)


def _change_sheet(play: Play, combatant_id: str, sheet: Sheet) -> None:
    """Weapons that are new are ready, those that are gone have no status; points begin where the old sheet kept none."""
    before = fighter(play, combatant_id)
    status = {weapon.id: before.state.weapons.get(weapon.id, WeaponStatus.READY) for weapon in sheet.weapons}
    play.set(combatant_id, "sheet", sheet)
    play.set(combatant_id, "weapons", status)
    play.set(combatant_id, "hp", _points_now(before.state.hp, sheet.hp))
    play.set(combatant_id, "fp", _points_now(before.state.fp, sheet.fp))
    fix_order(play)


def _points_now(now: int | None, most: int | None) -> int | None:
    return most if now is None or most is None else now


def _change_weapons(play: Play, changing: Fighter, weapons: Mapping[str, WeaponStatus]) -> None:
    for weapon_id, status in weapons.items():
        changing.weapon(weapon_id)
        play.set(changing.id, f"weapons.{weapon_id}", status)


def _change_guard(play: Play, combatant_id: str, change: CombatantChange) -> None:
    """Witnesses of one who hides are on guard; against one who does not hide nobody is."""
    hidden = fighter(play, combatant_id).state.hidden
    if change.witnesses and not hidden:
        raise Malformed("only_with", "witnesses", field="witnesses", condition="hidden")
    for witness_id in change.witnesses or ():
        witness = fighter(play, witness_id)
        if witness_id == combatant_id:
            raise Malformed("own_witness", "witnesses")
        if combatant_id not in witness.state.alert_to:
            play.set(witness_id, "alert_to", [*witness.state.alert_to, combatant_id])
    if not hidden:
        for each in list(play.fight.combatants):
            forget(play, fighter(play, each), combatant_id)

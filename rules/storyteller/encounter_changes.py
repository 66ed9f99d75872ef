"""What the game master may change of a combatant by hand: the drama of the moment stands above the rules."""

from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.encounter import Play, change_fields
from rules.core.faults import not_together, unique
from rules.storyteller.attack_roll import Visibility
from rules.storyteller.body import Nature, Wounds
from rules.storyteller.encounter_fighter import Fighter, fighter
from rules.storyteller.encounter_harm import unbind
from rules.storyteller.encounter_sheet import AbilityName, SheetArmor, SheetTraits, SheetWeapon, WeaponId, Willpower
from rules.storyteller.encounter_state import status_of
from rules.storyteller.terms import Cover


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantChange:
    """What changes by hand; what is left out stays as it is."""

    traits: SheetTraits | None = None
    """Other traits, all of them."""
    nature: Nature | None = None
    """Who soaks what."""
    aggravated_soak: Annotated[int, Ge(0), Le(20)] | None = None
    """Dice that a power grants against aggravated damage."""
    specialties: Annotated[tuple[AbilityName, ...], Len(0, 7)] | None = None
    """Abilities in which there is a specialty, all of them."""
    weapons: Annotated[tuple[SheetWeapon, ...], Len(0, 10)] | None = None
    """The weapons at hand, all of them; one that is gone is not in hand any more."""
    wielded: WeaponId | None = None
    """The id of the weapon in hand, one that was lost too."""
    empty_handed: bool | None = None
    """True: no weapon is in hand any more. Not together with `wielded`."""
    armor: SheetArmor | None = None
    """What is worn now; 0 and 0 is nothing."""
    willpower: Willpower | None = None
    """Willpower, points that are left included."""
    wounds: Wounds | None = None
    """Health levels that are filled now; the dead come back by it, and who is not able any more is bound to nobody."""
    engaged: bool | None = None
    """Whether the combatant attacked or was attacked, for ambushes."""
    cover: Cover | None = None
    """The cover now."""
    prone: bool | None = None
    """Whether the combatant is on the ground."""
    visibility: Visibility | None = None
    """What the combatant sees."""
    free: bool | None = None
    """True: the clinch or the hold is over, for both."""
    has_acted: bool | None = None
    """Whether the action of this round is used."""
    abort_failed: bool | None = None
    """Whether an abort has failed this round."""
    defenses_made: Annotated[int, Ge(0), Le(20)] | None = None
    """Defenses made this round."""
    willpower_spent: bool | None = None
    """Whether a point was spent for a success this round."""

    def __post_init__(self) -> None:
        not_together(wielded=self.wielded, empty_handed=self.empty_handed)
        unique("weapons", (each.id for each in self.weapons or ()))
        unique("specialties", self.specialties or ())


def changed(play: Play, combatant_id: str, change: CombatantChange) -> None:
    """Set what is given, and what follows from it."""
    changing = fighter(play, combatant_id)
    _change_sheet(play, changing, change)
    kept = replace(change, traits=None, nature=None, aggravated_soak=None, specialties=None, weapons=None)
    change_fields(play, combatant_id, replace(kept, wielded=None, empty_handed=None, free=None))
    _change_hand(play, changing, change)
    if change.wounds is not None:
        play.set(combatant_id, "status", status_of(change.wounds))
    if change.free or not changing.able:
        unbind(play, changing)


def _change_sheet(play: Play, changing: Fighter, change: CombatantChange) -> None:
    """The sheet is replaced as a whole; with other weapons the one that the fight was joined with counts no more."""
    of_sheet = ("traits", "nature", "aggravated_soak", "specialties", "weapons")
    given = {name: value for name in of_sheet if (value := getattr(change, name)) is not None}
    if change.weapons is not None:
        given["wielded"] = None
    if given:
        play.set(changing.id, "sheet", replace(changing.sheet, **given))


def _change_hand(play: Play, changing: Fighter, change: CombatantChange) -> None:
    """What is in hand, or at hand, does not lie on the ground."""
    lost = [] if change.weapons is not None else [each for each in changing.state.dropped if each != change.wielded]
    play.set(changing.id, "dropped", lost)
    if change.wielded is not None:
        play.set(changing.id, "wielded", changing.weapon(change.wielded).id)
    elif change.empty_handed or changing.in_hand is None:
        play.set(changing.id, "wielded", None)

"""A combatant as the rules look at one, and what a stateless request is told of it."""

from dataclasses import dataclass

from rules.core.encounter import Handle, NotAllowed, Play
from rules.core.faults import Malformed
from rules.core.rule import Rule
from rules.storyteller.body import Body, HealthStatus
from rules.storyteller.defender import Awareness
from rules.storyteller.encounter_said import RollTerms
from rules.storyteller.encounter_sheet import AbilityName, AttributeName, Sheet, SheetWeapon
from rules.storyteller.encounter_state import GrappleRole, State, Turn
from rules.storyteller.holds import CLINCH_NO_OTHER, HOLD_IMMOBILE
from rules.storyteller.options import Options
from rules.storyteller.pools import INCAPACITATED
from rules.storyteller.rolls import PlainRoll, Roll, TraitPair
from rules.storyteller.tables import DEFAULT_DIFFICULTY, LEVELS
from rules.storyteller.terms import Condition, Cover, HealthLevel

CONDITIONS = {
    GrappleRole.BOTH: Condition.CLINCHED,
    GrappleRole.HELD: Condition.HELD,
    GrappleRole.HOLDER: Condition.FREE,
}
BONDS = {Condition.FREE: (), Condition.CLINCHED: (CLINCH_NO_OTHER,), Condition.HELD: (HOLD_IMMOBILE,)}


@dataclass(frozen=True, slots=True)
class Fighter(Handle[Sheet, State, Turn]):
    """A combatant, as the rules look at one."""

    @property
    def able(self) -> bool:
        """The incapacitated, the unconscious and the dead have no turn, no defense and no action."""
        return self.state.status is HealthStatus.ABLE

    @property
    def health(self) -> HealthLevel:
        """How badly the combatant is hurt."""
        return LEVELS[self.state.wounds.filled]

    @property
    def condition(self) -> Condition:
        """Whether the combatant is in a clinch or held; whoever holds another is free."""
        return CONDITIONS[self.state.grapple["role"]] if self.state.grapple else Condition.FREE

    @property
    def covered(self) -> Cover:
        """The cover; on the ground there is light one."""
        if self.state.cover is Cover.NONE and self.state.prone:
            return Cover.LIGHT
        return self.state.cover

    @property
    def in_hand(self) -> SheetWeapon | None:
        """The weapon in hand."""
        return self.sheet.weapon(self.state.wielded)

    @property
    def acted(self) -> bool:
        """Whether the action of the round, or a share of it, is used."""
        return self.turn.has_acted or any(share["used"] for share in self.turn.shares)

    @property
    def hindrances(self) -> list[Rule]:
        """What forbids all that is neither a blow in the clinch nor the attempt to get free."""
        return [*([] if self.able else [INCAPACITATED]), *BONDS[self.condition]]

    def weapon(self, weapon_id: str) -> SheetWeapon:
        """A weapon of the sheet."""
        found = self.sheet.weapon(weapon_id)
        if found is None:
            raise NotAllowed([], "no_such_weapon", combatant=self.id, weapon=weapon_id)
        return found

    def drawn(self, weapon_id: str) -> SheetWeapon:
        """A weapon of the sheet that can be taken in hand: one that was lost cannot."""
        found = self.weapon(weapon_id)
        if weapon_id in self.state.dropped:
            raise NotAllowed([], "weapon_lost", combatant=self.id, weapon=weapon_id)
        return found

    def has_specialty(self, ability: str | None) -> bool:
        """Whether there is a specialty in this Ability."""
        return ability in self.sheet.specialties

    def surprises(self, target_id: str) -> bool:
        """Whether an ambush on this target was won, and the attack is still to come."""
        ambush = self.state.ambush
        return ambush is not None and ambush.target == target_id and ambush.awareness is Awareness.AMBUSHED

    @property
    def strikes_first(self) -> bool:
        """Whether an ambush was tied, so that this one comes first in the next initiative."""
        return self.state.ambush is not None and self.state.ambush.awareness is Awareness.AWARE

    def body(self) -> Body:
        """What damage meets."""
        return Body(
            nature=self.sheet.nature,
            stamina=self.sheet.traits.stamina,
            aggravated_soak=self.sheet.aggravated_soak or None,
            armor=self.state.armor.rating,
            wounds=self.state.wounds,
        )

    def roll(self, terms: RollTerms, ability: str, allotted: int | None = None, *, resists: bool = False) -> Roll:
        """A roll of which the action names the traits, `ability` among them."""
        self.demand_specialty(terms, ability, resists=resists)
        return Roll(
            traits=self.sheet.traits.sent(),
            difficulty=DEFAULT_DIFFICULTY if terms.difficulty is None else terms.difficulty,
            health=self.health,
            armor_penalty=self.state.armor.penalty,
            allotted=allotted,
            modifiers=terms.modifiers,
            specialty=terms.specialty,
            spend_willpower=terms.spend_willpower,
        )

    def plain_roll(
        self,
        terms: RollTerms,
        attribute: AttributeName,
        ability: AbilityName | None,
        allotted: int | None = None,
        *,
        resists: bool = False,
    ) -> PlainRoll:
        """A roll of an Attribute and an Ability of the sheet."""
        self.demand_specialty(terms, ability, resists=resists)
        traits = self.sheet.traits
        return PlainRoll(
            traits=TraitPair(attribute=traits.rating(attribute), ability=traits.rating(ability)),
            difficulty=DEFAULT_DIFFICULTY if terms.difficulty is None else terms.difficulty,
            health=self.health,
            allotted=allotted,
            modifiers=terms.modifiers,
            specialty=terms.specialty,
            spend_willpower=terms.spend_willpower,
        )

    def demand_specialty(self, terms: RollTerms, ability: str | None, *, resists: bool = False) -> None:
        """A specialty fits only a roll of its Ability; what is said of one who resists stands in `resisting`."""
        if terms.specialty and not self.has_specialty(ability):
            raise Malformed("no_specialty", "resisting/specialty" if resists else "specialty", combatant=self.id)


def fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant of the fight."""
    return Fighter(combatant_id, play.combatant(combatant_id))


def own_fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant for whom the sender may act."""
    return Fighter(combatant_id, play.act_for(combatant_id))


def another(play: Play, combatant_id: str, actor: Fighter, field: str) -> Fighter:
    """A combatant who is not the one who acts."""
    if combatant_id == actor.id:
        raise Malformed("not_oneself", field)
    return fighter(play, combatant_id)


def options_of(play: Play) -> Options:
    """The house rules of the fight."""
    options: Options = play.fight.opening.options
    return options

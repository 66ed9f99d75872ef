"""A combatant as the rules look at one: what a stateless request is told of it."""

from dataclasses import dataclass, fields
from typing import Any

from rules.core.encounter import Handle, NotAllowed, Play
from rules.core.faults import Malformed
from rules.gurps.encounter_sheet import Sheet
from rules.gurps.encounter_state import State, Turn
from rules.gurps.encounter_weapon import SheetWeapon, WeaponStatus
from rules.gurps.incoming_attack import Awareness
from rules.gurps.options import Options
from rules.gurps.rolls import MOST_MODIFIERS, Check, Modifier
from rules.gurps.sheet import Defender
from rules.gurps.tool import SheetTool, Tool
from rules.gurps.turn import OptionAgainst, TurnState, UsedOption

SHOCK_NAME = "shock / шок"
MOST_PARRIES = 50


@dataclass(frozen=True, slots=True)
class Fighter(Handle[Sheet, State, Turn]):
    """A combatant of the fight, with its id."""

    @property
    def reeling(self) -> bool:
        """Below a third of HP."""
        return _below_a_third(self.state.hp, self.sheet.hp)

    @property
    def exhausted(self) -> bool:
        """Below a third of FP."""
        return _below_a_third(self.state.fp, self.sheet.fp)

    def weapon(self, weapon_id: str) -> SheetWeapon:
        """A weapon of the sheet; `NotAllowed` when there is none of that id."""
        for weapon in self.sheet.weapons:
            if weapon.id == weapon_id:
                return weapon
        raise NotAllowed([], "no_such_weapon", combatant=self.id, weapon=weapon_id)

    def is_ready(self, weapon: SheetWeapon) -> bool:
        """Whether it can be used now."""
        return self.state.weapons[weapon.id] is WeaponStatus.READY

    def tool(self, weapon: SheetWeapon) -> Tool:
        """The weapon in a parry, with what this turn has made of it."""
        counted = [self.turn.parries.get(each, 0) for each in weapon.parry_counters]
        used = {weapon.id, *weapon.hands}
        return Tool(
            **fields_of(weapon.tool, SheetTool),
            ready=self.is_ready(weapon),
            attacked_with=not used.isdisjoint(self.turn.attacked_with),
            previous_parries=min(MOST_PARRIES, max(counted)),
        )

    def defender(self, attacker_id: str | None = None) -> Defender:
        """Who defends, against this attacker."""
        sheet, state = self.sheet, self.state
        return Defender(
            state=state.state,
            creature=sheet.creature,
            maneuver=state.maneuver,
            posture=state.posture,
            stunned=state.stunned,
            blind=state.blind,
            reeling=self.reeling,
            exhausted=self.exhausted,
            shock=state.shock,
            traits=sheet.traits,
            dominant_hand=sheet.dominant_hand,
            encumbrance=sheet.encumbrance,
            dodge=sheet.dodge_score,
            shield=sheet.shield,
            magic_db=sheet.magic_db,
            free_hands=sheet.free_hands,
            dx=sheet.dx,
            hearing=sheet.hearing,
            acrobatics=sheet.acrobatics,
            blind_fighting=sheet.blind_fighting,
            st=sheet.st,
            basic_lift_g=sheet.basic_lift_g,
            turn=self.used_against(attacker_id),
        )

    def used_against(self, attacker_id: str | None) -> TurnState:
        """What this turn has used already, seen in an attack of this attacker."""
        turn, option = self.turn, self.turn.option
        used = None
        if option is not None:
            against = _against(option.against, attacker_id)
            used = UsedOption(kind=option.kind, against=against, posture_before=option.posture_before)
        return TurnState(
            block_used=turn.block_used,
            acrobatic_dodge_used=turn.acrobatic_dodge_used,
            double_defense_used=turn.double_defense_used,
            option=used,
        )

    def awareness_of(self, attacker: "Fighter", said: Awareness | None) -> Awareness:
        """What this one knows of an attack: what is said, unless the attacker is hidden."""
        if not attacker.state.hidden:
            return said or Awareness.SEES
        if said is not None:
            raise NotAllowed([], "awareness_of_hidden", combatant=attacker.id)
        return Awareness.ALERT if attacker.id in self.state.alert_to else Awareness.UNSEEN_UNKNOWN

    def check(self, skill: int, modifiers: tuple[Modifier, ...], cap: int | None) -> Check:
        """A roll of one's own in shock: the skill less the shock, then what else modifies it."""
        shock = self.state.shock
        lowered = (Modifier(name=SHOCK_NAME, value=-shock),) if shock else ()
        if len(lowered) + len(modifiers) > MOST_MODIFIERS:
            raise Malformed("too_long", "roll/modifiers", max_length=MOST_MODIFIERS - len(lowered))
        return Check(skill=skill, modifiers=(*lowered, *modifiers) or None, cap=cap)


def _below_a_third(now: int | None, most: int | None) -> bool:
    return now is not None and most is not None and 3 * now < most


def _against(foe: str | None, attacker_id: str | None) -> OptionAgainst:
    if foe is None:
        return OptionAgainst.NO_ONE
    return OptionAgainst.THIS_ATTACKER if foe == attacker_id else OptionAgainst.OTHER


def fields_of(value: Any, kind: type[Any]) -> dict[str, Any]:
    """The fields that a value has in common with a dataclass that it is made into."""
    return {each.name: getattr(value, each.name) for each in fields(kind)}


def fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant of the fight."""
    return Fighter(combatant_id, play.combatant(combatant_id))


def own_fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant for whom the sender may act."""
    return Fighter(combatant_id, play.act_for(combatant_id))


def options_of(play: Play) -> Options:
    """The house rules of the fight."""
    options: Options = play.fight.opening.options
    return options


def demand_nothing_pending(play: Play) -> None:
    """While an attack waits for its defense, nothing else is done."""
    if play.fight.pending is not None:
        raise NotAllowed([], "attack_pending", combatant=play.fight.pending.target)

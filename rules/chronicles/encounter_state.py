"""What a fight keeps of a combatant, and what a stateless request is told of it."""

from dataclasses import dataclass
from typing import Any

from rules.chronicles.attack_outcome import DefenseMode
from rules.chronicles.defense_score import Availability, Defense, denied_by
from rules.chronicles.encounter_sheet import Sheet, Willpower
from rules.chronicles.health import Condition, Health, HealthTrack, condition_of, wound_penalty_of
from rules.chronicles.options import Options
from rules.chronicles.target import Target
from rules.chronicles.turn import ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.encounter import Handle, Play
from rules.core.faults import only_with


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseChoice:
    """What a defender does against an attack."""

    mode: DefenseMode
    """`passive`: Defense comes off the attacker's pool; `dodge`: it is doubled and rolled; `none`: it is left out."""
    willpower: bool = False
    """Whether a point of Willpower is spent on it; not with `none`."""

    def __post_init__(self) -> None:
        only_with("mode passive, dodge", self.mode is not DefenseMode.NONE, willpower=self.willpower or None)


PASSIVE = DefenseChoice(mode=DefenseMode.PASSIVE)


@dataclass(slots=True, kw_only=True)
class State:
    """What lasts for the fight, or until the game master changes it.

    `initiative` is None until it is rolled. `availability` is never `sacrificed`, which is a matter of the turn.
    """

    health: HealthTrack
    willpower: Willpower
    initiative: int | None = None
    availability: Availability = Availability.AVAILABLE
    unconscious: bool = False


@dataclass(slots=True, kw_only=True)
class Turn:
    """What counts within a turn, which is one pass through the order.

    `stance` is what the character does against attacks for which nothing else is said; `sacrificed` says that an all-out attack
    cost all Defense; `rolled_stamina` that the roll to stay conscious was made.
    """

    action_state: ActionState = ActionState.UNSPENT
    attacks_defended: int = 0
    attacks_undefended: int = 0
    sacrificed: bool = False
    stance: DefenseChoice = PASSIVE
    off_balance: int = 0
    off_balance_pending: int = 0
    willpower_spent_this_turn: int = 0
    rolled_stamina: bool = False


def begin(sheet: Sheet) -> tuple[State, Turn]:
    """One who joins: the track and the Willpower of the sheet, and a turn in which nothing has happened."""
    willpower = Willpower(max=sheet.willpower.max, current=sheet.willpower.left)
    return State(health=track_of(sheet.health), willpower=willpower), Turn()


def track_of(health: Health) -> HealthTrack:
    """A track with the boxes that are marked."""
    return HealthTrack(boxes=health.length, bashing=health.bashing, lethal=health.lethal, aggravated=health.aggravated)


def options_of(play: Play) -> Options:
    """The house rules of the fight."""
    options: Options = play.fight.opening.options
    return options


@dataclass(frozen=True, slots=True)
class Fighter(Handle[Sheet, State, Turn]):
    """A combatant, as the rules look at one."""

    @property
    def condition(self) -> Condition:
        """What the last box says."""
        return condition_of(self.state.health)

    @property
    def out(self) -> bool:
        """The unconscious and the dead keep their place and are passed over."""
        return self.state.unconscious or self.condition is Condition.DEAD

    @property
    def wound_penalty(self) -> int:
        """By the track."""
        return wound_penalty_of(self.state.health)

    @property
    def action_state(self) -> ActionState:
        """Who is out has no action to spend."""
        return ActionState.SPENT if self.out else self.turn.action_state

    @property
    def availability(self) -> Availability:
        """Who is out cannot move; an all-out attack leaves no Defense for the turn."""
        if self.state.availability is not Availability.AVAILABLE:
            return self.state.availability
        if self.out:
            return Availability.IMMOBILIZED
        return Availability.SACRIFICED if self.turn.sacrificed else Availability.AVAILABLE

    def defense_terms(self, *, willpower: bool) -> dict[str, Any]:
        """All that a request says of a defender, but for what is done with the Defense."""
        defense = self.sheet.defense
        return {
            "score": defense.score,
            "traits": defense.traits,
            "modifiers": defense.modifiers,
            "off_balance": self.turn.off_balance,
            "attacks_defended": self.turn.attacks_defended,
            "attacks_undefended": self.turn.attacks_undefended,
            "willpower": willpower,
            "availability": self.availability,
            "applies_to_firearms": defense.applies_to_firearms,
            "action_state": self.action_state,
            "roll": defense.roll.qualities(self.wound_penalty),
        }

    def has_defense(self, against: WeaponKind, options: Options) -> bool:
        """Whether Defense applies to an attack of this kind."""
        return denied_by(Defense(**self.defense_terms(willpower=False)), against, options) is None

    def as_target(self, *, armored: bool = True) -> Target:
        """The one who takes damage, in armor or as if without."""
        track = self.state.health
        health = Health(boxes=track.boxes, bashing=track.bashing, lethal=track.lethal, aggravated=track.aggravated)
        return Target(armor=self.sheet.armor if armored else None, health=health)


def fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant of the fight."""
    return Fighter(combatant_id, play.combatant(combatant_id))


def own_fighter(play: Play, combatant_id: str) -> Fighter:
    """A combatant for whom the sender may act."""
    return Fighter(combatant_id, play.act_for(combatant_id))

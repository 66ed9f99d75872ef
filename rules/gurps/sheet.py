"""The defender: the sheet, the last maneuver, the state and what the turn has used already."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import not_together, unique
from rules.gurps.posture import Posture
from rules.gurps.scores import DodgeScore
from rules.gurps.shield import Shield
from rules.gurps.tool import Hand
from rules.gurps.turn import TurnState


class DefenderState(StrEnum):
    """Whether a combatant can act at all."""

    ABLE = "able"
    UNCONSCIOUS = "unconscious"
    IMMOBILIZED = "immobilized"
    HELPLESS = "helpless"


class Creature(StrEnum):
    """What a combatant is, as far as parrying depends on it."""

    PERSON = "person"
    MONSTER = "monster"
    HANDLESS_ANIMAL = "handless_animal"


class Maneuver(StrEnum):
    """The maneuver of the own last turn."""

    OTHER = "other"
    ATTACK = "attack"
    MOVE = "move"
    SPRINT = "sprint"
    MOVE_AND_ATTACK = "move_and_attack"
    CHANGE_POSTURE = "change_posture"
    ALL_OUT_ATTACK = "all_out_attack"
    ALL_OUT_DEFENSE_DODGE = "all_out_defense_dodge"
    ALL_OUT_DEFENSE_BLOCK = "all_out_defense_block"
    ALL_OUT_DEFENSE_PARRY = "all_out_defense_parry"
    ALL_OUT_DEFENSE_DOUBLE = "all_out_defense_double"


class DefenderTrait(StrEnum):
    """Advantages that change a defense."""

    PERIPHERAL_VISION = "peripheral_vision"
    DOUBLE_JOINTED = "double_jointed"
    AMBIDEXTERITY = "ambidexterity"
    WEAPON_MASTER = "weapon_master"
    TRAINED_BY_A_MASTER = "trained_by_a_master"


class DominantHand(StrEnum):
    """The hand that is not the off hand."""

    RIGHT = "right"
    LEFT = "left"


class Encumbrance(StrEnum):
    """Levels of encumbrance, whose penalties are 0 to 4."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"
    EXTRA_HEAVY = "extra_heavy"


ENCUMBRANCE_PENALTIES = {
    Encumbrance.NONE: 0,
    Encumbrance.LIGHT: 1,
    Encumbrance.MEDIUM: 2,
    Encumbrance.HEAVY: 3,
    Encumbrance.EXTRA_HEAVY: 4,
}


SkillLevel = Annotated[int, Ge(0), Le(60)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Defender:
    """Who defends; every field may be absent."""

    state: DefenderState = DefenderState.ABLE
    """Only the `able` defend."""
    creature: Creature = Creature.PERSON
    """A `handless_animal` only dodges; `monster` has no effect but says that it may parry."""
    maneuver: Maneuver = Maneuver.OTHER
    """The last maneuver; `sprint` is Move when used to sprint, `all_out_defense_double` allows a second defense."""
    posture: Posture = Posture.STANDING
    """The posture now."""
    stunned: bool = False
    """-4 to every defense roll, and no retreat."""
    blind: bool = False
    """Defends as if on guard against an unseen attacker."""
    reeling: bool = False
    """Below a third of HP: Dodge is halved, a given score too."""
    exhausted: bool = False
    """Below a third of FP: Dodge is halved, a given score too."""
    shock: Annotated[int, Ge(0), Le(8)] = 0
    """Shock, stated for completeness: it never lowers a defense."""
    traits: Annotated[tuple[DefenderTrait, ...], Len(0, 5)] = ()
    """Advantages that change a defense."""
    dominant_hand: DominantHand = DominantHand.RIGHT
    """The other one is the off hand."""
    encumbrance: Encumbrance = Encumbrance.NONE
    """The level of encumbrance; its penalty is 0 to 4."""
    dodge: DodgeScore | None = None
    """Dodge; needed for a dodge."""
    shield: Shield | None = None
    """The shield, the cloak, or the foe who is held up as one."""
    magic_db: Annotated[tuple[Annotated[int, Ge(0), Le(10)], ...], Len(0, 10)] = ()
    """All magical Defense Bonuses; only the best counts."""
    free_hands: Annotated[int, Ge(0), Le(2)] = 2
    """Free hands, for parries with bare hands."""
    dx: SkillLevel | None = None
    """DX; needed when bare hands or a natural weapon parry something too heavy and the defender is not lying."""
    hearing: SkillLevel | None = None
    """Hearing; needed to block or parry what is not seen."""
    acrobatics: SkillLevel | None = None
    """Acrobatics; absent: no points in it."""
    blind_fighting: SkillLevel | None = None
    """Blind Fighting; absent: no points in it."""
    st: Annotated[int, Ge(1), Le(1000)] | None = None
    """ST: Basic Lift is ST x ST x 100 g. Without it and `basic_lift_g` nothing is too heavy to parry."""
    basic_lift_g: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Basic Lift in grams, instead of `st`."""
    turn: TurnState = TurnState()
    """What this turn has used already."""

    def __post_init__(self) -> None:
        not_together(st=self.st, basic_lift_g=self.basic_lift_g)
        if self.traits:
            unique("traits", self.traits)

    @property
    def off_hand(self) -> Hand:
        """The hand that is not dominant."""
        return Hand.LEFT if self.dominant_hand is DominantHand.RIGHT else Hand.RIGHT

    @property
    def basic_lift(self) -> int | None:
        """Basic Lift in grams, if it is known."""
        return self.st * self.st * 100 if self.st is not None else self.basic_lift_g

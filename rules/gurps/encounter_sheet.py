"""What a combatant brings into a fight: the sheet, and what is said when the fight opens."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len, MultipleOf

from rules.core.faults import not_together, unique
from rules.gurps.encounter_weapon import SheetWeapon, unique_ids
from rules.gurps.options import Options
from rules.gurps.scores import DodgeScore
from rules.gurps.sheet import Creature, DefenderTrait, DominantHand, Encumbrance, SkillLevel
from rules.gurps.shield import Shield

Points = Annotated[int, Ge(1), Le(1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What is settled when a fight opens."""

    options: Options = Options()
    """House rules; they hold for the whole fight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One who fights."""

    basic_speed: Annotated[float, Ge(0), Le(40), MultipleOf(0.25)]
    """Basic Speed, in quarters: the place in the turn order, and Dodge unless `dodge` says it."""
    dodge: DodgeScore | None = None
    """Dodge; absent: figured from `basic_speed`."""
    encumbrance: Encumbrance = Encumbrance.NONE
    """The level of encumbrance."""
    creature: Creature = Creature.PERSON
    """A `handless_animal` only dodges."""
    traits: Annotated[tuple[DefenderTrait, ...], Len(0, 5)] = ()
    """Advantages that change a defense."""
    dominant_hand: DominantHand = DominantHand.RIGHT
    """The other one is the off hand."""
    st: Points | None = None
    """ST, for Basic Lift and for the weight of unarmed attacks. Without it and `basic_lift_g` nothing is too heavy to parry."""
    basic_lift_g: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Basic Lift in grams, instead of `st`."""
    dx: SkillLevel | None = None
    """DX: it parts those of equal Basic Speed in the turn order."""
    hearing: SkillLevel | None = None
    """Hearing; needed to block or parry what is not seen."""
    acrobatics: SkillLevel | None = None
    """Acrobatics; absent: no points in it."""
    blind_fighting: SkillLevel | None = None
    """Blind Fighting; absent: no points in it."""
    free_hands: Annotated[int, Ge(0), Le(2)] = 2
    """Free hands, for parries with bare hands."""
    hp: Points | None = None
    """The most hit points, which the fight begins with; absent: they are not kept."""
    fp: Points | None = None
    """The most fatigue points, which the fight begins with; absent: they are not kept."""
    dr: Annotated[int, Ge(0), Le(200)] = 0
    """Damage Resistance."""
    shield: Shield | None = None
    """The shield, the cloak, or the foe who is held up as one."""
    magic_db: Annotated[tuple[Annotated[int, Ge(0), Le(10)], ...], Len(0, 10)] = ()
    """All magical Defense Bonuses; only the best counts."""
    weapons: Annotated[tuple[SheetWeapon, ...], Len(0, 20)] = ()
    """What this one attacks and parries with, bare hands included; all are ready when the fight is joined."""

    def __post_init__(self) -> None:
        not_together(st=self.st, basic_lift_g=self.basic_lift_g)
        unique("traits", self.traits)
        unique_ids(self.weapons)
        DodgeScore(basic_speed=self.basic_speed)

    @property
    def dodge_score(self) -> DodgeScore:
        """Dodge as it is said, or from Basic Speed."""
        return self.dodge or DodgeScore(basic_speed=self.basic_speed)

    @property
    def place(self) -> tuple[float, int]:
        """What the turn order goes by; who has told no DX comes after those who have."""
        return self.basic_speed, -1 if self.dx is None else self.dx

"""What a combatant brings into a fight: the sheet, and what is said when the fight opens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.chronicles.armor import Armor
from rules.chronicles.defense_score import DefenseTraits
from rules.chronicles.health import Health
from rules.chronicles.initiative import InitiativeTraits
from rules.chronicles.options import Options
from rules.chronicles.pools import Again, DicePool, Modifier, RollQualities
from rules.chronicles.weapons import Weapon
from rules.core.faults import Malformed, exactly_one

MOST_MODIFIERS = 8
Modifiers = Annotated[tuple[Modifier, ...], Len(0, MOST_MODIFIERS)]
AttackName = Annotated[str, Len(1, 64)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What is settled when a fight opens."""

    options: Options = Options()
    """House rules; they hold for the whole fight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRoll:
    """What Merits and powers do to a roll; the fight knows the wounds itself."""

    again: Again = Again.TEN_AGAIN
    """Which faces count and are rolled again."""
    rote: bool = False
    """The rote quality."""
    modifiers: Modifiers = ()
    """Bonus and penalty dice."""

    def qualities(self, wound_penalty: int) -> RollQualities:
        """The roll of somebody with this wound penalty."""
        return RollQualities(again=self.again, rote=self.rote, modifiers=self.modifiers, wound_penalty=wound_penalty)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPool(SheetRoll):
    """A pool: either its `total`, or `attribute` and `skill`."""

    total: Annotated[int, Ge(0), Le(50)] | None = None
    """The pool before modifiers, precomputed."""
    attribute: Annotated[int, Ge(0), Le(15)] | None = None
    """The Attribute of the pool; `skill` beside it."""
    skill: Annotated[int, Ge(0), Le(15)] | None = None
    """The Skill of the pool, 0 when untrained; `attribute` beside it."""

    def __post_init__(self) -> None:
        self.rolled_by(0)

    def rolled_by(self, wound_penalty: int, *, willpower: bool = False, more: tuple[Modifier, ...] = ()) -> DicePool:
        """The pool of somebody with this wound penalty, who may spend Willpower and have further modifiers."""
        return DicePool(
            again=self.again,
            rote=self.rote,
            modifiers=self.modifiers + more,
            wound_penalty=wound_penalty,
            total=self.total,
            attribute=self.attribute,
            skill=self.skill,
            willpower=willpower,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FightPool(SheetPool):
    """A pool that is rolled in a fight."""

    willpower: bool = False
    """Whether a point of Willpower is spent on this roll: 3 more dice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAttack:
    """An attack that a command can name."""

    pool: SheetPool
    """The attacker's dice."""
    weapon: Weapon = Weapon()
    """What strikes; left out, bare hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetDefense:
    """Defense: either its `score` or its `traits`."""

    score: Annotated[int, Ge(0), Le(30)] | None = None
    """Full Defense at the start of a turn, precomputed."""
    traits: DefenseTraits | None = None
    """Its ingredients."""
    modifiers: Modifiers = ()
    """What armor, a shield or a Merit does to Defense itself, before any doubling."""
    applies_to_firearms: bool = False
    """Whether a power lets Defense count against firearms."""
    roll: SheetRoll = SheetRoll()
    """For the roll of a Dodge."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, traits=self.traits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetInitiative:
    """The Initiative modifier: either its `score` or its `traits`."""

    score: Annotated[int, Ge(-10), Le(30)] | None = None
    """The Initiative modifier, precomputed."""
    traits: InitiativeTraits | None = None
    """Its ingredients: Dexterity + Composure."""
    modifiers: Modifiers = ()
    """What weapons and Merits add."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, traits=self.traits)

    @property
    def base(self) -> int:
        """Dexterity + Composure, or a precomputed score: what decides between equal Initiatives."""
        if self.traits is not None:
            return self.traits.dexterity + self.traits.composure
        return self.score or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Willpower:
    """How much Willpower somebody has, and how much of it is left."""

    max: Annotated[int, Ge(0), Le(10)]
    """All of them."""
    current: Annotated[int, Ge(0), Le(10)] | None = None
    """Those that are left; left out, all."""

    def __post_init__(self) -> None:
        if self.left > self.max:
            raise Malformed("above_max", "current", current=self.left, max=self.max)

    @property
    def left(self) -> int:
        """What can still be spent."""
        return self.max if self.current is None else self.current


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One who fights, with boxes marked and Willpower left as they are when the fight is joined."""

    defense: SheetDefense
    """Defense, before anything that happens in a turn."""
    initiative: SheetInitiative
    """The Initiative modifier."""
    health: Health
    """The health track with the boxes marked now."""
    stamina: Annotated[int, Ge(0), Le(15)] | None = None
    """For staying conscious; left out, that of `health`."""
    willpower: Willpower
    """Points of Willpower."""
    armor: Armor | None = None
    """What is worn; left out, nothing."""
    attacks: Annotated[Mapping[AttackName, NamedAttack], Len(0, 20)] = field(default_factory=dict)
    """Attacks that a command can name."""

    @property
    def rolled_stamina(self) -> int | None:
        """The Stamina that is rolled to stay conscious; None when nobody has told it."""
        return self.health.stamina if self.stamina is None else self.stamina

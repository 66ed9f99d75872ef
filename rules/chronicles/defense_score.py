"""How much Defense a character has against one attack."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.chronicles.options import (
    DefenseAttribute,
    DefenseDrop,
    FirearmsVsDefense,
    OffBalanceStacking,
    Options,
)
from rules.chronicles.pools import (
    WILLPOWER_BONUS_RESISTANCE,
    WILLPOWER_RESISTANCE,
    Modifier,
    RollQualities,
)
from rules.chronicles.turn import ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.faults import exactly_one
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail

SCORE = rule("chronicles.defense.score", "Пример", Kind.BASE)
MODIFIER = rule("chronicles.defense.modifier", "published", Kind.MODIFIER)
DROP = rule("chronicles.defense.drop", "Уклонение", Kind.MODIFIER)
OFF_BALANCE = rule("chronicles.defense.off_balance", "Уклонение", Kind.MODIFIER)
FLOOR = rule("chronicles.defense.floor", "Уклонение", Kind.LIMIT)
AVAILABILITY = rule("chronicles.defense.availability", "published", Kind.DECISION)
FIREARMS = rule("chronicles.defense.firearms", "published", Kind.DECISION)

RULES = (SCORE, MODIFIER, DROP, OFF_BALANCE, FLOOR, AVAILABILITY, FIREARMS)
SCORE_STEPS = (SCORE, MODIFIER, OFF_BALANCE, DROP, FLOOR)


class Availability(StrEnum):
    """Whether a character has Defense at all this turn."""

    AVAILABLE = "available"
    UNAWARE = "unaware"
    IMMOBILIZED = "immobilized"
    SACRIFICED = "sacrificed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseTraits:
    """The ingredients of Defense."""

    dexterity: Annotated[int, Ge(0), Le(15)]
    """Dexterity."""
    wits: Annotated[int, Ge(0), Le(15)] | None = None
    """Wits; left out, it is as high as Dexterity, so that Defense is Dexterity + Athletics."""
    athletics: Annotated[int, Ge(0), Le(15)]
    """Athletics."""

    def attribute(self, which: DefenseAttribute) -> int:
        """The lower of Dexterity and Wits, Dexterity, or the higher."""
        wits = self.dexterity if self.wits is None else self.wits
        if which is DefenseAttribute.DEXTERITY:
            return self.dexterity
        return min(self.dexterity, wits) if which is DefenseAttribute.LOWER else max(self.dexterity, wits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defense:
    """A character's Defense: either its `score` or its `traits`, and what happened to it this turn."""

    score: Annotated[int, Ge(0), Le(30)] | None = None
    """Full Defense at the start of the turn, precomputed."""
    traits: DefenseTraits | None = None
    """Its ingredients."""
    modifiers: Annotated[tuple[Modifier, ...], Len(0, 8)] = ()
    """What armor, a shield or a Merit does to Defense itself, before any doubling."""
    off_balance: Annotated[int, Ge(0), Le(10)] = 0
    """How many Dodges failed dramatically last turn."""
    attacks_defended: Annotated[int, Ge(0), Le(50)] = 0
    """Attacks this turn against which Defense was used already, passively or by Dodge."""
    attacks_undefended: Annotated[int, Ge(0), Le(50)] = 0
    """Attacks this turn against which it was not used."""
    willpower: bool = False
    """Whether a point of Willpower is spent on this defense: 2 more Defense if it is passive, 3 more dice for a Dodge."""
    availability: Availability = Availability.AVAILABLE
    """Whether there is Defense at all: not for one who does not know of the attack, cannot move, or gave Defense up."""
    applies_to_firearms: bool = False
    """Whether a power lets Defense count against firearms."""
    action_state: ActionState = ActionState.UNSPENT
    """The defender's action this turn: `given_up` says that it was given up for Dodge already; who has `spent` it cannot
    Dodge."""
    roll: RollQualities = RollQualities()
    """For the roll of a Dodge; not read otherwise."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, traits=self.traits)

    def base(self, options: Options) -> int:
        """The lower of Dexterity and Wits (or as the table has it) plus Athletics; or the precomputed score."""
        if self.traits is None:
            return self.score or 0
        return self.traits.attribute(options.defense_attribute) + self.traits.athletics

    def ingredients(self, options: Options) -> str:
        """The sum as the text of its step begins it; nothing before a precomputed score."""
        if self.traits is None:
            return ""
        return f"{self.traits.attribute(options.defense_attribute)} + {self.traits.athletics} = "


def denied_by(defense: Defense, kind: WeaponKind, options: Options) -> Rule | None:
    """The rule by which there is no Defense against this kind of attack, if there is one."""
    if defense.availability is not Availability.AVAILABLE:
        return AVAILABILITY
    if (
        kind is WeaponKind.FIREARM
        and not defense.applies_to_firearms
        and options.firearms_vs_defense is FirearmsVsDefense.IGNORE_DEFENSE
    ):
        return FIREARMS
    return None


def lost_balance(defense: Defense, options: Options) -> int:
    """Off balance costs 1 Defense however often it came about, or 1 for each time where the table adds them up."""
    cumulative = options.off_balance_stacking is OffBalanceStacking.CUMULATIVE
    return defense.off_balance if cumulative else min(1, defense.off_balance)


def dropped(defense: Defense, options: Options) -> int:
    """Defense is down by 1 for each attack against which it was used, or for every attack where the table says so."""
    all_attacks = options.defense_drop is DefenseDrop.ALL_ATTACKS
    return defense.attacks_defended + (defense.attacks_undefended if all_attacks else 0)


def plain_score(defense: Defense, options: Options) -> int:
    """Defense without Willpower and without its floor: below 0 it still says how far bonuses have to lift it."""
    bonuses = sum(modifier.value for modifier in defense.modifiers)
    return defense.base(options) + bonuses - lost_balance(defense, options) - dropped(defense, options)


def defense_score(defense: Defense, options: Options, trail: Trail, *, passive: bool) -> int:
    """Defense against one attack: every bonus and penalty, then not below 0. A Dodge spends Willpower on dice instead."""
    how = "given" if defense.traits is None else options.defense_attribute
    trail.base(SCORE, defense.base(options), ingredients=defense.ingredients(options), how=how)
    for modifier in defense.modifiers:
        trail.modifier(MODIFIER, modifier.value, label=modifier.label)
    if passive and defense.willpower:
        trail.modifier(WILLPOWER_RESISTANCE, WILLPOWER_BONUS_RESISTANCE)
    trail.modifier_if_any(OFF_BALANCE, -lost_balance(defense, options))
    trail.modifier_if_any(DROP, -dropped(defense, options))
    if trail.total < 0:
        trail.limit(FLOOR, 0, total=0)
    return int(trail.total)

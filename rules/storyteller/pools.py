"""How many dice a roll has and what each has to show: POOL and DIFFICULTY."""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller.rolls import AnyRoll
from rules.storyteller.tables import (
    HIGHEST_DIFFICULTY,
    LOWEST_DIFFICULTY,
    MOST_DICE,
    WOUND_PENALTY,
    Reads,
)
from rules.storyteller.terms import HealthLevel, Side

TRAITS = rule("storyteller.pool.traits", "Характеристики маневра (Параметры)", Kind.BASE)
NO_ABILITY = rule("storyteller.pool.no_ability", "Характеристики маневра (Параметры)", Kind.DECISION)
GIVEN = rule("storyteller.pool.given", "beyond the source", Kind.BASE)
WOUNDS = rule("storyteller.pool.wounds", "published", Kind.MODIFIER)
ARMOR_PENALTY = rule("storyteller.pool.armor_penalty", "Броня; published", Kind.MODIFIER)
ALLOTTED = rule("storyteller.pool.allotted", "Сложности защиты; published", Kind.LIMIT)
POOL_MODIFIER = rule("storyteller.pool.modifier", "Целиться; Маневры ближнего боя; Пинок", Kind.MODIFIER)
MAXIMUM = rule("storyteller.pool.maximum", "beyond the source", Kind.LIMIT)
EMPTY = rule("storyteller.pool.empty", "published", Kind.REFUSAL, Kind.DECISION)
INCAPACITATED = rule("storyteller.health.incapacitated", "published", Kind.REFUSAL, Kind.DECISION)
DIFFICULTY = rule("storyteller.difficulty.base", "Характеристики маневра", Kind.BASE)
DIFFICULTY_MODIFIER = rule("storyteller.difficulty.modifier", "Целиться; Маневры ближнего боя; Пинок", Kind.MODIFIER)
DIFFICULTY_LIMITS = rule("storyteller.difficulty.limits", "published", Kind.LIMIT)

RULES = (
    TRAITS,
    NO_ABILITY,
    GIVEN,
    WOUNDS,
    ARMOR_PENALTY,
    ALLOTTED,
    POOL_MODIFIER,
    MAXIMUM,
    EMPTY,
    INCAPACITATED,
    DIFFICULTY,
    DIFFICULTY_MODIFIER,
    DIFFICULTY_LIMITS,
)


class AnyTrait(StrEnum):
    """What a plain roll calls its two traits."""

    ATTRIBUTE = "attribute"
    ABILITY = "ability"


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule adds to a pool, a difficulty or a damage pool, with a word for its text."""

    rule: Rule
    value: int = 0
    label: str | int = ""

    def write(self, trail: Trail) -> None:
        """Write its step: one that adds nothing leaves none, unless it is the decision that nothing is added."""
        if Kind.DECISION in self.rule.kinds:
            trail.decision(self.rule)
        else:
            trail.modifier_if_any(self.rule, self.value, label=self.label)


def labelled(label: str | None) -> str:
    """The Storyteller's word for a modifier, as it stands in a sentence."""
    return f" ({label})" if label else ""


def wound_penalty(health: HealthLevel) -> int:
    """Dice that wounds take; one who is incapacitated has none to take them from."""
    return WOUND_PENALTY.get(health, 0)


def is_incapacitated(roll: AnyRoll) -> bool:
    """Whether whoever rolls is too badly hurt for any action."""
    return roll.health is HealthLevel.INCAPACITATED


def _body_and_armor(roll: AnyRoll, reads: Reads | None) -> tuple[Change, ...]:
    """Wound penalties take dice from every action roll, armor from Dexterity pools."""
    return (
        Change(WOUNDS, wound_penalty(roll.health), roll.health),
        Change(ARMOR_PENALTY, -roll.hampered(reads)),
    )


def _circumstances(roll: AnyRoll, named: tuple[Change, ...]) -> tuple[Change, ...]:
    """The dice that the action names, in its order, then the Storyteller's."""
    return (*named, *(Change(POOL_MODIFIER, each.dice, labelled(each.label)) for each in roll.modifiers))


def dice_of(roll: AnyRoll, reads: Reads | None, named: tuple[Change, ...] = ()) -> int:
    """How many dice a pool ends with, before anything is rolled or written; 0 or less is an empty pool."""
    dice = sum(roll.ingredients(reads)) if roll.pool is None else roll.pool
    dice += sum(change.value for change in _body_and_armor(roll, reads))
    if roll.allotted is not None:
        dice = min(dice, roll.allotted)
    return min(dice + sum(change.value for change in _circumstances(roll, named)), MOST_DICE)


def pool(roll: AnyRoll, reads: Reads | None, named: tuple[Change, ...], trail: Trail) -> int:
    """POOL: Attribute + Ability or a finished pool, wounds, armor, the share, the action's dice, the Storyteller's."""
    _begin(roll, reads, trail)
    for change in _body_and_armor(roll, reads):
        change.write(trail)
    if roll.allotted is not None:
        trail.limit(ALLOTTED, roll.allotted, total=min(trail.total, roll.allotted))
    for change in _circumstances(roll, named):
        change.write(trail)
    if trail.total > MOST_DICE:
        trail.limit(MAXIMUM, MOST_DICE, total=MOST_DICE)
    return int(trail.total)


def _begin(roll: AnyRoll, reads: Reads | None, trail: Trail) -> None:
    """A finished pool, or Attribute + Ability; without the Ability the Attribute alone."""
    if roll.pool is not None:
        trail.base(GIVEN, roll.pool)
        return
    attribute, ability = roll.ingredients(reads)
    names = (reads.attribute, reads.ability) if reads else (AnyTrait.ATTRIBUTE, AnyTrait.ABILITY)
    trail.base(
        TRAITS,
        attribute + ability,
        attribute=names[0],
        ability=names[1],
        attribute_rating=attribute,
        ability_rating=ability,
    )
    if ability == 0:
        trail.decision(NO_ABILITY, attribute, attribute=names[0], ability=names[1])


def difficulty(roll: AnyRoll, named: tuple[Change, ...], trail: Trail) -> int:
    """DIFFICULTY: 6 or what is said, the action's changes, the Storyteller's, and never outside 2 to 10."""
    trail.base(DIFFICULTY, roll.difficulty)
    for change in named:
        change.write(trail)
    for each in roll.modifiers:
        trail.modifier_if_any(DIFFICULTY_MODIFIER, each.difficulty, label=labelled(each.label))
    nearest = min(max(trail.total, LOWEST_DIFFICULTY), HIGHEST_DIFFICULTY)
    if trail.total != nearest:
        trail.limit(DIFFICULTY_LIMITS, nearest, total=nearest)
    return int(trail.total)


def refuse_without_dice(
    roll: AnyRoll, reads: Reads | None, side: Side, trail: Trail, named: tuple[Change, ...] = ()
) -> None:
    """An incapacitated character takes no action; with no dice left an action cannot be taken."""
    if is_incapacitated(roll):
        trail.refuse(INCAPACITATED, side=side)
    elif dice_of(roll, reads, named) <= 0:
        trail.refuse(EMPTY, side=side)

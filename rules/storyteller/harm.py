"""What a blow does to a body: damage dice, soak, and the health afterwards. HARM of the rules."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.storyteller import body as bodies
from rules.storyteller import losses as lost_levels
from rules.storyteller.body import Body, HealthAfter, Nature, Wounds, fill_track, soak_pool, worn
from rules.storyteller.losses import Exposure, losses
from rules.storyteller.options import ArmorDestruction, BashingHalvedFor, Options, SoakRule
from rules.storyteller.pools import MAXIMUM, Change, labelled
from rules.storyteller.tables import MOST_DICE
from rules.storyteller.terms import DamageType

BASE = rule("storyteller.damage.base", "Повреждения; Характеристики маневра (Повреждения)", Kind.BASE)
EXTRA_SUCCESSES = rule("storyteller.damage.extra_successes", "published; Защитные маневры", Kind.MODIFIER)
DAMAGE_MODIFIER = rule("storyteller.damage.modifier", "Целиться; Маневры ближнего боя; Пинок", Kind.MODIFIER)
MINIMUM = rule("storyteller.damage.minimum", "Повреждения (непоглощаемые)", Kind.LIMIT)
TYPES = rule("storyteller.damage.types", "Повреждения")
HEALING = rule("storyteller.damage.healing", "Повреждения")
NOT_AT_ONCE = rule("storyteller.bashing.not_at_once", "Повреждения (тупые); published")

RULES = (
    BASE,
    EXTRA_SUCCESSES,
    DAMAGE_MODIFIER,
    MINIMUM,
    TYPES,
    HEALING,
    NOT_AT_ONCE,
)
HARM_RULES = (*bodies.RULES, *RULES, *lost_levels.RULES)
"""All that a blow may write, but for the largest pool."""


class Healing(StrEnum):
    """How damage heals."""

    QUICK = "quick"
    SLOW = "slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageModifier:
    """Damage dice that the Storyteller adds or takes."""

    label: Annotated[str, Len(1, 64)] | None = None
    """What they are for; shown in the audit trail."""
    dice: Annotated[int, Ge(-10), Le(10)]
    """Added to the damage pool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """What a blow did."""

    type: DamageType
    """The kind of damage."""
    pool: int
    """Damage dice before soak."""
    soak_pool: int
    """Soak dice that there were, rolled or not."""
    soak_successes: int
    """Successes of the soak roll."""
    rolled: int
    """Damage dice actually rolled."""
    successes: int
    """Successes of the damage roll."""
    levels: int
    """Health levels lost in the end."""
    armor_destroyed: bool
    """Whether the armor is destroyed."""
    healing: Healing
    """Whether this damage heals quickly or slowly."""
    health: HealthAfter | None
    """The health track afterwards; null when the wounds before were not sent."""


@dataclass(frozen=True, slots=True)
class Blow:
    """Damage on its way: so many dice of a type and what is added to them.

    `disarms_over` is the opponent's Strength where the damage of a disarm is compared with it. `automatic` does as many
    levels as it has dice instead of rolling them.
    """

    dice: int
    type: DamageType
    added: tuple[Change, ...] = ()
    past_armor: bool = False
    disarms_over: int | None = None
    automatic: bool = False


def storyteller_dice(modifiers: tuple[DamageModifier, ...]) -> tuple[Change, ...]:
    """The Storyteller adds or takes damage dice."""
    return tuple(Change(DAMAGE_MODIFIER, each.dice, labelled(each.label)) for each in modifiers)


def extra_dice(net: int) -> tuple[Change, ...]:
    """Each net attack success after the first adds a damage die."""
    return (Change(EXTRA_SUCCESSES, max(net - 1, 0), net),)


def damage_dice(blow: Blow) -> int:
    """How many dice a damage pool has, before anything is rolled or written: 1 to 50."""
    return min(max(blow.dice + sum(change.value for change in blow.added), 1), MOST_DICE)


def damage_pool(blow: Blow, trail: Trail) -> int:
    """Base dice and what is added, never below one die: whatever hits may hurt."""
    trail.base(BASE, blow.dice, damage=blow.type)
    for change in blow.added:
        change.write(trail)
    if trail.total < 1:
        trail.limit(MINIMUM, 1, total=1)
    elif trail.total > MOST_DICE:
        trail.limit(MAXIMUM, MOST_DICE, total=MOST_DICE)
    return int(trail.total)


def harm(blow: Blow, body: Body, options: Options, trail: Trail) -> tuple[Harm, bool]:
    """HARM: what a blow does to a body, and whether it disarms."""
    pool = damage_pool(blow, trail)
    soak = soak_pool(body, blow.type, options, trail, past_armor=blow.past_armor)
    exposure = Exposure(
        pool=pool,
        soak=soak,
        soak_difficulty=body.soak_difficulty,
        soak_rule=SoakRule.REMOVES_LEVELS if blow.automatic else options.soak,
        automatic=blow.automatic,
        disarms_over=blow.disarms_over,
        breaks_at=_breaks_at(worn(body, past_armor=blow.past_armor), options),
        halved=options.bashing_rounding if _is_halved(blow.type, body.nature, options) else None,
    )
    lost = trail.apart(part(losses, exposure))
    health = fill_track(body.wounds, blow.type, lost.levels, trail) if body.wounds is not None else None
    done = Harm(
        type=blow.type,
        pool=pool,
        soak_pool=soak,
        soak_successes=lost.soak_successes,
        rolled=lost.rolled,
        successes=lost.successes,
        levels=lost.levels,
        armor_destroyed=lost.armor_destroyed,
        healing=Healing.QUICK if blow.type is DamageType.BASHING else Healing.SLOW,
        health=health,
    )
    return done, lost.disarmed


def body_after(body: Body, done: Harm) -> Body:
    """The body that the next blow of the same exchange meets."""
    after = done.health
    wounds = (
        Wounds(bashing=after.bashing, lethal=after.lethal, aggravated=after.aggravated) if after is not None else None
    )
    return replace(body, wounds=wounds, armor=0 if done.armor_destroyed else body.armor)


def _breaks_at(armor: int, options: Options) -> int | None:
    """Armor is destroyed when the damage roll has at least twice its rating in successes."""
    return 2 * armor if armor and options.armor_destruction is ArmorDestruction.AT_DOUBLE else None


def _is_halved(damage: DamageType, nature: Nature, options: Options) -> bool:
    """Bashing is halved after soak, for everyone or for supernatural beings."""
    everyone = options.bashing_halved_for is BashingHalvedFor.EVERYONE
    return damage is DamageType.BASHING and (everyone or nature is Nature.SUPERNATURAL)

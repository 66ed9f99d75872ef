"""The attack roll: what maneuver, position, sight, aim, cover, opponents and a won ambush do to it."""

from dataclasses import dataclass, field
from enum import StrEnum

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.maneuvers import ACCURACY
from rules.storyteller.maneuvers import DIFFICULTY as MANEUVER_DIFFICULTY
from rules.storyteller.options import AmbushBonus, Options, PartialBlindShooting
from rules.storyteller.pools import Change, dice_of
from rules.storyteller.rolls import Roll
from rules.storyteller.tables import BLIND_PENALTY, MOST_FOR_OPPONENTS, OWN_COVER, TARGET_COVER, Form
from rules.storyteller.targeting import BYPASS_COVER, Targeting, aimed_difficulty, finds_covered
from rules.storyteller.terms import Cover, Range
from rules.storyteller.throws import Cast, RollResult, throw

FLANK = rule("storyteller.position.flank", "Атака со стороны или сзади", Kind.MODIFIER)
REAR = rule("storyteller.position.rear", "Атака со стороны или сзади", Kind.MODIFIER)
BLIND = rule("storyteller.blind.penalty", "Стрелять/драться вслепую", Kind.MODIFIER)
NO_SHOOTING = rule("storyteller.blind.no_shooting", "Стрелять/драться вслепую", Kind.REFUSAL)
TARGET_IN_COVER = rule("storyteller.cover.target", "Уклонение; published", Kind.MODIFIER)
FROM_COVER = rule("storyteller.cover.own", "published", Kind.MODIFIER)
OPPONENTS = rule("storyteller.opponents.attack", "published", Kind.MODIFIER)
AMBUSH_BONUS = rule("storyteller.ambush.bonus", "Подкрасться", Kind.MODIFIER)
ATTACK_ROLL = rule("storyteller.attack.roll", "Защитные маневры; published", Kind.ROLL)
KNOWN = rule("storyteller.attack.known", "beyond the source", Kind.BASE)

RULES = (
    FLANK,
    REAR,
    BLIND,
    NO_SHOOTING,
    TARGET_IN_COVER,
    FROM_COVER,
    OPPONENTS,
    AMBUSH_BONUS,
    ATTACK_ROLL,
    KNOWN,
)


class Position(StrEnum):
    """From where someone attacks."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


class Visibility(StrEnum):
    """What the attacker sees."""

    CLEAR = "clear"
    PARTLY_BLINDED = "partly_blinded"
    TOTAL_DARKNESS = "total_darkness"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an attack roll is made under."""

    position: Position
    visibility: Visibility
    targeting: Targeting | None
    target_cover: Cover
    own_cover: Cover
    opponents: int
    ambush_successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """The attack as it was rolled; of a known one only `successes` and `result` are there, the rest is null."""

    pool: int | None = None
    """The dice rolled, without rerolls."""
    difficulty: int | None = None
    """What each die had to show."""
    hits: int | None = field(default=None, compare=False)
    """Dice that succeeded, rerolled ones too; with the option `double` a 10 is two."""
    ones: int | None = field(default=None, compare=False)
    """Ones that counted."""
    rerolls: int | None = field(default=None, compare=False)
    """Dice rolled again for a specialty."""
    successes: int
    """Successes after ones were taken away and automatic ones added."""
    result: RollResult
    """What the roll came to."""


POSITION_DICE = {
    Position.FRONT: (),
    Position.FLANK: (Change(FLANK, 1),),
    Position.REAR: (Change(REAR, 2),),
}


def is_blind_shot(form: Form, visibility: Visibility, options: Options) -> bool:
    """Partly blinded or in full darkness no shots are possible, by option only in full darkness."""
    if form.range is Range.CLOSE or visibility is Visibility.CLEAR:
        return False
    return visibility is Visibility.TOTAL_DARKNESS or options.partial_blind_shooting is PartialBlindShooting.REFUSED


def _named_dice(form: Form, circumstances: Circumstances, options: Options) -> tuple[Change, ...]:
    """Accuracy, position, and by option the difference of a won ambush."""
    ambush = circumstances.ambush_successes if options.ambush_bonus is AmbushBonus.DICE else 0
    return (
        Change(ACCURACY, form.accuracy),
        *POSITION_DICE[circumstances.position],
        Change(AMBUSH_BONUS, ambush),
    )


def _named_difficulty(form: Form, circumstances: Circumstances) -> tuple[Change, ...]:
    """The maneuver, blindness, aim, then cover of both in a shot or the number of opponents in close combat."""
    blind = 0 if circumstances.visibility is Visibility.CLEAR else BLIND_PENALTY
    return (
        Change(MANEUVER_DIFFICULTY, form.difficulty),
        Change(BLIND, blind, circumstances.visibility),
        *aimed_difficulty(circumstances.targeting),
        *(_cover(circumstances) if form.range is Range.RANGED else _opponents(circumstances.opponents)),
    )


def _cover(circumstances: Circumstances) -> tuple[Change, ...]:
    """The target's cover, unless the shot is aimed past it, and the shooter's own."""
    target, own = circumstances.target_cover, circumstances.own_cover
    found = target is not Cover.NONE and finds_covered(circumstances.targeting)
    return (
        Change(BYPASS_COVER, 0, target) if found else Change(TARGET_IN_COVER, TARGET_COVER[target], target),
        Change(FROM_COVER, OWN_COVER[own], own),
    )


def _opponents(opponents: int) -> tuple[Change, ...]:
    """Each opponent after the first makes it harder, at most by four."""
    return (Change(OPPONENTS, min(opponents - 1, MOST_FOR_OPPONENTS), opponents),)


def attack_pool(roll: Roll, form: Form, circumstances: Circumstances, options: Options) -> int:
    """How many dice the attack has, before anything is rolled or written; 0 or less is an empty pool."""
    return dice_of(roll, form.reads, _named_dice(form, circumstances, options))


def cast_of(roll: Roll, form: Form, circumstances: Circumstances, options: Options) -> Cast:
    """The attack roll with all that the action names."""
    ambush = circumstances.ambush_successes if options.ambush_bonus is AmbushBonus.SUCCESSES else 0
    return Cast(
        ATTACK_ROLL,
        roll,
        form.reads,
        dice=_named_dice(form, circumstances, options),
        difficulty=_named_difficulty(form, circumstances),
        automatic=(Change(AMBUSH_BONUS, ambush),) if ambush else (),
    )


def roll_attack(trail: Trail, cast: Cast, options: Options) -> AttackRoll:
    """A part: the attack is rolled."""
    rolled = throw(trail, cast, options)
    return AttackRoll(
        pool=rolled.pool,
        difficulty=rolled.difficulty,
        hits=rolled.hits,
        ones=rolled.ones,
        rerolls=rolled.rerolls,
        successes=rolled.successes,
        result=rolled.result,
    )


def known_attack(trail: Trail, successes: int, botch: bool) -> AttackRoll:
    """A part: the attack was rolled before."""
    trail.base(KNOWN, successes)
    if successes:
        return AttackRoll(successes=successes, result=RollResult.SUCCESS)
    return AttackRoll(successes=0, result=RollResult.BOTCH if botch else RollResult.FAILURE)

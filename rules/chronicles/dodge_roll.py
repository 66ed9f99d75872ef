"""The roll of a Dodge: Defense, doubled, is rolled and its successes come off the attacker's.

Order of dice: those of the Dodge (see `rolls`), after all of the attack's.
"""

from rules.chronicles.defense_score import Defense, denied_by
from rules.chronicles.options import DodgeAtZeroDefense, DodgeWoundPenalty, Options
from rules.chronicles.pools import POOL_MODIFIER, WILLPOWER_BONUS_DICE, WOUND_PENALTY, modify_pool
from rules.chronicles.rolls import ROLL_STEPS, DegreeOfSuccess, RollResult, roll
from rules.chronicles.turn import ActionState
from rules.chronicles.weapons import WeaponKind
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

GIVES_UP_ACTION = rule("chronicles.dodge.gives_up_action", "Уклонение", Kind.EFFECT, Kind.REFUSAL)
ACTION_GIVEN_UP = rule("chronicles.dodge.action_given_up", "Уклонение", Kind.REFUSAL)
DOUBLED = rule("chronicles.dodge.doubled", "Уклонение", Kind.BASE)
NOT_SUBTRACTED = rule("chronicles.dodge.not_subtracted", "Уклонение", Kind.DECISION)
ROLLED = rule("chronicles.dodge.roll", "Уклонение")
SUBTRACT = rule("chronicles.dodge.subtract", "Уклонение", Kind.MODIFIER)
NOT_CONTESTED = rule("chronicles.dodge.not_contested", "Уклонение")
EQUAL_MISSES = rule("chronicles.dodge.equal_misses", "Уклонение", Kind.DECISION)
BEFORE_WEAPON = rule("chronicles.dodge.before_weapon", "Уклонение")
WILLPOWER = rule("chronicles.dodge.willpower", "Уклонение", Kind.MODIFIER)
QUALITIES = rule("chronicles.dodge.qualities", "Уклонение")
DROP_BEFORE_DOUBLING = rule("chronicles.dodge.drop_before_doubling", "Уклонение")
ZERO_DEFENSE = rule("chronicles.dodge.zero_defense", "Уклонение", Kind.DECISION)
OFF_BALANCE = rule("chronicles.dodge.off_balance", "Уклонение", Kind.EFFECT)
NEEDS_DEFENSE = rule("chronicles.dodge.needs_defense", "published", Kind.REFUSAL)

RULES = (
    GIVES_UP_ACTION,
    ACTION_GIVEN_UP,
    DOUBLED,
    NOT_SUBTRACTED,
    ROLLED,
    SUBTRACT,
    NOT_CONTESTED,
    EQUAL_MISSES,
    BEFORE_WEAPON,
    WILLPOWER,
    QUALITIES,
    DROP_BEFORE_DOUBLING,
    ZERO_DEFENSE,
    OFF_BALANCE,
    NEEDS_DEFENSE,
)
DODGE_STEPS = (
    GIVES_UP_ACTION,
    DOUBLED,
    ZERO_DEFENSE,
    POOL_MODIFIER,
    WILLPOWER,
    WOUND_PENALTY,
    *ROLL_STEPS,
    OFF_BALANCE,
)


def refuse_dodge(defense: Defense, kind: WeaponKind, options: Options, trail: Trail) -> None:
    """Who has acted has no action to give up, and there is no Dodge where Defense does not apply."""
    if defense.action_state is ActionState.SPENT:
        trail.refuse(GIVES_UP_ACTION)
    denied = denied_by(defense, kind, options)
    if denied is not None:
        trail.refuse(NEEDS_DEFENSE, availability=defense.availability)


def roll_dodge(trail: Trail, defense: Defense, score: int, options: Options) -> RollResult:
    """Give up the action, double Defense and roll it; a dramatic failure costs balance."""
    if defense.action_state is ActionState.UNSPENT:
        trail.effect(GIVES_UP_ACTION)
    size = dodge_size(defense, score, options, trail)
    spent = spends_willpower(defense, score, options)
    rolled = roll(size, defense.roll, options, trail, willpower_spent=spent, dodge=True)
    if loses_balance(rolled):
        trail.effect(OFF_BALANCE)
    return rolled


def dodge_size(defense: Defense, score: int, options: Options, trail: Trail) -> int:
    """Twice Defense, then the dice that are added to any pool; at Defense 0 perhaps the chance die alone."""
    double(score, options, trail)
    if is_chance_die_only(score, options):
        return 0
    modify_pool(defense.roll, trail)
    if defense.willpower:
        trail.modifier(WILLPOWER, WILLPOWER_BONUS_DICE)
    trail.modifier_if_any(WOUND_PENALTY, wounds_on_dodge(defense, options))
    return int(trail.total)


def double(score: int, options: Options, trail: Trail) -> None:
    """While dodging Defense is doubled; at 0 it leaves a chance die."""
    trail.base(DOUBLED, 2 * score, score=score)
    if score == 0:
        trail.decision(ZERO_DEFENSE, option=options.dodge_at_zero_defense)


def expected_dodge_size(defense: Defense, score: int, options: Options, *, willpower: bool) -> int:
    """The same size for a Dodge that is only thought of."""
    if is_chance_die_only(score, options):
        return 0
    bonus_dice = sum(modifier.value for modifier in defense.roll.modifiers)
    return 2 * score + bonus_dice + willpower * WILLPOWER_BONUS_DICE + wounds_on_dodge(defense, options)


def is_chance_die_only(score: int, options: Options) -> bool:
    """Whether Defense 0 leaves the chance die and nothing else."""
    return score == 0 and options.dodge_at_zero_defense is DodgeAtZeroDefense.CHANCE_DIE_ONLY


def wounds_on_dodge(defense: Defense, options: Options) -> int:
    """A Dodge is a roll, so wounds count, unless the table says otherwise."""
    return 0 if options.dodge_wound_penalty is DodgeWoundPenalty.IGNORED else defense.roll.wound_penalty


def spends_willpower(defense: Defense, score: int, options: Options) -> bool:
    """Where bonus dice do nothing no point is spent."""
    return defense.willpower and not is_chance_die_only(score, options)


def loses_balance(dodge: RollResult) -> bool:
    """A dramatic failure on a Dodge costs balance."""
    return dodge.result is DegreeOfSuccess.DRAMATIC_FAILURE

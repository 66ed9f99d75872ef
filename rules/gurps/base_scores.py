"""Dodge, Block and Parry of a sheet, before anything about the attack counts."""

from fractions import Fraction

from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.gurps.ingredient import given
from rules.gurps.options import BareHands, EncumberedParry, Options
from rules.gurps.scores import DodgeScore, SkillScore
from rules.gurps.sheet import ENCUMBRANCE_PENALTIES, Defender, DefenderTrait
from rules.gurps.tool import ART_SKILLS, ParrySkill, Tool, ToolKind

DODGE = rule("gurps.dodge.score", "Уклонение", Kind.BASE)
REELING = rule("gurps.dodge.reeling", "published", Kind.LIMIT)
EXHAUSTED = rule("gurps.dodge.exhausted", "published", Kind.LIMIT)
BLOCK = rule("gurps.block.score", "Блокирование", Kind.BASE)
PARRY = rule("gurps.parry.score", "Парирование", Kind.BASE)
WEAPON_TYPE = rule("gurps.parry.weapon_type", "Парирование", Kind.MODIFIER)
OFF_HAND = rule("gurps.parry.off_hand", "Чем я парирую? (неосновной рукой)", Kind.MODIFIER)
ENCUMBERED = rule("gurps.parry.encumbrance", "Чем я парирую? (фехтовальным оружием; без оружия)", Kind.MODIFIER)
BONUS = rule("gurps.score.bonus", "published", Kind.MODIFIER)

DODGE_SCORE_RULES = (DODGE, BONUS, REELING, EXHAUSTED)
BLOCK_SCORE_RULES = (BLOCK, BONUS)
PARRY_SCORE_RULES = (PARRY, WEAPON_TYPE, BONUS, OFF_HAND, ENCUMBERED)

QUARTERS = tuple(Fraction(quarters, 4) for quarters in range(4 * 40 + 1))


def dodge_score(trail: Trail, dodge: DodgeScore, defender: Defender) -> int:
    """The score, or 3 + Basic Speed - encumbrance, rounded down; halved below a third of HP, and of FP."""
    if dodge.basic_speed is None:
        trail.base(DODGE, given(dodge.score), given=1, speed="", penalty="")
    else:
        penalty = ENCUMBRANCE_PENALTIES[defender.encumbrance]
        speed = QUARTERS[int(4 * dodge.basic_speed)]
        trail.base(DODGE, 3 + int(dodge.basic_speed) - penalty, given=0, speed=speed, penalty=-penalty)
        trail.modifier_if_any(BONUS, dodge.bonus or 0)
    if defender.reeling:
        halve(trail, REELING)
    if defender.exhausted:
        halve(trail, EXHAUSTED)
    return int(trail.total)


def halve(trail: Trail, rule: Rule) -> None:
    """Half of the total so far, rounded up."""
    halved = -(-int(trail.total) // 2)
    trail.limit(rule, halved, total=halved)


def block_score(trail: Trail, block: SkillScore) -> int:
    """The score, or 3 + half of the skill, rounded down."""
    half_of_skill(trail, BLOCK, block)
    trail.modifier_if_any(BONUS, block.bonus or 0)
    return int(trail.total)


def parry_score(trail: Trail, tool: Tool, defender: Defender, options: Options) -> int:
    """The score, or 3 + half of the skill, rounded down, with the weapon's modifier, the bonus, the off hand, the load."""
    half_of_skill(trail, PARRY, tool.parry)
    if tool.parry.skill is not None:
        trail.modifier_if_any(WEAPON_TYPE, tool.own_modifier)
        trail.modifier_if_any(BONUS, tool.parry.bonus or 0)
        if suffers_off_hand(tool, defender, options):
            trail.modifier(OFF_HAND, -2)
        if tool.fencing or tool.skill_name in ART_SKILLS:
            trail.modifier_if_any(ENCUMBERED, encumbrance_of_parry(tool.parry.skill, defender, options))
    return int(trail.total)


def half_of_skill(trail: Trail, rule: Rule, score: SkillScore) -> None:
    """3 + half of the skill, rounded down, unless the score is given."""
    if score.skill is None:
        trail.base(rule, given(score.score), given=1, skill="")
    else:
        trail.base(rule, 3 + score.skill // 2, given=0, skill=score.skill)


def in_off_hand(tool: Tool, defender: Defender) -> bool:
    """Whether it is held in the off hand, without Ambidexterity."""
    return tool.hand is defender.off_hand and DefenderTrait.AMBIDEXTERITY not in defender.traits


def suffers_off_hand(tool: Tool, defender: Defender, options: Options) -> bool:
    """A weapon in the off hand parries at -2, unless Ambidexterity; Main-Gauche never."""
    if tool.skill_name is ParrySkill.MAIN_GAUCHE or not in_off_hand(tool, defender):
        return False
    return tool.kind is not ToolKind.UNARMED or options.bare_hands is BareHands.AS_WEAPONS


def encumbrance_of_parry(skill: int, defender: Defender, options: Options) -> int:
    """The full number comes off Parry; or off the skill before it is halved."""
    penalty = ENCUMBRANCE_PENALTIES[defender.encumbrance]
    if options.encumbered_parry is EncumberedParry.PARRY:
        return -penalty
    return (skill - penalty) // 2 - skill // 2

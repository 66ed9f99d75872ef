"""A parry: swept aside by what is too heavy, or rolled, with what it does to the weapon, the arm and the attacker's limb."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.base_scores import in_off_hand, parry_score
from rules.gurps.course import Course
from rules.gurps.defense_choice import Defense, DefenseKind
from rules.gurps.defense_outcome import AttemptResult, DefenseAttempt, WeaponAfter
from rules.gurps.defense_roll import roll_defense
from rules.gurps.heavy_weapon import (
    DROPPED,
    FALL,
    KEEP_FEET,
    KNOCKBACK,
    NO_RESISTANCE,
    TOO_HEAVY,
    WEIGHT,
    Breakage,
    breakage,
    is_too_heavy,
)
from rules.gurps.incoming_attack import Means, UnarmedSkill
from rules.gurps.ingredient import given
from rules.gurps.inner_roll import passes
from rules.gurps.modifiers import modify
from rules.gurps.options import BreakageCheck
from rules.gurps.posture import Posture
from rules.gurps.sheet import Defender
from rules.gurps.situation import Situation
from rules.gurps.tool import Tool, ToolKind

INJURE_LIMB = rule("gurps.parry.injure_limb", "Что я парирую?", Kind.ROLL, Kind.DECISION)
INJURE_LIMB_ART = rule("gurps.parry.injure_limb_art", "Что я парирую?", Kind.MODIFIER)
INJURE_LIMB_OFF_HAND = rule("gurps.parry.injure_limb_off_hand", "Чем я парирую? (неосновной рукой)", Kind.MODIFIER)
UNARMED_FAILED = rule("gurps.parry.unarmed_failed", "Чем я парирую? (без оружия)", Kind.EFFECT)

PARRY_RULES = (INJURE_LIMB, INJURE_LIMB_ART, INJURE_LIMB_OFF_HAND, UNARMED_FAILED)


def try_parry(trail: Trail, situation: Situation, defense: Defense, course: Course) -> DefenseAttempt:
    """What is too heavy sweeps the parry aside; otherwise it is rolled."""
    tool = given(defense.tool)
    if situation.attack.body is not None:
        trail.decision(WEIGHT, situation.weight_g)
    if is_too_heavy(situation.weight_g, tool, situation.defender, situation.options):
        attempt = swept_aside(trail, situation, tool, course)
    else:
        attempt = rolled_parry(trail, situation, defense, tool, course)
    expose_bare_arm(trail, situation, tool, attempt.result, course)
    return attempt


def swept_aside(trail: Trail, situation: Situation, tool: Tool, course: Course) -> DefenseAttempt:
    """The parry fails by itself: a weapon breaks or is dropped, any other tool is knocked back with its owner."""
    trail.decision(TOO_HEAVY, weight=situation.weight_g)
    weapon = None
    if tool.kind is not ToolKind.WEAPON:
        knock_back(trail, situation.defender, course)
    elif breakage(trail, situation.weight_g, tool) is Breakage.HOLDS:
        trail.effect(DROPPED)
        weapon = WeaponAfter.DROPPED
    else:
        weapon = WeaponAfter.BROKEN
    return DefenseAttempt(
        kind=DefenseKind.PARRY,
        result=AttemptResult.AUTOMATIC_FAILURE,
        parries_after=tool.previous_parries + 1,
        weapon=weapon,
    )


def knock_back(trail: Trail, defender: Defender, course: Course) -> None:
    """Thrown back 1 m; whoever does not lie already rolls DX not to fall."""
    trail.effect(KNOCKBACK, 1)
    course.thrown_back = True
    if course.posture is not Posture.LYING and not passes(trail, KEEP_FEET, given(defender.dx)):
        trail.effect(FALL)
        course.posture = Posture.LYING


def rolled_parry(trail: Trail, situation: Situation, defense: Defense, tool: Tool, course: Course) -> DefenseAttempt:
    """Score, modifiers, roll, and what a heavy attack does to the weapon."""
    base = parry_score(trail, tool, situation.defender, situation.options)
    modify(trail, situation, defense, DefenseKind.PARRY, course.lasting)
    effective = int(trail.total)
    rolled = roll_defense(trail)
    result = AttemptResult.SUCCESS if rolled.stops else AttemptResult.FAILURE
    after = Breakage.HOLDS
    if rolled.stops or situation.options.breakage_check is BreakageCheck.EVERY_PARRY:
        after = breakage(trail, situation.weight_g, tool)
        if rolled.stops and after is Breakage.GIVES_WAY:
            trail.effect(NO_RESISTANCE)
            result = AttemptResult.OVERWHELMED
    injured = None
    if result is AttemptResult.SUCCESS and after is Breakage.HOLDS and defense.injure_limb is not None:
        injured = injures_limb(trail, situation, defense.injure_limb.skill, tool)
    return DefenseAttempt(
        kind=DefenseKind.PARRY,
        result=result,
        base=base,
        effective=effective,
        roll=rolled.sum,
        margin=effective - rolled.sum,
        automatic=rolled.automatic,
        parries_after=tool.previous_parries + 1,
        weapon=weapon_after(tool, after),
        limb_injured=injured,
    )


def weapon_after(tool: Tool, after: Breakage) -> WeaponAfter | None:
    """What has become of a weapon; other tools do not break."""
    if tool.kind is not ToolKind.WEAPON:
        return None
    return WeaponAfter.INTACT if after is Breakage.HOLDS else WeaponAfter.BROKEN


def injures_limb(trail: Trail, situation: Situation, skill: int, tool: Tool) -> bool:
    """A roll of the weapon skill, at -4 against Judo or Karate and at -4 in the off hand, injures the limb."""
    trail.carry(skill)
    if situation.attack.unarmed_skill is not UnarmedSkill.OTHER:
        trail.modifier(INJURE_LIMB_ART, -4, skill=situation.attack.unarmed_skill)
    if in_off_hand(tool, situation.defender):
        trail.modifier(INJURE_LIMB_OFF_HAND, -4)
    return passes(trail, INJURE_LIMB, int(trail.total))


def expose_bare_arm(trail: Trail, situation: Situation, tool: Tool, result: AttemptResult, course: Course) -> None:
    """After a failed bare-handed parry of a weapon the attacker may strike the parrying arm instead."""
    if tool.kind is not ToolKind.UNARMED or situation.attack.means is not Means.WEAPON:
        return
    if result is not AttemptResult.SUCCESS:
        trail.effect(UNARMED_FAILED, hand=tool.hand)
        course.exposed.append(tool.hand)

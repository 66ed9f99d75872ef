"""One defense: heard if need be, tried, and the option that is used with it."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.awareness import FALLBACK, hears
from rules.gurps.base_scores import block_score, dodge_score
from rules.gurps.course import Course
from rules.gurps.defense_choice import Defense, DefenseKind, DefenseOption
from rules.gurps.defense_outcome import AttemptResult, DefenseAttempt
from rules.gurps.defense_roll import attempt_of, roll_defense
from rules.gurps.ingredient import given
from rules.gurps.modifiers import modify
from rules.gurps.parry import try_parry
from rules.gurps.posture import Posture
from rules.gurps.retreat_and_drop import option_counts_against, use_option
from rules.gurps.shield import ShieldKind
from rules.gurps.situation import Situation
from rules.gurps.turn import OptionAgainst, OptionKind, UsedOption

CLOAK_FAILED = rule("gurps.block.cloak_failed", "Блокирование (провал блока плащом)", Kind.EFFECT)

ATTEMPT_RULES = (CLOAK_FAILED,)

PREVENTED = {kind: DefenseAttempt(kind=kind, result=AttemptResult.PREVENTED) for kind in DefenseKind}


def try_defense(trail: Trail, situation: Situation, defense: Defense, course: Course) -> bool:
    """One attempt, with its option, unless it is prevented because the attack is not heard; whether it was made."""
    kind = kind_once_heard(trail, situation, defense, course)
    if kind is None:
        course.attempts.append(PREVENTED[defense.kind])
        return False
    if kind is DefenseKind.DODGE:
        attempt = try_dodge(trail, situation, defense, course)
    elif kind is DefenseKind.BLOCK:
        attempt = try_block(trail, situation, defense, course)
    else:
        attempt = try_parry(trail, situation, defense, course)
    course.attempts.append(attempt)
    course.stopped = attempt.result is AttemptResult.SUCCESS
    if defense.option is not None:
        take_option(trail, situation, defense.option, course)
    return True


def kind_once_heard(trail: Trail, situation: Situation, defense: Defense, course: Course) -> DefenseKind | None:
    """In the dark a block or parry needs a Hearing roll, made once for the attack; unheard, one dodges or does nothing."""
    if not situation.in_the_dark or defense.kind is DefenseKind.DODGE:
        return defense.kind
    if course.heard is None:
        course.heard = hears(trail, given(situation.defender.hearing))
    if course.heard:
        return defense.kind
    if not defense.falls_back:
        return None
    trail.decision(FALLBACK)
    return DefenseKind.DODGE


def try_dodge(trail: Trail, situation: Situation, defense: Defense, course: Course) -> DefenseAttempt:
    """Score, modifiers, roll."""
    base = dodge_score(trail, given(situation.defender.dodge), situation.defender)
    modify(trail, situation, defense, DefenseKind.DODGE, course.lasting)
    if defense.acrobatic:
        course.acrobatic_dodge_tried = True
    effective = int(trail.total)
    return attempt_of(DefenseKind.DODGE, base, effective, roll_defense(trail))


def try_block(trail: Trail, situation: Situation, defense: Defense, course: Course) -> DefenseAttempt:
    """Score, modifiers, roll; a failed cloak block in melee exposes the cloak arm, to which the cloak gives no DR."""
    shield = given(situation.defender.shield)
    base = block_score(trail, given(shield.block))
    modify(trail, situation, defense, DefenseKind.BLOCK, course.lasting)
    course.block_tried = True
    effective = int(trail.total)
    rolled = roll_defense(trail)
    if shield.kind is ShieldKind.CLOAK and situation.melee and not rolled.stops:
        trail.effect(CLOAK_FAILED, hand=shield.hand)
        course.exposed.append(shield.hand)
    return attempt_of(DefenseKind.BLOCK, base, effective, rolled)


def take_option(trail: Trail, situation: Situation, option: DefenseOption, course: Course) -> None:
    """The option is used up, and holds against this foe if it was used against one."""
    use_option(trail, situation, option)
    against = option_counts_against(situation)
    course.option = option
    course.used_option = UsedOption(kind=option.kind, against=against, posture_before=course.posture)
    if against is OptionAgainst.THIS_ATTACKER:
        course.lasting = option.kind
    if option.kind is OptionKind.DROP:
        course.posture = Posture.LYING

"""Defending against one attack, from what has to be noticed first to the conclusion over all attempts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.gurps.attempt import PREVENTED, try_defense
from rules.gurps.awareness import BLIND, become_alert, notices
from rules.gurps.course import Course
from rules.gurps.defense_choice import Defense
from rules.gurps.defense_outcome import (
    AwayFrom,
    DefenseMovement,
    DefenseOutcome,
    DefenseResult,
    MovementTime,
    PossibleTarget,
    ProtectedBy,
)
from rules.gurps.direction import BLIND_FIGHTING, RUNAROUND
from rules.gurps.incoming_attack import Awareness, Direction, Runaround
from rules.gurps.ingredient import given
from rules.gurps.inner_roll import passes
from rules.gurps.retreat_and_drop import may_follow
from rules.gurps.sheet import DefenderTrait
from rules.gurps.situation import Situation
from rules.gurps.tool import Hand
from rules.gurps.turn import OptionKind, TurnState

DECLINED = rule("gurps.defense.declined", "beyond the source", Kind.DECISION)
SECOND_ALLOWED = rule("gurps.double_defense.allowed", "Защита (Подвиги)", Kind.DECISION)
AREA_MOVEMENT = rule("gurps.area.movement", "В укрытие", Kind.EFFECT)
AREA_PROTECTED = rule("gurps.area.protected", "В укрытие", Kind.EFFECT)
OUTCOME = rule("gurps.defense.outcome", "Броски защиты", Kind.RESULT)

DEFENDING_RULES = (DECLINED, SECOND_ALLOWED, AREA_MOVEMENT, AREA_PROTECTED, OUTCOME)

D = TypeVar("D", bound=DefenseOutcome)


@dataclass(slots=True, unsafe_hash=True)
class Defended:
    """Whether the attack was stopped; how is for the record, and nothing that follows may depend on it."""

    stopped: bool
    course: Course = field(compare=False)


def defended(trail: Trail, situation: Situation, defenses: tuple[Defense, ...]) -> Defended:
    """Defend once, or twice, or not at all."""
    return trail.apart(part(_defended, situation, defenses))


def _defended(trail: Trail, situation: Situation, defenses: tuple[Defense, ...]) -> Defended:
    course = Course(situation.defender.posture, situation.lasting)
    if not defenses:
        trail.decision(DECLINED)
    elif can_react(trail, situation):
        try_each(trail, situation, defenses, course)
    else:
        course.attempts.append(PREVENTED[defenses[0].kind])
    conclude(trail, situation, course)
    return Defended(course.stopped, course)


def can_react(trail: Trail, situation: Situation) -> bool:
    """What must be settled before any defense: a surprise noticed, an attack from behind sensed by Blind Fighting."""
    if situation.read_as_alert:
        trail.decision(BLIND)
    if situation.attack.runaround is not Runaround.NONE:
        trail.decision(RUNAROUND, direction=situation.direction)
    if not notices(trail, situation.attack, situation.defender):
        return False
    if situation.direction is not Direction.REAR or DefenderTrait.PERIPHERAL_VISION in situation.defender.traits:
        return True
    return passes(trail, BLIND_FIGHTING, given(situation.defender.blind_fighting))


def try_each(trail: Trail, situation: Situation, defenses: tuple[Defense, ...], course: Course) -> None:
    """Each defense in order, until one succeeds."""
    try_defense(trail, situation, defenses[0], course)
    if len(defenses) == 2 and not course.stopped:
        trail.decision(SECOND_ALLOWED)
        course.second_defense_tried = try_defense(trail, situation, defenses[1], course)


def conclude(trail: Trail, situation: Situation, course: Course) -> None:
    """An area leaves room for a step and, on success, for safety; then the conclusion."""
    if situation.area:
        if course.option is not None:
            trail.effect(AREA_MOVEMENT, 1, when=movement_time(situation, course))
        if course.stopped:
            trail.effect(AREA_PROTECTED)
    become_alert(trail, situation.attack)
    trail.result(OUTCOME, int(course.stopped))


def movement_time(situation: Situation, course: Course) -> MovementTime:
    """A retreat counts once the foe has finished; a dive before the effect on success, after it on failure."""
    if not situation.area:
        return MovementTime.AFTER_ATTACK
    return MovementTime.BEFORE_EFFECT if course.stopped else MovementTime.AFTER_EFFECT


def outcome_of(kind: Callable[..., D], situation: Situation, course: Course, **more: Any) -> D:
    """The course as it is answered."""
    stopped = course.stopped
    return kind(
        result=DefenseResult.SUCCESS if stopped else DefenseResult.FAILURE,
        attempts=tuple(course.attempts),
        attacker_may_hit=() if stopped else possible_targets(course),
        movement=None if course.option is None else movement(situation, course),
        knockback_m=int(course.thrown_back),
        posture=course.posture,
        protected_by=ProtectedBy.COVER_OR_DISTANCE if stopped and situation.area else ProtectedBy.NONE,
        later_cover=course.option is not None and course.option.cover,
        now_alert=situation.attack.awareness is Awareness.UNSEEN_UNKNOWN,
        turn=turn_after(situation.defender.turn, course),
        **more,
    )


ORIGINAL_TARGET = (PossibleTarget.ORIGINAL_TARGET,)


def possible_targets(course: Course) -> tuple[PossibleTarget, ...]:
    """The original target, or an arm that failed to parry or block; a two-handed failure exposes both."""
    exposed = course.exposed
    if not exposed:
        return ORIGINAL_TARGET
    right, left = (Hand.BOTH in exposed or hand in exposed for hand in (Hand.RIGHT, Hand.LEFT))
    arms = ((PossibleTarget.RIGHT_ARM, right), (PossibleTarget.LEFT_ARM, left))
    return (*ORIGINAL_TARGET, *(arm for arm, may_be_hit in arms if may_be_hit))


def movement(situation: Situation, course: Course) -> DefenseMovement | None:
    """The step of a retreat or a dive; a drop that is not from an area has none."""
    option = given(course.option)
    if option.kind is OptionKind.DROP and not situation.area:
        return None
    return DefenseMovement(
        steps=1,
        away_from=AwayFrom.ATTACK if situation.area else AwayFrom.ATTACKER,
        when=movement_time(situation, course),
        facing=option.facing,
        attacker_may_follow=may_follow(situation, option),
    )


def turn_after(before: TurnState, course: Course) -> TurnState:
    """What the turn has used now: a block, an acrobatic dodge or a second defense that was tried, and an option."""
    used = course.block_tried or course.acrobatic_dodge_tried or course.second_defense_tried
    if not used and course.used_option is None:
        return before
    return TurnState(
        block_used=before.block_used or course.block_tried,
        acrobatic_dodge_used=before.acrobatic_dodge_used or course.acrobatic_dodge_tried,
        double_defense_used=before.double_defense_used or course.second_defense_tried,
        option=course.used_option or before.option,
    )

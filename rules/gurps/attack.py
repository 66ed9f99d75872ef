"""Does an attack hit, is it defended, and what injury does it do?

Order of dice: the attack 3; those of the defense, as in `active-defense`; damage.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from annotated_types import Len

from rules.core.action import Action
from rules.core.faults import needed_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.gurps.active_defense import DEFENSE_RULES
from rules.gurps.awareness import become_alert
from rules.gurps.damage import Damage, DamageDone, damage_done
from rules.gurps.defending import DECLINED, defended, outcome_of
from rules.gurps.defense_choice import Defense
from rules.gurps.defense_outcome import DefenseOutcome
from rules.gurps.incoming_attack import Attack, Awareness
from rules.gurps.ingredient import given
from rules.gurps.ingredients import demand_ingredients
from rules.gurps.options import Options
from rules.gurps.refusals import CRITICAL_HIT, refuse_forbidden
from rules.gurps.rolls import (
    CAP,
    CRITICAL,
    LOWEST_ATTEMPTED,
    MINIMUM,
    Check,
    Critical,
    capped,
    critical_of,
    modified_score,
    succeeds,
)
from rules.gurps.sheet import Defender
from rules.gurps.situation import Situation, settle

DECEPTION = "beyond the source; published"
SKILL = rule("gurps.attack.skill", "published", Kind.BASE)
ROLL = rule("gurps.attack.roll", "published", Kind.ROLL)
RESULT = rule("gurps.attack.result", "Защита (Подвиги)", Kind.RESULT)
OUTCOME = rule("gurps.attack.outcome", "published", Kind.RESULT)
DECEPTIVE_COST = rule("gurps.attack.deceptive_cost", DECEPTION, Kind.MODIFIER)
DECEPTIVE_LIMIT = rule("gurps.attack.deceptive_limit", DECEPTION, Kind.REFUSAL)

LEAST_DECEPTIVE_SKILL = 10
COST_OF_DECEPTION = 2
REFUSED = "refused"


class AttackResult(StrEnum):
    """What an attack came to."""

    CRITICAL_HIT = "critical_hit"
    HIT = "hit"
    DEFENDED = "defended"
    MISS = "miss"
    CRITICAL_MISS = "critical_miss"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRequest:
    """An attack from the roll to the injury."""

    roll: Check
    """The attacker's skill."""
    attack: Attack
    """The attack."""
    defender: Defender | None = None
    """The target; needed if a defense is listed."""
    defenses: Annotated[tuple[Defense, ...], Len(0, 2)] = ()
    """How the target defends against a hit; two after All-Out Defense (Double); none: it does not, or cannot."""
    damage: Damage | None = None
    """Rolled if the attack gets through."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        needed_with("defenses", bool(self.defenses), defender=self.defender)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """The roll of an attack."""

    effective: int
    """The skill with its modifiers."""
    roll: int
    """The sum of the dice."""
    margin: int
    """The effective skill less the sum."""
    critical: Critical
    """Whether the roll was critical."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOutcome:
    """What an attack came to."""

    result: AttackResult
    """`defended`: it would have hit, but was stopped."""
    attack: AttackRoll
    """The roll."""
    defense: DefenseOutcome | None
    """The defense; null on a miss, on a critical hit, and when none was listed."""
    now_alert: bool
    """Whether the target, attacked by an unseen and unknown foe, is alert from now on, hit or not."""
    damage: DamageDone | None
    """The damage of an attack that got through, if it was asked for."""


@dataclass(slots=True, unsafe_hash=True)
class Swing:
    """What the attack roll came to; the dice are for the record, only `result` may decide what follows."""

    result: AttackResult
    rolled: AttackRoll = field(compare=False)


def resolve(request: AttackRequest, trail: Trail) -> AttackOutcome | None:
    """What forbids the defense or the attack; the attack; the defense against a hit; the damage."""
    situation = settled_defense(request, trail)
    effective = effective_skill(request, trail)
    refuse_attack(request.attack, effective, trail)
    if trail.refused:
        trail.result(OUTCOME, 0, result=REFUSED)
        return None
    swing = trail.apart(part(roll_attack, effective))
    result, defense = swing.result, None
    if result is AttackResult.HIT and situation is not None:
        answer = defended(trail, situation, request.defenses)
        defense = outcome_of(DefenseOutcome, situation, answer.course)
        result = AttackResult.DEFENDED if answer.stopped else result
    else:
        if result is AttackResult.CRITICAL_HIT and situation is not None:
            trail.decision(CRITICAL_HIT)
        become_alert(trail, request.attack)
    through = result is AttackResult.HIT or result is AttackResult.CRITICAL_HIT
    damage = damage_done(trail, request.damage) if through else None
    trail.result(OUTCOME, int(through), result=result)
    return AttackOutcome(
        result=result,
        attack=swing.rolled,
        defense=defense,
        now_alert=request.attack.awareness is Awareness.UNSEEN_UNKNOWN,
        damage=damage,
    )


def settled_defense(request: AttackRequest, trail: Trail) -> Situation | None:
    """The terms of the defense, once its ingredients are there and what forbids it is refused; None if none is listed."""
    if not request.defenses:
        return None
    situation = settle(request.attack, given(request.defender), request.options)
    demand_ingredients(situation, request.defenses)
    refuse_forbidden(trail, situation, request.defenses)
    return situation


def effective_skill(request: AttackRequest, trail: Trail) -> int:
    """The skill with its modifiers and the price of deception, which an effective score has paid already."""
    modified_score(SKILL, request.roll, trail)
    if request.roll.skill is not None:
        trail.modifier_if_any(DECEPTIVE_COST, -COST_OF_DECEPTION * request.attack.deceptive)
    return capped(request.roll.cap, trail)


def refuse_attack(attack: Attack, effective: int, trail: Trail) -> None:
    """A Deceptive Attack needs an effective 10, any attack an effective 3."""
    if attack.deceptive and effective < LEAST_DECEPTIVE_SKILL:
        trail.refuse(DECEPTIVE_LIMIT, effective=effective)
    if effective < LOWEST_ATTEMPTED:
        trail.refuse(MINIMUM, effective=effective)


def roll_attack(trail: Trail, effective: int) -> Swing:
    """3d against effective skill; a critical hit strikes at once."""
    roll = trail.sum(ROLL, 3, 6, effective=effective)
    critical = critical_of(roll, effective)
    if critical is not Critical.NONE:
        trail.decision(CRITICAL, critical=critical)
    result = named_result(roll, effective, critical)
    trail.result(RESULT, effective - roll, result=result)
    return Swing(result, AttackRoll(effective=effective, roll=roll, margin=effective - roll, critical=critical))


def named_result(roll: int, effective: int, critical: Critical) -> AttackResult:
    """A critical roll is named for it; otherwise a hit, which can still be defended, or a miss."""
    if critical is Critical.SUCCESS:
        return AttackResult.CRITICAL_HIT
    if critical is Critical.FAILURE:
        return AttackResult.CRITICAL_MISS
    return AttackResult.HIT if succeeds(roll, effective) else AttackResult.MISS


ATTACK = Action(
    slug="attack",
    request=AttackRequest,
    outcome=AttackOutcome,
    resolve=resolve,
    rules=(
        SKILL,
        DECEPTIVE_COST,
        CAP,
        DECEPTIVE_LIMIT,
        ROLL,
        CRITICAL,
        RESULT,
        OUTCOME,
        *(rule for rule in DEFENSE_RULES if rule is not DECLINED),
    ),
    odds_over=OddsOver(
        ("result", "injury"), lambda outcome: (outcome.result, outcome.damage.injury if outcome.damage else 0)
    ),
    example={
        "roll": {"skill": 14},
        "attack": {"kind": "melee", "deceptive": 2},
        "defender": {"dodge": {"score": 9}},
        "defenses": [{"kind": "dodge"}],
        "damage": {"dice": 1, "adds": 2, "type": "cutting", "dr": 2},
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=6,
)

"""Does someone sneak up to an enemy unnoticed?

Order of dice: the ambusher's pool with its rerolls, then the target's with its own.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller.contests import LEAD, contest
from rules.storyteller.defender import Awareness
from rules.storyteller.options import AmbushEngaged, Options
from rules.storyteller.pools import refuse_without_dice
from rules.storyteller.rolls import Roll, need_attribute
from rules.storyteller.tables import DEXTERITY_STEALTH, PERCEPTION_ALERTNESS
from rules.storyteller.terms import Side
from rules.storyteller.throws import POOL_AND_THROW_RULES, Cast, RolledPool

ATTACKER = rule("storyteller.ambush.attacker", "Подкрасться", Kind.ROLL)
TARGET = rule("storyteller.ambush.target", "Подкрасться", Kind.ROLL)
SURPRISE = rule("storyteller.ambush.surprise", "Подкрасться", Kind.RESULT)
TIE = rule("storyteller.ambush.tie", "Подкрасться", Kind.RESULT)
SPOTTED = rule("storyteller.ambush.spotted", "Подкрасться", Kind.RESULT)
ENGAGED = rule("storyteller.ambush.engaged", "Подкрасться", Kind.REFUSAL)

RULES = (ATTACKER, TARGET, SURPRISE, TIE, SPOTTED, ENGAGED)


class AmbushResult(StrEnum):
    """What came of sneaking up."""

    SURPRISE = "surprise"
    TIE = "tie"
    SPOTTED = "spotted"


class AmbushInitiative(StrEnum):
    """Who acts first after an ambush: the attacker, or whoever ordinary initiative says."""

    ATTACKER_FIRST = "attacker_first"
    ROLL = "roll"


RESULT_RULES: dict[AmbushResult, Rule] = {
    AmbushResult.SURPRISE: SURPRISE,
    AmbushResult.TIE: TIE,
    AmbushResult.SPOTTED: SPOTTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbushSide:
    """One side of an ambush."""

    roll: Roll
    """The roll: Dexterity + Stealth of the attacker, Perception + Alertness of the target."""
    engaged: bool = False
    """Whether this side is already in the fight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbushRequest:
    """Someone sneaks up to someone."""

    attacker: AmbushSide
    """Who sneaks up."""
    target: AmbushSide
    """Who may notice; without dice the target scores 0."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        need_attribute(self.attacker.roll, DEXTERITY_STEALTH, "attacker/roll")
        need_attribute(self.target.roll, PERCEPTION_ALERTNESS, "target/roll")


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbushOutcome:
    """What the attack that follows has to know."""

    result: AmbushResult
    """Whether the target is surprised."""
    bonus: int
    """The difference on a surprise, else 0: the attack's `ambush_successes`."""
    awareness: Awareness
    """The attack's `defender.awareness`."""
    initiative: AmbushInitiative
    """Who acts first."""
    attacker: RolledPool
    """The attacker's roll."""
    target: RolledPool
    """The target's roll."""


def breaks_ambush(request: AmbushRequest) -> bool:
    """Whoever is already in the fight cannot use it: the ambusher, by option the target, or either."""
    asked = request.options.ambush_engaged
    attacker = request.attacker.engaged and asked is not AmbushEngaged.TARGET
    return attacker or (request.target.engaged and asked is not AmbushEngaged.ATTACKER)


def result_of(lead: int) -> AmbushResult:
    """More successes surprise, equal ones (0 to 0 too) are a tie, fewer are noticed."""
    if lead == 0:
        return AmbushResult.TIE
    return AmbushResult.SURPRISE if lead > 0 else AmbushResult.SPOTTED


def resolve(request: AmbushRequest, trail: Trail) -> AmbushOutcome | None:
    """The ambusher's roll, the target's, and what their difference means."""
    if breaks_ambush(request):
        trail.refuse(ENGAGED)
    refuse_without_dice(request.attacker.roll, DEXTERITY_STEALTH, Side.ATTACKER, trail)
    if trail.refused:
        return None
    sneaking = Cast(ATTACKER, request.attacker.roll, DEXTERITY_STEALTH)
    watching = Cast(TARGET, request.target.roll, PERCEPTION_ALERTNESS)
    attacker, target = contest(sneaking, watching, request.options, trail)
    lead = LEAD(attacker, target)
    result = result_of(lead)
    trail.result(RESULT_RULES[result], abs(lead), attacker=attacker.successes, target=target.successes)
    return AmbushOutcome(
        result=result,
        bonus=max(lead, 0),
        awareness=Awareness.AMBUSHED if result is AmbushResult.SURPRISE else Awareness.AWARE,
        initiative=AmbushInitiative.ROLL if result is AmbushResult.SPOTTED else AmbushInitiative.ATTACKER_FIRST,
        attacker=attacker,
        target=target,
    )


AMBUSH = Action(
    slug="ambush",
    request=AmbushRequest,
    outcome=AmbushOutcome,
    resolve=resolve,
    rules=(*POOL_AND_THROW_RULES, *RULES),
    odds_over=OddsOver(("result", "bonus"), lambda outcome: (outcome.result, outcome.bonus)),
    example={
        "attacker": {"roll": {"traits": {"dexterity": 3, "stealth": 2}, "armor_penalty": 1}},
        "target": {"roll": {"traits": {"perception": 2, "alertness": 1}}},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

"""Blocks, dodges and parries: how they are rolled, and where a dodge under fire ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail
from rules.storyteller.defender import Defense, DefenseManeuver, DefenseMode, Incoming, Refuge
from rules.storyteller.options import DodgeRefuge, Options
from rules.storyteller.pools import Change
from rules.storyteller.tables import MOST_FOR_OPPONENTS
from rules.storyteller.terms import Range
from rules.storyteller.throws import Cast, RolledPool, throw

DEFENSE_ROLL = rule("storyteller.defense.roll", "Защитные маневры", Kind.ROLL)
IN_MULTIPLE = rule("storyteller.defense.multiple", "Сложности защиты")
FULL_ROUND = rule("storyteller.defense.full_round", "Сложности защиты", Kind.MODIFIER)
OPPONENTS_DEFENSE = rule("storyteller.opponents.defense", "Сложности защиты; published", Kind.MODIFIER)
BLOCK = rule("storyteller.block", "Блок", Kind.DECISION)
DODGE = rule("storyteller.dodge", "Уклонение", Kind.DECISION)
DODGE_REFUGE = rule("storyteller.dodge.refuge", "Уклонение", Kind.EFFECT)
PARRY = rule("storyteller.parry", "Парировать", Kind.DECISION)

RULES = (
    DEFENSE_ROLL,
    IN_MULTIPLE,
    FULL_ROUND,
    OPPONENTS_DEFENSE,
    BLOCK,
    DODGE,
    DODGE_REFUGE,
    PARRY,
)


MANEUVERS: Mapping[DefenseManeuver, Rule] = {
    DefenseManeuver.BLOCK: BLOCK,
    DefenseManeuver.DODGE: DODGE,
    DefenseManeuver.PARRY: PARRY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseRolled(RolledPool):
    """A defense as it was rolled."""

    maneuver: DefenseManeuver
    """The defensive maneuver."""
    refuge: Refuge
    """Where a dodge from shots ended."""


def cast_of(defense: Defense) -> Cast:
    """The roll: one die less for each further defense of a round of defending, harder against several opponents."""
    full_round = defense.mode is DefenseMode.FULL_ROUND
    earlier = defense.earlier_defenses if full_round else 0
    several = min(defense.opponents - 1, MOST_FOR_OPPONENTS)
    return Cast(
        DEFENSE_ROLL,
        defense.roll,
        defense.reads,
        dice=(Change(FULL_ROUND, -earlier),),
        difficulty=(Change(OPPONENTS_DEFENSE, several, defense.opponents),),
    )


def defend(trail: Trail, defense: Defense, options: Options) -> RolledPool:
    """A part: the chosen maneuver, rolled whatever the attack came to."""
    trail.decision(MANEUVERS[defense.maneuver])
    return throw(trail, cast_of(defense), options)


def refuge_after(defense: Defense, incoming: Incoming, options: Options, trail: Trail, *, hit: bool) -> Refuge:
    """A dodge under fire ends in cover, or without room on the ground; by option only if the attack misses."""
    if defense.maneuver is not DefenseManeuver.DODGE or incoming.range is Range.CLOSE:
        return Refuge.NONE
    if hit and options.dodge_refuge is DodgeRefuge.ON_MISS:
        return Refuge.NONE
    refuge = Refuge.GROUND if defense.cramped else defense.refuge or Refuge.NONE
    if refuge is not Refuge.NONE:
        trail.effect(DODGE_REFUGE, refuge=refuge)
    return refuge


def defense_outcome(
    defense: Defense | None,
    rolled: RolledPool | None,
    incoming: Incoming,
    options: Options,
    trail: Trail,
    *,
    hit: bool,
) -> DefenseRolled | None:
    """The defense as the outcome shows it, with where a dodge ended; None where nobody defended."""
    if defense is None or rolled is None:
        return None
    return DefenseRolled(
        maneuver=defense.maneuver,
        refuge=refuge_after(defense, incoming, options, trail, hit=hit),
        pool=rolled.pool,
        difficulty=rolled.difficulty,
        hits=rolled.hits,
        ones=rolled.ones,
        rerolls=rolled.rerolls,
        successes=rolled.successes,
        result=rolled.result,
    )

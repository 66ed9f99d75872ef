"""What a state forbids: the immobilised and the stunned do nothing, the bound nothing that needs hands."""

from enum import StrEnum

from rules.action_points.fighter import Fighter
from rules.action_points.sheet import LOW_HP_STUNS
from rules.action_points.sources import ON_STATES
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

IMMOBILISED = rule("action_points.state.immobilised", ON_STATES, Kind.REFUSAL)
STUNNED = rule("action_points.state.stunned", ON_STATES, Kind.REFUSAL)
BOUND = rule("action_points.state.bound", ON_STATES, Kind.REFUSAL)
STATE_RULES = (LOW_HP_STUNS, IMMOBILISED, STUNNED, BOUND)


class Role(StrEnum):
    """Of whom a step speaks."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    FIGHTER = "fighter"


def note_low_hp(fighter: Fighter, role: Role, trail: Trail) -> None:
    """Low HP stun, listed or not."""
    effective = fighter.effective_hp
    if effective is not None and fighter.has_low_hp:
        trail.decision(LOW_HP_STUNS, effective, hp_max=fighter.hp_maximum, who=role)


def refuse_by_state(role: Role, trail: Trail, *, immobilised: bool, stunned: bool, bound: bool) -> None:
    """Refuse for each state that forbids the choice."""
    if immobilised:
        trail.refuse(IMMOBILISED, who=role)
    if stunned:
        trail.refuse(STUNNED, who=role)
    if bound:
        trail.refuse(BOUND, who=role)

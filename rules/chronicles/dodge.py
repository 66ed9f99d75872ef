"""What does a Dodge leave of an attack whose successes are known, and what does that do to the target?

Order of dice: those of the Dodge (see `rolls`).
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.attack_outcome import ATTACK_ODDS, AttackOutcome, DefenseMode
from rules.chronicles.defense_score import Defense
from rules.chronicles.dodge_roll import NEEDS_DEFENSE, refuse_dodge
from rules.chronicles.options import Options
from rules.chronicles.strike import STRIKE_STEPS, Strike, resolve_strike
from rules.chronicles.target import Target
from rules.chronicles.weapons import Weapon
from rules.core.action import Action
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

RESULT = rule("chronicles.dodge.result", "beyond the source", Kind.RESULT)

RULES = (RESULT,)


@dataclass(frozen=True, slots=True, kw_only=True)
class DodgeRequest:
    """The defender's side of an attack that was rolled at the table."""

    attack_successes: Annotated[int, Ge(0), Le(200)]
    """The attacker's successes; nothing subtracted."""
    defense: Defense
    """The one who dodges."""
    weapon: Weapon = Weapon()
    """What strikes; left out, bare hands."""
    target: Target | None = None
    """Who takes the damage; left out, the damage is only told."""
    options: Options = Options()
    """House rules."""


def resolve(request: DodgeRequest, trail: Trail) -> AttackOutcome | None:
    """What forbids the Dodge, then an attack with known successes that is dodged."""
    refuse_dodge(request.defense, request.weapon.kind, request.options, trail)
    if trail.refused:
        return None
    strike = Strike(
        pool=None,
        successes=request.attack_successes,
        all_out=False,
        weapon=request.weapon,
        mode=DefenseMode.DODGE,
        defense=request.defense,
        target=request.target,
        options=request.options,
    )
    return resolve_strike(strike, RESULT, trail)


DODGE = Action(
    slug="dodge",
    request=DodgeRequest,
    outcome=AttackOutcome,
    resolve=resolve,
    rules=(NEEDS_DEFENSE, *STRIKE_STEPS, RESULT),
    odds_over=ATTACK_ODDS,
    example={
        "attack_successes": 2,
        "defense": {"traits": {"dexterity": 2, "wits": 3, "athletics": 1}, "attacks_defended": 2},
        "dice": [8, 7],
    },
    max_dice=1000,
    max_sides=10,
)

"""What a defense needs to be told before anything can be said of it."""

from rules.core.faults import Malformed
from rules.gurps.defense_choice import Defense, DefenseKind
from rules.gurps.heavy_weapon import is_too_heavy
from rules.gurps.incoming_attack import AttackKind
from rules.gurps.ingredient import demand, given
from rules.gurps.posture import Posture
from rules.gurps.situation import Situation
from rules.gurps.tool import Tool, ToolKind


def demand_ingredients(situation: Situation, defenses: tuple[Defense, ...]) -> None:
    """A request that lacks what one of its defenses needs is malformed, whatever forbids the defense."""
    defender = situation.defender
    for defense in defenses:
        if defense.kind is DefenseKind.DODGE:
            demand(defender.dodge, "defender/dodge", "kind: dodge")
            continue
        if situation.in_the_dark:
            demand(defender.hearing, "defender/hearing", "kind: block, parry (unseen attacker)")
            if defense.falls_back:
                demand(defender.dodge, "defender/dodge", "fallback: dodge (unseen attacker)")
        if defense.kind is DefenseKind.PARRY:
            demand_of_parry(situation, given(defense.tool))
        elif defender.shield is not None:
            demand(defender.shield.block, "defender/shield/block", "kind: block")


def demand_of_parry(situation: Situation, tool: Tool) -> None:
    """The weight of a thrown weapon; DX where the hand may be thrown back."""
    attack, defender = situation.attack, situation.defender
    if attack.kind is AttackKind.THROWN:
        demand(attack.weight_g, "attack/weight_g", "kind: thrown, parry")
    if tool.kind is ToolKind.WEAPON or defender.posture is Posture.LYING or defender.dx is not None:
        return
    if is_too_heavy(situation.weight_g, tool, defender, situation.options):
        raise Malformed("dx_needed", "defender/dx", weight=given(situation.weight_g))

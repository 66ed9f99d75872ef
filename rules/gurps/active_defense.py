"""What becomes of one attack that would hit, and what does it do to the defender and the weapon?

The target defends once, twice (in Double Defense) or not at all. Order of dice: detection 3, Blind Fighting 3; then for each
defense Hearing 3 (once for the attack), Acrobatics 3, the defense 3 (or, too heavy: breakage 1 or DX 3), breakage 1, limb 3;
then damage.
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Len

from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.trail import Trail
from rules.gurps.attempt import ATTEMPT_RULES
from rules.gurps.awareness import AWARENESS_RULES, become_alert
from rules.gurps.base_scores import BLOCK_SCORE_RULES, DODGE_SCORE_RULES, PARRY_SCORE_RULES
from rules.gurps.damage import DAMAGE_RULES, Damage, DamageDone, damage_done
from rules.gurps.defending import DEFENDING_RULES, OUTCOME, defended, outcome_of
from rules.gurps.defense_bonus import DEFENSE_BONUS_RULES
from rules.gurps.defense_choice import Defense
from rules.gurps.defense_outcome import DefenseOutcome
from rules.gurps.defense_roll import DEFENSE_ROLL_RULES
from rules.gurps.direction import DIRECTION_RULES
from rules.gurps.heavy_weapon import HEAVY_WEAPON_RULES
from rules.gurps.height import HEIGHT_RULES
from rules.gurps.incoming_attack import IncomingAttack
from rules.gurps.ingredients import demand_ingredients
from rules.gurps.modifiers import MODIFIER_RULES
from rules.gurps.options import Options
from rules.gurps.parry import PARRY_RULES
from rules.gurps.refusals import REFUSAL_RULES, refuse_forbidden
from rules.gurps.retreat_and_drop import RETREAT_AND_DROP_RULES
from rules.gurps.rolls import MINIMUM
from rules.gurps.sheet import Defender
from rules.gurps.situation import settle

DEFENSE_RULES = tuple(
    dict.fromkeys(
        (
            *REFUSAL_RULES,
            *AWARENESS_RULES,
            *DIRECTION_RULES,
            *DEFENDING_RULES,
            *ATTEMPT_RULES,
            *PARRY_RULES,
            *HEAVY_WEAPON_RULES,
            *DODGE_SCORE_RULES,
            *BLOCK_SCORE_RULES,
            *PARRY_SCORE_RULES,
            *MODIFIER_RULES,
            *HEIGHT_RULES,
            *DEFENSE_BONUS_RULES,
            *RETREAT_AND_DROP_RULES,
            *DEFENSE_ROLL_RULES,
            *DAMAGE_RULES,
            MINIMUM,
        )
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveDefenseRequest:
    """One attack that would hit, and how its target defends."""

    attack: IncomingAttack
    """The attack."""
    defender: Defender
    """The target."""
    defenses: Annotated[tuple[Defense, ...], Len(0, 2)]
    """The defense; two after All-Out Defense (Double), tried in order until one succeeds; none: the target does not
    defend."""
    damage: Damage | None = None
    """Rolled if the attack gets through."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveDefenseOutcome(DefenseOutcome):
    """What becomes of the attack, and what it does to the defender and the weapon."""

    damage: DamageDone | None
    """The damage of an attack that got through, if it was asked for."""


def resolve(request: ActiveDefenseRequest, trail: Trail) -> ActiveDefenseOutcome | None:
    """What forbids a defense; what must be settled first; each defense until one succeeds; the conclusion; the damage."""
    attack = request.attack
    situation = settle(attack, request.defender, request.options)
    demand_ingredients(situation, request.defenses)
    refuse_forbidden(trail, situation, request.defenses, critical=attack.critical)
    if trail.refused:
        become_alert(trail, attack)
        trail.result(OUTCOME, 0)
        return None
    answer = defended(trail, situation, request.defenses)
    damage = None if answer.stopped else damage_done(trail, request.damage)
    return outcome_of(ActiveDefenseOutcome, situation, answer.course, damage=damage)


ACTIVE_DEFENSE = Action(
    slug="active-defense",
    request=ActiveDefenseRequest,
    outcome=ActiveDefenseOutcome,
    resolve=resolve,
    rules=DEFENSE_RULES,
    odds_over=OddsOver(
        ("result", "injury"), lambda outcome: (outcome.result, outcome.damage.injury if outcome.damage else 0)
    ),
    example={
        "attack": {"kind": "melee", "attacker_step": "available"},
        "defender": {"shield": {"db": 1}},
        "defenses": [
            {
                "kind": "parry",
                "tool": {"name": "saber", "skill_name": "saber", "parry": {"skill": 17}},
                "option": {"kind": "retreat", "facing": "left"},
            }
        ],
        "damage": {"dice": 2, "adds": 1, "type": "cutting", "dr": 2},
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=6,
)

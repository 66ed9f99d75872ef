"""Is the answer allowed? Everything that forbids a defense, in the order in which it is checked."""

from collections.abc import Callable

from rules.action_points.attack_kinds import MAGICAL, Attack, AttackScope
from rules.action_points.defenses import EVASIONS, WEAPON_DEFENSES, Defense, DefenseType
from rules.action_points.fighter import Fighter
from rules.action_points.options import CriticalAnswers, DashScope, Options, ParryReading
from rules.action_points.permissions import STATE_RULES, Role, refuse_by_state
from rules.action_points.plan_items import DASH_ONCE
from rules.action_points.sources import BEYOND, ON_ATTACKS, ON_COMBAT, ON_MOVEMENT, ON_STATES
from rules.action_points.tables import Delivery
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Trail

CRITICAL_ANSWERS = rule("action_points.critical.answers", ON_ATTACKS, Kind.REFUSAL)
DIRECT_ONLY = rule("action_points.dodge.direct_only", ON_COMBAT, Kind.REFUSAL)
NO_DODGE = rule("action_points.reduction.no_dodge", ON_STATES, Kind.REFUSAL)
POINT_ATTACKS = rule("action_points.dash.point_attacks", ON_MOVEMENT, Kind.REFUSAL)
NO_RANGED = rule("action_points.parry.no_ranged", ON_COMBAT, Kind.REFUSAL)
SPELL_NEEDS_ABSORPTION = rule("action_points.parry.spell_needs_absorption", ON_COMBAT, Kind.REFUSAL)
COLD_WEAPON_ONLY = rule("action_points.parry.cold_weapon_only", ON_COMBAT, Kind.REFUSAL)
NOTHING_TO_DROP = rule("action_points.disarm.nothing_to_drop", BEYOND, Kind.REFUSAL)
SPELLS_ONLY = rule("action_points.absorb.spells_only", ON_COMBAT, Kind.REFUSAL)
OWN_WEAPON = rule("action_points.parry.own_weapon", ON_COMBAT, Kind.REFUSAL)
ONCE_PER_FIGHT = rule("action_points.disarm.once_per_fight", ON_COMBAT, Kind.REFUSAL)


def critical_takes_no_defense(attack: Attack, _: Defense, options: Options) -> bool:
    """By option nothing but interrupting it or cover saves from a critical attack."""
    return attack.critical is not None and options.critical_answers is CriticalAnswers.INTERRUPT_OR_COVER


def evades_a_mass_attack(attack: Attack, defense: Defense, _: Options) -> bool:
    """Only an attack aimed at the person can be evaded."""
    return defense.type in EVASIONS and attack.scope is AttackScope.MASS


def evades_a_reduction(attack: Attack, defense: Defense, _: Options) -> bool:
    """A spell or ability that reduces a characteristic cannot be evaded."""
    return defense.type in EVASIONS and attack.reduces and attack.delivery in MAGICAL


def dashes_from_a_blow(attack: Attack, defense: Defense, options: Options) -> bool:
    """A dash avoids bullets, arrows and directed spells, not blows."""
    blow = attack.delivery is Delivery.UNARMED or attack.delivery is Delivery.COLD_WEAPON
    return defense.type is DefenseType.DASH and blow and options.dash_scope is not DashScope.ANY_DIRECT


def parries_a_shot(attack: Attack, defense: Defense, _: Options) -> bool:
    """Ranged attacks cannot be parried."""
    return defense.type in WEAPON_DEFENSES and attack.delivery is Delivery.RANGED


def parries_a_spell(attack: Attack, defense: Defense, _: Options) -> bool:
    """A spell is parried by Absorb Spell and nothing else."""
    return defense.type in WEAPON_DEFENSES and attack.delivery is Delivery.SPELL


def parries_no_weapon(attack: Attack, defense: Defense, options: Options) -> bool:
    """Only physical attacks with a cold weapon can be parried, or by option those parried with one."""
    with_own = options.parry_reading is ParryReading.DEFEND_WITH_COLD_WEAPON
    unarmed = attack.delivery is Delivery.UNARMED and not with_own
    return defense.type in WEAPON_DEFENSES and (unarmed or attack.delivery is Delivery.ABILITY)


def disarms_a_bare_hand(attack: Attack, defense: Defense, _: Options) -> bool:
    """A bare hand has nothing to drop."""
    return defense.type is DefenseType.DISARM and attack.delivery is Delivery.UNARMED


def absorbs_no_spell(attack: Attack, defense: Defense, _: Options) -> bool:
    """Absorb Spell works on spells only."""
    return defense.type is DefenseType.ABSORB_SPELL and attack.delivery is not Delivery.SPELL


def dashes_again(defender: Fighter, defense: Defense, _: Options) -> bool:
    """One dash a turn."""
    return defense.type is DefenseType.DASH and defender.dash_made


def parries_without_weapon(defender: Fighter, defense: Defense, options: Options) -> bool:
    """By option one parries with a cold weapon."""
    needs_own = options.parry_reading is not ParryReading.ATTACK_WITH_COLD_WEAPON
    return defense.type in WEAPON_DEFENSES and needs_own and not defender.has_cold_weapon


def disarms_again(defender: Fighter, defense: Defense, _: Options) -> bool:
    """One disarm a fight."""
    return defense.type is DefenseType.DISARM and defender.disarm_made


AttackCheck = Callable[[Attack, Defense, Options], bool]
DefenderCheck = Callable[[Fighter, Defense, Options], bool]

BY_ATTACK: tuple[tuple[Rule, AttackCheck], ...] = (
    (CRITICAL_ANSWERS, critical_takes_no_defense),
    (DIRECT_ONLY, evades_a_mass_attack),
    (NO_DODGE, evades_a_reduction),
    (POINT_ATTACKS, dashes_from_a_blow),
    (NO_RANGED, parries_a_shot),
    (SPELL_NEEDS_ABSORPTION, parries_a_spell),
    (COLD_WEAPON_ONLY, parries_no_weapon),
    (NOTHING_TO_DROP, disarms_a_bare_hand),
    (SPELLS_ONLY, absorbs_no_spell),
)
BY_DEFENDER: tuple[tuple[Rule, DefenderCheck], ...] = (
    (DASH_ONCE, dashes_again),
    (OWN_WEAPON, parries_without_weapon),
    (ONCE_PER_FIGHT, disarms_again),
)
ANSWER_RULES = (*STATE_RULES, *(each for each, _ in BY_ATTACK), *(each for each, _ in BY_DEFENDER))


def refuse_answer(defense: Defense, attack: Attack | None, defender: Fighter, options: Options, trail: Trail) -> None:
    """Refuse for everything that forbids the answer; where only a price is known, the attack forbids nothing."""
    refuse_by_state(
        Role.DEFENDER,
        trail,
        immobilised=defender.immobilised,
        stunned=defender.stunned,
        bound=defender.bound and not defense.frees_hands,
    )
    if attack is not None:
        for forbidding, forbids in BY_ATTACK:
            if forbids(attack, defense, options):
                trail.refuse(forbidding, defense=defense.type, delivery=attack.delivery)
    for forbidding, forbidden in BY_DEFENDER:
        if forbidden(defender, defense, options):
            trail.refuse(forbidding, defense=defense.type)

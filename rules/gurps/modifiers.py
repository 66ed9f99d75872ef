"""The modifiers of a defense, in the order in which they are counted."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.awareness import modify_for_sight
from rules.gurps.defense_bonus import modify_for_defense_bonus
from rules.gurps.defense_choice import Defense, DefenseKind
from rules.gurps.direction import modify_for_direction
from rules.gurps.height import modify_for_height
from rules.gurps.incoming_attack import Attack, AttackKind, Means, Strike
from rules.gurps.ingredient import given
from rules.gurps.inner_roll import passes
from rules.gurps.posture import DEFENSE_MODIFIERS
from rules.gurps.retreat_and_drop import modify_for_option
from rules.gurps.rolls import CUSTOM_MODIFIER
from rules.gurps.sheet import Defender, DefenderTrait, Maneuver
from rules.gurps.situation import Situation
from rules.gurps.tool import ART_SKILLS, ParrySkill, Tool, ToolKind
from rules.gurps.turn import OptionKind

WHAT_IS_PARRIED = "Что я парирую?"
ACROBATIC_DODGE = "Акробатическое уклонение"
DECEPTION = "beyond the source; published"
REPEATED = rule("gurps.parry.repeated", "Повторное парирование", Kind.MODIFIER)
UNARMED_VS_WEAPON = rule("gurps.parry.unarmed_vs_weapon", "Чем я парирую? (без оружия)", Kind.MODIFIER)
LAUNCHER = rule("gurps.parry.launcher", WHAT_IS_PARRIED, Kind.DECISION)
PARRY_FLAIL = rule("gurps.parry.flail", WHAT_IS_PARRIED, Kind.MODIFIER)
BLOCK_FLAIL = rule("gurps.block.flail", "Блокирование (кусари и цепы)", Kind.MODIFIER)
THROWN = rule("gurps.parry.thrown", WHAT_IS_PARRIED, Kind.MODIFIER)
SHOCK = rule("gurps.injury.shock", "Травма и активная защита", Kind.LIMIT)
STUNNED = rule("gurps.injury.stunned", "Травма и активная защита", Kind.MODIFIER)
POSTURE_KEPT = rule("gurps.drop.posture_kept", "Уклонение падением", Kind.DECISION)
POSTURE = rule("gurps.posture.defense", "Уклонение падением; published", Kind.MODIFIER)
INCREASED = rule("gurps.maneuver.increased_defense", "published", Kind.MODIFIER)
DECEPTIVE = rule("gurps.attack.deceptive", DECEPTION, Kind.MODIFIER)
FEINT = rule("gurps.attack.feint", DECEPTION, Kind.MODIFIER)
ACROBATICS_ROLL = rule("gurps.acrobatics.roll", ACROBATIC_DODGE, Kind.ROLL, Kind.DECISION)
ACROBATICS = rule("gurps.acrobatics.modifier", ACROBATIC_DODGE, Kind.MODIFIER)

MODIFIER_RULES = (
    REPEATED,
    UNARMED_VS_WEAPON,
    LAUNCHER,
    PARRY_FLAIL,
    BLOCK_FLAIL,
    THROWN,
    SHOCK,
    STUNNED,
    POSTURE_KEPT,
    POSTURE,
    INCREASED,
    DECEPTIVE,
    FEINT,
    ACROBATICS_ROLL,
    ACROBATICS,
    CUSTOM_MODIFIER,
)

LIGHT_THROWN_WEAPON_G = 500
INCREASED_DEFENSE = {
    Maneuver.ALL_OUT_DEFENSE_DODGE: DefenseKind.DODGE,
    Maneuver.ALL_OUT_DEFENSE_BLOCK: DefenseKind.BLOCK,
    Maneuver.ALL_OUT_DEFENSE_PARRY: DefenseKind.PARRY,
}
WITHOUT_FEAR_OF_WEAPONS = ART_SKILLS | {ParrySkill.PARRY_MISSILE_WEAPONS}


def modify(trail: Trail, situation: Situation, defense: Defense, kind: DefenseKind, lasting: OptionKind | None) -> None:
    """Everything that changes the score of one defense against one attack; `kind` is what it has come to."""
    attack, defender, options = situation.attack, situation.defender, situation.options
    if kind is DefenseKind.PARRY:
        modify_parry(trail, attack, defender, given(defense.tool))
    elif kind is DefenseKind.BLOCK and attack.on_chain:
        trail.modifier(BLOCK_FLAIL, -2, weapon_class=attack.weapon_class)
    modify_for_condition(trail, situation)
    modify_for_sight(trail, attack, defender, in_the_dark=situation.in_the_dark)
    modify_for_direction(trail, situation.direction, kind, defender)
    if attack.height is not None and situation.melee:
        modify_for_height(trail, attack.height)
    if INCREASED_DEFENSE.get(defender.maneuver) is kind:
        trail.modifier(INCREASED, 2)
    modify_for_defense_bonus(trail, situation.direction, defender, options, area=situation.area)
    modify_for_option(trail, situation, defense, kind, lasting)
    trail.modifier_if_any(DECEPTIVE, -attack.deceptive)
    trail.modifier_if_any(FEINT, -attack.feint)
    if defense.acrobatic:
        modify_for_acrobatics(trail, defender)
    for modifier in defense.modifiers:
        trail.modifier_if_any(CUSTOM_MODIFIER, modifier.value, name=modifier.name)


def modify_parry(trail: Trail, attack: Attack, defender: Defender, tool: Tool) -> None:
    """What is parried, with what, and how often it has parried in this turn."""
    if tool.previous_parries:
        cost = cost_of_repetition(tool, defender)
        trail.modifier(REPEATED, -cost * tool.previous_parries, previous=tool.previous_parries, cost=cost)
    if bare_hand_fears(tool, attack):
        trail.modifier(UNARMED_VS_WEAPON, -3)
    if attack.launcher_in_reach and tool.skill_name is not ParrySkill.PARRY_MISSILE_WEAPONS:
        trail.decision(LAUNCHER)
    if attack.on_chain:
        trail.modifier(PARRY_FLAIL, -4, weapon_class=attack.weapon_class)
    if attack.kind is AttackKind.THROWN:
        weight = given(attack.weight_g)
        trail.modifier(THROWN, -2 if weight <= LIGHT_THROWN_WEAPON_G else -1, weight=weight)


def cost_of_repetition(tool: Tool, defender: Defender) -> int:
    """-4 for each parry before; -2 with a fencing weapon, or for a master; -1 with both."""
    traits = defender.traits
    master = DefenderTrait.WEAPON_MASTER in traits or DefenderTrait.TRAINED_BY_A_MASTER in traits
    if tool.fencing:
        return 1 if master else 2
    return 2 if master else 4


def bare_hand_fears(tool: Tool, attack: Attack) -> bool:
    """Bare hands against a weapon: -3, not against a thrust and not with Judo or Karate."""
    if tool.kind is not ToolKind.UNARMED or attack.means is not Means.WEAPON:
        return False
    thrust = attack.kind is AttackKind.MELEE and attack.strike is Strike.THRUST
    return not thrust and tool.skill_name not in WITHOUT_FEAR_OF_WEAPONS


def modify_for_condition(trail: Trail, situation: Situation) -> None:
    """Shock never lowers a defense; stun does, and so does the posture that counts."""
    defender = situation.defender
    if defender.shock:
        trail.limit(SHOCK, 0, shock=defender.shock)
    if defender.stunned:
        trail.modifier(STUNNED, -4)
    if situation.lasting is OptionKind.DROP:
        trail.decision(POSTURE_KEPT)
    trail.modifier_if_any(POSTURE, DEFENSE_MODIFIERS[situation.posture], posture=situation.posture)


def modify_for_acrobatics(trail: Trail, defender: Defender) -> None:
    """Acrobatics is rolled before the dodge: +2 on success, -2 on failure."""
    trail.modifier(ACROBATICS, 2 if passes(trail, ACROBATICS_ROLL, given(defender.acrobatics)) else -2)

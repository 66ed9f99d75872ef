"""The options of a defense: retreat, drop, and the dive for cover from an area."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.defense_choice import Defense, DefenseKind, DefenseOption
from rules.gurps.incoming_attack import AttackerStep
from rules.gurps.options import DiveBonus
from rules.gurps.situation import Situation
from rules.gurps.tool import ART_SKILLS, ParrySkill, Tool
from rules.gurps.turn import OptionAgainst, OptionKind

RETREAT = "Отступление"
DROP = "Уклонение падением"
DIVE = "В укрытие"
RETREAT_DODGE = rule("gurps.retreat.dodge", RETREAT, Kind.MODIFIER)
RETREAT_FENCING = rule("gurps.retreat.fencing", "Отступление; Чем я парирую?", Kind.MODIFIER)
RETREAT_OTHER = rule("gurps.retreat.other", RETREAT, Kind.MODIFIER)
RETREAT_MOVEMENT = rule("gurps.retreat.movement", RETREAT, Kind.EFFECT)
RETREAT_LASTING = rule("gurps.retreat.lasting", RETREAT, Kind.DECISION)
RETREAT_FOLLOW = rule("gurps.retreat.follow", RETREAT, Kind.EFFECT)
DROP_BONUS = rule("gurps.drop.bonus", DROP, Kind.MODIFIER)
DROP_LASTING = rule("gurps.drop.lasting", DROP, Kind.DECISION)
DROP_POSTURE = rule("gurps.drop.posture", DROP, Kind.EFFECT)
DROP_COVER = rule("gurps.drop.cover", DROP, Kind.EFFECT)
AREA_DIVE = rule("gurps.area.dive", DIVE, Kind.MODIFIER)

RETREAT_AND_DROP_RULES = (
    RETREAT_DODGE,
    RETREAT_FENCING,
    RETREAT_OTHER,
    RETREAT_MOVEMENT,
    RETREAT_LASTING,
    RETREAT_FOLLOW,
    DROP_BONUS,
    DROP_LASTING,
    DROP_POSTURE,
    DROP_COVER,
    AREA_DIVE,
)

RETREATING_SKILLS = ART_SKILLS | {ParrySkill.BOXING}


def modify_for_option(
    trail: Trail, situation: Situation, defense: Defense, kind: DefenseKind, lasting: OptionKind | None
) -> None:
    """The bonus of the option chosen now, or of one that still holds against this foe."""
    option = defense.option
    if option is not None:
        if situation.area:
            trail.modifier(AREA_DIVE, 3, option=option.kind)
        elif option.kind is OptionKind.DROP:
            trail.modifier(DROP_BONUS, 3)
        else:
            modify_for_retreat(trail, kind, defense.tool)
    elif lasting is OptionKind.RETREAT:
        trail.decision(RETREAT_LASTING)
        modify_for_retreat(trail, kind, defense.tool)
    elif lasting is OptionKind.DROP and kind is DefenseKind.DODGE and not situation.melee:
        trail.decision(DROP_LASTING)
        trail.modifier(DROP_BONUS, 3)


def modify_for_retreat(trail: Trail, kind: DefenseKind, tool: Tool | None) -> None:
    """Dodge +3; Parry +3 with fencing, Boxing, Judo or Karate; Block, or Parry with anything else, +1."""
    if kind is DefenseKind.DODGE:
        trail.modifier(RETREAT_DODGE, 3)
    elif kind is DefenseKind.PARRY and tool is not None and (tool.fencing or tool.skill_name in RETREATING_SKILLS):
        trail.modifier(RETREAT_FENCING, 3)
    else:
        trail.modifier(RETREAT_OTHER, 1)


def option_counts_against(situation: Situation) -> OptionAgainst:
    """An option is used against one foe; a dive is away from the attack and not from the foe."""
    if situation.area and situation.options.dive_bonus is DiveBonus.ATTACK_ONLY:
        return OptionAgainst.NO_ONE
    return OptionAgainst.THIS_ATTACKER


def may_follow(situation: Situation, option: DefenseOption) -> bool:
    """A foe whose maneuver allows a step not yet taken may follow a retreat with it."""
    retreat = option.kind is OptionKind.RETREAT and situation.melee
    return retreat and situation.attack.attacker_step is AttackerStep.AVAILABLE


def use_option(trail: Trail, situation: Situation, option: DefenseOption) -> None:
    """Whoever drops lies at once; whoever retreats from a foe takes one step away, and the foe may follow."""
    if option.kind is OptionKind.DROP:
        trail.effect(DROP_POSTURE)
        if option.cover:
            trail.effect(DROP_COVER)
    elif situation.melee:
        trail.effect(RETREAT_MOVEMENT, 1, facing=option.facing)
        if may_follow(situation, option):
            trail.effect(RETREAT_FOLLOW)

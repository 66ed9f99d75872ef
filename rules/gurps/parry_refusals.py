"""What forbids a parry."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.defense_choice import Defense
from rules.gurps.direction import is_side, on_side
from rules.gurps.forbid import forbid
from rules.gurps.incoming_attack import Attack, AttackKind, ForbiddenDefense, Means
from rules.gurps.options import BareHands
from rules.gurps.sheet import DefenderTrait, Maneuver
from rules.gurps.situation import Situation
from rules.gurps.tool import Hand, ParrySkill, Tool, ToolKind, ToolTrait, WeaponType

BARE_HANDS = "Чем я парирую? (без оружия)"
FORBIDDEN = rule("gurps.parry.forbidden", "beyond the source", Kind.REFUSAL)
NOT_READY = rule("gurps.parry.not_ready", "Парирование", Kind.REFUSAL)
MISSILE = rule("gurps.parry.missile", "Парирование", Kind.REFUSAL)
MISSILE_SKILL = rule("gurps.parry.missile_skill", "published", Kind.REFUSAL)
MOVE_AND_ATTACK = rule("gurps.maneuver.move_and_attack", "Защита (Подвиги)", Kind.REFUSAL)
UNBALANCED = rule("gurps.parry.unbalanced", "Чем я парирую? (несбалансированным)", Kind.REFUSAL)
WEAPON_SIDE = rule("gurps.direction.weapon_side", "Атаки сбоку и сзади", Kind.REFUSAL)
FLAIL_FORBIDDEN = rule("gurps.parry.flail_forbidden", "Чем я парирую?; Что я парирую?", Kind.REFUSAL)
FREE_HANDS = rule("gurps.parry.free_hands", BARE_HANDS, Kind.REFUSAL)
INJURE_LIMB_NEEDS = rule("gurps.parry.injure_limb_needs", "Что я парирую?", Kind.REFUSAL)

PARRY_REFUSAL_RULES = (
    FORBIDDEN,
    NOT_READY,
    MISSILE,
    MISSILE_SKILL,
    MOVE_AND_ATTACK,
    UNBALANCED,
    WEAPON_SIDE,
    FLAIL_FORBIDDEN,
    FREE_HANDS,
    INJURE_LIMB_NEEDS,
)


def refuse_parry(trail: Trail, situation: Situation, defense: Defense, tool: Tool) -> None:
    """Refuse by every rule that forbids this parry."""
    refuse_by_readiness(trail, situation, tool)
    refuse_by_maneuver(trail, situation, tool)
    if is_side(situation.direction) and not parries_from(situation, tool):
        forbid(trail, WEAPON_SIDE, direction=situation.direction)
    if situation.attack.on_chain and (tool.fencing or tool.weapon_type is WeaponType.KNIFE):
        forbid(trail, FLAIL_FORBIDDEN)
    if tool.kind is ToolKind.UNARMED and situation.defender.free_hands < hands_needed(tool):
        forbid(trail, FREE_HANDS, needed=hands_needed(tool), free=situation.defender.free_hands)
    if defense.injure_limb is not None and not endangers_limb(situation, tool):
        forbid(trail, INJURE_LIMB_NEEDS)


def refuse_by_readiness(trail: Trail, situation: Situation, tool: Tool) -> None:
    """A parry needs a ready weapon or a free hand, and something that can be parried with it."""
    attack, missile_skill = situation.attack, tool.skill_name is ParrySkill.PARRY_MISSILE_WEAPONS
    if ForbiddenDefense.PARRY in attack.forbids:
        forbid(trail, FORBIDDEN)
    if not tool.ready:
        forbid(trail, NOT_READY)
    if attack.kind is AttackKind.MISSILE and not missile_skill and not reaches_launcher(attack, tool):
        forbid(trail, MISSILE)
    if situation.melee and missile_skill:
        forbid(trail, MISSILE_SKILL)


def reaches_launcher(attack: Attack, tool: Tool) -> bool:
    """A bow or the like used within reach of one's melee weapon is parried itself."""
    return attack.launcher_in_reach and tool.kind is not ToolKind.UNARMED


def refuse_by_maneuver(trail: Trail, situation: Situation, tool: Tool) -> None:
    """After Move and Attack not with the hand that attacked; an unbalanced weapon not after it attacked."""
    if not tool.attacked_with:
        return
    if situation.defender.maneuver is Maneuver.MOVE_AND_ATTACK:
        forbid(trail, MOVE_AND_ATTACK)
    if tool.has(ToolTrait.UNBALANCED):
        forbid(trail, UNBALANCED)


def parries_from(situation: Situation, tool: Tool) -> bool:
    """A one-handed melee weapon does not parry an attack from the other hand's side, unless Double-Jointed."""
    if on_side(tool.hand, situation.direction) or DefenderTrait.DOUBLE_JOINTED in situation.defender.traits:
        return True
    return tool.kind is ToolKind.UNARMED and situation.options.bare_hands is BareHands.AS_WRITTEN


def hands_needed(tool: Tool) -> int:
    """DX, Boxing, Brawling, Judo, Karate need one free hand; Wrestling and Sumo Wrestling two."""
    return 2 if tool.hand is Hand.BOTH else 1


def endangers_limb(situation: Situation, tool: Tool) -> bool:
    """Hurting the attacker's limb needs a weapon in the parry and an unarmed attack."""
    return tool.kind is not ToolKind.UNARMED and situation.attack.means is Means.UNARMED

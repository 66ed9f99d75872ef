"""What forbids a defense: all refusals are looked for, in the order of the book, and each is listed once."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.awareness import DODGE_ONLY, NO_DEFENSE, UNSEEN_UNKNOWN
from rules.gurps.defense_choice import Defense, DefenseKind
from rules.gurps.direction import is_side, on_side
from rules.gurps.forbid import forbid
from rules.gurps.incoming_attack import Awareness, DetectionAllows, Direction, ForbiddenDefense
from rules.gurps.ingredient import given
from rules.gurps.option_refusals import OPTION_REFUSAL_RULES, refuse_option
from rules.gurps.options import AreaDodge, DoubleDefense, Options, RearBlock
from rules.gurps.parry_refusals import PARRY_REFUSAL_RULES, refuse_parry
from rules.gurps.sheet import Creature, Defender, DefenderState, DefenderTrait, Maneuver
from rules.gurps.situation import Situation
from rules.gurps.tool import Hand

FEATS = "Защита (Подвиги)"
DIRECTION = "Атаки сбоку и сзади"
CRITICAL_HIT = rule("gurps.defense.critical_hit", "Броски защиты", Kind.REFUSAL, Kind.DECISION)
INCAPABLE = rule("gurps.defense.incapable", FEATS, Kind.REFUSAL)
ALL_OUT_ATTACK = rule("gurps.maneuver.all_out_attack", FEATS, Kind.REFUSAL)
REAR = rule("gurps.direction.rear", DIRECTION, Kind.REFUSAL)
DOUBLE_MANEUVER = rule("gurps.double_defense.maneuver", FEATS, Kind.REFUSAL)
DOUBLE_SPENT = rule("gurps.double_defense.spent", FEATS, Kind.REFUSAL)
DOUBLE_DIFFERENT = rule("gurps.double_defense.different", "Защита (Подвиги); published", Kind.REFUSAL)
DODGE_ONCE = rule("gurps.dodge.once_per_attack", "Уклонение", Kind.REFUSAL)
ACROBATICS_UNTRAINED = rule("gurps.acrobatics.untrained", "Акробатическое уклонение", Kind.REFUSAL)
ACROBATICS_ONCE = rule("gurps.acrobatics.once_per_turn", "Акробатическое уклонение", Kind.REFUSAL)
AREA_MOVEMENT_REQUIRED = rule("gurps.area.movement_required", "В укрытие", Kind.REFUSAL)
CREATURE_DODGE_ONLY = rule("gurps.creature.dodge_only", "Чем я парирую? (чудовища)", Kind.REFUSAL)
AREA_DODGE_ONLY = rule("gurps.area.dodge_only", "В укрытие", Kind.REFUSAL)
BLOCK_FORBIDDEN = rule("gurps.block.forbidden", "Блокирование", Kind.REFUSAL)
BLOCK_NEEDS_ITEM = rule("gurps.block.needs_item", "Блокирование", Kind.REFUSAL)
BLOCK_ONCE = rule("gurps.block.once_per_turn", "Блокирование", Kind.REFUSAL)
SHIELD_SIDE = rule("gurps.direction.shield_side", DIRECTION, Kind.REFUSAL)
REAR_BLOCK = rule("gurps.direction.rear_block", DIRECTION, Kind.REFUSAL)

REFUSAL_RULES = (
    CRITICAL_HIT,
    INCAPABLE,
    ALL_OUT_ATTACK,
    REAR,
    DOUBLE_MANEUVER,
    DOUBLE_SPENT,
    DOUBLE_DIFFERENT,
    DODGE_ONCE,
    ACROBATICS_UNTRAINED,
    ACROBATICS_ONCE,
    AREA_MOVEMENT_REQUIRED,
    CREATURE_DODGE_ONLY,
    AREA_DODGE_ONLY,
    BLOCK_FORBIDDEN,
    BLOCK_NEEDS_ITEM,
    BLOCK_ONCE,
    SHIELD_SIDE,
    REAR_BLOCK,
    *PARRY_REFUSAL_RULES,
    *OPTION_REFUSAL_RULES,
)


def refuse_forbidden(
    trail: Trail, situation: Situation, defenses: tuple[Defense, ...], *, critical: bool = False
) -> None:
    """Refuse by every rule that forbids one of the defenses, or any defense at all."""
    if not defenses:
        return
    if critical:
        forbid(trail, CRITICAL_HIT)
    refuse_any_defense(trail, situation)
    if len(defenses) == 2:
        refuse_two(trail, situation, *defenses)
    for index, defense in enumerate(defenses):
        if defense.kind is DefenseKind.DODGE:
            refuse_dodge(trail, situation, defense)
        else:
            refuse_other_than_dodge(trail, situation)
            if defense.kind is DefenseKind.BLOCK:
                refuse_block(trail, situation)
            else:
                refuse_parry(trail, situation, defense, given(defense.tool))
        if defense.option is not None:
            earlier = index == 1 and defenses[0].option is not None
            refuse_option(trail, situation, defense, defense.option, earlier=earlier)


def refuse_any_defense(trail: Trail, situation: Situation) -> None:
    """Nobody defends who cannot act, has attacked all-out, does not know of the attack or has it from behind."""
    attack, defender = situation.attack, situation.defender
    if defender.state is not DefenderState.ABLE:
        forbid(trail, INCAPABLE, state=defender.state)
    if defender.maneuver is Maneuver.ALL_OUT_ATTACK:
        forbid(trail, ALL_OUT_ATTACK)
    if attack.awareness is Awareness.UNSEEN_UNKNOWN and not situation.read_as_alert:
        forbid(trail, UNSEEN_UNKNOWN)
    if attack.awareness is Awareness.SURPRISE and attack.detection is None:
        forbid(trail, NO_DEFENSE)
    if situation.direction is Direction.REAR and not knows_the_rear(defender):
        forbid(trail, REAR)


def knows_the_rear(defender: Defender) -> bool:
    """Peripheral Vision or Blind Fighting."""
    return DefenderTrait.PERIPHERAL_VISION in defender.traits or defender.blind_fighting is not None


def refuse_two(trail: Trail, situation: Situation, first: Defense, second: Defense) -> None:
    """A second defense only after All-Out Defense (Double), and one of another kind or with the other hand."""
    if situation.defender.maneuver is not Maneuver.ALL_OUT_DEFENSE_DOUBLE:
        forbid(trail, DOUBLE_MANEUVER)
    elif is_spent(situation.defender, situation.options):
        forbid(trail, DOUBLE_SPENT)
    if may_dodge(first, situation) and may_dodge(second, situation):
        forbid(trail, DODGE_ONCE)
    elif first.kind is second.kind and not parry_with_both_hands(first, second):
        forbid(trail, DOUBLE_DIFFERENT)


def is_spent(defender: Defender, options: Options) -> bool:
    """Under the reading once a turn, the second defense of the turn was made already."""
    return options.double_defense is DoubleDefense.PER_TURN and defender.turn.double_defense_used


def may_dodge(defense: Defense, situation: Situation) -> bool:
    """A dodge, or in the dark a block or parry that falls back on one."""
    return defense.kind is DefenseKind.DODGE or (situation.in_the_dark and defense.falls_back)


def parry_with_both_hands(first: Defense, second: Defense) -> bool:
    """Two parries, one with the right hand and one with the left."""
    return (
        first.tool is not None
        and second.tool is not None
        and {first.tool.hand, second.tool.hand} == {Hand.RIGHT, Hand.LEFT}
    )


def refuse_dodge(trail: Trail, situation: Situation, defense: Defense) -> None:
    """An acrobatic dodge needs Acrobatics and comes once a turn; a plain dodge of an area may not be enough."""
    defender = situation.defender
    if defense.acrobatic:
        if defender.acrobatics is None:
            forbid(trail, ACROBATICS_UNTRAINED)
        if defender.turn.acrobatic_dodge_used:
            forbid(trail, ACROBATICS_ONCE)
    if situation.area and defense.option is None and needs_movement(situation):
        forbid(trail, AREA_MOVEMENT_REQUIRED)


def needs_movement(situation: Situation) -> bool:
    """Under one reading a plain dodge is not enough against an area, unless an option still holds against this foe."""
    return situation.options.area_dodge is AreaDodge.MOVEMENT_REQUIRED and situation.lasting is None


def refuse_other_than_dodge(trail: Trail, situation: Situation) -> None:
    """Animals without hands, a threat just noticed and an area leave nothing but the dodge."""
    detection = situation.attack.detection
    if situation.defender.creature is Creature.HANDLESS_ANIMAL:
        forbid(trail, CREATURE_DODGE_ONLY)
    if detection is not None and detection.allows is DetectionAllows.DODGE:
        forbid(trail, DODGE_ONLY)
    if situation.area:
        forbid(trail, AREA_DODGE_ONLY)


def refuse_block(trail: Trail, situation: Situation) -> None:
    """A block needs a ready item on the right side, once a turn, and no attack that rules it out."""
    shield = situation.defender.shield
    if ForbiddenDefense.BLOCK in situation.attack.forbids:
        forbid(trail, BLOCK_FORBIDDEN)
    if shield is None or not shield.ready:
        forbid(trail, BLOCK_NEEDS_ITEM)
    if situation.defender.turn.block_used:
        forbid(trail, BLOCK_ONCE)
    if shield is not None and is_side(situation.direction) and not on_side(shield.hand, situation.direction):
        forbid(trail, SHIELD_SIDE, direction=situation.direction)
    if situation.direction is Direction.REAR and not blocks_the_rear(situation.defender, situation.options):
        forbid(trail, REAR_BLOCK)


def blocks_the_rear(defender: Defender, options: Options) -> bool:
    """No block to the rear, unless Double-Jointed, and under one reading never."""
    return options.rear_block is RearBlock.DOUBLE_JOINTED and DefenderTrait.DOUBLE_JOINTED in defender.traits

"""What forbids a chosen defense: bonds, surprise, the maneuver's own limits, no action or no dice left."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.body import Body, soak_dice
from rules.storyteller.defender import Awareness, Defender, Defense, DefenseManeuver, DefenseMode, Incoming
from rules.storyteller.defenses import cast_of
from rules.storyteller.holds import refuse_bound
from rules.storyteller.options import BlockScope, Options, UnawareDodge
from rules.storyteller.pools import EMPTY, INCAPACITATED, dice_of, is_incapacitated
from rules.storyteller.terms import DamageType, Range, Side
from rules.storyteller.weapons import Weapon

NO_ACTION = rule("storyteller.defense.no_action", "Защитные маневры", Kind.REFUSAL)
UNAWARE = rule("storyteller.defense.unaware", "Защитные маневры", Kind.REFUSAL)
AMBUSHED = rule("storyteller.ambush.no_defense", "Подкрасться", Kind.REFUSAL)
EXHAUSTED = rule("storyteller.defense.exhausted", "Сложности защиты", Kind.REFUSAL)
BLOCK_CLOSE_ONLY = rule("storyteller.block.close_only", "Блок", Kind.REFUSAL)
BLOCK_UNARMED_ONLY = rule("storyteller.block.unarmed_only", "Блок", Kind.REFUSAL)
BLOCK_UNSOAKABLE = rule("storyteller.block.unsoakable", "Блок", Kind.REFUSAL)
DODGE_NO_ROOM = rule("storyteller.dodge.no_room", "Уклонение", Kind.REFUSAL)
PARRY_CLOSE_ONLY = rule("storyteller.parry.close_only", "Парировать", Kind.REFUSAL)
PARRY_NO_WEAPON = rule("storyteller.parry.no_weapon", "Парировать", Kind.REFUSAL)

RULES = (
    NO_ACTION,
    UNAWARE,
    AMBUSHED,
    EXHAUSTED,
    BLOCK_CLOSE_ONLY,
    BLOCK_UNARMED_ONLY,
    BLOCK_UNSOAKABLE,
    DODGE_NO_ROOM,
    PARRY_CLOSE_ONLY,
    PARRY_NO_WEAPON,
)


def refuse_defense(defender: Defender, incoming: Incoming, options: Options, trail: Trail) -> None:
    """All that forbids the chosen defense, in the order of the rules."""
    defense = defender.defense
    if defense is None:
        return
    if is_incapacitated(defense.roll):
        trail.refuse(INCAPACITATED, side=Side.DEFENDER)
    refuse_bound(defender.condition, Side.DEFENDER, trail)
    _refuse_unknowing(defender.awareness, defense.maneuver, options, trail)
    if defense.maneuver is DefenseManeuver.BLOCK:
        _refuse_block(defender.body, incoming, options, trail)
    elif defense.maneuver is DefenseManeuver.DODGE:
        _refuse_dodge(defense, incoming, trail)
    else:
        _refuse_parry(defender.weapon, incoming, trail)
    _refuse_spent(defense, trail)


def _refuse_unknowing(awareness: Awareness, maneuver: DefenseManeuver, options: Options, trail: Trail) -> None:
    """None against an ambush; no block and no parry of what one does not know of, and by option no dodge."""
    if awareness is Awareness.AMBUSHED:
        trail.refuse(AMBUSHED)
    elif awareness is Awareness.UNAWARE and (
        maneuver is not DefenseManeuver.DODGE or options.unaware_dodge is UnawareDodge.REFUSED
    ):
        trail.refuse(UNAWARE, maneuver=maneuver)


def _refuse_block(body: Body | None, incoming: Incoming, options: Options, trail: Trail) -> None:
    """Only close attacks, by option only unarmed ones; what is not bashing only by one who can soak it."""
    if incoming.range is Range.RANGED:
        trail.refuse(BLOCK_CLOSE_ONLY)
    elif incoming.armed and options.block_scope is BlockScope.UNARMED_ATTACKS:
        trail.refuse(BLOCK_UNARMED_ONLY)
    if incoming.type is DamageType.BASHING or body is None:
        return
    if soak_dice(body, incoming.type, options, past_armor=incoming.past_armor) == 0:
        trail.refuse(BLOCK_UNSOAKABLE, damage=incoming.type)


def _refuse_dodge(defense: Defense, incoming: Incoming, trail: Trail) -> None:
    """In close combat a dodge needs room."""
    if incoming.range is Range.CLOSE and defense.cramped:
        trail.refuse(DODGE_NO_ROOM)


def _refuse_parry(weapon: Weapon | None, incoming: Incoming, trail: Trail) -> None:
    """Only close attacks, and only with a close-combat weapon."""
    if incoming.range is Range.RANGED:
        trail.refuse(PARRY_CLOSE_ONLY)
    if weapon is None or weapon.arms.range is Range.RANGED:
        trail.refuse(PARRY_NO_WEAPON)


def _refuse_spent(defense: Defense, trail: Trail) -> None:
    """A defense needs an action that is still to be had, and dice."""
    if defense.mode is DefenseMode.ACTION and defense.earlier_defenses:
        trail.refuse(NO_ACTION, earlier=defense.earlier_defenses)
    cast = cast_of(defense)
    if is_incapacitated(defense.roll) or dice_of(cast.roll, cast.reads, cast.dice) > 0:
        return
    if defense.mode is DefenseMode.FULL_ROUND and defense.earlier_defenses:
        trail.refuse(EXHAUSTED, earlier=defense.earlier_defenses)
    else:
        trail.refuse(EMPTY, side=Side.DEFENDER)

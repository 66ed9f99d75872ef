"""What forbids a retreat or a drop."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.defense_choice import Defense, DefenseKind, DefenseOption, Hex
from rules.gurps.forbid import forbid
from rules.gurps.options import AcrobaticsWithDrop, DropWhileLying
from rules.gurps.posture import Posture
from rules.gurps.sheet import Maneuver
from rules.gurps.situation import Situation
from rules.gurps.turn import OptionKind

RETREAT = "Отступление"
DROP = "Уклонение падением"
ONCE_PER_TURN = rule("gurps.option.once_per_turn", "Варианты активной защиты", Kind.REFUSAL)
RETREAT_MELEE_ONLY = rule("gurps.retreat.melee_only", RETREAT, Kind.REFUSAL)
RETREAT_OCCUPIED = rule("gurps.retreat.occupied", RETREAT, Kind.REFUSAL)
RETREAT_POSTURE = rule("gurps.retreat.posture", RETREAT, Kind.REFUSAL)
RETREAT_STUNNED = rule("gurps.retreat.stunned", RETREAT, Kind.REFUSAL)
RETREAT_MANEUVER = rule("gurps.retreat.maneuver", RETREAT, Kind.REFUSAL)
DROP_DODGE_ONLY = rule("gurps.drop.dodge_only", DROP, Kind.REFUSAL)
DROP_RANGED_ONLY = rule("gurps.drop.ranged_only", DROP, Kind.REFUSAL)
DROP_ALREADY_LYING = rule("gurps.drop.already_lying", DROP, Kind.REFUSAL)
ACROBATICS_DROP = rule("gurps.acrobatics.drop", "Акробатическое уклонение", Kind.REFUSAL)

OPTION_REFUSAL_RULES = (
    ONCE_PER_TURN,
    RETREAT_MELEE_ONLY,
    RETREAT_OCCUPIED,
    RETREAT_POSTURE,
    RETREAT_STUNNED,
    RETREAT_MANEUVER,
    DROP_DODGE_ONLY,
    DROP_RANGED_ONLY,
    DROP_ALREADY_LYING,
    ACROBATICS_DROP,
)

SEATED = frozenset({Posture.KNEELING, Posture.SITTING})
HURRIED = frozenset({Maneuver.MOVE_AND_ATTACK, Maneuver.SPRINT})


def refuse_option(
    trail: Trail, situation: Situation, defense: Defense, option: DefenseOption, *, earlier: bool
) -> None:
    """Refuse by every rule that forbids this option; `earlier`: the first defense of the request has one too."""
    if situation.defender.turn.option is not None or earlier:
        forbid(trail, ONCE_PER_TURN)
    retreat = option.kind is OptionKind.RETREAT
    if retreat:
        refuse_retreat(trail, situation)
    else:
        refuse_drop(trail, situation, defense)
    if option.hex is Hex.OCCUPIED and (retreat or situation.area):
        forbid(trail, RETREAT_OCCUPIED)


def refuse_retreat(trail: Trail, situation: Situation) -> None:
    """Not from a ranged attack (an area aside), not while sitting or kneeling, stunned, or after a rush."""
    defender = situation.defender
    if not (situation.melee or situation.area):
        forbid(trail, RETREAT_MELEE_ONLY)
    if defender.posture in SEATED:
        forbid(trail, RETREAT_POSTURE, posture=defender.posture)
    if defender.stunned:
        forbid(trail, RETREAT_STUNNED)
    if defender.maneuver in HURRIED:
        forbid(trail, RETREAT_MANEUVER, maneuver=defender.maneuver)


def refuse_drop(trail: Trail, situation: Situation, defense: Defense) -> None:
    """Only with a dodge of a ranged attack, and by someone who does not lie already."""
    options = situation.options
    if defense.kind is not DefenseKind.DODGE:
        forbid(trail, DROP_DODGE_ONLY)
    if situation.melee:
        forbid(trail, DROP_RANGED_ONLY)
    if situation.defender.posture is Posture.LYING and options.drop_while_lying is DropWhileLying.FORBIDDEN:
        forbid(trail, DROP_ALREADY_LYING)
    if defense.acrobatic and options.acrobatics_with_drop is AcrobaticsWithDrop.FORBIDDEN:
        forbid(trail, ACROBATICS_DROP)

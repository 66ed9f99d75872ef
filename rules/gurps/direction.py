"""Where an attack comes from: sides, the rear, and the runaround."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.defense_choice import DefenseKind
from rules.gurps.incoming_attack import Attack, Direction, Runaround
from rules.gurps.sheet import Defender, DefenderTrait
from rules.gurps.tool import Hand

SOURCE = "Атаки сбоку и сзади"
SIDE = rule("gurps.direction.side", SOURCE, Kind.MODIFIER)
REAR_DEFENSE = rule("gurps.direction.rear_defense", SOURCE, Kind.MODIFIER)
REAR_PARRY = rule("gurps.direction.rear_parry", SOURCE, Kind.MODIFIER)
RUNAROUND = rule("gurps.direction.runaround", "«Оббегание»", Kind.DECISION)
BLIND_FIGHTING = rule("gurps.direction.blind_fighting", SOURCE, Kind.ROLL, Kind.DECISION)

DIRECTION_RULES = (SIDE, REAR_DEFENSE, REAR_PARRY, RUNAROUND, BLIND_FIGHTING)


def direction_that_counts(attack: Attack) -> Direction:
    """An attack from behind by someone who began the turn elsewhere is a side attack."""
    if attack.runaround is Runaround.NONE:
        return attack.direction
    return Direction.LEFT if attack.runaround is Runaround.LEFT else Direction.RIGHT


def is_side(direction: Direction) -> bool:
    """Whether an attack comes from the left or the right."""
    return direction is Direction.LEFT or direction is Direction.RIGHT


def on_side(hand: Hand, side: Direction) -> bool:
    """Whether a hand, or both, is on the side (left or right) from which an attack comes."""
    return hand is Hand.BOTH or (hand is Hand.LEFT) is (side is Direction.LEFT)


def covers(hand: Hand | None, direction: Direction) -> bool:
    """A shield counts against an attack from the front and from its side; without one only the front is covered."""
    if direction is Direction.FRONT:
        return True
    return hand is not None and direction is not Direction.REAR and on_side(hand, direction)


def modify_for_direction(trail: Trail, direction: Direction, kind: DefenseKind, defender: Defender) -> None:
    """From the side -2 unless Peripheral Vision; to the rear -2, a parry at a further -2 unless Double-Jointed."""
    if direction is Direction.FRONT:
        return
    if direction is not Direction.REAR:
        if DefenderTrait.PERIPHERAL_VISION not in defender.traits:
            trail.modifier(SIDE, -2, direction=direction)
        return
    trail.modifier(REAR_DEFENSE, -2)
    if kind is DefenseKind.PARRY and DefenderTrait.DOUBLE_JOINTED not in defender.traits:
        trail.modifier(REAR_PARRY, -2)

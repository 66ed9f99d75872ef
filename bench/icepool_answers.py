"""The same questions in icepool, written as its documentation teaches: exact distributions by outcome."""

from fractions import Fraction
from typing import Any

from icepool import Die, Vector, d6, d10  # type: ignore[import-untyped]
from icepool import map as mapped

Chances = dict[tuple[Any, ...], Fraction]


def at_most(dice: int, number: int) -> Fraction:
    """The chance that the sum of six-sided dice is the number or less."""
    chance: Fraction = (dice @ d6).probability("<=", number)
    return chance


def success_roll(effective: int) -> Chances:
    """Result and margin of a roll of 3d against a target number."""

    def outcome(roll: int) -> tuple[str, int]:
        return _result(roll, effective), effective - roll

    return _chances((3 @ d6).map(outcome))


def gurps_attack(effective: int, dodge: int, adds: int, armor: int) -> Chances:
    """Result and injury of an attack, a dodge against a hit, and 2d of cutting damage."""

    def outcome(attack: int, defense: int, damage: int) -> tuple[str, int]:
        result = _result(attack, effective)
        if result == "failure":
            return "miss", 0
        if result == "critical_failure":
            return "critical_miss", 0
        if result == "success" and (defense <= 4 or (defense <= dodge and defense < 17)):
            return "defended", 0
        penetrating = max(damage + adds - armor, 0)
        return "hit" if result == "success" else "critical_hit", penetrating * 3 // 2

    return _chances(mapped(outcome, 3 @ d6, 3 @ d6, 2 @ d6))


def cancelling_pool(dice: int) -> Chances:
    """Result and successes of a pool at difficulty 6 whose ones cancel; only a pool without a hit can botch."""

    def outcome(hits: int, ones: int) -> tuple[str, int]:
        if hits == 0 and ones:
            return "botch", 0
        return ("success", hits - ones) if hits > ones else ("failure", 0)

    return _chances((dice @ d10.map(lambda face: Vector((face >= 6, face == 1)))).map(outcome))


def storyteller_chain(attack: int, dodge: int, damage: int, soak: int) -> Chances:
    """Result, net successes and levels: attack against dodge, soaked damage with a die for each net success."""
    cancelling = d10.map(lambda face: 1 if face >= 6 else -1 if face == 1 else 0)
    hit = d10 >= 6
    net = mapped(lambda one, other: max(max(one, 0) - max(other, 0), 0), attack @ cancelling, dodge @ cancelling)

    def levels(net: int) -> Any:
        if net == 0:
            return Die([("miss", 0, 0)])
        done = (soak @ hit).map(lambda soaked: max(damage + net - soaked, 0) @ hit)
        return done.map(lambda levels: ("hit", net, levels))

    return _chances(net.map(levels))


def chronicles_attack(attack: int, dodge: int, waves: int) -> Chances:
    """Result and net successes of an attack with 8-again and rote against a Dodge with 10-again."""
    again = _rolled_again(8, waves)
    thrown = _thrown(8, again)
    rote = d10.map(lambda face: 1 + again if face >= 8 else thrown)
    dodged = _thrown(10, _rolled_again(10, waves))
    net = mapped(lambda one, other: max(one - other, 0), attack @ rote, dodge @ dodged)
    return _chances(net.map(lambda net: ("hit" if net else "miss", net)))


def _thrown(again: int, more: Any) -> Any:
    return d10.map(lambda face: int(face >= 8) + (more if face >= again else 0))


def _rolled_again(again: int, waves: int) -> Any:
    die = Die([0])
    for _ in range(waves):
        die = _thrown(again, die)
    return die


def _result(roll: int, effective: int) -> str:
    if roll <= 4 or (roll == 5 and effective >= 15) or (roll == 6 and effective >= 16):
        return "critical_success"
    if roll == 18 or (roll == 17 and effective <= 15) or roll - effective >= 10:
        return "critical_failure"
    return "success" if roll <= effective and roll < 17 else "failure"


def _chances(die: Any) -> Chances:
    denominator = die.denominator()
    return {outcome: Fraction(quantity, denominator) for outcome, quantity in die.items()}

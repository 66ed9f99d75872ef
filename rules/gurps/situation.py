"""The terms that are settled before any rule of a defense is looked at."""

from typing import NamedTuple

from rules.gurps.awareness import is_in_the_dark, reads_as_alert
from rules.gurps.direction import direction_that_counts
from rules.gurps.heavy_weapon import weight_of
from rules.gurps.incoming_attack import Attack, AttackKind, Direction
from rules.gurps.options import Options
from rules.gurps.posture import Posture
from rules.gurps.sheet import Defender
from rules.gurps.turn import OptionAgainst, OptionKind


class Situation(NamedTuple):
    """One attack on one defender, with everything that follows from both before a defense is chosen.

    `direction` is the one that counts after a runaround; `weight_g` that of the weapon or of the body that attacks.
    """

    attack: Attack
    defender: Defender
    options: Options
    direction: Direction
    read_as_alert: bool
    in_the_dark: bool
    weight_g: int | None
    melee: bool
    area: bool
    lasting: OptionKind | None
    """The option of the turn that holds against this attacker."""
    posture: Posture
    """The posture that counts."""


def settle(attack: Attack, defender: Defender, options: Options) -> Situation:
    """Settle the terms of one attack on one defender."""
    read_as_alert = reads_as_alert(attack, defender, options)
    used = defender.turn.option
    lasting = used.kind if used is not None and used.against is OptionAgainst.THIS_ATTACKER else None
    return Situation(
        attack,
        defender,
        options,
        direction_that_counts(attack),
        read_as_alert,
        is_in_the_dark(attack, defender, read_as_alert=read_as_alert),
        weight_of(attack),
        attack.kind is AttackKind.MELEE,
        attack.kind is AttackKind.AREA,
        lasting,
        posture_that_counts(defender, lasting),
    )


def posture_that_counts(defender: Defender, lasting: OptionKind | None) -> Posture:
    """Against the foe from whom one dropped the posture counts as unchanged."""
    used = defender.turn.option
    return used.posture_before if used is not None and lasting is OptionKind.DROP else defender.posture

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
    """One attack on one defender, with everything that follows from both before a defense is chosen."""

    attack: Attack
    defender: Defender
    options: Options
    direction: Direction
    read_as_alert: bool
    in_the_dark: bool
    weight_g: int | None
    lasting: OptionKind | None

    @property
    def melee(self) -> bool:
        """Whether the attack is made in melee; everything else is ranged."""
        return self.attack.kind is AttackKind.MELEE

    @property
    def area(self) -> bool:
        """Whether it is an area effect, an explosion or a cone."""
        return self.attack.kind is AttackKind.AREA

    @property
    def dropped_before_this_attacker(self) -> bool:
        """Whether the defender has already dropped from an attack of this foe."""
        return self.lasting is OptionKind.DROP

    @property
    def posture_that_counts(self) -> Posture:
        """Against the foe from whom one dropped the posture counts as unchanged."""
        used = self.defender.turn.option
        return used.posture_before if used is not None and self.dropped_before_this_attacker else self.defender.posture


def settle(attack: Attack, defender: Defender, options: Options) -> Situation:
    """Settle the terms of one attack on one defender."""
    read_as_alert = reads_as_alert(attack, defender, options)
    used = defender.turn.option
    return Situation(
        attack,
        defender,
        options,
        direction_that_counts(attack),
        read_as_alert,
        is_in_the_dark(attack, defender, read_as_alert=read_as_alert),
        weight_of(attack),
        used.kind if used is not None and used.against is OptionAgainst.THIS_ATTACKER else None,
    )

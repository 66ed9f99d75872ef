"""What a request says of whoever attacks."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, exactly_one, not_together, only_with
from rules.storyteller.body import Body
from rules.storyteller.harm import DamageModifier
from rules.storyteller.rolls import Roll
from rules.storyteller.terms import Condition, Cover
from rules.storyteller.weapons import Weapon


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacker:
    """Whoever attacks: with a `roll`, or with `successes` that are known already."""

    roll: Roll | None = None
    """The attack roll, which reads the maneuver's traits. Exactly one of `roll`, `successes`."""
    successes: Annotated[int, Ge(0), Le(40)] | None = None
    """Known attack successes."""
    botch: bool | None = None
    """Whether the known attack was a botch, false unless said; true only with `successes` 0, never beside `roll`."""
    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength, for damage that is based on it."""
    damage_pool: Annotated[int, Ge(0), Le(40)] | None = None
    """Finished base damage in place of the maneuver's: Strength, weapon, a kick's +1 and `damage_dice` are in it. Not
    beside `strength`."""
    weapon: Weapon | None = None
    """The weapon in hand; needed by `weapon_strike` (close), `shot` (ranged) and a custom maneuver based on it."""
    opponents: Annotated[int, Ge(1), Le(20)] | None = None
    """Opponents fought at the same time, 1 unless said: each after the first adds 1 to the difficulty of a close attack,
    at most 4. Not beside `successes`."""
    condition: Condition = Condition.FREE
    """Whether the attacker is in a clinch or held: then there is no attack."""
    cover: Cover | None = None
    """The cover that the shooter shoots from, `none` unless said. Not beside `successes`."""
    damage_modifiers: Annotated[tuple[DamageModifier, ...], Len(0, 8)] = ()
    """The Storyteller's modifiers of the damage, applied in their order."""
    body: Body | None = None
    """What takes the damage of a parry or of a backfire; without it none is rolled."""

    def __post_init__(self) -> None:
        exactly_one(roll=self.roll, successes=self.successes)
        only_with("successes", self.successes is not None, botch=self.botch)
        if self.botch and self.successes:
            raise Malformed("botch_with_successes", "botch", successes=self.successes)
        not_together(strength=self.strength, damage_pool=self.damage_pool)
        only_with("roll", self.roll is not None, opponents=self.opponents, cover=self.cover)

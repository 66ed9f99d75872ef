"""What is said of an attack in a fight and of its answer, and how an attack waits."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.attack_kinds import Attack, AttackScope, CriticalAttack, CustomAttack, DamageBonus
from rules.action_points.defenses import NO_DEFENSE, Defense
from rules.action_points.exact import Distance, only_tenths
from rules.action_points.tables import AttackType
from rules.action_points.whip import WhipAnswer
from rules.core.encounter import CombatantId
from rules.core.faults import Malformed, exactly_one, only_with, unique


@dataclass(frozen=True, slots=True, kw_only=True)
class FightCritical:
    """A try to kill with one blow for twice the AP, paid over as many turns as it takes."""

    pay_ap: Annotated[float, Ge(0.1), Le(1000)] | None = None
    """AP to put in now, one decimal at most; more than is missing counts as what is missing. Unless told: all that is missing,
    or all that is available if that is less."""

    def __post_init__(self) -> None:
        only_tenths(pay_ap=self.pay_ap)


@dataclass(frozen=True, slots=True, kw_only=True)
class FightAttack:
    """The attack; the fight knows which shot it is and what was paid for a critical one."""

    type: AttackType
    """An attack of the table, or `custom`."""
    distance_m: Distance | None = None
    """Metres to the target, one decimal at most; needed by shots and by custom attacks with `range_bands`."""
    critical: FightCritical | None = None
    """Present, even if empty: a critical attack, for twice the AP. The same attack on the same target goes on with one that is
    paid in part; any other attack gives it up."""
    damage_bonuses: Annotated[tuple[DamageBonus, ...], Len(0, 8)] = ()
    """What a magic or enchanted weapon adds."""
    custom: CustomAttack | None = None
    """The attack itself; with type `custom`, and only then."""

    def __post_init__(self) -> None:
        self.told()

    def told(self, critical: CriticalAttack | None = None) -> Attack:
        """The attack as a stateless request tells it, a first shot."""
        return Attack(
            type=self.type,
            distance_m=self.distance_m,
            critical=critical,
            damage_bonuses=self.damage_bonuses,
            custom=self.custom,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackTarget:
    """One of those whom a mass attack takes in."""

    target: CombatantId
    """Who is attacked."""
    distance_m: Distance | None = None
    """Metres to this target, one decimal at most; left out, those of the attack."""
    defense: Defense | None = None
    """The target's answer, for one who may act for it; left out, the attack waits for it."""

    def __post_init__(self) -> None:
        only_tenths(distance_m=self.distance_m)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingAttack:
    """An attack that waits for the answer of the first of its `targets`; `paid` says that others of them were resolved."""

    attacker: str
    attack: FightAttack
    targets: tuple[AttackTarget, ...]
    paid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackCommand:
    """An attack by the one whose turn it is.

    It waits for the target's answer, unless one who may act for the target sends that along, or no answer can change it: it is
    not fully paid yet, or misses by distance.
    """

    actor: CombatantId
    """Who attacks."""
    target: CombatantId | None = None
    """Who is attacked; either this or `targets`."""
    targets: Annotated[tuple[AttackTarget, ...], Len(1, 100)] | None = None
    """Everybody whom a mass attack takes in; only with custom scope `mass`. They are resolved in turn order, and the AP spent
    once."""
    attack: FightAttack
    """The attack."""
    defense: Defense | None = None
    """The answer of `target`, for one who may act for it."""
    if_grabbed: WhipAnswer | None = None
    """The answer of `target` to a `whip_grab`: `pay` 15 AP to get free at once, `stay` unless told."""

    def __post_init__(self) -> None:
        exactly_one(target=self.target, targets=self.targets)
        only_with("target", self.target is not None, defense=self.defense, if_grabbed=self.if_grabbed)
        only_with("scope mass", self.attack.told().scope is AttackScope.MASS, targets=self.targets)
        unique("targets", [each.target for each in self.targets or ()])
        if self.actor in [each.target for each in self.aims]:
            raise Malformed("own_target", "target" if self.targets is None else "targets")

    @property
    def aims(self) -> tuple[AttackTarget, ...]:
        """Everybody who is attacked."""
        if self.targets is not None:
            return self.targets
        return () if self.target is None else (AttackTarget(target=self.target),)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCommand:
    """The target's answer to the attack that waits for it; it is then resolved."""

    actor: CombatantId
    """The target."""
    defense: Defense = NO_DEFENSE
    """What the target does; without a defense the attack lands."""
    if_grabbed: WhipAnswer = WhipAnswer.STAY
    """`pay`: 15 AP at once to get free. Read only for a `whip_grab` without a defense."""

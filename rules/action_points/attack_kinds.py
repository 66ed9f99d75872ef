"""Attacks: those of the table, custom ones, critical ones, and what each costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.conditions import ConditionState, InflictedCondition
from rules.action_points.exact import ApNumber, Distance, exact, only_tenths
from rules.action_points.options import CriticalScope
from rules.action_points.sources import BEYOND, ON_ATTACKS
from rules.action_points.tables import ATTACKS, AttackType, Bands, Delivery
from rules.core.faults import Malformed, needed_with, not_together, only_with
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

ATTACK_RULES: Mapping[AttackType, Rule] = {
    kind: rule(f"action_points.attack.{kind}", BEYOND if kind is AttackType.CUSTOM else ON_ATTACKS, Kind.BASE)
    for kind in AttackType
}
CRITICAL_COST = rule("action_points.critical.cost", ON_ATTACKS, Kind.MODIFIER)
ALREADY_PAID = rule("action_points.attack.already_paid", BEYOND, Kind.DECISION)
ATTACK_PRICE_RULES = (*ATTACK_RULES.values(), CRITICAL_COST, ALREADY_PAID)

NAMED_CRITICALS = frozenset(
    {AttackType.SWORD, AttackType.SWORD_SWING, AttackType.TWO_HANDED, AttackType.AIMED_SHOT, AttackType.RIFLE}
)
ARMED = (Delivery.COLD_WEAPON, Delivery.RANGED)
MAGICAL = (Delivery.SPELL, Delivery.ABILITY)


class AttackScope(StrEnum):
    """Whether an attack is aimed at one person or takes in an area."""

    DIRECT = "direct"
    MASS = "mass"


class CriticalResponse(StrEnum):
    """What the target of a critical attack did before the blow fell."""

    NONE = "none"
    INTERRUPTED = "interrupted"
    TOOK_COVER = "took_cover"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageBonus:
    """What a magic or enchanted weapon adds when the blow lands."""

    source: Annotated[str, Len(1, 64)]
    """What it comes from; shown in the audit trail."""
    value: Annotated[int, Ge(0), Le(1000)]
    """HP added to the damage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeBands:
    """Beyond how many metres not every shot hits: at least one distance, not falling in this order, one decimal at most.

    "Beyond" is strictly more. A band that is left out does not exist.
    """

    every_second_beyond_m: Distance | None = None
    """Beyond these metres every second shot hits."""
    every_third_beyond_m: Distance | None = None
    """Beyond these metres every third shot hits."""
    ineffective_beyond_m: Distance | None = None
    """Beyond these metres no shot hits."""

    def __post_init__(self) -> None:
        distances = {
            "every_second_beyond_m": self.every_second_beyond_m,
            "every_third_beyond_m": self.every_third_beyond_m,
            "ineffective_beyond_m": self.ineffective_beyond_m,
        }
        only_tenths(**distances)
        given = {name: distance for name, distance in distances.items() if distance is not None}
        if not given:
            raise Malformed("band_needed")
        least = 0.0
        for name, distance in given.items():
            if exact(distance) < exact(least):
                raise Malformed("greater_than_equal", name, ge=least)
            least = distance

    def bands(self) -> Bands:
        """The distances, exactly."""
        return Bands(
            _exactly(self.every_second_beyond_m),
            _exactly(self.every_third_beyond_m),
            _exactly(self.ineffective_beyond_m),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomAttack:
    """An attack that the source does not price: a spell, a power, a bow, a crossbow, a thrown thing."""

    name: Annotated[str, Len(1, 64)] | None = None
    """What it is called; shown in the audit trail."""
    ap: Annotated[int, Ge(1), Le(200)]
    """What it costs."""
    damage: Annotated[int, Ge(0), Le(10_000)] = 0
    """HP that a hit takes; an attack with 0 deals none and takes no bonus."""
    delivery: Delivery
    """How it reaches the target, which decides what can answer it."""
    scope: AttackScope = AttackScope.DIRECT
    """A `mass` attack can be neither dodged nor dashed away from; one with a cold weapon can be parried, a spell absorbed."""
    needs_hands: bool = True
    """False for magic that the bound can do; read only for `spell` and `ability`, all else needs hands."""
    range_bands: RangeBands | None = None
    """Beyond how many metres not every shot hits; left out: every shot hits. Not with `unarmed` and `cold_weapon`."""
    inflicts: InflictedCondition | None = None
    """What a hit does beside its damage. A spell or ability that reduces can be neither dodged nor dashed away from."""

    def __post_init__(self) -> None:
        reaches = self.delivery is not Delivery.UNARMED and self.delivery is not Delivery.COLD_WEAPON
        only_with("delivery ranged, spell, ability", reaches, range_bands=self.range_bands)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalAttack:
    """A try to kill with one blow for twice the AP, which may be paid over several turns."""

    paid_ap: ApNumber = 0.0
    """AP paid in earlier turns (`critical_paid_ap` of the last outcome), less than the whole price; one decimal at most."""
    pay_ap: Annotated[float, Ge(0.1), Le(1000)] | None = None
    """AP to put in now, one decimal at most; more than is missing counts as what is missing. Unless told: all that is missing,
    or all that is available if that is less."""
    response: CriticalResponse = CriticalResponse.NONE
    """What the target did before the blow fell: `interrupted` and `took_cover` lose the attack and its AP."""

    def __post_init__(self) -> None:
        only_tenths(paid_ap=self.paid_ap, pay_ap=self.pay_ap)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack. Its price, twice the AP when critical, is also what defenses are priced by."""

    type: AttackType
    """An attack of the table, or `custom`."""
    distance_m: Distance | None = None
    """Metres to the target, one decimal at most. Pistol, aimed and rifle shots and custom attacks with `range_bands` need it in
    action `attack`; nothing else reads it."""
    shot_number: Annotated[int, Ge(1), Le(10_000)] = 1
    """Which shot of this shooter at this target in this band it is, this one included. Count it and send it for every shot
    beyond the first band: of those only the 2nd, 4th … (or the 3rd, 6th …) hit, so the first one, which is the default, never
    does. Option `range_misses` `chance` rolls a die instead."""
    critical: CriticalAttack | None = None
    """Present, even if empty: a critical attack, for twice the AP."""
    damage_bonuses: Annotated[tuple[DamageBonus, ...], Len(0, 8)] = ()
    """What a magic or enchanted weapon adds."""
    custom: CustomAttack | None = None
    """The attack itself; with type `custom`, and only then."""
    already_paid: bool = False
    """A further target of a mass attack whose AP were paid with the first; only with custom scope `mass`, not critical."""

    def __post_init__(self) -> None:
        only_tenths(distance_m=self.distance_m)
        custom = self.type is AttackType.CUSTOM
        only_with("type custom", custom, custom=self.custom)
        needed_with("type custom", custom, custom=self.custom)
        if self.already_paid:
            only_with("scope mass", self.scope is AttackScope.MASS, already_paid=self.already_paid)
            not_together(critical=self.critical, already_paid=self.already_paid)
        if self.critical is not None and exact(self.critical.paid_ap) >= self.price:
            raise Malformed("less_than", "critical/paid_ap", lt=self.price)

    @property
    def ap(self) -> int:
        """The AP of the attack before it is made critical."""
        return self.custom.ap if self.custom is not None else ATTACKS[self.type].ap

    @property
    def price(self) -> int:
        """The AP of the attack, twice that when critical."""
        return self.ap * 2 if self.critical is not None else self.ap

    @property
    def damage(self) -> int:
        """The damage of the table, meant for ordinary weapons."""
        return self.custom.damage if self.custom is not None else ATTACKS[self.type].damage

    @property
    def delivery(self) -> Delivery:
        """How it reaches its target."""
        return self.custom.delivery if self.custom is not None else ATTACKS[self.type].delivery

    @property
    def scope(self) -> AttackScope:
        """All attacks of the table are aimed at one person."""
        return self.custom.scope if self.custom is not None else AttackScope.DIRECT

    @property
    def needs_hands(self) -> bool:
        """Everything but spells and abilities that are said not to needs hands."""
        return self.custom is None or self.custom.delivery not in MAGICAL or self.custom.needs_hands

    @property
    def bands(self) -> Bands | None:
        """Its range bands; None: always hits."""
        if self.custom is None:
            return ATTACKS[self.type].bands
        return self.custom.range_bands.bands() if self.custom.range_bands is not None else None

    @property
    def inflicts(self) -> InflictedCondition | None:
        """What a hit does beside damage."""
        return self.custom.inflicts if self.custom is not None else None

    @property
    def reduces(self) -> bool:
        """Whether a hit lowers a characteristic."""
        return self.inflicts is not None and self.inflicts.state is ConditionState.REDUCED

    def may_be_critical(self, scope: CriticalScope) -> bool:
        """A sniper's shot to the head or a try to behead with one blow, or by option any direct attack but a grab."""
        if self.custom is not None:
            direct = self.custom.scope is AttackScope.DIRECT
            return direct and (scope is CriticalScope.ANY or self.custom.delivery in ARMED)
        return self.type is not AttackType.WHIP_GRAB if scope is CriticalScope.ANY else self.type in NAMED_CRITICALS


def price_attack(attack: Attack, trail: Trail) -> int:
    """The AP of the attack, twice that when critical; a mass attack is paid once."""
    name = (attack.custom.name or attack.delivery) if attack.custom is not None else None
    trail.base(ATTACK_RULES[attack.type], attack.ap, type=attack.type, name=name)
    if attack.critical is not None:
        trail.modifier(CRITICAL_COST, attack.ap)
    if attack.already_paid:
        trail.decision(ALREADY_PAID, 0, price=attack.price)
    return attack.price


def _exactly(distance: float | None) -> Number | None:
    return None if distance is None else exact(distance)

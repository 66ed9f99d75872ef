"""Does an attack strike, and what does it do? A whole exchange, or as much of it as is sent.

Order of dice: the attack and its rerolls, the defense and its rerolls, then soak and damage (or damage and soak, by the
option `soak`) of the blow, of a parry that wounds, and of a disarm that backfires.
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.action import Action
from rules.core.faults import Malformed, needed_with, only_with
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Part, Trail, part
from rules.storyteller import attack_roll, disarm, maneuvers, targeting
from rules.storyteller.attack_roll import (
    NO_SHOOTING,
    AttackRoll,
    Circumstances,
    Position,
    Visibility,
    attack_pool,
    cast_of,
    is_blind_shot,
    known_attack,
    roll_attack,
)
from rules.storyteller.attacker import Attacker
from rules.storyteller.defender import Defender, Incoming, demand_of_defense
from rules.storyteller.defense_refusals import refuse_defense
from rules.storyteller.defenses import DefenseRolled, defense_outcome
from rules.storyteller.disarm import NO_WEAPON, Backfire
from rules.storyteller.exchange import EXCHANGE_RULES, AttackResult, Exchange, ParryCounter, exchange, parry_counter
from rules.storyteller.harm import HARM_RULES, Harm, body_after
from rules.storyteller.hits import AttackEffect, Attempt, DisarmBackfired, backfired, struck
from rules.storyteller.holds import refuse_bound
from rules.storyteller.maneuvers import MANEUVER_RULES, CustomManeuver, class_needed, form_of, needs_weapon
from rules.storyteller.options import Options
from rules.storyteller.pools import EMPTY, INCAPACITATED, is_incapacitated
from rules.storyteller.rolls import need_attribute
from rules.storyteller.tables import Form
from rules.storyteller.targeting import SHOTS_ONLY, Targeting, is_forbidden, is_past_armor
from rules.storyteller.terms import Cover, DamageBase, Maneuver, Side
from rules.storyteller.throws import POOL_AND_THROW_RULES
from rules.storyteller.weapons import refuse_ordinary_aggravated

RESULT = rule("storyteller.attack.result", "beyond the source", Kind.RESULT)

RULES = (RESULT,)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRequest:
    """A whole exchange, or a part of it.

    Without `defender.defense` nobody defends; without `defender.body` it ends with the net successes; with
    `attacker.successes` the attack has been rolled already.
    """

    maneuver: Maneuver
    """How one attacks."""
    custom: CustomManeuver | None = None
    """The maneuver of one's own; if and only if `maneuver` is `custom`."""
    attacker: Attacker
    """Who attacks."""
    position: Position | None = None
    """From where, `front` unless said: one more die from the side, two from behind. Not beside `attacker.successes`."""
    visibility: Visibility | None = None
    """What the attacker sees, `clear` unless said. Not beside `attacker.successes`."""
    targeting: Targeting | None = None
    """What the attack is aimed at."""
    cover: Cover | None = None
    """The target's cover, `none` unless said; it matters to ranged attacks. Not beside `attacker.successes`."""
    ambush_successes: Annotated[int, Ge(0), Le(40)] | None = None
    """The difference of a won ambush, 0 unless said. Not beside `attacker.successes`."""
    defender: Defender = Defender()
    """Who is attacked."""
    backfire: Backfire | None = None
    """What a failed disarm does, `report` unless said; only with `disarm`. `drop_weapon` needs `attacker.weapon`."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        is_custom = self.maneuver is Maneuver.CUSTOM
        needed_with("maneuver: custom", is_custom, custom=self.custom)
        only_with("maneuver: custom", is_custom, custom=self.custom)
        only_with(
            "attacker.roll",
            self.attacker.roll is not None,
            position=self.position,
            visibility=self.visibility,
            cover=self.cover,
            ambush_successes=self.ambush_successes,
        )
        self._demand_weapon()
        form = self.form
        need_attribute(self.attacker.roll, form.reads, "attacker/roll")
        self._demand_strength(form)
        self._demand_of_disarm()
        demand_of_defense(self.defender, self.incoming(form))

    def _demand_weapon(self) -> None:
        weapon = self.attacker.weapon
        if weapon is None:
            if needs_weapon(self.maneuver, self.custom):
                condition = f"maneuver: {self.maneuver}"
                raise Malformed("needed_with", "attacker/weapon", field="weapon", condition=condition)
            return
        needed = class_needed(self.maneuver, self.custom)
        if needed is not None and weapon.arms.range is not needed:
            raise Malformed("weapon_class", "attacker/weapon", needed=needed)

    def _demand_strength(self, form: Form) -> None:
        """Damage that is based on Strength needs it, or a finished pool, as soon as there is a body."""
        said = self.attacker.strength is not None or self.attacker.damage_pool is not None
        if self.defender.body is not None and form.base is DamageBase.STRENGTH and not said:
            raise Malformed("exactly_one", "attacker", fields="strength, damage_pool")

    def _demand_of_disarm(self) -> None:
        disarming = self.maneuver is Maneuver.DISARM
        only_with("maneuver: disarm", disarming, backfire=self.backfire)
        if self.backfire is Backfire.DROP_WEAPON and self.attacker.weapon is None:
            raise Malformed("needed_with", "attacker/weapon", field="weapon", condition="backfire: drop_weapon")
        for name, value in (("body", self.defender.body), ("strength", self.defender.strength)):
            if disarming and value is None:
                raise Malformed("needed_with", f"defender/{name}", field=name, condition="maneuver: disarm")

    @property
    def form(self) -> Form:
        """What the attack is."""
        weapon = self.attacker.weapon
        return form_of(self.maneuver, self.custom, weapon.arms if weapon else None)

    @property
    def circumstances(self) -> Circumstances:
        """What the attack roll is made under."""
        return Circumstances(
            position=self.position or Position.FRONT,
            visibility=self.visibility or Visibility.CLEAR,
            targeting=self.targeting,
            target_cover=self.cover or Cover.NONE,
            own_cover=self.attacker.cover or Cover.NONE,
            opponents=self.attacker.opponents or 1,
            ambush_successes=self.ambush_successes or 0,
        )

    def incoming(self, form: Form) -> Incoming:
        """What the defender sees of it."""
        return Incoming(form.range, form.armed, form.type, past_armor=is_past_armor(self.targeting))


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOutcome:
    """What came of the exchange."""

    result: AttackResult
    """Whether the attack strikes."""
    attack: AttackRoll
    """The attack roll."""
    defense: DefenseRolled | None
    """The defense roll; null where nobody defended."""
    net_successes: int
    """Successes over the defense; 0 on a miss."""
    effect: AttackEffect
    """What the hit did beside damage."""
    damage: Harm | None
    """What it did to the defender; null where no damage was done."""
    health_levels: int
    """Health levels that the defender lost."""
    counter: ParryCounter | None
    """What a parry did to the attacker; null where it did nothing."""
    backfire: DisarmBackfired | None
    """What a failed disarm did to the attacker; null where it did nothing."""


def refuse(request: AttackRequest, form: Form, circumstances: Circumstances, trail: Trail) -> None:
    """All that forbids the attack or the chosen defense, in the order of the rules."""
    attacker, options = request.attacker, request.options
    roll = attacker.roll
    if roll is not None and is_incapacitated(roll):
        trail.refuse(INCAPACITATED, side=Side.ATTACKER)
    refuse_bound(attacker.condition, Side.ATTACKER, trail)
    if is_blind_shot(form, circumstances.visibility, options):
        trail.refuse(NO_SHOOTING, visibility=circumstances.visibility)
    if is_forbidden(request.targeting, form.range, options):
        trail.refuse(SHOTS_ONLY)
    refuse_ordinary_aggravated((attacker.weapon, request.defender.weapon), trail)
    if request.maneuver is Maneuver.DISARM and request.defender.weapon is None:
        trail.refuse(NO_WEAPON)
    if roll is not None and not is_incapacitated(roll) and attack_pool(roll, form, circumstances, options) <= 0:
        trail.refuse(EMPTY, side=Side.ATTACKER)
    refuse_defense(request.defender, request.incoming(form), options, trail)


def attack_of(request: AttackRequest, form: Form, circumstances: Circumstances) -> Part[AttackRoll]:
    """The attack, to be rolled or known already."""
    attacker = request.attacker
    if attacker.roll is None:
        return part(known_attack, attacker.successes or 0, bool(attacker.botch))
    cast = cast_of(attacker.roll, form, circumstances, request.options)
    return part(roll_attack, cast, request.options)


def resolve(request: AttackRequest, trail: Trail) -> AttackOutcome | None:
    """Attack and defense, where a dodge ends, and what the blow does or what is done to the attacker."""
    form, circumstances, options = request.form, request.circumstances, request.options
    refuse(request, form, circumstances, trail)
    if trail.refused:
        return None
    trail.decision(MANEUVER_RULES[request.maneuver])
    rolled = exchange(attack_of(request, form, circumstances), request.defender, options, trail)
    incoming = request.incoming(form)
    defense = defense_outcome(request.defender.defense, rolled.defense, incoming, options, trail, hit=rolled.hit)
    attempt = Attempt(
        request.maneuver,
        form,
        request.attacker,
        request.defender,
        request.targeting,
        request.backfire or Backfire.REPORT,
    )
    effect, damage, counter, backfire = AttackEffect.NONE, None, None, None
    if rolled.hit:
        effect, damage = struck(attempt, rolled.net, options, trail)
    else:
        counter, backfire = _missed(attempt, incoming, rolled, options, trail)
    levels = damage.levels if damage else 0
    trail.result(RESULT, levels, result=rolled.result, effect=effect)
    return AttackOutcome(
        result=rolled.result,
        attack=rolled.attack,
        defense=defense,
        net_successes=rolled.net,
        effect=effect,
        damage=damage,
        health_levels=levels,
        counter=counter,
        backfire=backfire,
    )


def _missed(
    attempt: Attempt, incoming: Incoming, rolled: Exchange, options: Options, trail: Trail
) -> tuple[ParryCounter | None, DisarmBackfired | None]:
    """On a miss a parry may wound the attacker, and a disarm may backfire on whoever is left of them."""
    body = attempt.attacker.body
    counter = parry_counter(attempt.defender, incoming, rolled.lead, body, options, trail)
    if body is not None and counter is not None and counter.damage is not None:
        body = body_after(body, counter.damage)
    return counter, backfired(attempt, rolled.attack.result, body, options, trail)


ATTACK = Action(
    slug="attack",
    request=AttackRequest,
    outcome=AttackOutcome,
    resolve=resolve,
    rules=(
        *POOL_AND_THROW_RULES,
        *maneuvers.RULES,
        *attack_roll.RULES,
        *targeting.RULES,
        *EXCHANGE_RULES,
        *disarm.RULES,
        *HARM_RULES,
        *RULES,
    ),
    odds_over=OddsOver(
        ("result", "net_successes", "effect", "health_levels"),
        lambda outcome: (outcome.result, outcome.net_successes, outcome.effect, outcome.health_levels),
    ),
    example={
        "maneuver": "weapon_strike",
        "attacker": {
            "roll": {"traits": {"dexterity": 3, "melee": 3}},
            "strength": 3,
            "weapon": {"preset": "sword"},
        },
        "position": "flank",
        "defender": {
            "defense": {"maneuver": "dodge", "roll": {"traits": {"dexterity": 2, "dodge": 2}}},
            "body": {"nature": "supernatural", "stamina": 3, "armor": 1, "wounds": {"bashing": 1}},
        },
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

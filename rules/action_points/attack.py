"""One attack on one target with the target's answer: what comes of it?

Order of dice: with option `range_misses` `chance`, beyond the first distance, one die of 2 or 3 sides; else none.
"""

from dataclasses import dataclass

from rules.action_points.answers import ANSWER_RULES, refuse_answer
from rules.action_points.attack_kinds import ATTACK_PRICE_RULES, Attack, price_attack
from rules.action_points.attack_outcome import AttackerAfter, AttackOutcome, AttackResult
from rules.action_points.critical import CRITICAL_RULES, SCOPE, due_now, ends_early, paid_so_far
from rules.action_points.damage import DAMAGE_RULES
from rules.action_points.defense_price import DEFENSE_PRICE_RULES, DefensePrice, price_defense
from rules.action_points.defenses import NO_DEFENSE, Defense, DefenseType, price_is_known
from rules.action_points.exact import exact
from rules.action_points.fighter import Fighter, known_ap, known_hp
from rules.action_points.inflictions import INFLICTION_RULES
from rules.action_points.landing import land, settle
from rules.action_points.options import MagicResistance, Options
from rules.action_points.permissions import Role, note_low_hp, refuse_by_state
from rules.action_points.range_bands import NO_BANDS, RANGE_RULES, RangeBand, Reach, hits_by_chance, reach
from rules.action_points.sheet import AP_AVAILABLE, AP_SPENT, HP_ZERO
from rules.action_points.sources import ON_COMBAT, ON_PARAMETERS
from rules.action_points.tables import AttackType
from rules.action_points.target import DEFENDING_RULES, NOT_NEEDED, Target, defense_taken, target_of
from rules.action_points.whip import GRAB, HELD, RELEASE, RELEASE_AP, WhipAnswer, refuse_too_few
from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

AP_INSUFFICIENT = rule("action_points.attack.ap_insufficient", ON_PARAMETERS, Kind.REFUSAL)
DEFENSE_AP_INSUFFICIENT = rule("action_points.defense.ap_insufficient", ON_COMBAT, Kind.REFUSAL)
RESULT = rule("action_points.attack.result", ON_COMBAT, Kind.RESULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRequest:
    """One attack on one target with the target's answer."""

    attack: Attack
    """The attack; its `distance_m` is needed when it has range bands."""
    attacker: Fighter
    """Who attacks; the AP available have to be known unless the attack is `already_paid`. Option `magic_resistance`
    `threshold` needs the circle of power for an attack that reduces."""
    defender: Fighter
    """The target; maximum HP have to be known, and the AP available when there is a defense or a payment."""
    defense: Defense = NO_DEFENSE
    """The target's answer; without one the attack lands."""
    if_grabbed: WhipAnswer = WhipAnswer.STAY
    """`pay`: 15 AP at once to get free. Read only for `whip_grab` without a defense."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        known_hp("defender", self.defender, "attack")
        if not self.attack.already_paid:
            known_ap("attacker", self.attacker, "attack")
        if self.defense.type is not DefenseType.NONE:
            known_ap("defender", self.defender, f"defense {self.defense.type}")
        if self.pays_when_grabbed:
            known_ap("defender", self.defender, "if_grabbed pay")
        if self.attack.bands is not None and self.attack.distance_m is None:
            raise Malformed("needed_with", "attack/distance_m", field="distance_m", condition="range_bands")
        threshold = self.options.magic_resistance is MagicResistance.THRESHOLD
        if threshold and self.attack.reduces and self.attacker.circle is None:
            condition = "options.magic_resistance threshold"
            raise Malformed("needed_with", "attacker/circle_of_power", field="circle_of_power", condition=condition)
        price_is_known("defender", self.defense, self.defender, self.options)

    @property
    def pays_when_grabbed(self) -> bool:
        """Whether the payment is read: for a grab that nothing answers."""
        grab = self.attack.type is AttackType.WHIP_GRAB and self.defense.type is DefenseType.NONE
        return grab and self.if_grabbed is WhipAnswer.PAY


def resolve(request: AttackRequest, trail: Trail) -> AttackOutcome | None:
    """Price, permission, what the critical and the distance make of it, the answer, the payments, the blow."""
    attack, available = request.attack, request.attacker.ap_available
    price = price_attack(attack, trail)
    due = due_now(attack, available)
    refuse_attack(request, due, trail)
    if trail.refused:
        nothing_happens(trail)
        return None
    paid = paid_so_far(attack, due)
    early = ends_early(attack, paid, trail)
    shot = reach(attack, request.options, trail) if early is None else NO_BANDS
    settled = early or missed_by_distance(shot)
    answer = judged_answer(request, price, trail) if settled is None else None
    if trail.refused:
        nothing_happens(trail)
        return None
    if settled is None:
        settled = missed_by_chance(shot, trail)
    left = None if available is None else available - due
    if not attack.already_paid:
        trail.effect(AP_SPENT, -due, total=left)
    made = answer if settled is None else None
    target = target_of(request.defender)
    result = settled if settled is not None else strike(request, made, target, trail)
    if settled is not None and request.defense.type is not DefenseType.NONE:
        trail.decision(NOT_NEEDED)
    settle(target, request.options, trail)
    trail.result(RESULT, target.damage, result=result)
    return AttackOutcome(
        result=result,
        attack_ap=price,
        range_band=shot.band,
        attacker=AttackerAfter(
            ap_spent=due,
            ap_after=left,
            critical_paid_ap=paid if result is AttackResult.CONTINUES else None,
            weapon_dropped=result is AttackResult.DISARMED,
        ),
        defense=defense_taken(request.defense, made),
        damage=target.damage,
        grab=target.grab,
        defender=target.after(),
    )


def refuse_attack(request: AttackRequest, due: Number, trail: Trail) -> None:
    """States, the scope of criticals, and an attack that is not critical needs its whole price now."""
    attack, attacker, available = request.attack, request.attacker, request.attacker.ap_available
    if available is not None:
        trail.base(AP_AVAILABLE, available, who=Role.ATTACKER)
    note_low_hp(attacker, Role.ATTACKER, trail)
    refuse_by_state(
        Role.ATTACKER,
        trail,
        immobilised=attacker.immobilised,
        stunned=attacker.stunned,
        bound=attacker.bound and attack.needs_hands,
    )
    if attack.critical is not None and not attack.may_be_critical(request.options.critical_scope):
        trail.refuse(SCOPE, type=attack.type)
    if available is not None and due > available:
        trail.refuse(AP_INSUFFICIENT, due=due, available=available)
    elif attack.critical is not None and due == 0:
        trail.refuse(AP_INSUFFICIENT, due=attack.price - exact(attack.critical.paid_ap), available=available)


def missed_by_distance(shot: Reach) -> AttackResult | None:
    """Beyond the last distance no shot hits, before it the count may say that this one does not."""
    if shot.hits:
        return None
    return AttackResult.OUT_OF_RANGE if shot.band is RangeBand.INEFFECTIVE else AttackResult.MISSED


def missed_by_chance(shot: Reach, trail: Trail) -> AttackResult | None:
    """Where a die decides, any face but its highest misses."""
    return None if shot.die is None or hits_by_chance(shot.die, trail) else AttackResult.MISSED


def judged_answer(request: AttackRequest, price: int, trail: Trail) -> DefensePrice | None:
    """The price of the defense if it is allowed and can be paid; without one, whether a release may be paid."""
    defense, defender, options = request.defense, request.defender, request.options
    if defense.type is DefenseType.NONE:
        if request.pays_when_grabbed:
            refuse_payment(defender, options, trail)
        return None
    note_low_hp(defender, Role.DEFENDER, trail)
    refuse_answer(defense, request.attack, defender, options, trail)
    if trail.refused:
        return None
    answer = price_defense(defense, price, defender, options, trail)
    available = defender.ap_available or 0
    if answer.cost_ap > available:
        trail.refuse(DEFENSE_AP_INSUFFICIENT, cost=answer.cost_ap, available=available)
    return answer


def refuse_payment(defender: Fighter, options: Options, trail: Trail) -> None:
    """Who can do nothing cannot pay for the release, nor who has too few AP."""
    refuse_by_state(
        Role.DEFENDER, trail, immobilised=defender.immobilised, stunned=defender.stunned, bound=defender.bound
    )
    if not trail.refused:
        refuse_too_few(defender.ap_available or 0, options, trail)


def strike(request: AttackRequest, answer: DefensePrice | None, target: Target, trail: Trail) -> AttackResult:
    """A paid defense succeeds; without one the attack lands."""
    if answer is not None:
        return target.defend(request.defense, answer, trail)
    pays = request.pays_when_grabbed
    land(request.attack, request.attacker, request.defender, target, request.options, trail, pays=pays)
    return AttackResult.HIT


def nothing_happens(trail: Trail) -> None:
    """What the rules forbid costs nothing and changes nothing."""
    trail.result(RESULT, 0, result="refused")


ATTACK = Action(
    slug="attack",
    request=AttackRequest,
    outcome=AttackOutcome,
    resolve=resolve,
    rules=(
        *ATTACK_PRICE_RULES,
        AP_AVAILABLE,
        AP_INSUFFICIENT,
        *CRITICAL_RULES,
        *RANGE_RULES,
        *ANSWER_RULES,
        *DEFENSE_PRICE_RULES,
        DEFENSE_AP_INSUFFICIENT,
        RELEASE_AP,
        AP_SPENT,
        *DEFENDING_RULES,
        GRAB,
        RELEASE,
        HELD,
        *DAMAGE_RULES,
        *INFLICTION_RULES,
        HP_ZERO,
        RESULT,
    ),
    odds_over=OddsOver(("result", "damage"), lambda outcome: (outcome.result, outcome.damage)),
    example={
        "attack": {"type": "sword", "damage_bonuses": [{"source": "fire", "value": 10}]},
        "attacker": {"kind": "lycan", "level": 2},
        "defender": {"kind": "fae", "level": 3, "earlier_defenses": [{"type": "dodge", "ap": 7}]},
        "defense": {"type": "parry"},
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=20,
)

"""Does a block, a dodge or a parry help against an attack that is known?

Order of dice: the defense and its rerolls, then soak and damage (or damage and soak, by the option `soak`) of a parry that
wounds.
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.storyteller.attack_roll import KNOWN, known_attack
from rules.storyteller.body import Body
from rules.storyteller.defender import Defender, Incoming, demand_of_defense
from rules.storyteller.defense_refusals import refuse_defense
from rules.storyteller.defenses import DefenseRolled, defense_outcome
from rules.storyteller.exchange import EXCHANGE_RULES, AttackResult, ParryCounter, exchange, parry_counter
from rules.storyteller.harm import HARM_RULES
from rules.storyteller.options import Options
from rules.storyteller.terms import DamageType, Range
from rules.storyteller.throws import POOL_AND_THROW_RULES
from rules.storyteller.weapons import refuse_ordinary_aggravated

RESULT = rule("storyteller.defense.result", "beyond the source", Kind.RESULT)

RULES = (RESULT,)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAttack:
    """An attack that has been rolled already."""

    successes: Annotated[int, Ge(0), Le(40)]
    """Its successes."""
    range: Range
    """Whether it is fought hand to hand or shot."""
    armed: bool
    """Whether it is made with a weapon."""
    damage_type: DamageType
    """The kind of damage that it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAttacker:
    """Whoever made the attack."""

    body: Body | None = None
    """What takes the damage of a parry; without it none is rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseRequest:
    """A defense against a known attack."""

    attack: KnownAttack
    """The attack."""
    defender: Defender
    """Who defends; `defense` is needed."""
    attacker: KnownAttacker = KnownAttacker()
    """Who attacks."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        if self.defender.defense is None:
            raise Malformed("missing", "defender/defense")
        demand_of_defense(self.defender, self.incoming)

    @property
    def incoming(self) -> Incoming:
        """What the defender sees of the attack."""
        return Incoming(self.attack.range, self.attack.armed, self.attack.damage_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseOutcome:
    """What came of the defense."""

    result: AttackResult
    """Whether the attack strikes."""
    defense: DefenseRolled | None
    """The defense roll."""
    net_successes: int
    """Successes that the attack has left; 0 on a miss."""
    counter: ParryCounter | None
    """What a parry did to the attacker; null where it did nothing."""


def resolve(request: DefenseRequest, trail: Trail) -> DefenseOutcome | None:
    """The defense against the known successes, where a dodge ends, and whom a parry wounds."""
    defender, incoming, options = request.defender, request.incoming, request.options
    refuse_ordinary_aggravated((defender.weapon,), trail)
    refuse_defense(defender, incoming, options, trail)
    if trail.refused:
        return None
    rolled = exchange(part(known_attack, request.attack.successes, False), defender, options, trail)
    defense = defense_outcome(defender.defense, rolled.defense, incoming, options, trail, hit=rolled.hit)
    counter = None
    if not rolled.hit:
        counter = parry_counter(defender, incoming, rolled.lead, request.attacker.body, options, trail)
    trail.result(RESULT, rolled.net, result=rolled.result)
    return DefenseOutcome(result=rolled.result, defense=defense, net_successes=rolled.net, counter=counter)


DEFENSE = Action(
    slug="defense",
    request=DefenseRequest,
    outcome=DefenseOutcome,
    resolve=resolve,
    rules=(KNOWN, *POOL_AND_THROW_RULES, *EXCHANGE_RULES, *HARM_RULES, *RULES),
    odds_over=OddsOver(("result", "net_successes"), lambda outcome: (outcome.result, outcome.net_successes)),
    example={
        "attack": {"successes": 2, "range": "close", "armed": False, "damage_type": "bashing"},
        "defender": {
            "weapon": {"preset": "knife"},
            "strength": 2,
            "defense": {"maneuver": "parry", "roll": {"traits": {"dexterity": 3, "melee": 2}}},
        },
        "attacker": {"body": {"nature": "mortal", "stamina": 2}},
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
)

"""Does an attack hit, how much damage does it do, and what does that do to the target?

Order of dice: all of the attack's (see `rolls`); then, if the defender dodges, all of the Dodge's.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.attack_outcome import ATTACK_ODDS, AttackOutcome, DefenseMode
from rules.chronicles.defense_score import Defense
from rules.chronicles.dodge_roll import ACTION_GIVEN_UP, NEEDS_DEFENSE, refuse_dodge
from rules.chronicles.options import Options
from rules.chronicles.pools import DicePool
from rules.chronicles.strike import ATTACK_STEPS, STRIKE_STEPS, Strike, resolve_strike
from rules.chronicles.target import Target
from rules.chronicles.turn import ONE_ACTION, ActionState
from rules.chronicles.weapons import CLOSE_COMBAT, Weapon
from rules.core.action import Action
from rules.core.faults import exactly_one, not_together, only_with
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

RESULT = rule("chronicles.attack.result", "beyond the source", Kind.RESULT)
CLOSE_COMBAT_ONLY = rule("chronicles.all_out.close_combat_only", "published", Kind.REFUSAL)
DEFENSE_ALREADY_USED = rule("chronicles.all_out.defense_already_used", "published", Kind.REFUSAL)

RULES = (CLOSE_COMBAT_ONLY, DEFENSE_ALREADY_USED, RESULT)


class Maneuver(StrEnum):
    """How an attack is made."""

    STANDARD = "standard"
    ALL_OUT = "all_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The attacker's side: either a `pool`, or `successes` that were rolled at the table."""

    pool: DicePool | None = None
    """The attacker's dice."""
    successes: Annotated[int, Ge(0), Le(200)] | None = None
    """Successes of an attack that was rolled already, with the dice that passive Defense left if there was any."""
    maneuver: Maneuver = Maneuver.STANDARD
    """`all_out` gives 2 more dice and costs the attacker all Defense for the rest of the turn; only with `pool`, and only
    unarmed or with a melee weapon."""
    attacks_defended: Annotated[int, Ge(0), Le(50)] = 0
    """Attacks this turn against which the attacker used Defense; any of them forbids `all_out`."""
    action_state: ActionState = ActionState.UNSPENT
    """The attacker's action this turn; only one who still has it attacks."""

    def __post_init__(self) -> None:
        exactly_one(pool=self.pool, successes=self.successes)
        only_with("pool", self.pool is not None, maneuver=self.maneuver if self.all_out else None)

    @property
    def all_out(self) -> bool:
        """Whether the attacker goes all-out."""
        return self.maneuver is Maneuver.ALL_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackDefense(Defense):
    """The defender's Defense and what is done with it against this attack."""

    mode: DefenseMode
    """`passive`: Defense comes off the attacker's pool; `dodge`: it is doubled and rolled; `none`: it is left out (then
    `score` and `traits` may both be absent, and `willpower` cannot be spent). `passive` beside known `successes`: it came
    off before that roll, so nothing is taken off now, but it was used."""

    def __post_init__(self) -> None:
        if self.mode is DefenseMode.NONE:
            not_together(score=self.score, traits=self.traits)
        else:
            exactly_one(score=self.score, traits=self.traits)
        only_with("mode passive, dodge", self.mode is not DefenseMode.NONE, willpower=self.willpower or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRequest:
    """One attack on one target, from the pool to the marked boxes."""

    attack: Attack
    """The attacker's side."""
    weapon: Weapon = Weapon()
    """What strikes; left out, bare hands."""
    defense: AttackDefense
    """The defender's side."""
    target: Target | None = None
    """Who takes the damage; left out, the damage is only told."""
    options: Options = Options()
    """House rules."""


def resolve(request: AttackRequest, trail: Trail) -> AttackOutcome | None:
    """What forbids the attack or the Dodge, then the attack."""
    refuse_attack(request, trail)
    if request.defense.mode is DefenseMode.DODGE:
        refuse_dodge(request.defense, request.weapon.kind, request.options, trail)
    if trail.refused:
        return None
    strike = Strike(
        pool=request.attack.pool,
        successes=request.attack.successes or 0,
        all_out=request.attack.all_out,
        weapon=request.weapon,
        mode=request.defense.mode,
        defense=request.defense,
        target=request.target,
        options=request.options,
    )
    return resolve_strike(strike, RESULT, trail)


def refuse_attack(request: AttackRequest, trail: Trail) -> None:
    """An attack needs the action of the turn; an all-out attack close combat and a Defense that was not used yet."""
    attack = request.attack
    if attack.action_state is ActionState.GIVEN_UP:
        trail.refuse(ACTION_GIVEN_UP)
    if attack.action_state is ActionState.SPENT:
        trail.refuse(ONE_ACTION)
    if attack.all_out and request.weapon.kind not in CLOSE_COMBAT:
        trail.refuse(CLOSE_COMBAT_ONLY, weapon=request.weapon.kind)
    if attack.all_out and attack.attacks_defended:
        trail.refuse(DEFENSE_ALREADY_USED, attacks=attack.attacks_defended)


ATTACK = Action(
    slug="attack",
    request=AttackRequest,
    outcome=AttackOutcome,
    resolve=resolve,
    rules=(
        ACTION_GIVEN_UP,
        ONE_ACTION,
        CLOSE_COMBAT_ONLY,
        DEFENSE_ALREADY_USED,
        NEEDS_DEFENSE,
        *ATTACK_STEPS,
        *STRIKE_STEPS,
        RESULT,
    ),
    odds_over=ATTACK_ODDS,
    example={
        "attack": {"pool": {"attribute": 4, "skill": 3}},
        "weapon": {"kind": "melee", "rating": 1},
        "defense": {"mode": "dodge", "traits": {"dexterity": 2, "wits": 3, "athletics": 1}},
        "target": {"health": {"stamina": 2, "size": 5}},
        "dice": [8, 9, 8, 2, 3, 4, 5, 8, 9, 1, 2, 3, 4],
    },
    max_dice=1000,
    max_sides=10,
)

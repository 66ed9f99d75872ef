"""Attacks in a fight, and the Dodge from one that was rolled at the table.

Order of dice: as in the stateless actions.
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.attack import ATTACK, Attack, AttackDefense, AttackRequest, Maneuver
from rules.chronicles.defense_score import Defense
from rules.chronicles.dodge import DODGE, DodgeRequest
from rules.chronicles.dodge_roll import ACTION_GIVEN_UP
from rules.chronicles.encounter_costs import (
    action_missing,
    demand_place,
    spend_action,
    spend_willpower,
    willpower_missing,
)
from rules.chronicles.encounter_defense import choice_forbidden, take_attack
from rules.chronicles.encounter_sheet import MOST_MODIFIERS, AttackName, FightPool, Modifiers, NamedAttack
from rules.chronicles.encounter_stance import standing_choice
from rules.chronicles.encounter_state import DefenseChoice, Fighter, fighter, options_of, own_fighter
from rules.chronicles.pools import WILLPOWER_DICE, DicePool
from rules.chronicles.strike import ALL_OUT_DEFENSE_LOST
from rules.chronicles.turn import DODGE_SCOPE, ONE_ACTION, WILLPOWER_ONE_PER_TURN, WILLPOWER_POINTS
from rules.chronicles.weapons import Weapon
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed, exactly_one, only_with


@dataclass(frozen=True, slots=True, kw_only=True)
class FightAttack:
    """The attacker's side: the `name` of an attack of the sheet, a `pool`, or `successes` that were rolled at the table."""

    name: AttackName | None = None
    """One of the sheet's attacks, with its weapon."""
    pool: FightPool | None = None
    """The attacker's dice."""
    successes: Annotated[int, Ge(0), Le(200)] | None = None
    """Successes of an attack that was rolled already, with the dice that passive Defense left if there was any."""
    maneuver: Maneuver = Maneuver.STANDARD
    """`all_out` gives 2 more dice and costs the attacker all Defense for the rest of the turn; not with `successes`."""
    willpower: bool = False
    """Whether a point of Willpower is spent on a named attack: 3 more dice. A `pool` says so itself."""
    modifiers: Modifiers = ()
    """Further bonus and penalty dice of a named attack. A `pool` has its own."""

    def __post_init__(self) -> None:
        exactly_one(name=self.name, pool=self.pool, successes=self.successes)
        named = self.name is not None
        only_with("name", named, willpower=self.willpower or None, modifiers=self.modifiers or None)
        only_with("name, pool", self.successes is None, maneuver=self.maneuver if self.all_out else None)

    @property
    def all_out(self) -> bool:
        """Whether the attacker goes all-out."""
        return self.maneuver is Maneuver.ALL_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackCommand:
    """One attack on another combatant; it spends the attacker's action."""

    actor: CombatantId
    """Who attacks."""
    target: CombatantId
    """Who is attacked."""
    attack: FightAttack
    """The attacker's side."""
    weapon: Weapon | None = None
    """What strikes; left out, bare hands. Not with a named attack, which has its own."""
    defense: DefenseChoice | None = None
    """What the target does against this attack, for the game master and the target's player to say; left out, the target's
    stance holds."""

    def __post_init__(self) -> None:
        if self.weapon is not None and self.attack.name is not None:
            raise Malformed("not_together", "weapon", fields="attack/name, weapon")


@dataclass(frozen=True, slots=True, kw_only=True)
class DodgeCommand:
    """A Dodge from an attack that was rolled at the table."""

    actor: CombatantId
    """Who dodges."""
    attacker: CombatantId | None = None
    """Whose attack it is: it spends that combatant's action. Left out, only the one who dodges is looked at and changes."""
    attack_successes: Annotated[int, Ge(0), Le(200)]
    """The attacker's successes; nothing subtracted."""
    weapon: Weapon = Weapon()
    """What strikes; left out, bare hands."""
    willpower: bool = False
    """Whether a point of Willpower is spent on the Dodge: 3 more dice."""


def attack(play: Play, body: AttackCommand) -> None:
    """One attack, from the sheets and counters of both sides to the marked boxes."""
    attacker, target, options = own_fighter(play, body.actor), fighter(play, body.target), options_of(play)
    if body.defense is not None:
        play.act_for(body.target)
    play.demand_own_dice(successes=body.attack.successes)
    demand_place(play, attacker)
    pool, weapon = _strikes_with(attacker, body)
    choice = body.defense or standing_choice(target, weapon.kind, options)
    spends = pool is not None and pool.willpower
    forbidden = willpower_missing(attacker, options) if spends else []
    request = AttackRequest(
        attack=Attack(
            pool=pool,
            successes=body.attack.successes,
            maneuver=body.attack.maneuver,
            attacks_defended=attacker.turn.attacks_defended,
            action_state=attacker.action_state,
        ),
        weapon=weapon,
        defense=AttackDefense(mode=choice.mode, **target.defense_terms(willpower=choice.willpower)),
        target=target.as_target(),
        options=options,
    )
    outcome = play.ask(ATTACK, request, [*forbidden, *choice_forbidden(target, choice, weapon.kind, options)])
    spend_action(play, attacker)
    if spends:
        spend_willpower(play, attacker, WILLPOWER_DICE)
    if outcome.attacker_defense_lost:
        play.set(attacker.id, "sacrificed", True, ALL_OUT_DEFENSE_LOST)
    take_attack(play, target, outcome, by_stance=body.defense is None)


def _strikes_with(attacker: Fighter, body: AttackCommand) -> tuple[DicePool | None, Weapon]:
    """The attacker's dice, none when they were rolled at the table, and the weapon."""
    said, weapon = body.attack, body.weapon or Weapon()
    if said.name is not None:
        named = _attack_named(attacker, said.name)
        count = len(named.pool.modifiers) + len(said.modifiers)
        if count > MOST_MODIFIERS:
            raise Malformed("too_long", "attack/modifiers", max_length=MOST_MODIFIERS - len(named.pool.modifiers))
        pool = named.pool.rolled_by(attacker.wound_penalty, willpower=said.willpower, more=said.modifiers)
        return pool, named.weapon
    if said.pool is not None:
        return said.pool.rolled_by(attacker.wound_penalty, willpower=said.pool.willpower), weapon
    return None, weapon


def _attack_named(attacker: Fighter, name: str) -> NamedAttack:
    named = attacker.sheet.attacks.get(name)
    if named is None:
        raise NotAllowed([], "no_such_attack", combatant=attacker.id, attack=name)
    return named


def dodge(play: Play, body: DodgeCommand) -> None:
    """A Dodge from known successes; whose attack it was has acted, if that is told."""
    defender, options = own_fighter(play, body.actor), options_of(play)
    attacker = None if body.attacker is None else own_fighter(play, body.attacker)
    forbidden = [] if attacker is None else action_missing(attacker)
    if attacker is not None:
        demand_place(play, attacker)
    if body.willpower:
        forbidden += willpower_missing(defender, options)
    request = DodgeRequest(
        attack_successes=body.attack_successes,
        defense=Defense(**defender.defense_terms(willpower=body.willpower)),
        weapon=body.weapon,
        target=defender.as_target(),
        options=options,
    )
    outcome = play.ask(DODGE, request, forbidden)
    if attacker is not None:
        spend_action(play, attacker)
    take_attack(play, defender, outcome, by_stance=False)


ATTACK_COMMAND = Command(
    slug="attack",
    body=AttackCommand,
    play=attack,
    action=ATTACK,
    example={
        "actor": "ogre",
        "target": "mira",
        "attack": {"name": "knife", "willpower": True},
        "defense": {"mode": "dodge"},
    },
    rules=(WILLPOWER_POINTS, WILLPOWER_ONE_PER_TURN, DODGE_SCOPE),
)
DODGE_COMMAND = Command(
    slug="dodge",
    body=DodgeCommand,
    play=dodge,
    action=DODGE,
    example={"actor": "mira", "attacker": "ogre", "attack_successes": 3, "weapon": {"kind": "melee", "rating": 1}},
    rules=(ACTION_GIVEN_UP, ONE_ACTION, WILLPOWER_POINTS, WILLPOWER_ONE_PER_TURN),
)

"""Attacks in a fight, with their defense at once or as an answer of its own.

Order of dice: as in the stateless actions; a critical hit that awaits nothing rolls the damage after the attack.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeVar

from annotated_types import Ge, Le, Len

from rules.core.action import Action
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed, needed_with, only_with
from rules.gurps.active_defense import ACTIVE_DEFENSE, ActiveDefenseRequest
from rules.gurps.attack import ATTACK, AttackOutcome, AttackRequest, AttackResult
from rules.gurps.damage import Damage, DamageDice, DamageDone
from rules.gurps.encounter_aftermath import become_alert, mark_attack, take_damage, take_defense
from rules.gurps.encounter_choice import FightDefenses, defenses_of
from rules.gurps.encounter_circumstances import Circumstances, attack_with, demand_leave
from rules.gurps.encounter_fighter import Fighter, demand_nothing_pending, fields_of, fighter, options_of, own_fighter
from rules.gurps.encounter_state import PendingAttack
from rules.gurps.encounter_weapon import SheetWeapon, WeaponId
from rules.gurps.incoming_attack import Attack, IncomingAttack
from rules.gurps.rolls import MOST_MODIFIERS, Modifier

O = TypeVar("O")  # noqa: E741 - the outcome


class DefenseTime(StrEnum):
    """When the target of a hit says how it defends."""

    NONE = "none"
    NOW = "now"
    AWAIT = "await"


@dataclass(frozen=True, slots=True, kw_only=True)
class RollTerms:
    """What modifies a roll, beside the shock of the one who rolls."""

    modifiers: Annotated[tuple[Modifier, ...], Len(0, MOST_MODIFIERS)] = ()
    """Bonuses and penalties to the skill; in shock at most 19, since shock is one too."""
    cap: Annotated[int, Ge(1), Le(60)] | None = None
    """The highest effective score allowed, as 9 after Move and Attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackCommand:
    """One attack on another combatant, by the one whose turn it is."""

    actor: CombatantId
    """Who attacks."""
    target: CombatantId
    """Who is attacked."""
    weapon: WeaponId
    """The weapon of the attacker's sheet, bare hands included; it has to be ready."""
    attack: Circumstances = Circumstances()
    """How the attack is made."""
    roll: RollTerms = RollTerms()
    """What modifies the attack roll; the skill is the weapon's, less shock."""
    defense: DefenseTime = DefenseTime.AWAIT
    """`await`: a hit waits for the target's `active-defense`, and until then nothing else is done; `now`: by `defenses`;
    `none`: the target does not, or cannot, defend. The last two are for the game master and the target's player to say."""
    defenses: FightDefenses | None = None
    """How the target defends against a hit; needed with `defense: now`, and only with it."""

    def __post_init__(self) -> None:
        now = self.defense is DefenseTime.NOW
        needed_with("defense: now", now, defenses=self.defenses)
        only_with("defense: now", now, defenses=self.defenses)
        if self.actor == self.target:
            raise Malformed("own_target", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveDefenseCommand:
    """The answer of the target to the attack that waits for it."""

    actor: CombatantId
    """Who defends: the target of the attack."""
    defenses: FightDefenses
    """The defense; two after All-Out Defense (Double), tried in order until one succeeds; none: the target does not
    defend."""


def attack(play: Play, body: AttackCommand) -> None:
    """One attack, from the sheets and the state of both sides to the injury, or to the hit that waits for its defense."""
    attacker, target = own_fighter(play, body.actor), fighter(play, body.target)
    awaited = body.defense is DefenseTime.AWAIT
    if not awaited:
        play.act_for(body.target)
    demand_leave(play, body.attack)
    demand_nothing_pending(play)
    play.demand_turn(body.actor)
    weapon = _ready_weapon(attacker, body.weapon)
    incoming = attack_with(weapon, attacker, target, body.attack)
    chosen = body.defenses or ()
    request = AttackRequest(
        roll=attacker.check(weapon.skill, body.roll.modifiers, body.roll.cap),
        attack=incoming,
        defender=target.defender(attacker.id) if chosen else None,
        defenses=defenses_of(target, chosen),
        damage=None if awaited else _damage(weapon, target),
        options=options_of(play),
    )
    outcome = _ask(play, ATTACK, request)
    mark_attack(play, attacker, weapon)
    if outcome.now_alert:
        become_alert(play, target, attacker)
    if outcome.defense is not None:
        take_defense(play, target, attacker, chosen, outcome.defense)
    _take_injury(play, target, weapon, outcome.damage)
    if awaited:
        _await_defense(play, attacker, target, weapon, incoming, outcome)


def _await_defense(
    play: Play, attacker: Fighter, target: Fighter, weapon: SheetWeapon, incoming: Attack, outcome: AttackOutcome
) -> None:
    """A hit waits for its defense; a critical one strikes at once, and a miss is over."""
    if outcome.result is AttackResult.HIT:
        waiting = PendingAttack(attacker=attacker.id, target=target.id, weapon=weapon.id, attack=incoming)
        play.set(None, "pending", waiting)
    elif outcome.result is AttackResult.CRITICAL_HIT and weapon.damage is not None:
        request = ActiveDefenseRequest(
            attack=_coming(incoming, critical=True),
            defender=target.defender(attacker.id),
            defenses=(),
            damage=_damage(weapon, target),
            options=options_of(play),
        )
        _take_injury(play, target, weapon, play.ask(ACTIVE_DEFENSE, request).damage)


def active_defense(play: Play, body: ActiveDefenseCommand) -> None:
    """The defense against the attack that waits for it."""
    defender = own_fighter(play, body.actor)
    pending = _pending_against(play, defender)
    attacker = fighter(play, pending.attacker)
    weapon = attacker.weapon(pending.weapon)
    request = ActiveDefenseRequest(
        attack=_coming(pending.attack, critical=False),
        defender=defender.defender(attacker.id),
        defenses=defenses_of(defender, body.defenses),
        damage=_damage(weapon, defender),
        options=options_of(play),
    )
    outcome = _ask(play, ACTIVE_DEFENSE, request)
    take_defense(play, defender, attacker, body.defenses, outcome)
    _take_injury(play, defender, weapon, outcome.damage)
    play.set(None, "pending", None)


def _ready_weapon(attacker: Fighter, weapon_id: str) -> SheetWeapon:
    weapon = attacker.weapon(weapon_id)
    if not attacker.is_ready(weapon):
        raise NotAllowed([], "weapon_not_ready", combatant=attacker.id, weapon=weapon_id)
    return weapon


def _pending_against(play: Play, defender: Fighter) -> PendingAttack:
    pending: PendingAttack | None = play.fight.pending
    if pending is None:
        raise NotAllowed([], "no_attack_pending", combatant=defender.id)
    if pending.target != defender.id:
        raise NotAllowed([], "attack_pending", combatant=pending.target)
    return pending


def _coming(incoming: Attack, *, critical: bool) -> IncomingAttack:
    return IncomingAttack(**fields_of(incoming, Attack), critical=critical)


def _damage(weapon: SheetWeapon, target: Fighter) -> Damage | None:
    """The damage of the weapon against the Damage Resistance of the target."""
    return None if weapon.damage is None else Damage(**fields_of(weapon.damage, DamageDice), dr=target.sheet.dr)


def _take_injury(play: Play, target: Fighter, weapon: SheetWeapon, damage: DamageDone | None) -> None:
    if damage is not None and weapon.damage is not None:
        take_damage(play, target, weapon.damage.type, damage)


def _ask(play: Play, action: Action[AttackRequest, O] | Action[ActiveDefenseRequest, O], request: object) -> O:
    """What a defense needs and the sheets do not tell is said of the defenses that were chosen."""
    try:
        return play.ask(action, request)
    except Malformed as lacking:
        if lacking.code == "face":
            raise
        raise Malformed(lacking.code, "defenses", **lacking.facts) from None


ATTACK_COMMAND = Command(
    slug="attack",
    body=AttackCommand,
    play=attack,
    action=ATTACK,
    example={
        "actor": "mira",
        "target": "ogre",
        "weapon": "saber",
        "attack": {"direction": "left", "attacker_step": "available"},
        "roll": {"modifiers": [{"name": "bad footing", "value": -2}]},
        "defense": "await",
    },
)
ACTIVE_DEFENSE_COMMAND = Command(
    slug="active-defense",
    body=ActiveDefenseCommand,
    play=active_defense,
    action=ACTIVE_DEFENSE,
    example={"actor": "ogre", "defenses": [{"kind": "parry", "weapon": "saber", "option": {"kind": "retreat"}}]},
)

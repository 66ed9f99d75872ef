"""Attacks in a fight: announced, so that the target may ready a defense, and rolled.

Order of dice: as in the stateless action.
"""

from dataclasses import dataclass, fields, replace

from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed, needed_with, only_with
from rules.storyteller.attack import ATTACK, AttackOutcome, AttackRequest
from rules.storyteller.attack_roll import ATTACK_ROLL, Visibility
from rules.storyteller.attacker import Attacker
from rules.storyteller.defender import Awareness, Defender
from rules.storyteller.disarm import BACKFIRE, DISARMED
from rules.storyteller.encounter_costs import (
    FREE,
    Allowance,
    allowance,
    pay_willpower,
    willpower_missing,
)
from rules.storyteller.encounter_defense import defended, opponents_of, use_defense
from rules.storyteller.encounter_fighter import Fighter, another, options_of, own_fighter
from rules.storyteller.encounter_harm import bind, let_go, lose_weapon, take_harm
from rules.storyteller.encounter_said import AttackSaid
from rules.storyteller.encounter_sheet import AbilityName, AttributeName, SheetWeapon
from rules.storyteller.encounter_state import AnnouncedAttack, Deed, ShareUse
from rules.storyteller.grapple import GrappleKind
from rules.storyteller.hits import AttackEffect, BackfireEffect
from rules.storyteller.maneuvers import class_needed, form_of, needs_weapon
from rules.storyteller.tables import Form
from rules.storyteller.terms import Cover, Maneuver, Range
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND, ONE_ACTION, TURN_ORDER

OF_ONE_MANEUVER = frozenset({"custom", "backfire", "weapon"})
BONDS = {AttackEffect.CLINCHED: GrappleKind.CLINCH, AttackEffect.HELD: GrappleKind.HOLD}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceCommand(AnnouncedAttack):
    """An attack is announced: no dice are rolled, and its target may ready a defense or abort to one."""

    actor: CombatantId
    """Who attacks."""

    def __post_init__(self) -> None:
        custom = self.maneuver is Maneuver.CUSTOM
        needed_with("maneuver: custom", custom, custom=self.custom)
        only_with("maneuver: custom", custom, custom=self.custom)
        only_with("maneuver: disarm", self.maneuver is Maneuver.DISARM, backfire=self.backfire)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackCommand(AttackSaid):
    """One attack on another combatant; whatever is left out is as it was announced."""

    actor: CombatantId
    """Who attacks."""
    target: CombatantId | None = None
    """Who is attacked; left out, as announced."""
    maneuver: Maneuver | None = None
    """How one attacks; left out, as announced."""


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack that is made: what is said of it, with which weapon, what it takes, and what it is by the rules."""

    said: AnnouncedAttack
    weapon: SheetWeapon | None
    takes: Allowance
    form: Form


def announce(play: Play, body: AnnounceCommand) -> None:
    """Announce an attack that could be made."""
    attacker = own_fighter(play, body.actor)
    body.demand_sender(play)
    another(play, body.target, attacker, "target")
    strike = _strike(play, attacker, body)
    attacker.demand_specialty(body, strike.form.reads.ability)
    play.refuse(*attacker.hindrances, *strike.takes.forbidden, *willpower_missing(attacker, body))
    play.set(attacker.id, "announced", _without_actor(body))


def _without_actor(body: AnnouncedAttack) -> AnnouncedAttack:
    return AnnouncedAttack(**{each.name: getattr(body, each.name) for each in fields(AnnouncedAttack)})


def attack(play: Play, body: AttackCommand) -> None:
    """One attack, from the sheets and the state of both sides to the wounds."""
    attacker = own_fighter(play, body.actor)
    body.demand_sender(play)
    said = _said(attacker, body)
    target = another(play, said.target, attacker, "target")
    strike = _strike(play, attacker, said)
    let_go(play, attacker)
    request = _request(play, attacker, target, strike)
    met = defended(play, request, attacker, target, said.room)
    if met is not None:
        request = replace(request, defender=met.defender)
    outcome = play.ask(ATTACK, request, [*strike.takes.forbidden, *willpower_missing(attacker, said)])
    _after(play, attacker, target, strike)
    if met is not None:
        use_defense(play, target, met, outcome.defense)
    _suffer(play, attacker, target, outcome)


def _said(attacker: Fighter, body: AttackCommand) -> AnnouncedAttack:
    """What is said now, and for what is left out what was announced, unless it is of a maneuver that is not made now."""
    announced = attacker.turn.announced
    kept = {} if announced is None else {each.name: getattr(announced, each.name) for each in fields(AnnouncedAttack)}
    if announced is not None and body.maneuver not in (None, announced.maneuver):
        kept = {name: value for name, value in kept.items() if name not in OF_ONE_MANEUVER}
    now = {each.name: getattr(body, each.name) for each in fields(AnnouncedAttack)}
    defaults = {each.name: each.default for each in fields(body)}
    said = {**kept, **{name: value for name, value in now.items() if value != defaults[name]}}
    if "target" not in said or "maneuver" not in said:
        raise NotAllowed([], "nothing_announced", combatant=attacker.id)
    return AnnouncedAttack(**said)


def _strike(play: Play, attacker: Fighter, said: AnnouncedAttack) -> Strike:
    """Only on one's own turn, unless an ambush was won: that attack comes at once and takes no action."""
    if said.maneuver is Maneuver.CUSTOM and said.custom is None:
        raise Malformed("needed_with", "custom", field="custom", condition="maneuver: custom")
    free = attacker.surprises(said.target)
    if not free:
        play.demand_turn(attacker.id, TURN_ORDER)
    weapon = _weapon(attacker, said)
    form = form_of(said.maneuver, said.custom, weapon.arms if weapon else None)
    return Strike(said, weapon, FREE if free else allowance(attacker, _deed(said)), form)


def _deed(said: AnnouncedAttack) -> Deed:
    if said.custom is None:
        return Deed(for_=ShareUse.ATTACK, maneuver=said.maneuver)
    return Deed(
        for_=ShareUse.ATTACK,
        maneuver=said.maneuver,
        attribute=AttributeName(said.custom.attribute.value),
        ability=AbilityName(said.custom.ability.value),
    )


def _weapon(attacker: Fighter, said: AnnouncedAttack) -> SheetWeapon | None:
    """The weapon that the maneuver is made with: the one that is named, or the one in hand; a disarm may do without."""
    needed = class_needed(said.maneuver, said.custom)
    if needed is None:
        return None
    weapon = attacker.in_hand if said.weapon is None else attacker.drawn(said.weapon)
    fitting = weapon is not None and weapon.arms.range is needed
    if not fitting and said.weapon is None and not needs_weapon(said.maneuver, said.custom):
        return None
    if weapon is None:
        raise NotAllowed([], "no_weapon_in_hand", combatant=attacker.id)
    if not fitting:
        raise Malformed("weapon_class", "weapon", needed=needed)
    return weapon


def _request(play: Play, attacker: Fighter, target: Fighter, strike: Strike) -> AttackRequest:
    """The attack as a client without a fight would send it, undefended."""
    said, reach = strike.said, strike.form.range
    opponents = said.opponents or opponents_of(attacker, target, reach)
    ambush = attacker.state.ambush
    ambushing = ambush if ambush is not None and ambush.target == target.id else None
    sight = said.sight or attacker.state.visibility
    return AttackRequest(
        maneuver=said.maneuver,
        custom=said.custom,
        attacker=Attacker(
            roll=attacker.roll(said, strike.form.reads.ability, strike.takes.dice),
            strength=attacker.sheet.traits.strength,
            weapon=strike.weapon.weapon if strike.weapon else None,
            opponents=opponents if opponents > 1 else None,
            condition=attacker.condition,
            cover=_any_cover(attacker.covered),
            damage_modifiers=said.damage_modifiers,
            body=attacker.body(),
        ),
        position=said.position,
        visibility=None if sight is Visibility.CLEAR else sight,
        targeting=said.targeting,
        cover=_any_cover(said.cover or target.covered),
        ambush_successes=ambushing.bonus or None if ambushing else None,
        defender=Defender(
            awareness=said.awareness or (ambushing.awareness if ambushing else Awareness.AWARE),
            condition=target.condition,
            weapon=target.in_hand.weapon if target.in_hand else None,
            strength=target.sheet.traits.strength,
            body=target.body(),
        ),
        backfire=said.backfire,
        options=options_of(play),
    )


def _any_cover(cover: Cover) -> Cover | None:
    return None if cover is Cover.NONE else cover


def _after(play: Play, attacker: Fighter, target: Fighter, strike: Strike) -> None:
    """The attacker's action, point and weapon; both are in the fight, and foes of each other after a close attack."""
    strike.takes.spend(play, attacker)
    pay_willpower(play, attacker, strike.said)
    play.set(attacker.id, "announced", None)
    if strike.weapon is not None:
        play.set(attacker.id, "wielded", strike.weapon.id)
    if attacker.state.ambush is not None and attacker.state.ambush.target == target.id:
        play.set(attacker.id, "ambush", None)
    for one, other in ((attacker, target), (target, attacker)):
        play.set(one.id, "engaged", True, ATTACK_ROLL)
        if strike.form.range is Range.CLOSE and other.id not in one.turn.foes:
            play.set(one.id, "foes", [*one.turn.foes, other.id], ATTACK_ROLL)


def _suffer(play: Play, attacker: Fighter, target: Fighter, outcome: AttackOutcome) -> None:
    """What the blow, a parry or a backfire did, and the clinch or hold that begins between two who are able."""
    take_harm(play, target, outcome.damage)
    if outcome.effect is AttackEffect.DISARMED:
        lose_weapon(play, target, DISARMED)
    if outcome.counter is not None:
        take_harm(play, attacker, outcome.counter.damage)
    if outcome.backfire is not None:
        take_harm(play, attacker, outcome.backfire.damage)
        if outcome.backfire.effect is BackfireEffect.WEAPON_DROPPED:
            lose_weapon(play, attacker, BACKFIRE)
    if outcome.effect in BONDS and target.able:
        bind(play, attacker, target, BONDS[outcome.effect])


RULES = (TURN_ORDER, ONE_ACTION, NO_POINTS, ONE_A_ROUND)
ANNOUNCE_COMMAND = Command(
    slug="announce",
    body=AnnounceCommand,
    play=announce,
    example={"actor": "ogre", "target": "mira", "maneuver": "weapon_strike", "weapon": "axe", "position": "flank"},
    rules=RULES,
)
ATTACK_COMMAND = Command(
    slug="attack",
    body=AttackCommand,
    play=attack,
    action=ATTACK,
    example={"actor": "mira", "target": "ogre", "maneuver": "kick", "spend_willpower": True},
    rules=RULES,
)

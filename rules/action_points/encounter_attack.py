"""Attacks in a fight: on one target, or a mass attack on several in turn order; each waits for the target's answer.

Order of dice: as in the stateless action, target after target.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.action_points.attack import ATTACK, AttackRequest
from rules.action_points.attack_kinds import Attack, CriticalAttack
from rules.action_points.critical import INTERRUPTED
from rules.action_points.defenses import NO_DEFENSE, Defense
from rules.action_points.encounter_aftermath import lose_critical, settle, weapon_of
from rules.action_points.encounter_bodies import AnswerCommand, AttackCommand, AttackTarget, FightAttack, WaitingAttack
from rules.action_points.encounter_exchange import exchange, judge
from rules.action_points.encounter_state import (
    Participant,
    ShotCount,
    as_number,
    demand_alive,
    demand_nothing_waits,
    options_of,
    own_participant,
    participant,
)
from rules.action_points.exact import exact
from rules.action_points.fight import TURN_BASED, WEAPON_DROPPED
from rules.action_points.options import MagicResistance
from rules.action_points.range_bands import RangeBand, band_at
from rules.action_points.whip import WhipAnswer
from rules.core.encounter import Command, NotAllowed, Play
from rules.core.rule import Rule

MOST_SHOTS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a target does against an attack."""

    defense: Defense = NO_DEFENSE
    if_grabbed: WhipAnswer = WhipAnswer.STAY


def attack(play: Play, body: AttackCommand) -> None:
    """An attack: resolved at once as far as nobody has to answer, then waiting."""
    attacker = own_participant(play, body.actor)
    demand_nothing_waits(play)
    play.demand_turn(body.actor, TURN_BASED)
    demand_alive(attacker)
    aims = _in_turn_order(play, body.aims)
    for each in aims:
        demand_alive(participant(play, each.target))
        if each.defense is not None:
            play.act_for(each.target)
    reply = _reply_along(play, body)
    _give_up_another(play, attacker, aims[0].target, body.attack)
    _go_through(play, WaitingAttack(attacker=attacker.id, attack=body.attack, targets=aims), reply)


def answer(play: Play, body: AnswerCommand) -> None:
    """The answer for which an attack waits; a mass attack goes on to its next target."""
    play.act_for(body.actor)
    waiting: WaitingAttack | None = play.fight.pending
    if waiting is None or waiting.targets[0].target != body.actor:
        raise NotAllowed([], "nothing_to_answer", combatant=body.actor)
    _go_through(play, waiting, Reply(defense=body.defense, if_grabbed=body.if_grabbed))


def _in_turn_order(play: Play, aims: Sequence[AttackTarget]) -> tuple[AttackTarget, ...]:
    for each in aims:
        play.combatant(each.target)
    return tuple(sorted(aims, key=lambda each: play.fight.order.index(each.target)))


def _reply_along(play: Play, body: AttackCommand) -> Reply | None:
    """The answer of the only target, if one who may act for it sends it along."""
    if body.target is None or (body.defense is None and body.if_grabbed is None):
        return None
    play.act_for(body.target)
    return Reply(defense=body.defense or NO_DEFENSE, if_grabbed=body.if_grabbed or WhipAnswer.STAY)


def _give_up_another(play: Play, attacker: Participant, target: str, said: FightAttack) -> None:
    """Who makes another attack interrupts the critical one that is paid in part."""
    if attacker.state.pending_critical is not None and not _goes_on(attacker, target, said):
        lose_critical(play, attacker, INTERRUPTED)


def _goes_on(attacker: Participant, target: str, said: FightAttack) -> bool:
    """Whether it is the same critical attack on the same target."""
    before = attacker.state.pending_critical
    if before is None or said.critical is None:
        return False
    return (before.target, before.type, before.custom) == (target, said.type, said.custom)


def _go_through(play: Play, waiting: WaitingAttack, reply: Reply | None) -> None:
    """Target after target, until one has to answer."""
    attacker, left, paid = participant(play, waiting.attacker), list(waiting.targets), waiting.paid
    while left:
        aim, target = left[0], participant(play, left[0].target)
        request = _request(play, attacker, target, waiting.attack, aim, paid=paid)
        awaits = judge(play, request, [] if paid else _forbidden(attacker, request.attack))
        if aim.defense is not None:
            reply = Reply(defense=aim.defense)
        if awaits and reply is None:
            break
        chosen = reply or Reply()
        exchange(play, attacker, target, replace(request, defense=chosen.defense, if_grabbed=chosen.if_grabbed))
        reply, paid = None, True
        left.pop(0)
    play.set(None, "pending", replace(waiting, targets=tuple(left), paid=paid) if left else None)
    settle(play)


def _forbidden(attacker: Participant, made: Attack) -> list[Rule]:
    """A fallen weapon cannot attack until it is picked up."""
    return [WEAPON_DROPPED] if weapon_of(made.type, made.custom) in attacker.dropped else []


def _request(
    play: Play, attacker: Participant, target: Participant, said: FightAttack, aim: AttackTarget, *, paid: bool
) -> AttackRequest:
    """All that a stateless request says of an attack that nobody has answered yet."""
    options = options_of(play)
    made = _made(attacker, target, said, aim, paid=paid)
    told = attacker.told()
    if options.magic_resistance is MagicResistance.THRESHOLD and made.reduces and told.circle is None:
        raise NotAllowed([], "circle_unknown", combatant=attacker.id)
    return AttackRequest(attack=made, attacker=told, defender=target.told(), options=options)


def _made(attacker: Participant, target: Participant, said: FightAttack, aim: AttackTarget, *, paid: bool) -> Attack:
    """The attack on this target: what was paid for it before, its distance, and which shot it is."""
    critical = None
    if said.critical is not None:
        before = attacker.state.pending_critical if _goes_on(attacker, target.id, said) else None
        paid_ap = 0.0 if before is None else as_number(before.paid_ap)
        critical = CriticalAttack(paid_ap=paid_ap, pay_ap=said.critical.pay_ap)
    distance = said.distance_m if aim.distance_m is None else aim.distance_m
    made = replace(said.told(critical), distance_m=distance, already_paid=paid)
    return replace(made, shot_number=_shot_number(attacker, target, made))


def _shot_number(attacker: Participant, target: Participant, made: Attack) -> int:
    """One more than the shots at this target in this band; the first where they are not counted."""
    if made.bands is None or made.distance_m is None:
        return 1
    fired = attacker.state.shots.get(target.id, ShotCount())
    band = band_at(exact(made.distance_m), made.bands)
    before = {RangeBand.EVERY_SECOND: fired.every_second, RangeBand.EVERY_THIRD: fired.every_third}.get(band, 0)
    return min(MOST_SHOTS, before + 1)


ATTACK_COMMAND = Command(
    slug="attack",
    body=AttackCommand,
    play=attack,
    action=ATTACK,
    example={
        "actor": "mira",
        "target": "ogre",
        "attack": {"type": "sword", "damage_bonuses": [{"source": "fire", "value": 10}]},
    },
    rules=(TURN_BASED, WEAPON_DROPPED),
)
ANSWER_COMMAND = Command(
    slug="answer",
    body=AnswerCommand,
    play=answer,
    action=ATTACK,
    example={"actor": "ogre", "defense": {"type": "parry"}},
)

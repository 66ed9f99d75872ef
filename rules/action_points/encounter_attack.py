"""Attacks in a fight: on one target, or a mass attack on several in turn order; each waits for the target's answer.

Order of dice: as in the stateless action, target after target.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.attack import ATTACK, AttackRequest
from rules.action_points.attack_kinds import Attack, AttackScope, CriticalAttack, CustomAttack, DamageBonus
from rules.action_points.critical import INTERRUPTED
from rules.action_points.defenses import NO_DEFENSE, Defense
from rules.action_points.encounter_aftermath import lose_critical, settle, weapon_of
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
from rules.action_points.exact import Distance, exact, only_tenths
from rules.action_points.fight import TURN_BASED, WEAPON_DROPPED
from rules.action_points.options import MagicResistance
from rules.action_points.range_bands import RangeBand, band_at
from rules.action_points.tables import AttackType
from rules.action_points.whip import WhipAnswer
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed, exactly_one, only_with, unique
from rules.core.rule import Rule

MOST_SHOTS = 10_000


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

"""The defense that a combatant readies, and what becomes of it when an attack comes.

Order of dice: none.
"""

from dataclasses import dataclass, replace

from rules.core.encounter import CombatantId, Command, Play
from rules.core.faults import only_with
from rules.storyteller.attack import AttackRequest
from rules.storyteller.defender import DEFENSE_READS, Defender, Defense, DefenseManeuver, DefenseMode, Refuge, Room
from rules.storyteller.defense_refusals import NO_ACTION, refuse_defense
from rules.storyteller.defenses import DEFENSE_ROLL, DODGE_REFUGE, FULL_ROUND, DefenseRolled
from rules.storyteller.encounter_costs import FREE, NONE_LEFT, Allowance, pay_willpower, share_for, willpower_missing
from rules.storyteller.encounter_fighter import Fighter, another, own_fighter
from rules.storyteller.encounter_state import Declaration, Deed, ReadiedDefense, ShareUse
from rules.storyteller.terms import Cover, Range
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND

MOST_EARLIER = 20
MOST_OPPONENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DefendCommand(ReadiedDefense):
    """What a combatant does against the next attack; it is rolled with that attack, and replaces what was readied before."""

    actor: CombatantId
    """Who defends."""

    def __post_init__(self) -> None:
        dodging = self.maneuver is DefenseManeuver.DODGE
        only_with("maneuver: parry", self.maneuver is DefenseManeuver.PARRY, weapon=self.weapon)
        only_with("maneuver: dodge", dodging, refuge=self.refuge, room=self.room)


@dataclass(frozen=True, slots=True)
class Met:
    """A readied defense as it meets an attack: the target with it, what it is in its round, and what it takes."""

    readied: ReadiedDefense
    defender: Defender
    mode: DefenseMode
    takes: Allowance


def defend(play: Play, body: DefendCommand) -> None:
    """Ready a defense that there is an action for."""
    actor = own_fighter(play, body.actor)
    body.demand_sender(play)
    play.gm_only(room=body.room, opponents=body.opponents)
    if body.against is not None:
        another(play, body.against, actor, "against")
    if body.weapon is not None:
        actor.drawn(body.weapon)
    actor.demand_specialty(body, DEFENSE_READS[body.maneuver].ability)
    _, takes = _way(actor, body.maneuver)
    no_action = [] if takes.there else [NO_ACTION]
    play.refuse(*actor.hindrances, *no_action, *willpower_missing(actor, body))
    readied = ReadiedDefense(
        maneuver=body.maneuver,
        against=body.against,
        weapon=body.weapon,
        refuge=body.refuge,
        room=body.room,
        opponents=body.opponents,
        specialty=body.specialty,
        spend_willpower=body.spend_willpower,
        difficulty=body.difficulty,
        modifiers=body.modifiers,
    )
    play.set(actor.id, "readied_defense", readied)


def _way(defender: Fighter, maneuver: DefenseManeuver) -> tuple[DefenseMode, Allowance]:
    """As which part of the round one may defend: the one action, one of a round of defending, a share for this maneuver."""
    turn = defender.turn
    if turn.declared is Declaration.MULTIPLE:
        return DefenseMode.MULTIPLE, share_for(defender, Deed(for_=ShareUse(maneuver.value)))
    if turn.declared is Declaration.FULL_DEFENSE:
        return DefenseMode.FULL_ROUND, FREE
    there = turn.declared is not Declaration.ACTION and not turn.has_acted
    return DefenseMode.ACTION, Allowance() if there else NONE_LEFT


def defended(play: Play, request: AttackRequest, attacker: Fighter, target: Fighter, room: Room | None) -> Met | None:
    """What the target has readied against this attack, if nothing forbids it; what does stands in the fight's own steps.

    A forbidden one stays readied.
    """
    readied = target.turn.readied_defense
    if readied is None or readied.against not in (None, attacker.id):
        return None
    readied = _now(target, readied, room)
    incoming = request.incoming(request.form)
    mode, takes = _way(target, readied.maneuver)
    opponents = readied.opponents or opponents_of(target, attacker, incoming.range)
    defender = _defending(request.defender, target, readied, mode, takes, opponents)
    refuse_defense(defender, incoming, request.options, play.trail)
    if not takes.there:
        play.trail.refuse(NO_ACTION, earlier=target.turn.defenses_made)
    return None if play.trail.refused else Met(readied, defender, mode, takes)


def _now(target: Fighter, readied: ReadiedDefense, room: Room | None) -> ReadiedDefense:
    """Without a point, a specialty or a weapon that there is no more, and with the room that there is now."""
    specialty = readied.specialty and target.has_specialty(DEFENSE_READS[readied.maneuver].ability)
    pays = readied.spend_willpower and not willpower_missing(target, readied)
    weapon = None if readied.weapon in target.state.dropped else readied.weapon
    room = (room or readied.room) if readied.maneuver is DefenseManeuver.DODGE else None
    return replace(readied, specialty=specialty, spend_willpower=pays, weapon=weapon, room=room)


def _defending(
    defender: Defender, target: Fighter, readied: ReadiedDefense, mode: DefenseMode, takes: Allowance, opponents: int
) -> Defender:
    """The target with its defense; a parry with another weapon is made with that one.

    Without an action for it, it is looked at as if it were the first of the round.
    """
    defense = Defense(
        maneuver=readied.maneuver,
        roll=target.roll(readied, DEFENSE_READS[readied.maneuver].ability, takes.dice),
        mode=mode if takes.there else DefenseMode.ACTION,
        earlier_defenses=min(target.turn.defenses_made, MOST_EARLIER) if takes.there else 0,
        opponents=opponents,
        room=readied.room,
        refuge=readied.refuge,
    )
    drawn = target.sheet.weapon(readied.weapon)
    return replace(defender, defense=defense, weapon=drawn.weapon if drawn else defender.weapon)


def opponents_of(one: Fighter, other: Fighter, reach: Range) -> int:
    """How many are fought at the same time: those with whom close attacks were exchanged, and the other side of this one."""
    return min(len({*one.turn.foes, other.id}), MOST_OPPONENTS) if reach is Range.CLOSE else 1


def use_defense(play: Play, target: Fighter, met: Met, rolled: DefenseRolled | None) -> None:
    """A defense is used: its action or share, its point, the weapon in hand, and where a dodge ended."""
    if rolled is None:
        return
    met.takes.spend(play, target)
    pay_willpower(play, target, met.readied)
    rule = FULL_ROUND if met.mode is DefenseMode.FULL_ROUND else DEFENSE_ROLL
    play.set(target.id, "defenses_made", target.turn.defenses_made + 1, rule)
    play.set(target.id, "readied_defense", None, DEFENSE_ROLL)
    if target.sheet.weapon(met.readied.weapon) is not None:
        play.set(target.id, "wielded", met.readied.weapon)
    if rolled.refuge is Refuge.GROUND:
        play.set(target.id, "prone", True, DODGE_REFUGE)
    elif rolled.refuge is not Refuge.NONE:
        play.set(target.id, "cover", Cover(rolled.refuge.value), DODGE_REFUGE)


DEFEND_COMMAND = Command(
    slug="defend",
    body=DefendCommand,
    play=defend,
    example={"actor": "mira", "maneuver": "dodge", "against": "ogre", "refuge": "light"},
    rules=(NO_ACTION, NO_POINTS, ONE_A_ROUND),
)

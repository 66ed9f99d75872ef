"""What can be decided about an encounter: each function takes a record and gives the event that a change becomes.

The rules decide; here their decisions are told apart by who sends them, and turned into events.
"""

from collections.abc import Callable
from typing import Any

from rules.core.dice import Dice, SeededDice, SuppliedDice
from rules.core.encounter import Command, NotAllowed, NotForYou, Play, Sender, change_fields
from rules.core.evolve import undone
from rules.core.faults import Malformed
from rules.core.system import System
from service import problems
from service.encounters.access import Access
from service.encounters.changes import demand_open
from service.encounters.kept import Kept, OwnDice, Role, Status, fight_of, rules_of
from service.encounters.ledger import Draft, EventKind, Visibility
from service.encounters.limits import Limits
from service.faults import Fault, Malformations
from service.problems import Problem


def demand_combatant(combatant_id: str, kept: Kept) -> None:
    """A problem when the path names nobody in the fight."""
    if combatant_id not in kept.state["combatants"]:
        raise Problem(problems.NOT_FOUND)


def act(
    system: System,
    command: Command[Any],
    body: Any,
    sent: Any,
    dice: list[int] | None,
    visibility: Visibility,
    kept: Kept,
    access: Access,
) -> Draft:
    """A command of somebody who fights, or of the game master."""
    demand_open(kept)
    access.demand(Role.GM, Role.PLAYER)
    if command.gm_only or visibility is Visibility.GM:
        access.demand(Role.GM)
    draft = Draft(
        EventKind.ACTION,
        access.role.value,
        actor=getattr(body, "actor", None),
        action=command.slug,
        command=sent,
        visibility=visibility,
    )
    return _played(draft, system, kept, access, dice, lambda play: command.play(play, body))


def end_turn(system: System, dice: list[int] | None, kept: Kept, access: Access) -> Draft:
    """The end of the turn of the one who has it; theirs to say, or the game master's."""
    demand_open(kept)
    access.demand(Role.GM, Role.PLAYER)
    turn = kept.state["turn"]
    if access.role is Role.PLAYER and turn not in access.own:
        access.demand(Role.GM)
    draft = Draft(EventKind.TURN, access.role.value, actor=turn)
    return _played(draft, system, kept, access, dice, rules_of(system).end_turn)


def join(system: System, combatant_id: str, name: str, sheet: Any, limits: Limits, kept: Kept, access: Access) -> Draft:
    """A combatant enters the fight."""
    demand_open(kept)
    access.demand(Role.GM)
    if len(kept.state["combatants"]) >= limits.max_combatants:
        raise Problem(problems.LIMIT_REACHED, {"what": "combatants", "limit": limits.max_combatants})
    rules = rules_of(system)

    def joined(play: Play) -> None:
        play.join(combatant_id, name, sheet, rules.begin(sheet))
        if rules.joined is not None:
            rules.joined(play, combatant_id)

    return _played(Draft(EventKind.JOINED, access.role.value, actor=combatant_id), system, kept, access, None, joined)


def change(system: System, combatant_id: str, body: Any, sent: Any, kept: Kept, access: Access) -> Draft:
    """A combatant is changed by hand: by the game master, or in the few fields that are its player's."""
    demand_open(kept)
    access.demand(Role.GM, Role.PLAYER)
    demand_combatant(combatant_id, kept)
    rules = rules_of(system)

    def changed(play: Play) -> None:
        play.act_for(combatant_id)
        foreign = [name for name in sent if name not in rules.player_fields]
        if foreign and not play.by_gm:
            raise NotForYou("gm_field", field=foreign[0])
        if rules.changed is not None:
            rules.changed(play, combatant_id, body)
        else:
            change_fields(play, combatant_id, body)

    draft = Draft(EventKind.CHANGED, access.role.value, actor=combatant_id, command=sent)
    return _played(draft, system, kept, access, None, changed)


def remove(system: System, combatant_id: str, kept: Kept, access: Access) -> Draft:
    """A combatant leaves the fight."""
    demand_open(kept)
    access.demand(Role.GM)
    demand_combatant(combatant_id, kept)
    rules = rules_of(system)

    def left(play: Play) -> None:
        if rules.left is not None:
            rules.left(play, combatant_id)
        play.leave(combatant_id)

    return _played(Draft(EventKind.LEFT, access.role.value, actor=combatant_id), system, kept, access, None, left)


def undo(event: dict[str, Any], kept: Kept, access: Access) -> Draft:
    """The last event that still stands is taken back, by an event of its own."""
    demand_open(kept)
    access.demand(Role.GM)
    kept.was_undone()
    command = {"sequence": event["sequence"]}
    return Draft(EventKind.UNDONE, access.role.value, command=command, effects=undone(event["effects"]))


def close(kept: Kept, access: Access) -> Draft:
    """The fight is over, and its seed no secret any more."""
    demand_open(kept)
    access.demand(Role.GM)
    kept.status = Status.CLOSED
    return Draft(EventKind.CLOSED, access.role.value)


def _played(
    draft: Draft, system: System, kept: Kept, access: Access, dice: list[int] | None, decide: Callable[[Play], None]
) -> Draft:
    faces, source = _dice(kept, access, dice)
    by = Sender.GM if access.role is Role.GM else Sender.PLAYER
    fight = fight_of(kept.state, kept.opening, system)
    play = Play(fight, faces, by, access.own, own_dice=_brings_dice(kept, access))
    try:
        decide(play)
        faces.finish()
    except NotAllowed as refused:
        forbidden = tuple(Fault("#", rule, {}) for rule in refused.refused_by)
        faults = forbidden or (Fault("#", refused.code, refused.facts),)
        raise Problem(problems.NOT_ALLOWED, {}, faults, {"refused_by": refused.refused_by}) from None
    except NotForYou as foreign:
        fault = Fault("#", foreign.code, foreign.facts)
        raise Problem(problems.NOT_FOR_YOU, {"role": access.role, "needed": Role.GM}, (fault,)) from None
    except Malformed as malformed:
        pointer = f"#/{malformed.field}" if malformed.field else "#"
        raise Malformations([Fault(pointer, malformed.code, malformed.facts)]) from None
    draft.take(play, system, source)
    kept.may_be_undone(kept.version + 1)
    return draft


def _brings_dice(kept: Kept, access: Access) -> bool:
    return kept.own_dice is OwnDice.EVERYONE or (kept.own_dice is OwnDice.GM and access.role is Role.GM)


def _dice(kept: Kept, access: Access, dice: list[int] | None) -> tuple[Dice, str]:
    if dice is None:
        return SeededDice(f"{kept.seed}/{kept.version + 1}"), "seed"
    if not _brings_dice(kept, access):
        fault = Fault("#/dice", "own_dice", {"own_dice": kept.own_dice})
        raise Problem(problems.NOT_FOR_YOU, {"role": access.role, "needed": Role.GM}, (fault,))
    return SuppliedDice(dice), "dice"

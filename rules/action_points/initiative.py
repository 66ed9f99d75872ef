"""Who acts when?

Order of dice: with option `initiative_ties` `roll`, from the highest AP down, one d20 each for those who have equal AP, in
the order of the request; else none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.action_points.fighter import Fighter, known_ap
from rules.action_points.initiative_odds import odds_of_order, places_of
from rules.action_points.options import InitiativeTies, LaterRounds, Options
from rules.action_points.sources import BEYOND, ON_ORDER
from rules.core.action import Action
from rules.core.faults import Malformed
from rules.core.odds import Odds, OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

ATTACKER_FIRST = rule("action_points.initiative.attacker_first", ON_ORDER, Kind.DECISION)
DESCENDING_AP = rule("action_points.initiative.descending_ap", ON_ORDER, Kind.DECISION)
TIE = rule("action_points.initiative.tie", BEYOND, Kind.DECISION, Kind.ROLL)
LATER_ROUNDS = rule("action_points.initiative.later_rounds", ON_ORDER, Kind.DECISION)
RESULT = rule("action_points.initiative.result", ON_ORDER, Kind.RESULT)

TIE_SIDES = 20

CombatantId = Annotated[str, Len(1, 64)]


class InitiativeResult(StrEnum):
    """The question always has an answer."""

    OK = "ok"


class PlaceReason(StrEnum):
    """Why a combatant stands at this place: the attacker, by AP alone, or of several with equal AP as listed or by a roll."""

    ATTACKER = "attacker"
    AP = "ap"
    TIE_LISTED = "tie_listed"
    TIE_ROLL = "tie_roll"


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """One who takes part."""

    id: CombatantId
    """Any name; no two are alike."""
    fighter: Fighter
    """The sheet; the AP available have to be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRequest:
    """Everybody who takes part, and who attacked."""

    combatants: Annotated[tuple[Combatant, ...], Len(2, 100)]
    """Everybody; of those with equal AP the one who is listed earlier goes first."""
    attacker: CombatantId
    """The id of the one who started the fight."""
    round: Annotated[int, Ge(1), Le(10_000)] = 1
    """The round; from 2 on option `later_rounds` `by_ap` takes the attacker's privilege away."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        seen = set()
        for at, combatant in enumerate(self.combatants):
            if combatant.id in seen:
                raise Malformed("duplicate", f"combatants/{at}/id", value=combatant.id)
            seen.add(combatant.id)
            known_ap(f"combatants/{at}/fighter", combatant.fighter, "initiative")
        if self.attacker not in seen:
            raise Malformed("unknown_combatant", "attacker", value=self.attacker)

    @property
    def attacker_leads(self) -> bool:
        """The attacker has the first turn, by option only in the first round."""
        return self.round == 1 or self.options.later_rounds is LaterRounds.SAME_ORDER

    @property
    def rolls(self) -> bool:
        """Whether ties are rolled for."""
        return self.options.initiative_ties is InitiativeTies.ROLL


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place in the order."""

    id: str
    """Who stands there."""
    ap: Number
    """The AP available that decided."""
    reason: PlaceReason
    """Why here."""
    face: int | None
    """The d20 that was rolled for it, or null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeOutcome:
    """The order of the round."""

    result: InitiativeResult
    """Always `ok`."""
    round: int
    """The round that was asked for."""
    order: tuple[Place, ...]
    """Everybody, the first to act first."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A combatant's id with the AP that decide."""

    id: str
    ap: Number


def resolve(request: InitiativeRequest, trail: Trail) -> InitiativeOutcome:
    """The attacker, then by AP, most first."""
    order: list[Place] = []
    leader, groups = movers(request)
    if leader is not None:
        trail.decision(ATTACKER_FIRST, leader.ap, id=leader.id)
        order.append(Place(id=leader.id, ap=leader.ap, reason=PlaceReason.ATTACKER, face=None))
    else:
        trail.decision(LATER_ROUNDS, request.round)
    for group in groups:
        order += places(group, trail, rolls=request.rolls)
    trail.result(RESULT, len(order), first=order[0].id)
    return InitiativeOutcome(result=InitiativeResult.OK, round=request.round, order=tuple(order))


def movers(request: InitiativeRequest) -> tuple[Mover | None, tuple[tuple[Mover, ...], ...]]:
    """The attacker if they lead, and all others in groups of equal AP, most first, each in the order of the request."""
    listed = [Mover(each.id, each.fighter.ap_available or 0) for each in request.combatants]
    leader = next(each for each in listed if each.id == request.attacker) if request.attacker_leads else None
    others = sorted((each for each in listed if each is not leader), key=lambda mover: -mover.ap)
    return leader, tuple(tuple(group) for _, group in groupby(others, key=lambda mover: mover.ap))


def places(group: tuple[Mover, ...], trail: Trail, *, rolls: bool) -> Iterator[Place]:
    """One alone goes by AP; of several the one listed first, or by option the one with the higher d20."""
    ap = group[0].ap
    if len(group) == 1:
        trail.decision(DESCENDING_AP, ap, id=group[0].id)
        yield Place(id=group[0].id, ap=ap, reason=PlaceReason.AP, face=None)
        return
    ids = ", ".join(each.id for each in group)
    if not rolls:
        trail.decision(TIE, ap, ids=ids)
        for mover in group:
            yield Place(id=mover.id, ap=ap, reason=PlaceReason.TIE_LISTED, face=None)
        return
    faces = trail.faces(TIE, len(group), TIE_SIDES, ids=ids, ap=ap)
    for mover, face in sorted(zip(group, faces, strict=True), key=lambda pair: -pair[1]):
        yield Place(id=mover.id, ap=ap, reason=PlaceReason.TIE_ROLL, face=face)


def odds(request: InitiativeRequest) -> Odds:
    """Each combatant's place, 1 for the first; the fields are their ids in alphabetical order."""
    leader, groups = movers(request)
    first = () if leader is None else ((leader.id,),)
    ids = tuple(tuple(each.id for each in group) for group in groups)
    return odds_of_order((*first, *ids), TIE_SIDES if request.rolls else 0)


def read_places(outcome: InitiativeOutcome) -> tuple[int, ...]:
    """What the odds are over: each combatant's place."""
    return places_of(tuple(place.id for place in outcome.order))


INITIATIVE = Action(
    slug="initiative",
    request=InitiativeRequest,
    outcome=InitiativeOutcome,
    resolve=resolve,
    rules=(ATTACKER_FIRST, LATER_ROUNDS, DESCENDING_AP, TIE, RESULT),
    odds_over=OddsOver(("place",), read_places),
    odds=odds,
    example={
        "combatants": [
            {"id": "mira", "fighter": {"kind": "mage", "level": 3}},
            {"id": "ogre", "fighter": {"hp_max": 300, "ap_max": 20}},
            {"id": "wolf", "fighter": {"kind": "lycan", "level": 2}},
        ],
        "attacker": "mira",
        "options": {"initiative_ties": "roll"},
        "seed": "table-7",
    },
    max_dice=100,
    max_sides=20,
)

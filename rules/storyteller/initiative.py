"""In which order do the combatants of a round act?

Order of dice: one for each combatant who is able to act, in the order of the request.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.action import Action
from rules.core.faults import all_or_none, exactly_one, unique
from rules.core.odds import Odds, OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.storyteller.first_rank import first_rank_odds
from rules.storyteller.options import Options
from rules.storyteller.pools import INCAPACITATED, wound_penalty
from rules.storyteller.tables import SIDES
from rules.storyteller.terms import HealthLevel, Side

RATING = rule("storyteller.initiative.rating", "published", Kind.BASE)
WOUNDS = rule("storyteller.initiative.wounds", "published", Kind.MODIFIER)
ROLL = rule("storyteller.initiative.roll", "published", Kind.ROLL)
ORDER = rule("storyteller.initiative.order", "Сложности защиты; Борьба; published", Kind.RESULT)

RULES = (RATING, WOUNDS, ROLL, ORDER)


class InitiativeResult(StrEnum):
    """What came of an initiative roll."""

    ORDERED = "ordered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """One who acts in the round: exactly one of `rating`, and `dexterity` with `wits`."""

    id: Annotated[str, Len(1, 64)]
    """What the combatant is called in the outcome; all are different."""
    health: HealthLevel = HealthLevel.HEALTHY
    """How badly the combatant is hurt."""
    strikes_first: bool = False
    """Whether the combatant won or tied an ambush, and so comes before all who did not."""
    rating: Annotated[int, Ge(0), Le(20)] | None = None
    """The finished initiative rating before wounds."""
    dexterity: Annotated[int, Ge(0), Le(10)] | None = None
    """Dexterity; needs `wits`."""
    wits: Annotated[int, Ge(0), Le(10)] | None = None
    """Wits; needs `dexterity`."""

    def __post_init__(self) -> None:
        exactly_one(rating=self.rating, dexterity=self.dexterity)
        all_or_none(dexterity=self.dexterity, wits=self.wits)

    @property
    def unhurt_rating(self) -> int:
        """Dexterity + Wits, or a finished rating."""
        return self.rating if self.rating is not None else (self.dexterity or 0) + (self.wits or 0)

    @property
    def able(self) -> bool:
        """Whether the combatant acts at all."""
        return self.health is not HealthLevel.INCAPACITATED

    @property
    def lost_to_wounds(self) -> int:
        """The wound penalty lowers the rating, not below 0."""
        return min(-wound_penalty(self.health), self.unhurt_rating)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRequest:
    """Who takes part in a round."""

    combatants: Annotated[tuple[Combatant, ...], Len(1, 50)]
    """The combatants; they roll in this order."""
    options: Options = Options()
    """House rules."""

    def __post_init__(self) -> None:
        unique("combatants", (each.id for each in self.combatants))


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativePlace:
    """A combatant's place in the round."""

    id: str
    """The combatant."""
    rank: int
    """1 for whoever acts first; those who act at the same time share a rank."""
    rating: int
    """The rating after wounds."""
    face: int
    """What the die showed."""
    total: int
    """Rating and face together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeOutcome:
    """The order of a round."""

    result: InitiativeResult
    """Always `ordered`."""
    order: tuple[InitiativePlace, ...]
    """Those who are able to act, the first first."""
    unable: tuple[str, ...]
    """The ids of those who are not."""


def rolled(combatant: Combatant, trail: Trail) -> tuple[int, int]:
    """Rating, wounds and one die of a combatant: the rating after wounds, and the face."""
    trail.base(RATING, combatant.unhurt_rating, id=combatant.id)
    trail.modifier_if_any(WOUNDS, -combatant.lost_to_wounds, id=combatant.id, health=combatant.health)
    rating = int(trail.total)
    return rating, trail.sum(ROLL, 1, SIDES, id=combatant.id, rating=rating)


def ranked(rolls: Iterable[tuple[Combatant, int, int]]) -> tuple[InitiativePlace, ...]:
    """Ambushers before the rest, then the higher total, then the higher rating; equal in all three act together."""
    places: list[InitiativePlace] = []
    for _, together in groupby(sorted(rolls, key=_precedence), key=_precedence):
        rank = len(places) + 1
        places += [
            InitiativePlace(id=combatant.id, rank=rank, rating=rating, face=face, total=rating + face)
            for combatant, rating, face in together
        ]
    return tuple(places)


def _precedence(roll: tuple[Combatant, int, int]) -> tuple[bool, int, int]:
    combatant, rating, face = roll
    return not combatant.strikes_first, -(rating + face), -rating


def resolve(request: InitiativeRequest, trail: Trail) -> InitiativeOutcome:
    """Each who is able rolls in the order of the request; then they are put in order."""
    rolls = []
    for combatant in request.combatants:
        if combatant.able:
            rolls.append((combatant, *rolled(combatant, trail)))
        else:
            trail.decision(INCAPACITATED, side=Side.ACTOR, id=combatant.id)
    order = ranked(rolls)
    trail.result(ORDER, len(order), order=", ".join(f"{place.rank}. {place.id}" for place in order) or "—")
    unable = tuple(combatant.id for combatant in request.combatants if not combatant.able)
    return InitiativeOutcome(result=InitiativeResult.ORDERED, order=order, unable=unable)


def odds(request: InitiativeRequest) -> Odds:
    """For each combatant the chance of rank 1: only the ambushers have one, where there are any."""
    able = [each for each in request.combatants if each.able]
    contenders = [each for each in able if each.strikes_first] or able
    ratings = {each.id: each.unhurt_rating - each.lost_to_wounds for each in contenders}
    return first_rank_odds(tuple(each.id for each in request.combatants), ratings)


INITIATIVE = Action(
    slug="initiative",
    request=InitiativeRequest,
    outcome=InitiativeOutcome,
    resolve=resolve,
    rules=(INCAPACITATED, *RULES),
    odds_over=OddsOver(("rank",), lambda outcome: (tuple(place.id for place in outcome.order if place.rank == 1),)),
    example={
        "combatants": [
            {"id": "mira", "dexterity": 4, "wits": 3},
            {"id": "ogre", "rating": 4, "health": "wounded"},
            {"id": "thief", "rating": 5, "strikes_first": True},
        ],
        "seed": "table-7",
    },
    max_dice=1000,
    max_sides=10,
    odds=odds,
)

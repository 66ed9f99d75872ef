"""The order of a fight: everyone's Initiative, and a d10 of each who is still tied.

Order of dice: one for each combatant in the order of joining; then, for each group that is equal in Initiative and in
score, from the highest group down, one for each in the order of joining, and again among those still equal.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

from annotated_types import Len

from rules.chronicles.encounter_state import Fighter, fighter, options_of, own_fighter
from rules.chronicles.initiative import INITIATIVE, Initiative, InitiativeRequest
from rules.chronicles.initiative import RESULT as INITIATIVE_RESULT
from rules.chronicles.turn import INITIATIVE_ORDER
from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import unique

MOST_ROUNDS_OF_TIES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeCommand:
    """Rolls Initiative and fixes the order."""

    combatants: Annotated[tuple[CombatantId, ...], Len(1, 200)] | None = None
    """Who rolls; left out, all who have not yet. Only the game master lets somebody roll anew."""

    def __post_init__(self) -> None:
        unique("combatants", self.combatants or ())


def initiative(play: Play, body: InitiativeCommand) -> None:
    """Each rolls, then ties are broken and the order is fixed."""
    rolling = _rolling(play, body)
    for each in rolling:
        outcome = play.ask(INITIATIVE, _request(play, each))
        play.set(each.id, "initiative", outcome.initiative, INITIATIVE_RESULT)
    fix_order(play, {each.id for each in rolling})


def _rolling(play: Play, body: InitiativeCommand) -> list[Fighter]:
    without = [name for name, each in play.fight.combatants.items() if each.state.initiative is None]
    rolling = [own_fighter(play, name) for name in (without if body.combatants is None else body.combatants)]
    if not rolling:
        raise NotAllowed([], "initiative_complete")
    again = [each for each in rolling if each.state.initiative is not None]
    if again and not play.by_gm:
        raise NotAllowed([], "initiative_rolled", combatant=again[0].id)
    return sorted(rolling, key=lambda each: each.combatant.joined)


def _request(play: Play, rolling: Fighter) -> InitiativeRequest:
    said = rolling.sheet.initiative
    modifier = Initiative(
        score=said.score, traits=said.traits, modifiers=said.modifiers, wound_penalty=rolling.wound_penalty
    )
    return InitiativeRequest(initiative=modifier, options=options_of(play))


def fix_order(play: Play, rolled: set[str]) -> None:
    """Highest Initiative first, ties to the higher score, then as dice have it where any of the tied has just rolled."""
    ranked = sorted(_placed(play), key=_rank, reverse=True)
    order: list[str] = []
    for _, tied in groupby(ranked, key=_rank):
        group = sorted(tied, key=lambda each: each.combatant.joined)
        if len(group) > 1 and any(each.id in rolled for each in group):
            group = _untied(play, group)
        else:
            group.sort(key=lambda each: _place(play, each))
        order += [each.id for each in group]
    play.trail.decision(INITIATIVE_ORDER, order=", ".join(fighter(play, each).name for each in order))
    play.set(None, "order", order, INITIATIVE_ORDER)


def _placed(play: Play) -> list[Fighter]:
    return [Fighter(name, each) for name, each in play.fight.combatants.items() if each.state.initiative is not None]


def _rank(each: Fighter) -> tuple[int, int]:
    return each.state.initiative or 0, each.sheet.initiative.base


def _place(play: Play, each: Fighter) -> int:
    """Where somebody stood before; at the end who had no place."""
    return play.fight.order.index(each.id) if each.id in play.fight.order else len(play.fight.order)


def _untied(play: Play, group: Sequence[Fighter]) -> list[Fighter]:
    """A d10 of each, again among those still equal, at most ten times; then who joined first."""
    thrown: dict[str, tuple[int, ...]] = {each.id: () for each in group}
    for _ in range(MOST_ROUNDS_OF_TIES):
        times = Counter(thrown.values())
        equal = [each for each in group if times[thrown[each.id]] > 1]
        for each in equal:
            thrown[each.id] += (play.trail.sum(INITIATIVE_ORDER, 1, 10, combatant=each.name),)
    return sorted(group, key=lambda each: thrown[each.id], reverse=True)


INITIATIVE_COMMAND = Command(
    slug="initiative",
    body=InitiativeCommand,
    play=initiative,
    action=INITIATIVE,
    example={"combatants": ["mira", "ogre"]},
    rules=(INITIATIVE_ORDER,),
)

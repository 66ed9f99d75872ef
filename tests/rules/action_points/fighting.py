"""Mira, the ogre and the imp, and how their fights are set up."""

from typing import Any

from rules.action_points import ACTION_POINTS
from rules.action_points.encounter_state import State, Turn
from rules.core.trail import Number
from tests.rules.fights import Table

Body = dict[str, Any]

MIRA: Body = {"kind": "mage", "level": 3}
"""140 HP, 18 AP, no regeneration."""
OGRE: Body = {"hp_max": 200, "ap_max": 20, "regeneration": 5}
IMP: Body = {"kind": "fae", "level": 1}
"""150 HP, 15 AP, 3 HP a round."""


def table(*, attacker: str | None = "mira", situation: str = "", **options: str) -> Table:
    """Mira, the ogre and the imp, before the fight starts."""
    opening = {"options": options, "situation": situation} | ({"attacker": attacker} if attacker else {})
    made = Table(ACTION_POINTS, **opening)
    made.join("mira", **MIRA)
    made.join("ogre", **OGRE)
    made.join("imp", **IMP)
    return made


def begun(**options: str) -> Table:
    """The first turn, which is Mira's; then come the ogre and the imp."""
    made = table(**options)
    made.end_turn()
    assert (made.state["turn"], made.state["order"]) == ("mira", ["mira", "ogre", "imp"])
    return made


def state(of: Table, combatant: str) -> State:
    """What lasts of a combatant."""
    found: State = of.combatant(combatant).state
    return found


def turn(of: Table, combatant: str) -> Turn:
    """What counts until the AP of a combatant are restored."""
    found: Turn = of.combatant(combatant).turn
    return found


def spent(of: Table, combatant: str) -> Number:
    """AP that a combatant has spent since the last refresh."""
    return turn(of, combatant).ap_spent


def strike(
    at: Table, attack: Body | str, defense: Body | str = "none", *, dice: list[int] | None = None, **body: Any
) -> None:
    """Mira attacks the ogre, unless other people are named, and is answered at once."""
    at.act("attack", dice or [], **aimed(attack, **body), defense=_typed(defense))


def aimed(attack: Body | str, actor: str = "mira", target: str = "ogre", **body: Any) -> Body:
    """The command of an attack without its answer."""
    return {"actor": actor, "target": target, "attack": _typed(attack), **body}


def plan(at: Table, *items: Body | str, actor: str = "mira") -> None:
    """Mira does these things, unless another is named."""
    at.act("turn-plan", actor=actor, items=[_typed(each) for each in items])


def rounds(at: Table, count: int = 1) -> None:
    """So many rounds of three go by."""
    for _ in range(3 * count):
        at.end_turn()


def spell(**custom: Any) -> Body:
    """A spell of 6 AP, unless more is said of it."""
    return {"type": "custom", "custom": {"ap": 6, "delivery": "spell"} | custom}


def fog(**custom: Any) -> Body:
    """A mass spell of 6 AP that does 10 damage."""
    return spell(name="Poison Fog", damage=10, scope="mass", **custom)


def _typed(what: Body | str) -> Body:
    return {"type": what} if isinstance(what, str) else what

"""Julia, the thug and the guard, and how their fights are set up."""

from typing import Any

from rules.chronicles import CHRONICLES
from rules.core.encounter import Combatant
from tests.rules.fights import Table

JULIA: dict[str, Any] = {
    "defense": {"traits": {"dexterity": 2, "wits": 3, "athletics": 1}},
    "initiative": {"traits": {"dexterity": 2, "composure": 3}},
    "health": {"stamina": 2, "size": 5},
    "willpower": {"max": 5},
    "attacks": {"fist": {"pool": {"attribute": 2, "skill": 1}}},
}
THUG: dict[str, Any] = {
    "defense": {"score": 2, "modifiers": [{"label": "shield", "value": 1}]},
    "initiative": {"score": 4, "modifiers": [{"label": "machete", "value": -2}]},
    "health": {"boxes": 8},
    "stamina": 3,
    "willpower": {"max": 3, "current": 1},
    "armor": {"general": 1, "ballistic": 2},
    "attacks": {
        "swing": {"pool": {"attribute": 4, "skill": 3}},
        "knife": {
            "pool": {"total": 5, "again": "nine_again", "modifiers": [{"label": "knack", "value": 1}]},
            "weapon": {"kind": "melee", "rating": 1},
        },
    },
}
GUARD: dict[str, Any] = {
    "defense": {"score": 1},
    "initiative": {"score": 4},
    "health": {"boxes": 7},
    "willpower": {"max": 0},
    "attacks": {"gun": {"pool": {"total": 4}, "weapon": {"kind": "firearm", "rating": 2}}},
}
MISS = [2]


def table(**options: str) -> Table:
    """Julia and the thug, before the order is fixed."""
    made = Table(CHRONICLES, options=options)
    made.join("julia", **JULIA)
    made.join("thug", **THUG)
    return made


def begun(**options: str) -> Table:
    """Julia, the thug and the guard in the first turn, in this order."""
    made = table(**options)
    made.join("guard", **GUARD)
    made.act("initiative", [10, 8, 1])
    made.end_turn()
    assert made.state["order"] == ["julia", "thug", "guard"]
    assert made.state["turn"] == "julia"
    return made


def julia(of: Table) -> Combatant:
    """Julia as she is now."""
    return of.combatant("julia")


def thug(of: Table) -> Combatant:
    """The thug as he is now."""
    return of.combatant("thug")


def swing(at: Table, dice: list[int], **defense: Any) -> None:
    """The thug swings at Julia, who does this, or what her stance says."""
    at.change("thug", action_state="unspent")
    chosen = {"defense": defense} if defense else {}
    at.act("attack", dice, actor="thug", target="julia", attack={"name": "swing"}, **chosen)

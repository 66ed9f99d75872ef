"""Mira, the ogre and the imp, and how their fights are set up."""

from typing import Any

from rules.core.encounter import Combatant
from rules.gurps import GURPS
from tests.rules.fights import Table

MIRA: dict[str, Any] = {
    "basic_speed": 6.5,
    "st": 10,
    "dx": 13,
    "hearing": 12,
    "acrobatics": 12,
    "hp": 10,
    "fp": 10,
    "dr": 1,
    "shield": {"kind": "cloak", "db": 1, "block": {"skill": 12}},
    "weapons": [
        {
            "id": "saber",
            "tool": {"skill_name": "saber", "parry": {"skill": 15}, "weight_g": 1000},
            "skill": 15,
            "damage": {"dice": 1, "adds": 1, "type": "cutting"},
        },
        {
            "id": "dagger",
            "tool": {"name": "dirk", "hand": "left", "parry": {"skill": 12}, "weapon_type": "knife"},
            "skill": 12,
            "attack": {"strike": "thrust"},
        },
        {"id": "fist", "tool": {"kind": "unarmed", "skill_name": "boxing", "parry": {"skill": 13}}, "skill": 13},
        {
            "id": "hold",
            "tool": {"kind": "unarmed", "skill_name": "wrestling", "hand": "both", "parry": {"skill": 11}},
            "skill": 11,
            "attack": {"form": "grapple"},
        },
    ],
}
OGRE: dict[str, Any] = {
    "basic_speed": 5.25,
    "dodge": {"score": 7},
    "creature": "monster",
    "st": 20,
    "dx": 11,
    "hp": 30,
    "dr": 2,
    "weapons": [
        {
            "id": "club",
            "tool": {"hand": "both", "parry": {"score": 9}, "weight_g": 2000},
            "skill": 13,
            "damage": {"dice": 2, "type": "crushing"},
        },
        {
            "id": "kick",
            "tool": {"kind": "natural_weapon", "parry": {"score": 8}},
            "skill": 12,
            "attack": {"means": "unarmed", "unarmed_skill": "karate", "form": "strike"},
        },
        {
            "id": "bite",
            "tool": {"kind": "natural_weapon", "hand": "both", "parry": {"score": 8}},
            "skill": 12,
        },
        {
            "id": "bow",
            "tool": {"hand": "both", "parry": {"skill": 10}, "weight_g": 1500},
            "skill": 11,
            "attack": {"kind": "missile", "launcher": True},
            "damage": {"dice": 1, "type": "impaling"},
        },
        {
            "id": "stone",
            "tool": {"parry": {"score": 5}, "weight_g": 500},
            "skill": 12,
            "attack": {"kind": "thrown"},
        },
        {
            "id": "chain",
            "tool": {"parry": {"score": 8}},
            "skill": 12,
            "attack": {"weapon_class": "flail"},
            "damage": {"dice": 1, "type": "fatigue"},
        },
        {"id": "blast", "tool": {"parry": {"score": 0}}, "skill": 14, "attack": {"kind": "area"}},
    ],
}
IMP: dict[str, Any] = {"basic_speed": 5.25, "creature": "handless_animal"}

HIT = [3, 3, 4]
"""A 10."""
CRITICAL_HIT = [1, 1, 1]
MISS = FAILED = [6, 6, 4]
"""A 16."""
MADE = [3, 3, 3]
SURELY = [1, 1, 1]
DODGE = {"kind": "dodge"}
BLOCK = {"kind": "block"}


def parry(weapon: str = "saber", **more: Any) -> dict[str, Any]:
    """A parry with a weapon of the sheet."""
    return {"kind": "parry", "weapon": weapon, **more}


def table(**options: str) -> Table:
    """Mira and the ogre, before the first round."""
    made = Table(GURPS, options=options)
    made.join("ogre", **OGRE)
    made.join("mira", **MIRA)
    return made


def begun(*, ogres: bool = True, **options: str) -> Table:
    """The first round, on the ogre's turn, or on Mira's."""
    made = table(**options)
    made.end_turn()
    assert made.state["turn"] == "mira"
    if ogres:
        made.end_turn()
        assert made.state["turn"] == "ogre"
    return made


def pending(weapon: str = "club", of: Table | None = None, **more: Any) -> Table:
    """An attack of the ogre that waits for Mira's defense."""
    made = of or begun()
    made.act("attack", HIT, actor="ogre", target="mira", weapon=weapon, **more)
    assert made.state["pending"] is not None
    return made


def defend(fight: Table, dice: list[int], *defenses: dict[str, Any]) -> Table:
    """Mira's answer."""
    fight.act("active-defense", dice, "mira", actor="mira", defenses=list(defenses))
    return fight


def next_turn_of(fight: Table, combatant: str) -> None:
    """Turns end until it is this combatant's."""
    fight.end_turn()
    while fight.state["turn"] != combatant:
        fight.end_turn()


def mira(of: Table) -> Combatant:
    """Mira as she is now."""
    return of.combatant("mira")


def ogre(of: Table) -> Combatant:
    """The ogre as it is now."""
    return of.combatant("ogre")

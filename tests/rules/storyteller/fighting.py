"""Mira, the ogre and the hunter, and how their fights are set up."""

from typing import Any

from rules.storyteller import STORYTELLER
from rules.storyteller.encounter_fighter import Fighter
from tests.rules.fights import Table

MIRA: dict[str, Any] = {
    "traits": {
        "strength": 2,
        "dexterity": 3,
        "stamina": 2,
        "perception": 3,
        "wits": 3,
        "brawl": 2,
        "dodge": 2,
        "melee": 1,
        "stealth": 2,
        "alertness": 1,
    },
    "nature": "mortal",
    "weapons": [
        {"id": "knife", "name": "Kitchen knife", "preset": "knife"},
        {"id": "pistol", "name": "Old pistol", "preset": "light_pistol"},
    ],
    "wielded": "knife",
    "willpower": {"rating": 5, "points": 3},
    "specialties": ["dodge", "brawl"],
}
OGRE: dict[str, Any] = {
    "traits": {"strength": 4, "dexterity": 2, "stamina": 3, "perception": 2, "wits": 1, "brawl": 2, "melee": 2},
    "nature": "supernatural",
    "aggravated_soak": 1,
    "armor": {"rating": 1, "penalty": 1},
    "weapons": [
        {"id": "axe", "name": "Axe", "preset": "axe"},
        {
            "id": "claws",
            "name": "Iron claws",
            "class": "close",
            "damage_base": "strength",
            "damage_dice": 1,
            "damage_type": "lethal",
        },
    ],
    "willpower": {"rating": 3, "points": 1},
}
HUNTER: dict[str, Any] = {
    "traits": {"strength": 2, "dexterity": 3, "stamina": 2, "perception": 2, "wits": 2, "firearms": 3, "brawl": 1},
    "nature": "mortal",
    "weapons": [{"id": "rifle", "name": "Rifle", "preset": "rifle"}],
    "wielded": "rifle",
    "willpower": {"rating": 4, "points": 0},
}
IDS = ("mira", "ogre", "hunter")


def table(**options: str) -> Table:
    """The three before the first round."""
    made = Table(STORYTELLER, options=options)
    made.join("mira", **MIRA)
    made.join("ogre", **OGRE)
    made.join("hunter", **HUNTER)
    return made


def begun(first: str = "mira", **options: str) -> Table:
    """The three in the first round, in the order of joining but for the one who is first."""
    made = table(**options)
    faces = {"mira": 6, "ogre": 4, "hunter": 1} | {first: 10}
    made.end_turn([faces[each] for each in IDS])
    assert made.state["turn"] == first
    return made


def of(fight: Table, combatant_id: str) -> Fighter:
    """A combatant as it is now."""
    return Fighter(combatant_id, fight.combatant(combatant_id))


def hold(fight: Table, holder: str = "ogre", held: str = "mira") -> None:
    """On its turn one takes hold of another."""
    fight.act("attack", [10] * 3, actor=holder, target=held, maneuver="hold")
    assert of(fight, held).condition == "held"


def clinch(fight: Table, attacker: str = "ogre", target: str = "mira") -> None:
    """On its turn one clinches with another, and does no harm."""
    dice = {"ogre": [10] * 6 + [1] * 2 + [1] * 4, "mira": [10] * 4 + [1] * 4 + [1] * 2}[attacker]
    fight.act("attack", dice, actor=attacker, target=target, maneuver="clinch")
    assert of(fight, target).condition == "clinched"

"""The requests that are measured."""

import json
from typing import Any

ACTIVE_DEFENSE: dict[str, Any] = {
    "attack": {"kind": "melee", "weight_g": 1800, "attacker_step": "available"},
    "defender": {
        "posture": "standing",
        "maneuver": "attack",
        "encumbrance": "none",
        "dominant_hand": "right",
        "st": 11,
        "dx": 14,
        "dodge": {"basic_speed": 6.25, "bonus": 1},
        "shield": {"kind": "shield", "hand": "left", "db": 1},
    },
    "defenses": [
        {
            "kind": "parry",
            "tool": {
                "name": "Saber",
                "skill_name": "saber",
                "parry": {"skill": 16},
                "weight_g": 1000,
                "previous_parries": 1,
            },
            "option": {"kind": "retreat", "facing": "left"},
            "modifiers": [{"name": "Bad footing", "value": -1}],
        }
    ],
    "damage": {"dice": 2, "adds": 1, "type": "cutting", "dr": 2},
}
"""Does a fencer's second parry of the turn, retreating, stop an axe?"""

SUCCESS_ROLL: dict[str, Any] = {
    "roll": {"skill": 12, "modifiers": [{"name": "unseen attacker", "value": -2}]},
    "purpose": "hearing",
}

GURPS_ATTACK: dict[str, Any] = {
    "roll": {"skill": 14},
    "attack": {"kind": "melee", "deceptive": 1},
    "defender": {"dodge": {"score": 9}},
    "defenses": [{"kind": "dodge"}],
    "damage": {"dice": 2, "adds": 1, "type": "cutting", "dr": 2},
}

CANCELLING_POOL: dict[str, Any] = {"roll": {"pool": 7}}
"""Storyteller: 7 dice at difficulty 6, ones cancel."""

STORYTELLER_CHAIN: dict[str, Any] = {
    "maneuver": "weapon_strike",
    "attacker": {"roll": {"pool": 7}, "damage_pool": 5, "weapon": {"preset": "sword"}},
    "defender": {
        "defense": {"maneuver": "dodge", "roll": {"pool": 5}},
        "body": {"nature": "supernatural", "soak": 3},
    },
}
"""Attack 7 against dodge 5; damage 4 and what the attack is ahead by; soak 3."""

CHRONICLES_ATTACK: dict[str, Any] = {
    "attack": {"pool": {"total": 10, "again": "eight_again", "rote": True}},
    "defense": {"mode": "dodge", "score": 4},
}
"""10 dice, 8-again, rote, against Dodge 8."""


def as_json(body: dict[str, Any], seed: str | None = None) -> bytes:
    """A body as it is sent."""
    return json.dumps(body if seed is None else {**body, "seed": seed}, separators=(",", ":")).encode()

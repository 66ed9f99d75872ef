"""The data of the page, as the catalogue lists it."""

from collections.abc import Mapping
from typing import Any

from rules.chronicles.health import CONDITION_OF_FULL_TRACK, WOUND_PENALTY_BY_EMPTY_BOXES
from rules.chronicles.pools import WILLPOWER_BONUS_DICE, WILLPOWER_BONUS_RESISTANCE
from rules.chronicles.rolls import (
    CHANCE_DIE_SUCCESS_NUMBER,
    EXCEPTIONAL_SUCCESSES,
    LOWEST_FACE_AGAIN,
    MOST_AGAIN_WAVES,
    SUCCESS_NUMBER,
)
from rules.chronicles.strike import ALL_OUT_BONUS_DICE
from rules.chronicles.weapons import CLOSE_COMBAT, USUAL_DAMAGE, WeaponKind

TABLES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "again": tuple({"again": again, "lowest_face": face} for again, face in LOWEST_FACE_AGAIN.items()),
    "weapon_kinds": tuple(
        {
            "kind": kind,
            "damage_type": USUAL_DAMAGE[kind],
            "meets_defense": kind is not WeaponKind.FIREARM,
            "meets_ballistic_armor": kind is WeaponKind.FIREARM,
            "all_out": kind in CLOSE_COMBAT,
        }
        for kind in WeaponKind
    ),
    "wound_penalties": tuple(
        {"empty_boxes": empty, "wound_penalty": penalty} for empty, penalty in WOUND_PENALTY_BY_EMPTY_BOXES.items()
    ),
    "conditions": tuple(
        {"last_box": severity, "condition": condition} for severity, condition in CONDITION_OF_FULL_TRACK.items()
    ),
}

FACTS: Mapping[str, int] = {
    "success_number": SUCCESS_NUMBER,
    "chance_die_success_number": CHANCE_DIE_SUCCESS_NUMBER,
    "exceptional_successes": EXCEPTIONAL_SUCCESSES,
    "most_again_waves": MOST_AGAIN_WAVES,
    "willpower_dice": WILLPOWER_BONUS_DICE,
    "willpower_resistance": WILLPOWER_BONUS_RESISTANCE,
    "all_out_dice": ALL_OUT_BONUS_DICE,
}

"""The tables and constants of the rules, as the catalogue lists them; each number stands beside the rule that reads it."""

from collections.abc import Mapping
from typing import Any

from rules.gurps.damage import MULTIPLIERS
from rules.gurps.heavy_weapon import GRAMS_PER_ST, LEAST_MULTIPLE, QUALITY_CHANCES
from rules.gurps.height import LEAST_DIFFERENCE_CM
from rules.gurps.modifiers import LIGHT_THROWN_WEAPON_G
from rules.gurps.posture import DEFENSE_MODIFIERS
from rules.gurps.rolls import LOWEST_ATTEMPTED
from rules.gurps.sheet import ENCUMBRANCE_PENALTIES
from rules.gurps.tool import WEAPON_TYPE_MODIFIERS


def _rows(name: str, values: Mapping[Any, Any], column: str) -> tuple[Mapping[str, Any], ...]:
    return tuple({name: key, column: value} for key, value in values.items())


TABLES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "weapon_types": _rows("weapon_type", WEAPON_TYPE_MODIFIERS, "parry_modifier"),
    "encumbrance": _rows("encumbrance", ENCUMBRANCE_PENALTIES, "penalty"),
    "postures": _rows("posture", DEFENSE_MODIFIERS, "defense_modifier"),
    "qualities": _rows("quality", QUALITY_CHANCES, "breakage_chance"),
    "body_forms": _rows("form", GRAMS_PER_ST, "grams_per_st"),
    "damage_types": _rows("type", MULTIPLIERS, "multiplier"),
}

FACTS: Mapping[str, int] = {
    "height_difference_cm": LEAST_DIFFERENCE_CM,
    "light_thrown_weapon_g": LIGHT_THROWN_WEAPON_G,
    "breakage_multiple": LEAST_MULTIPLE,
    "lowest_attempted_score": LOWEST_ATTEMPTED,
}

"""What the catalogue tells of the system: its rules with their kinds of step, its tables, its constants."""

from typing import Any

from rules.core.rule import Kind
from rules.storyteller import STORYTELLER
from rules.storyteller.tables import ARMOR, WOUND_PENALTY
from rules.storyteller.terms import HealthLevel
from service.answers import as_json_values


def kinds(kind: Kind) -> set[str]:
    return {rule.id.removeprefix("storyteller.") for rule in STORYTELLER.rules if kind in rule.kinds}


def rows(table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = as_json_values(STORYTELLER.tables[table])
    return found


def test_there_are_a_hundred_and_fifty_rules() -> None:
    assert len({rule.id for rule in STORYTELLER.rules}) == len(STORYTELLER.rules) == 150


def test_the_rules_that_only_a_kept_fight_writes() -> None:
    """They forbid where a fight is kept, and no action writes them by itself."""
    written = {rule.id for action in STORYTELLER.actions for rule in action.rules}
    only_kept = {
        "storyteller.maneuver.one_action",
        "storyteller.turn.order",
        "storyteller.willpower.no_points",
        "storyteller.willpower.one_a_round",
    }
    assert only_kept == {rule.id for rule in STORYTELLER.rules if rule.kinds} - written
    assert {kind for rule in STORYTELLER.rules if rule.id in only_kept for kind in rule.kinds} == {Kind.REFUSAL}


def test_the_rules_without_a_step() -> None:
    assert {rule.id.removeprefix("storyteller.") for rule in STORYTELLER.rules if not rule.kinds} == {
        "abort.reflexive",
        "bashing.not_at_once",
        "damage.healing",
        "damage.no_botch",
        "damage.types",
        "defense.multiple",
        "maneuver.last_word",
        "maneuver.unarmed_bashing",
        "round.three_seconds",
        "soak.no_botch",
        "soak.reflexive",
        "weapon.damage",
    }


def test_the_rules_that_end_an_answer() -> None:
    assert kinds(Kind.RESULT) == {
        "roll.degree",
        "resisted.result",
        "multiple.split",
        "initiative.order",
        "damage.result",
        "attack.result",
        "ambush.surprise",
        "ambush.tie",
        "ambush.spotted",
        "abort.not_needed",
        "abort.aborted",
        "abort.must_act",
        "defense.result",
        "grapple.result",
    }


def test_what_happens_to_someone() -> None:
    assert kinds(Kind.EFFECT) == {
        "damage.levels",
        "armor.destroyed",
        "health.track",
        "abort.spend",
        "dodge.refuge",
        "clinch.begins",
        "hold.begins",
        "disarm.disarmed",
        "disarm.backfire",
    }


def test_the_table_of_maneuvers() -> None:
    told = [
        (row["maneuver"], row["range"], row["armed"], row["attribute"], row["ability"], row["difficulty"])
        for row in rows("maneuvers")
    ]
    assert told == [
        ("strike", "close", False, "dexterity", "brawl", 0),
        ("kick", "close", False, "dexterity", "brawl", 1),
        ("clinch", "close", False, "strength", "brawl", 0),
        ("hold", "close", False, "dexterity", "brawl", 0),
        ("disarm", "close", False, "dexterity", "brawl", 1),
        ("disarm", "close", True, "dexterity", "melee", 1),
        ("weapon_strike", "close", True, "dexterity", "melee", 0),
        ("shot", "ranged", True, "dexterity", "firearms", 0),
    ]
    damage = [(row["damage_base"], row["damage_dice"], row["damage_type"], row["effect"]) for row in rows("maneuvers")]
    assert damage == [
        ("strength", 0, "bashing", "none"),
        ("strength", 1, "bashing", "none"),
        ("strength", 0, "bashing", "clinch"),
        ("none", 0, "bashing", "hold"),
        ("strength", 0, "bashing", "none"),
        ("weapon", 0, "weapon", "none"),
        ("weapon", 0, "weapon", "none"),
        ("weapon", 0, "weapon", "none"),
    ]


def test_the_table_of_weapons() -> None:
    weapons = rows("weapons")
    assert len(weapons) == 17
    assert {row["preset"]: row["damage_dice"] for row in weapons if row["class"] == "close"} == {
        "sap": 1,
        "club": 2,
        "knife": 1,
        "sword": 2,
        "axe": 3,
        "stake": 1,
    }
    assert {row["preset"] for row in weapons if row["damage_type"] == "bashing"} == {"sap", "club"}
    assert all((row["damage_base"] == "strength") == (row["class"] == "close") for row in weapons)
    assert not any(row["supernatural"] for row in weapons)


def test_the_other_tables() -> None:
    assert ARMOR == ((1, 0), (2, 1), (3, 1), (4, 2), (5, 3))
    assert rows("armor")[4] == {"rating": 5, "penalty": 3}
    assert [(row["cover"], row["at_target"], row["from_own"]) for row in rows("cover")] == [
        ("none", 0, 0),
        ("light", 1, 0),
        ("good", 2, 1),
        ("superior", 3, 2),
    ]
    assert [(row["size"], row["difficulty"], row["damage"]) for row in rows("target_sizes")] == [
        ("medium", 1, 0),
        ("small", 2, 1),
        ("precise", 3, 2),
    ]
    assert [(row["filled"], row["level"], row["penalty"]) for row in rows("health_levels")] == [
        (0, "healthy", 0),
        (1, "bruised", 0),
        (2, "hurt", -1),
        (3, "injured", -1),
        (4, "wounded", -2),
        (5, "mauled", -2),
        (6, "crippled", -5),
        (7, "incapacitated", None),
    ]
    assert HealthLevel.INCAPACITATED not in WOUND_PENALTY


def test_the_constants() -> None:
    assert STORYTELLER.facts == {
        "default_difficulty": 6,
        "lowest_difficulty": 2,
        "highest_difficulty": 10,
        "damage_difficulty": 6,
        "most_dice": 50,
        "most_waves": 10,
        "health_levels": 7,
        "blind_penalty": 2,
        "most_for_opponents": 4,
    }

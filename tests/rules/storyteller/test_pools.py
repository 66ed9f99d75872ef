"""How many dice there are and what each has to show: the order of every change, and its bounds."""

from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, ask_seeded, faults, refused


def roll(dice: list[int], **fields: Any) -> Answer:
    return ask("roll", dice, roll=fields)


def strike(dice: list[int], **fields: Any) -> Answer:
    return ask("attack", dice, maneuver="strike", attacker={"roll": fields})


def test_attribute_and_ability_make_a_pool() -> None:
    answer = roll([2] * 5, traits={"attribute": 3, "ability": 2})
    assert answer.steps()[0] == ("pool.traits", "base", 5, 5)
    assert "pool.no_ability" not in answer.rules


def test_without_the_ability_the_attribute_is_rolled() -> None:
    for traits in ({"attribute": 3}, {"attribute": 3, "ability": 0}):
        answer = roll([2] * 3, traits=traits)
        assert answer.steps()[:2] == [("pool.traits", "base", 3, 3), ("pool.no_ability", "decision", 3, None)]


def test_an_action_reads_its_two_traits_of_a_whole_sheet() -> None:
    sheet = {
        "strength": 9,
        "dexterity": 2,
        "stamina": 9,
        "perception": 9,
        "wits": 9,
        "brawl": 1,
        "dodge": 9,
        "melee": 9,
        "firearms": 9,
        "athletics": 9,
        "stealth": 9,
        "alertness": 9,
    }
    answer = strike([2] * 3, traits=sheet)
    assert answer.outcome["attack"]["pool"] == 3
    assert answer.step("pool.traits")["text"] == "Dexterity 2 + Brawl 1: 3 dice"


def test_a_missing_ability_of_a_sheet_is_0() -> None:
    answer = strike([2] * 2, traits={"dexterity": 2})
    assert "pool.no_ability" in answer.rules


@pytest.mark.parametrize(
    ("health", "lost"),
    [
        ("healthy", 0),
        ("bruised", 0),
        ("hurt", 1),
        ("injured", 1),
        ("wounded", 2),
        ("mauled", 2),
        ("crippled", 5),
    ],
)
def test_wounds_take_dice(health: str, lost: int) -> None:
    answer = roll([2] * (8 - lost), pool=8, health=health)
    assert answer.outcome["pool"] == 8 - lost
    assert ("pool.wounds" in answer.rules) == (lost > 0)


def test_an_incapacitated_character_takes_no_action_however_many_dice_there_are() -> None:
    assert refused(roll([], pool=40, health="incapacitated")) == ["health.incapacitated"]
    assert refused(roll([], pool=0, health="incapacitated")) == ["health.incapacitated"]


@pytest.mark.parametrize("pool", [0, 1, 5])
def test_with_no_dice_left_there_is_no_action(pool: int) -> None:
    assert refused(roll([], pool=pool, health="crippled")) == ["pool.empty"]


def test_every_change_of_a_pool_in_its_order() -> None:
    answer = ask(
        "attack",
        [2] * 9,
        maneuver="custom",
        custom={"range": "close", "armed": False, "damage_base": "none", "accuracy": 3},
        attacker={
            "roll": {
                "traits": {"dexterity": 5, "brawl": 4},
                "health": "hurt",
                "armor_penalty": 2,
                "allotted": 4,
                "modifiers": [{"dice": -3, "label": "mud"}, {"dice": 0}, {"dice": 1}],
            }
        },
        position="rear",
        ambush_successes=2,
    )
    assert answer.steps()[1:9] == [
        ("pool.traits", "base", 9, 9),
        ("pool.wounds", "modifier", -1, 8),
        ("pool.armor_penalty", "modifier", -2, 6),
        ("pool.allotted", "limit", 4, 4),
        ("maneuver.accuracy", "modifier", 3, 7),
        ("position.rear", "modifier", 2, 9),
        ("ambush.bonus", "modifier", 2, 11),
        ("pool.modifier", "modifier", -3, 8),
    ]
    assert answer.steps()[9] == ("pool.modifier", "modifier", 1, 9)
    assert answer.step("pool.modifier")["text"] == "The Storyteller's modifier (mud): −3 dice, now 8"
    assert answer.step("pool.modifier", 1)["text"] == "The Storyteller's modifier: +1 die, now 9"


def test_a_share_is_no_more_than_the_pool_and_always_has_a_step() -> None:
    answer = roll([2] * 3, pool=3, allotted=9)
    assert answer.step("pool.allotted") | {"text": ""} == {
        "rule": "storyteller.pool.allotted",
        "kind": "limit",
        "value": 9,
        "total": 3,
        "text": "",
    }


def test_a_share_does_not_limit_what_is_added_after_it() -> None:
    answer = roll([2] * 4, pool=9, allotted=2, modifiers=[{"dice": 2}])
    assert answer.outcome["pool"] == 4


def test_only_the_end_of_a_pool_counts() -> None:
    answer = roll([2], pool=1, health="crippled", modifiers=[{"dice": -10}, {"dice": 10}, {"dice": 5}])
    assert answer.outcome["pool"] == 1
    assert [total for rule, _, _, total in answer.steps() if rule.startswith("pool.")] == [1, -4, -14, -4, 1]


def test_a_pool_is_never_over_fifty() -> None:
    answer = ask_seeded("roll", "fifty", roll={"pool": 40, "modifiers": [{"dice": 10}, {"dice": 1}]})
    assert answer.outcome["pool"] == 50
    assert ("pool.maximum", "limit", 50, 50) in answer.steps()
    whole = ask_seeded("roll", "fifty", roll={"pool": 40, "modifiers": [{"dice": 10}]})
    assert whole.outcome["pool"] == 50
    assert "pool.maximum" not in whole.rules


@pytest.mark.parametrize("traits", [True, False])
def test_armor_hinders_dexterity_pools_alone(traits: bool) -> None:
    """A finished pool stands in for the traits of its maneuver, and is hindered as they would be."""
    own: dict[str, Any] = {"traits": {"strength": 4, "dexterity": 4}} if traits else {"pool": 4}
    for maneuver, left in (("strike", 2), ("hold", 2), ("clinch", 4)):
        answer = ask("attack", [2] * left, maneuver=maneuver, attacker={"roll": {**own, "armor_penalty": 2}})
        assert answer.outcome["attack"]["pool"] == left


def test_armor_hinders_no_plain_roll() -> None:
    assert faults("roll", roll={"pool": 3, "armor_penalty": 0}) == [
        ("#/roll/armor_penalty", "unexpected_keyword_argument")
    ]


@pytest.mark.parametrize(
    ("difficulty", "changes", "reached", "limited"),
    [
        (6, [], 6, False),
        (2, [], 2, False),
        (10, [], 10, False),
        (6, [4], 10, False),
        (6, [5], 10, True),
        (10, [8], 10, True),
        (6, [-4], 2, False),
        (6, [-5], 2, True),
        (2, [-8], 2, True),
        (10, [8, -8], 10, False),
        (2, [-8, 8], 2, False),
        (6, [0], 6, False),
    ],
)
def test_a_difficulty_ends_from_2_to_10(difficulty: int, changes: list[int], reached: int, limited: bool) -> None:
    """The bounds hold for the end: on the way a difficulty may be anything."""
    modifiers = [{"difficulty": change} for change in changes]
    answer = roll([1], pool=1, difficulty=difficulty, modifiers=modifiers)
    assert answer.outcome["difficulty"] == reached
    assert ("difficulty.limits" in answer.rules) == limited
    assert answer.rules.count("difficulty.modifier") == len([change for change in changes if change])


def test_at_difficulty_2_a_1_is_no_success_and_at_10_a_10_is_one() -> None:
    assert roll([1, 2], pool=2, difficulty=2).outcome["hits"] == 1
    assert roll([9, 10], pool=2, difficulty=10).outcome["hits"] == 1


@pytest.mark.parametrize(
    ("action", "body", "pointer"),
    [
        (
            "attack",
            {"maneuver": "strike", "attacker": {"roll": {"traits": {"brawl": 2}}}},
            "attacker/roll/traits/dexterity",
        ),
        (
            "attack",
            {"maneuver": "clinch", "attacker": {"roll": {"traits": {"dexterity": 2}}}},
            "attacker/roll/traits/strength",
        ),
        (
            "defense",
            {
                "attack": {"successes": 1, "range": "close", "armed": True, "damage_type": "bashing"},
                "defender": {"defense": {"maneuver": "dodge", "roll": {"traits": {"dodge": 3}}}},
            },
            "defender/defense/roll/traits/dexterity",
        ),
        (
            "ambush",
            {"attacker": {"roll": {"traits": {}}}, "target": {"roll": {"pool": 1}}},
            "attacker/roll/traits/dexterity",
        ),
        (
            "ambush",
            {"attacker": {"roll": {"pool": 1}}, "target": {"roll": {"traits": {"dexterity": 3}}}},
            "target/roll/traits/perception",
        ),
        (
            "grapple",
            {
                "grapple": "hold",
                "choice": "escape",
                "actor": {"roll": {"pool": 1}},
                "opponent": {"roll": {"traits": {"brawl": 1}}},
            },
            "opponent/roll/traits/strength",
        ),
    ],
)
def test_the_attribute_that_is_read_is_needed(action: str, body: dict[str, Any], pointer: str) -> None:
    assert faults(action, **body) == [(f"#/{pointer}", "attribute_needed")]


def test_traits_of_a_roll_that_is_ignored_are_not_read() -> None:
    answer = ask(
        "grapple",
        [2],
        grapple="clinch",
        choice="inflict",
        actor={"roll": {"traits": {}}, "strength": 1},
        opponent={"roll": {"traits": {}}, "body": {"nature": "mortal", "stamina": 0}},
    )
    assert answer.outcome["result"] == "unharmed"

"""Worked examples: the source's, as the README tells them, and those of the published rules around it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rules.chronicles
from tests.cases_of import differences
from tests.rules.chronicles.asking import ask

README = (Path(rules.chronicles.__file__).parent / "README.md").read_text("utf-8")
EXAMPLE = re.compile(
    r"`POST /v1/chronicles/(?P<action>[a-z-]+)`\n\n```json request\n(?P<request>.*?)```\n\n"
    r"```json outcome\n(?P<outcome>.*?)```",
    re.DOTALL,
)
EXAMPLES = [match.groupdict() for match in EXAMPLE.finditer(README)]
JULIA = {"dexterity": 2, "wits": 3, "athletics": 1}
SWING: dict[str, Any] = {"pool": {"attribute": 4, "skill": 3}}
SEVEN = [8, 9, 8, 2, 3, 4, 5]


def test_the_readme_tells_every_situation_of_the_example() -> None:
    assert [each["action"] for each in EXAMPLES] == ["attack", "attack", "defense", "dodge", "dodge"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{at}-{each['action']}" for at, each in enumerate(EXAMPLES)])
def test_the_readme_tells_what_the_rules_answer(example: dict[str, str]) -> None:
    answer = ask(example["action"], **json.loads(example["request"]))
    assert list(differences(json.loads(example["outcome"]), answer.outcome)) == []


@pytest.mark.parametrize("wits", [{}, {"wits": 2}, {"wits": 3}, {"wits": 15}])
def test_julias_wits_change_nothing_from_two_on(wits: dict[str, int]) -> None:
    answer = ask("defense", defense={"traits": {"dexterity": 2, "athletics": 1, **wits}})
    assert answer.outcome["attacks"][0]["dodge_pool"] == 6


def test_the_wild_swing() -> None:
    answer = ask("attack", [*SEVEN, 8, 9, 1, 2, 3, 4], attack=SWING, defense={"mode": "dodge", "traits": JULIA})
    outcome = answer.outcome
    assert (outcome["result"], outcome["net_successes"]) == ("hit", 1)
    assert outcome["damage"] == {"bashing": 1, "lethal": 0, "aggravated": 0}
    assert (outcome["defense"]["gives_up_action"], outcome["defense"]["attacks_defended"]) == (True, 1)


@pytest.mark.parametrize(("third", "result", "lethal"), [(1, "hit", 2), (8, "miss", 0)])
def test_the_knife(third: int, result: str, lethal: int) -> None:
    answer = ask(
        "attack",
        [*SEVEN, 8, 9, third, 2, 3, 4],
        attack=SWING,
        weapon={"kind": "melee", "rating": 1},
        defense={"mode": "dodge", "traits": JULIA},
    )
    assert answer.outcome["result"] == result
    assert answer.outcome["damage"] == {"bashing": 0, "lethal": lethal, "aggravated": 0}


def test_four_of_them_attack_in_turn() -> None:
    """The counter of one answer is what the next request says: passive against two, a Dodge of two dice, a chance die."""
    counter = {"attacks_defended": 0, "attacks_undefended": 0}
    scores, pools = [], []
    for mode, dice in [("passive", [2] * 4), ("passive", [2] * 5), ("dodge", [2] * 9), ("dodge", [2] * 8)]:
        answer = ask("attack", dice, attack=SWING, defense={"mode": mode, "traits": JULIA, **counter})
        defense = answer.outcome["defense"]
        counter = {name: defense[name] for name in counter}
        scores.append(defense["score"])
        pools.append(defense["roll"]["pool"] if defense["roll"] else answer.outcome["attack_roll"]["pool"])
    assert scores == [3, 2, 1, 0]
    assert pools == [4, 5, 2, 0]
    assert counter == {"attacks_defended": 4, "attacks_undefended": 0}


def test_who_lost_balance_has_one_defense_less_on_the_next_turn() -> None:
    lost = ask("dodge", [1], attack_successes=2, defense={"traits": JULIA, "attacks_defended": 3})
    assert lost.outcome["result"] == "hit"
    assert lost.outcome["defense"]["off_balance_next_turn"] is True
    after = ask("defense", defense={"traits": JULIA, "off_balance": 1})
    assert after.outcome["attacks"] == [
        {"number": 1, "score": 2, "passive": 2, "dodge_pool": 4, "dodge_chance_die": False}
    ]


def test_willpower() -> None:
    dodge = ask(
        "attack", [*SEVEN, *[2] * 9], attack=SWING, defense={"mode": "dodge", "traits": JULIA, "willpower": True}
    )
    assert dodge.outcome["defense"]["roll"]["pool"] == 9
    passive = ask("attack", [2, 2], attack=SWING, defense={"mode": "passive", "traits": JULIA, "willpower": True})
    assert passive.outcome["attack_roll"]["pool"] == 2
    last = {"traits": JULIA, "attacks_defended": 3, "willpower": True}
    three_dice = ask("dodge", [2, 2, 2], attack_successes=1, defense=last)
    assert three_dice.outcome["defense"]["willpower_spent"] is True
    kept = ask("dodge", [2], attack_successes=1, defense=last, options={"dodge_at_zero_defense": "chance_die_only"})
    assert kept.outcome["defense"]["willpower_spent"] is False


def test_a_rote_dodge_with_eight_again() -> None:
    answer = ask(
        "dodge",
        [8, 3, 9, 2, 8, 1],
        attack_successes=4,
        defense={"score": 1, "roll": {"again": "eight_again", "rote": True}},
    )
    assert [step["dice"]["faces"] for step in answer.body["audit"] if "dice" in step] == [[8, 3], [9], [2, 8], [1]]
    assert (answer.outcome["dodge_successes"], answer.outcome["net_successes"]) == (3, 1)


def test_a_shot_through_a_vest() -> None:
    answer = ask(
        "attack",
        [8, 8, 9, 1],
        attack={"pool": {"total": 4}},
        weapon={"kind": "firearm", "rating": 2},
        defense={"mode": "none"},
        target={"armor": {"general": 1, "ballistic": 3}, "health": {"boxes": 7, "bashing": 1}},
    )
    target = answer.outcome["target"]
    assert answer.outcome["damage"]["lethal"] == 5
    assert target["damage_taken"] == {"bashing": 3, "lethal": 1, "aggravated": 0}
    assert target["health"] == {"boxes": 7, "bashing": 4, "lethal": 1, "aggravated": 0}
    assert (target["wound_penalty"], target["condition"]) == (-1, "able")


def test_a_beating_on_a_full_track() -> None:
    target = ask("damage", damage={"bashing": 3}, target={"health": {"boxes": 7, "bashing": 6}}).outcome["target"]
    assert target["health"] == {"boxes": 7, "bashing": 5, "lethal": 2, "aggravated": 0}
    assert (target["wound_penalty"], target["condition"], target["upgrades"]) == (-3, "fading", 2)

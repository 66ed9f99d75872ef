"""The examples that the rules themselves work out."""

from typing import Any

import pytest

from tests.rules.gurps.asking import ask, block, defend, dodge, parry, sheet, thrown


def scores(*tools: dict[str, Any], **defender: Any) -> Any:
    return ask("defense-scores", defender=defender, tools=list(tools)).outcome


def parry_scores(*tools: dict[str, Any], **defender: Any) -> list[int]:
    return [each["score"] for each in scores(*tools, **defender)["parries"]]


def test_dodge_at_basic_speed_6_75_under_a_light_load_is_8() -> None:
    assert scores(dodge={"basic_speed": 6.75}, encumbrance="light")["dodge"] == 8


def test_block_at_shield_15_is_10() -> None:
    assert scores(shield={"block": {"skill": 15}})["block"] == 10


def test_parry_at_17_is_11_with_a_sword_13_with_a_staff_10_with_a_knife_9_with_a_whip() -> None:
    at_17 = {"parry": {"skill": 17}}
    types = ("other", "staff", "knife", "whip")
    assert parry_scores(*({**at_17, "weapon_type": each} for each in types)) == [11, 13, 10, 9]


def test_a_trap_that_is_heard_can_be_dodged() -> None:
    answer = defend(
        [3, 3, 4, 3, 3, 3],
        dodge(),
        attack={"kind": "missile", "awareness": "surprise", "detection": {"skill": 12}},
        defender={"dodge": {"score": 9}},
    )
    assert answer.outcome["result"] == "success"
    assert answer.step("surprise.detection", "decision") == ("surprise.detection", "decision", 1, None)


@pytest.mark.parametrize(("rolled", "result"), [(3, "success"), (4, "success"), (5, "failure")])
def test_dodge_3_stunned_is_minus_1_and_only_3_and_4_succeed(rolled: int, result: str) -> None:
    answer = defend(thrown(rolled), dodge(), defender={"dodge": {"score": 3}, "stunned": True})
    assert (answer.attempt["effective"], answer.outcome["result"]) == (-1, result)


@pytest.mark.parametrize(("rolled", "result"), [(16, "success"), (17, "failure"), (18, "failure")])
def test_17_and_18_fail_at_an_effective_19(rolled: int, result: str) -> None:
    assert defend(thrown(rolled), dodge(), defender={"dodge": {"score": 19}}).outcome["result"] == result


@pytest.mark.parametrize(
    ("tool", "traits", "effective"),
    [
        ({}, [], 3),
        ({"traits": ["fencing"]}, [], 7),
        ({}, ["weapon_master"], 7),
        ({}, ["trained_by_a_master"], 7),
        ({}, ["weapon_master", "trained_by_a_master"], 7),
        ({"skill_name": "rapier"}, ["weapon_master"], 9),
    ],
)
def test_the_third_parry_of_a_turn_from_parry_11(tool: Any, traits: list[str], effective: int) -> None:
    third = parry({"parry": {"score": 11}, "previous_parries": 2, **tool})
    assert defend([4, 4, 4], third, defender={"traits": traits}).attempt["effective"] == effective


def test_a_bow_in_reach_is_parried_without_a_modifier() -> None:
    answer = defend([3, 3, 4], parry(), attack={"kind": "missile", "launcher_in_reach": True})
    assert (answer.attempt["effective"], answer.outcome["result"]) == (10, "success")


def test_a_pole_parries_as_a_staff_and_a_bow_as_a_club() -> None:
    pole = {"parry": {"skill": 12}, "weapon_type": "staff", "traits": ["improvised"], "hand": "both"}
    bow = {"parry": {"skill": 12}, "weapon_type": "other", "traits": ["improvised"]}
    assert parry_scores(pole, bow) == [11, 9]


@pytest.mark.parametrize(
    ("weight", "quality", "chance"),
    [(4000, "good", 3), (5000, "good", 4), (3000, "cheap", 4), (8000, "good", 7), (7000, "good", 6)],
)
def test_chances_to_break_a_weapon_of_1000_g(weight: int, quality: str, chance: int) -> None:
    die = [6] if chance < 6 else []
    answer = defend([3, 3, 3, *die], parry({"weight_g": 1000, "quality": quality}), attack={"weight_g": weight})
    assert answer.step("heavy.breakage_chance")[2] == chance
    assert answer.attempt["weapon"] == ("intact" if die else "broken")
    assert answer.outcome["result"] == ("failure" if chance > 6 else "success")


@pytest.mark.parametrize(("weight", "result"), [(10_000, "success"), (10_001, "automatic_failure")])
def test_st_10_parries_10_kg_with_one_hand_and_no_more(weight: int, result: str) -> None:
    dice = [3, 3, 3] if result == "success" else []
    answer = defend(dice, parry(), attack={"weight_g": weight}, defender={"st": 10})
    assert answer.attempt["result"] == result


@pytest.mark.parametrize(
    ("form", "grams"),
    [("trample", 20_000), ("shove", 20_000), ("knock_down", 20_000), ("strike", 2000), ("grapple", 2000)],
)
def test_what_a_beast_of_st_40_weighs(form: str, grams: int) -> None:
    answer = defend([3, 3, 3], parry(), attack={"means": "unarmed", "body": {"st": 40, "form": form}})
    assert answer.step("heavy.weight") == ("heavy.weight", "decision", grams, None)


@pytest.mark.parametrize(("weight", "modifier"), [(500, -2), (501, -1)])
def test_a_thrown_knife_is_parried_at_its_weight(weight: int, modifier: int) -> None:
    answer = defend([3, 3, 3], parry(), attack={"kind": "thrown", "weight_g": weight})
    assert answer.step("parry.thrown") == ("parry.thrown", "modifier", modifier, 10 + modifier)


def test_a_saber_retreats_at_14_and_the_bonus_lasts_against_that_foe_alone() -> None:
    saber = {"parry": {"skill": 17}, "skill_name": "saber"}
    first = defend(
        [5, 5, 4], parry(saber, option={"kind": "retreat"}), attack={"attacker_step": "available"}, defender={}
    )
    assert first.attempt["effective"] == 14
    assert first.outcome["movement"] == {
        "steps": 1,
        "away_from": "attacker",
        "when": "after_attack",
        "facing": "unchanged",
        "attacker_may_follow": True,
    }
    turn = {"option": {"kind": "retreat", "against": "this_attacker"}}
    again = defend([5, 5, 4], parry(saber), defender={"turn": turn})
    assert (again.attempt["effective"], again.outcome["movement"]) == (14, None)
    another = {"option": {"kind": "retreat", "against": "other"}}
    assert defend([5, 5, 4], parry(saber), defender={"turn": another}).attempt["effective"] == 11
    refused = defend([], parry(saber, option={"kind": "retreat"}), defender={"turn": another})
    assert refused.refused_by == ["option.once_per_turn"]


def test_a_drop_from_an_archer_helps_against_the_archer_and_hurts_against_a_sword() -> None:
    arrow = {"kind": "missile"}
    first = defend([5, 5, 1], dodge(option={"kind": "drop"}), attack=arrow, defender={"dodge": {"score": 8}})
    assert (first.attempt["effective"], first.outcome["posture"]) == (11, "lying")
    then = {"dodge": {"score": 8}, "posture": first.outcome["posture"], "turn": first.outcome["turn"]}
    assert defend([5, 5, 1], dodge(), attack=arrow, defender=then).attempt["effective"] == 11
    other = {**then, "turn": {"option": {**first.outcome["turn"]["option"], "against": "other"}}}
    assert defend([5, 5, 1], dodge(), defender=other).attempt["effective"] == 5


@pytest.mark.parametrize(("rolled", "when"), [(11, "before_effect"), (12, "after_effect")])
def test_a_fireball_is_dodged_at_11_without_the_shield(rolled: int, when: str) -> None:
    defender = {"dodge": {"score": 8}, "shield": {"db": 2}}
    answer = defend(thrown(rolled), dodge(option={"kind": "retreat"}), attack={"kind": "area"}, defender=defender)
    assert (answer.attempt["effective"], answer.outcome["movement"]["when"]) == (11, when)


def test_a_parry_from_the_dark_from_behind() -> None:
    answer = defend(
        [3, 3, 4, 4, 4, 3, 2, 2, 2],
        parry({"parry": {"score": 14}}),
        attack={"awareness": "alert", "direction": "rear"},
        defender={"blind_fighting": 10, "hearing": 13},
    )
    assert answer.attempt["effective"] == 14 - 4 - 2 - 2
    assert answer.outcome["result"] == "success"


def test_an_attack_with_everything() -> None:
    answer = ask(
        "attack",
        [3, 3, 4, 3, 3, 2],
        roll={"skill": 14},
        attack={"kind": "melee", "deceptive": 2},
        defender={"dodge": {"score": 9}},
        defenses=[{"kind": "dodge"}],
    )
    assert answer.outcome["result"] == "hit"
    assert answer.outcome["attack"] == {"effective": 10, "roll": 10, "margin": 0, "critical": "none"}
    assert answer.outcome["defense"]["attempts"][0]["effective"] == 7
    assert "damage" not in answer.outcome["defense"]


def test_a_block_is_scored_and_rolled() -> None:
    answer = defend([4, 4, 3], block(), defender=sheet())
    assert (answer.attempt["base"], answer.attempt["margin"], answer.outcome["result"]) == (11, 0, "success")

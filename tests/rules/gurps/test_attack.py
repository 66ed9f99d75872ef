"""An attack from the roll to the injury."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Answer, Body, ask, block, dodge, parry, sheet, thrown

CUT: Body = {"dice": 1, "type": "cutting"}
UNKNOWN = {"awareness": "unseen_unknown"}


def strike(dice: list[int], skill: int = 12, *defenses: Body, attack: Body | None = None, **body: Any) -> Answer:
    return ask(
        "attack",
        dice,
        roll=body.pop("roll", {"skill": skill}),
        attack={"kind": "melee", **(attack or {})},
        defenses=list(defenses),
        **body,
    )


@pytest.mark.parametrize(
    ("skill", "rolled", "result", "critical"),
    [
        (3, 3, "critical_hit", "success"),
        (3, 4, "critical_hit", "success"),
        (14, 5, "hit", "none"),
        (15, 5, "critical_hit", "success"),
        (15, 6, "hit", "none"),
        (16, 6, "critical_hit", "success"),
        (12, 12, "hit", "none"),
        (12, 13, "miss", "none"),
        (6, 15, "miss", "none"),
        (6, 16, "critical_miss", "failure"),
        (15, 17, "critical_miss", "failure"),
        (16, 17, "miss", "none"),
        (30, 17, "miss", "none"),
        (30, 18, "critical_miss", "failure"),
    ],
)
def test_what_a_roll_comes_to(skill: int, rolled: int, result: str, critical: str) -> None:
    answer = strike(thrown(rolled), skill)
    assert answer.outcome["result"] == result
    assert answer.outcome["attack"] == {
        "effective": skill,
        "roll": rolled,
        "margin": skill - rolled,
        "critical": critical,
    }
    assert ("success.critical" in answer.rules) is (critical != "none")


def test_a_hit_without_a_defense_is_told_in_order() -> None:
    answer = strike([3, 3, 4, 5], damage=CUT)
    assert answer.steps() == [
        ("attack.skill", "base", 12, 12),
        ("attack.roll", "roll", 10, None),
        ("attack.result", "result", 2, None),
        ("damage.roll", "roll", 5, None),
        ("damage.injury", "result", 7, None),
        ("attack.outcome", "result", 1, None),
    ]
    assert (answer.outcome["defense"], answer.outcome["now_alert"]) == (None, False)


def test_a_hit_that_is_defended_is_told_in_order() -> None:
    answer = strike([3, 3, 4, 1, 1, 2], 12, dodge(), defender=sheet(), damage=CUT)
    assert answer.rules == [
        "attack.skill",
        "attack.roll",
        "attack.result",
        "dodge.score",
        "defense.roll",
        "defense.automatic",
        "defense.result",
        "defense.outcome",
        "attack.outcome",
    ]
    assert answer.steps()[-1] == ("attack.outcome", "result", 0, None)
    assert (answer.outcome["result"], answer.outcome["damage"]) == ("defended", None)


def test_a_critical_hit_is_not_defended_and_says_so_only_if_a_defense_was_listed() -> None:
    listed = strike([1, 1, 2, 5], 12, dodge(), block(), defender=sheet(maneuver="all_out_defense_double"), damage=CUT)
    assert listed.rules == [
        "attack.skill",
        "attack.roll",
        "success.critical",
        "attack.result",
        "defense.critical_hit",
        "damage.roll",
        "damage.injury",
        "attack.outcome",
    ]
    assert listed.step("defense.critical_hit") == ("defense.critical_hit", "decision", None, None)
    assert (listed.outcome["result"], listed.outcome["defense"]) == ("critical_hit", None)
    assert "defense.critical_hit" not in strike([1, 1, 2]).rules


@pytest.mark.parametrize("rolled", [13, 18])
def test_a_miss_asks_for_no_defense_and_no_damage(rolled: int) -> None:
    answer = strike(thrown(rolled), 12, dodge(), defender=sheet(), damage=CUT)
    assert (answer.outcome["defense"], answer.outcome["damage"]) == (None, None)
    assert answer.steps()[-1] == ("attack.outcome", "result", 0, None)


def test_a_prevented_defense_is_a_defense() -> None:
    answer = strike([3, 3, 4, 6, 5, 5], 12, dodge(), attack={"direction": "rear"}, defender=sheet(blind_fighting=10))
    assert answer.outcome["result"] == "hit"
    assert answer.outcome["defense"]["attempts"][0]["result"] == "prevented"


def test_the_defense_of_an_attack_is_told_without_damage() -> None:
    answer = strike([3, 3, 4, 6, 6, 6, 2], 12, parry(option={"kind": "retreat"}), defender=sheet(), damage=CUT)
    defense = answer.outcome["defense"]
    assert set(defense) == {
        "result",
        "attempts",
        "attacker_may_hit",
        "movement",
        "knockback_m",
        "posture",
        "protected_by",
        "later_cover",
        "now_alert",
        "turn",
    }
    assert defense["turn"]["option"]["kind"] == "retreat"
    assert answer.outcome["damage"] == {"basic": 2, "penetrating": 2, "injury": 3}


@pytest.mark.parametrize("rolled", [4, 10, 13, 18])
def test_an_unknown_attacker_is_known_afterwards_hit_or_not(rolled: int) -> None:
    answer = strike(thrown(rolled), attack=UNKNOWN)
    assert answer.outcome["now_alert"] is True
    assert answer.rules[-2:] == ["awareness.now_alert", "attack.outcome"]


def test_the_blind_who_defend_from_an_unknown_attacker_become_alert_once() -> None:
    blind = {"defender": sheet(blind=True), "options": {"blind_defense": "all_attacks"}, "attack": UNKNOWN}
    defended = strike([3, 3, 4, 6, 6, 6, 4], 12, dodge(), damage=CUT, **blind)
    assert defended.rules.count("awareness.now_alert") == 1
    assert defended.rules.index("awareness.now_alert") < defended.rules.index("defense.outcome")
    assert defended.outcome["defense"]["now_alert"] is True
    critical = strike([1, 1, 2, 4], 12, dodge(), damage=CUT, **blind)
    assert critical.rules[4:6] == ["defense.critical_hit", "awareness.now_alert"]


def test_deception_is_paid_by_a_skill_and_has_been_paid_by_an_effective_score() -> None:
    assert strike([3, 3, 4], 16, attack={"deceptive": 3}).outcome["attack"]["effective"] == 10
    answer = strike([3, 3, 4], roll={"effective": 10}, attack={"deceptive": 3})
    assert answer.outcome["attack"]["effective"] == 10
    assert "attack.deceptive_cost" not in answer.rules


@pytest.mark.parametrize(
    ("roll", "deceptive", "expected"),
    [
        ({"skill": 12}, 1, []),
        ({"skill": 11}, 1, ["attack.deceptive_limit"]),
        ({"effective": 9}, 1, ["attack.deceptive_limit"]),
        ({"effective": 9}, 0, []),
        ({"effective": 3}, 0, []),
        ({"effective": 2}, 0, ["success.minimum"]),
        ({"skill": 4}, 1, ["attack.deceptive_limit", "success.minimum"]),
        ({"skill": 20, "cap": 9}, 1, ["attack.deceptive_limit"]),
    ],
)
def test_what_forbids_an_attack(roll: Body, deceptive: int, expected: list[str]) -> None:
    answer = strike([] if expected else [3, 3, 3], roll=roll, attack={"deceptive": deceptive, **UNKNOWN})
    assert answer.refused_by == expected
    if expected:
        assert answer.outcome is None
        assert answer.steps()[-1] == ("attack.outcome", "result", 0, None)
        assert "awareness.now_alert" not in answer.rules


def test_modifiers_come_before_the_price_of_deception_and_the_cap_comes_last() -> None:
    roll = {"skill": 18, "modifiers": [{"name": "aim", "value": 2}, {"name": "none", "value": 0}], "cap": 14}
    assert strike([3, 3, 4], roll=roll, attack={"deceptive": 2}).steps()[:4] == [
        ("attack.skill", "base", 18, 18),
        ("modifier.custom", "modifier", 2, 20),
        ("attack.deceptive_cost", "modifier", -4, 16),
        ("success.cap", "limit", 14, 14),
    ]
    assert "success.cap" not in strike([3, 3, 4], roll={"skill": 9, "cap": 9}).rules


def test_a_defender_may_stand_in_the_request_without_a_defense() -> None:
    answer = strike([3, 3, 4], defender={"state": "helpless"}, attack={"direction": "rear"})
    assert (answer.outcome["result"], answer.refused_by) == ("hit", [])

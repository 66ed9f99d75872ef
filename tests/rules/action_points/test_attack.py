"""An attack step by step: who may make it, what it costs, and whether it comes to a blow."""

from fractions import Fraction
from typing import Any

import pytest

from tests.rules.action_points.asking import TARGET, Body, ask, chances, odds, spell, strike

LOWERED: Body = {"state": "reduced", "parameter": "ap", "amount": 4}


def test_a_blow_that_lands() -> None:
    answer = strike("sword")
    assert answer.outcome == {
        "result": "hit",
        "attack_ap": 7,
        "range_band": "none",
        "attacker": {"ap_spent": 7, "ap_after": 13, "critical_paid_ap": None, "weapon_dropped": False},
        "defense": {
            "type": "none",
            "status": "none",
            "ordinal": None,
            "percent": None,
            "base_ap": None,
            "exact_ap": None,
            "cost_ap": 0,
        },
        "damage": 35,
        "grab": "none",
        "defender": {
            "ap_spent": 0,
            "ap_after": 20,
            "hp_before": 150,
            "hp_after": 115,
            "hp_effective": 115,
            "stunned": False,
            "dead": False,
            "moved_m": 0,
            "dash_used": False,
            "disarm_used": False,
            "earlier_defenses": [],
            "conditions_after": [],
        },
    }
    assert answer.steps == [
        ("attack.sword", "base", 7, 7),
        ("ap.available", "base", 20, 20),
        ("ap.spent", "effect", -7, 13),
        ("damage.base", "base", 35, 35),
        ("hp.loss", "effect", -35, 115),
        ("attack.result", "result", 35, None),
    ]


# who may attack


@pytest.mark.parametrize("state", ["immobilised", "stunned", "bound"])
def test_a_state_forbids_the_attack(state: str) -> None:
    attacker = {"conditions": [{"state": state}]}
    assert strike("sword", attacker=attacker).refused_by == [f"state.{state}"]
    free = strike(spell(needs_hands=False), attacker=attacker)
    assert free.refused_by == ([] if state == "bound" else [f"state.{state}"])


@pytest.mark.parametrize("delivery", ["unarmed", "cold_weapon", "ranged"])
def test_hands_are_needed_whatever_is_said(delivery: str) -> None:
    attack = spell(delivery=delivery, needs_hands=False)
    assert strike(attack, attacker={"conditions": [{"state": "bound"}]}).refused_by == ["state.bound"]


def test_a_whip_immobilises_the_attacker_too() -> None:
    attacker = {"conditions": [{"state": "immobilised", "cause": "whip"}]}
    assert strike("sword", attacker=attacker).refused_by == ["state.immobilised"]


def test_all_reasons_against_an_attack_stand_in_order_and_the_answer_is_not_judged() -> None:
    attacker = {
        "ap": 6,
        "hp_max": 100,
        "hp": 9,
        "conditions": [{"state": "bound"}, {"state": "immobilised"}],
    }
    answer = strike({"type": "punch", "critical": {"pay_ap": 10}}, "absorb_spell", attacker=attacker)
    reasons = ["state.immobilised", "state.stunned", "state.bound", "critical.scope", "attack.ap_insufficient"]
    assert answer.refused_by == reasons
    assert answer.steps == [
        ("attack.punch", "base", 5, 5),
        ("critical.cost", "modifier", 5, 10),
        ("ap.available", "base", 6, 6),
        ("stun.below_tenth", "decision", 9, None),
        *((rule, "refusal", None, None) for rule in reasons),
        ("attack.result", "result", 0, None),
    ]


@pytest.mark.parametrize(("ap", "refused"), [(7, []), (6.9, ["attack.ap_insufficient"])])
def test_an_attack_needs_its_whole_price(ap: float, refused: list[str]) -> None:
    assert strike("sword", attacker={"ap": ap}).refused_by == refused


@pytest.mark.parametrize(("lowered", "stunned"), [(85, False), (86, True), (200, True)])
def test_reductions_of_hp_stun(lowered: int, *, stunned: bool) -> None:
    fighter: Body = {
        "hp_max": 150,
        "hp": 100,
        "conditions": [{"state": "reduced", "parameter": "hp", "amount": lowered}],
    }
    reasons = ["state.stunned"] if stunned else []
    assert strike("sword", attacker=fighter).refused_by == reasons
    answer = strike("sword", "dodge", defender=fighter)
    assert answer.refused_by == reasons
    told = [("stun.below_tenth", "decision", max(0, 100 - lowered), None)] if stunned else []
    assert [step for step in answer.steps if step[0] == "stun.below_tenth"] == told


def test_reductions_of_ap_count() -> None:
    attacker = {"kind": "human", "level": 1, "conditions": [LOWERED]}
    assert strike("sword", attacker={"ap": 10, "ap_max": 10} | {"conditions": [LOWERED]}).refused_by == []
    answer = ask("attack", attack={"type": "sword"}, attacker=attacker, defender=TARGET)
    assert answer.refused_by == ["attack.ap_insufficient"]


# critical attacks


def test_a_critical_attack_kills() -> None:
    answer = strike(
        {"type": "sword", "critical": {}, "damage_bonuses": [{"source": "fire", "value": 9}]},
        defender={"hp": 90, "passive_protection": 500},
    )
    assert answer.steps == [
        ("attack.sword", "base", 7, 7),
        ("critical.cost", "modifier", 7, 14),
        ("ap.available", "base", 20, 20),
        ("critical.progress", "decision", 14, None),
        ("ap.spent", "effect", -14, 6),
        ("critical.kills", "effect", -90, 0),
        ("attack.result", "result", 90, None),
    ]
    defender = answer.outcome["defender"]
    assert (answer.outcome["damage"], defender["hp_after"], defender["hp_effective"]) == (90, 0, 0)
    assert (defender["dead"], defender["stunned"], defender["conditions_after"]) == (True, False, [])


@pytest.mark.parametrize(
    ("critical", "ap", "spent", "result"),
    [
        ({}, 14, 14, "hit"),
        ({}, 13.9, 13.9, "continues"),
        ({}, 0.1, 0.1, "continues"),
        ({"paid_ap": 13.9}, 20, 0.1, "hit"),
        ({"paid_ap": 5}, 20, 9, "hit"),
        ({"pay_ap": 5}, 20, 5, "continues"),
        ({"pay_ap": 100}, 20, 14, "hit"),
        ({"pay_ap": 14}, 14, 14, "hit"),
        ({"paid_ap": 9, "pay_ap": 5}, 20, 5, "hit"),
        ({"paid_ap": 9, "pay_ap": 4.9}, 20, 4.9, "continues"),
        ({"response": "interrupted"}, 20, 14, "interrupted"),
        ({"response": "interrupted", "pay_ap": 3}, 20, 3, "interrupted"),
        ({"response": "took_cover"}, 20, 14, "covered"),
        ({"response": "took_cover"}, 5, 5, "covered"),
    ],
)
def test_a_critical_attack_is_paid_over_turns(critical: Body, ap: float, spent: float, result: str) -> None:
    answer = strike({"type": "sword", "critical": critical}, attacker={"ap": ap})
    outcome = answer.outcome
    paid = round(critical.get("paid_ap", 0) + spent, 1)
    assert (outcome["result"], outcome["attacker"]["ap_spent"], outcome["attack_ap"]) == (result, spent, 14)
    assert outcome["attacker"]["critical_paid_ap"] == (paid if result == "continues" else None)
    assert ("critical.progress", "decision", paid, None) in answer.steps
    told = {"continues": "critical.continues", "interrupted": "critical.interrupted", "covered": "critical.covered"}
    assert [rule for rule in answer.rules if rule in told.values()] == ([told[result]] if result in told else [])
    assert outcome["defender"]["dead"] is (result == "hit")


@pytest.mark.parametrize(
    ("critical", "ap"), [({}, 0), ({"pay_ap": 5}, 4.9), ({"pay_ap": 100}, 13.9), ({"paid_ap": 9, "pay_ap": 5}, 4)]
)
def test_what_is_put_into_a_critical_attack_has_to_be_there(critical: Body, ap: float) -> None:
    answer = strike({"type": "sword", "critical": critical}, attacker={"ap": ap})
    assert answer.refused_by == ["attack.ap_insufficient"]


def test_a_critical_attack_to_which_nothing_is_put_says_what_is_missing() -> None:
    answer = strike({"type": "sword", "critical": {"paid_ap": 4}}, attacker={"ap": 0})
    assert answer.text("attack.ap_insufficient") == "10 AP are needed, 0 are there"


def test_an_unfinished_critical_shot_does_not_come_to_its_range() -> None:
    answer = strike({"type": "rifle", "distance_m": 10_000, "critical": {"pay_ap": 1}}, "parry")
    assert answer.outcome["range_band"] == "none"
    assert answer.outcome["defense"]["status"] == "not_needed"
    assert answer.steps[3:] == [
        ("critical.progress", "decision", 1, None),
        ("critical.continues", "decision", None, None),
        ("ap.spent", "effect", -1, 19),
        ("defense.not_needed", "decision", None, None),
        ("attack.result", "result", 0, None),
    ]


# range


@pytest.mark.parametrize(
    ("bands", "distance", "band"),
    [
        ({"every_second_beyond_m": 30, "ineffective_beyond_m": 80}, 30, "always"),
        ({"every_second_beyond_m": 30, "ineffective_beyond_m": 80}, 80, "every_second"),
        ({"every_second_beyond_m": 30, "ineffective_beyond_m": 80}, 80.1, "ineffective"),
        ({"every_third_beyond_m": 20}, 20, "always"),
        ({"every_third_beyond_m": 20}, 9999, "every_third"),
        ({"ineffective_beyond_m": 0}, 0, "always"),
        ({"ineffective_beyond_m": 0}, 0.1, "ineffective"),
        ({"every_second_beyond_m": 10, "every_third_beyond_m": 10}, 10.1, "every_third"),
    ],
)
def test_custom_range_bands(bands: Body, distance: float, band: str) -> None:
    for delivery in ("ranged", "spell", "ability"):
        attack = spell(delivery=delivery, range_bands=bands) | {"distance_m": distance, "shot_number": 6}
        assert strike(attack).outcome["range_band"] == band


def test_an_attack_without_bands_does_not_read_its_distance() -> None:
    assert strike({"type": "sword", "distance_m": 9999}).outcome["range_band"] == "none"
    assert strike(spell(delivery="ranged") | {"distance_m": 9999}).outcome["result"] == "hit"


CHANCE: Any = {"options": {"range_misses": "chance"}}


@pytest.mark.parametrize(("distance", "sides"), [(12, 2), (26, 3)])
def test_a_die_decides_by_option(distance: float, sides: int) -> None:
    for face in range(1, sides + 1):
        shot = {"type": "pistol", "distance_m": distance, "shot_number": face}
        answer = strike(shot, "dodge", dice=[face], **CHANCE)
        hits = face == sides
        assert answer.faces == [face]
        assert answer.outcome["result"] == ("dodged" if hits else "missed")
        assert answer.outcome["defense"]["status"] == ("made" if hits else "not_needed")
        assert answer.outcome["defender"]["ap_spent"] == (4 if hits else 0)
        assert answer.outcome["defender"]["earlier_defenses"] == ([{"type": "dodge", "ap": 4}] if hits else [])
        assert "range.cadence" not in answer.rules
        paid = ["defense.ap_spent", "dodge.avoids"] if hits else ["defense.not_needed"]
        assert answer.rules[-4 - len(paid) :] == ["defense.price", "range.chance", "ap.spent", *paid, "attack.result"]


def test_an_answer_that_cannot_be_paid_is_refused_before_the_die() -> None:
    shot = {"type": "pistol", "distance_m": 12}
    assert strike(shot, "dodge", defender={"ap": 3}, **CHANCE).refused_by == ["defense.ap_insufficient"]


def test_odds_of_a_shot() -> None:
    body: Body = {"attacker": {"ap": 20}, "defender": TARGET}
    rifle = {"type": "rifle", "distance_m": 120}
    assert chances("attack", attack=rifle, **body, **CHANCE) == {
        ("hit", 60): Fraction(1, 3),
        ("missed", 0): Fraction(2, 3),
    }
    pistol = {"type": "pistol", "distance_m": 12}
    dodged = chances("attack", attack=pistol, defense={"type": "dodge"}, **body, **CHANCE)
    assert dodged == {("dodged", 0): Fraction(1, 2), ("missed", 0): Fraction(1, 2)}
    assert chances("attack", attack=rifle | {"shot_number": 3}, **body) == {("hit", 60): Fraction(1)}
    refused = odds("attack", attack=rifle, defense={"type": "parry"}, **body, **CHANCE)
    assert (refused.refused_by, refused.rows) == (("action_points.parry.no_ranged",), ())
    assert odds("attack", attack=rifle, **body, **CHANCE).mean == {"damage": Fraction(20)}

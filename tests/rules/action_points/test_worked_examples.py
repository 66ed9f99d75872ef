"""Worked examples, each with its numbers."""

from typing import Any

import pytest

from tests.rules.action_points.asking import Body, ask, plan, quote, spell, strike


def paid(*attacks: int, defense: str = "dodge", **options: str) -> list[float]:
    """What the same defense costs against one attack after the other."""
    earlier: list[Body] = []
    for attack in attacks:
        answer = quote(defense, attack_ap=attack, fighter={"earlier_defenses": earlier}, options=options)
        earlier.append({"type": defense, "ap": answer.outcome["cost_ap"]})
    return [each["ap"] for each in earlier]


def test_levels() -> None:
    lycan = ask("character", kind="lycan", level=3).outcome
    assert (lycan["circle_of_power"], lycan["hp_max"], lycan["ap_max"], lycan["regeneration"]) == (3, 280, 25, 8)
    assert (lycan["stun_below_hp"], lycan["change_shape_ap"]) == (28, 10)
    lucifuge = ask("character", kind="lucifuge", level=3).outcome
    assert (lucifuge["hp_max"], lucifuge["ap_max"], lucifuge["regeneration"]) == (210, 25, 8)
    assert lucifuge["can_change_shape"] is False


def test_a_second_and_a_third_defense() -> None:
    assert paid(10, 10, 10) == [10, 15, 20]


def test_the_same_literally() -> None:
    assert paid(10, 4, 7, escalation_base="first_defense") == [10, 15, 20]
    assert paid(10, 4, 7) == [10, 6, 14]


@pytest.mark.parametrize(
    ("rounding", "expected"), [("up", [9, 12, 16]), ("down", [8, 11, 15]), ("tenths", [8.4, 11.9, 15.4])]
)
def test_parries_of_a_sword(rounding: str, expected: list[float]) -> None:
    assert paid(7, 7, 7, defense="parry", ap_rounding=rounding) == expected


def test_a_disarm() -> None:
    first = strike("sword", "disarm").outcome
    assert (first["defense"]["percent"], first["defense"]["exact_ap"], first["defense"]["cost_ap"]) == (150, 10.5, 11)
    assert first["attacker"]["weapon_dropped"] is True
    second = strike("sword", "disarm", defender={"earlier_defenses": [{"type": "dodge", "ap": 7}]}).outcome
    assert (second["defense"]["percent"], second["defense"]["cost_ap"]) == (200, 14)
    kept = {name: first["defender"][name] for name in ("disarm_used", "earlier_defenses")}
    assert strike("sword", "disarm", defender=kept).refused_by == ["disarm.once_per_fight"]


def test_a_dodge_then_a_parry() -> None:
    fighter = {"earlier_defenses": [{"type": "dodge", "ap": 7}]}
    assert quote("parry", attack_ap=7, fighter=fighter).outcome["cost_ap"] == 12
    by_type = quote("parry", attack_ap=7, fighter=fighter, options={"defense_counter": "by_type"}).outcome
    assert (by_type["ordinal"], by_type["cost_ap"]) == (1, 9)


def test_a_critical_aimed_shot_over_two_turns() -> None:
    shot: Body = {"type": "aimed_shot", "distance_m": 40, "critical": {}}
    human = {"kind": "human", "level": 1}
    bodies: dict[str, Any] = {"attacker": human, "defender": {"hp_max": 150}}
    first = ask("attack", attack=shot, **bodies).outcome
    assert (first["result"], first["attack_ap"], first["attacker"]["critical_paid_ap"]) == ("continues", 16, 10)
    shot["critical"] = {"paid_ap": first["attacker"]["critical_paid_ap"]}
    second = ask("attack", attack=shot, **bodies).outcome
    assert (second["result"], second["attacker"]["ap_spent"], second["defender"]["dead"]) == ("hit", 6, True)
    for response, result in [("interrupted", "interrupted"), ("took_cover", "covered")]:
        shot["critical"] = {"paid_ap": 10, "response": response}
        saved = ask("attack", attack=shot, **bodies).outcome
        assert (saved["result"], saved["attacker"]["ap_spent"], saved["defender"]["dead"]) == (result, 6, False)


def test_a_dash_from_a_bullet() -> None:
    shot = {"type": "pistol", "distance_m": 8}
    first = strike(shot, "dash").outcome
    assert (first["result"], first["defender"]["ap_spent"], first["defender"]["moved_m"]) == ("dashed", 5, 2.5)
    kept = {name: first["defender"][name] for name in ("dash_used", "earlier_defenses")}
    assert strike(shot, "dash", defender=kept).refused_by == ["dash.once_per_turn"]


def test_a_whip() -> None:
    fae = {"kind": "fae", "level": 1}
    grab: dict[str, Any] = {"attack": {"type": "whip_grab"}, "attacker": {"ap": 10}, "defender": fae}
    freed = ask("attack", **grab, if_grabbed="pay").outcome
    assert (freed["grab"], freed["defender"]["ap_spent"], freed["defender"]["ap_after"]) == ("freed", 15, 0)
    held = ask("attack", **grab).outcome
    assert (held["grab"], held["defender"]["conditions_after"][0]["state"]) == ("held", "immobilised")


def test_an_enchanted_sword() -> None:
    bonuses = [{"source": "fire", "value": 10}, {"source": "silver", "value": 5}]
    sword = {"type": "sword", "damage_bonuses": bonuses}
    assert strike(sword).outcome["damage"] == 50
    assert strike(sword, defender={"passive_protection": 8}).outcome["damage"] == 42


@pytest.mark.parametrize(("hp", "stunned"), [(15, False), (14, True)])
def test_a_stun(hp: int, *, stunned: bool) -> None:
    answer = ask("upkeep", boundary="turn_start", fighter={"hp_max": 150, "ap_max": 20, "hp": hp})
    assert answer.outcome["stunned"] is stunned


def test_poison_fog() -> None:
    fog = spell(name="Poison Fog", ap=12, damage=30, scope="mass")
    assert strike(fog, "dodge").refused_by == ["dodge.direct_only"]
    absorbed = strike(fog, "absorb_spell").outcome["defense"]
    assert (absorbed["percent"], absorbed["exact_ap"], absorbed["cost_ap"]) == (120, 14.4, 15)


def test_a_turn_of_twenty() -> None:
    items: list[Body | str] = [
        {"type": "walk", "distance_m": 2},
        "draw_weapon",
        {"type": "run", "distance_m": 3},
        {"type": "attack", "attack": {"type": "sword"}},
    ]
    fighter = {"ap": 20, "hidden": True}
    answer = plan(*items, fighter=fighter).outcome
    assert [item["total_ap"] for item in answer["items"]] == [4, 6, 9, 16]
    assert answer["stealth"] == "lost"
    items.append({"type": "attack", "attack": {"type": "pistol"}})
    assert plan(*items, fighter=fighter).outcome["result"] == "fits"
    assert plan(*items, "draw_weapon", fighter=fighter).outcome["result"] == "exceeds"

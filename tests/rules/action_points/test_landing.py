"""A blow that lands: damage, what it inflicts, whips, and what is left of the target."""

from typing import Any

import pytest

from tests.rules.action_points.asking import Body, ask, faults, spell, strike

WHIP: Body = {"state": "immobilised", "cause": "whip", "turns": None, "parameter": None, "amount": None, "paid_ap": 0}
LOW_HP: Body = {
    "state": "stunned",
    "cause": "low_hp",
    "turns": None,
    "parameter": None,
    "amount": None,
    "paid_ap": None,
}


def reduced(parameter: str, amount: int, **more: Any) -> Body:
    """A reduction."""
    return {"state": "reduced", "parameter": parameter, "amount": amount} | more


def test_damage_is_added_up_in_order() -> None:
    answer = strike(
        {
            "type": "knife",
            "damage_bonuses": [{"source": "fire", "value": 10}, {"source": "rust", "value": 0}],
        },
        attacker={"conditions": [reduced("damage", 3), reduced("hp", 500), reduced("damage", 4)], "hp_max": 9999},
        defender={"passive_protection": 8},
    )
    assert answer.steps[3:] == [
        ("damage.base", "base", 20, 20),
        ("damage.bonus", "modifier", 10, 30),
        ("damage.bonus", "modifier", 0, 30),
        ("reduction.damage", "modifier", -3, 27),
        ("reduction.damage", "modifier", -4, 23),
        ("state.passive_protection", "modifier", -8, 15),
        ("hp.loss", "effect", -15, 135),
        ("attack.result", "result", 15, None),
    ]


def test_damage_has_two_floors() -> None:
    answer = strike("punch", attacker={"conditions": [reduced("damage", 12)]}, defender={"passive_protection": 5})
    assert answer.steps[3:] == [
        ("damage.base", "base", 10, 10),
        ("reduction.damage", "modifier", -12, -2),
        ("damage.floor", "limit", 0, 0),
        ("state.passive_protection", "modifier", -5, -5),
        ("damage.floor", "limit", 0, 0),
        ("hp.loss", "effect", 0, 150),
        ("attack.result", "result", 0, None),
    ]
    assert (answer.outcome["result"], answer.outcome["damage"]) == ("hit", 0)


def test_damage_that_takes_the_last_hp_meets_no_floor() -> None:
    assert strike("two_handed", defender={"hp": 60}).steps[4:6] == [
        ("hp.loss", "effect", -60, 0),
        ("hp.zero", "effect", None, None),
    ]


def test_damage_is_the_number_before_the_floor_of_hp() -> None:
    answer = strike("two_handed", defender={"hp": 40})
    assert (answer.outcome["damage"], answer.outcome["defender"]["hp_after"]) == (60, 0)
    assert answer.steps[3:] == [
        ("damage.base", "base", 60, 60),
        ("hp.floor", "limit", 0, 0),
        ("hp.loss", "effect", -40, 0),
        ("hp.zero", "effect", None, None),
        ("stun.below_tenth", "effect", 0, None),
        ("attack.result", "result", 60, None),
    ]


def test_an_attack_without_damage_takes_no_bonus() -> None:
    attack = spell() | {"damage_bonuses": [{"source": "fire", "value": 10}]}
    answer = strike(attack)
    assert answer.outcome["damage"] == 0
    assert answer.steps[3:] == [("damage.none", "decision", 0, None), ("attack.result", "result", 0, None)]


@pytest.mark.parametrize("state", ["immobilised", "stunned", "bound"])
def test_passive_protection_works_in_every_state(state: str) -> None:
    answer = strike("sword", defender={"passive_protection": 30, "conditions": [{"state": state}]})
    assert answer.outcome["damage"] == 5


# what a hit inflicts


@pytest.mark.parametrize(
    ("resistance", "amount", "remaining"),
    [(0, 8, 8), (1, 8, 7), (30, 8, 5), (99, 8, 0), (100, 8, 0), (50, 1, 0), (50, 3, 1), (33, 10_000, 6700)],
)
def test_magic_resistance_per_cent_rounds_down(resistance: int, amount: int, remaining: int) -> None:
    attack = spell(inflicts=reduced("damage", amount))
    answer = strike(attack, defender={"magic_resistance": resistance})
    change = [("reduction.magic_resistance", "modifier", remaining - amount, remaining)]
    held = [("reduction.applied", "effect", -remaining, None)]
    assert answer.steps[4:-1] == [
        *(change if remaining != amount else []),
        *(held if remaining else [("reduction.resisted", "decision", None, None)]),
    ]
    kept = [reduced("damage", remaining, cause="effect", turns=None, paid_ap=None)] if remaining else []
    assert answer.outcome["defender"]["conditions_after"] == kept


@pytest.mark.parametrize(
    ("option", "resistance", "remaining"),
    [("threshold", 2, 8), ("threshold", 3, 0), ("threshold", 4, 0), ("ignored", 100, 8)],
)
def test_other_readings_of_magic_resistance(option: str, resistance: int, remaining: int) -> None:
    attack = spell(inflicts=reduced("ap", 8))
    attacker = {"circle_of_power": 3}
    answer = strike(
        attack, attacker=attacker, defender={"magic_resistance": resistance}, options={"magic_resistance": option}
    )
    assert answer.outcome["defender"]["ap_after"] == 20 - remaining


@pytest.mark.parametrize(
    ("parameter", "total", "defender"),
    [
        ("ap", 12, {"ap": 20}),
        ("ap", 0, {"ap": 5}),
        ("hp", 142, {}),
        ("hp", 0, {"hp": 6}),
        ("damage", None, {}),
    ],
)
def test_a_reduction_shows_what_is_left(parameter: str, total: int | None, defender: Body) -> None:
    answer = strike(spell(inflicts=reduced(parameter, 8, turns=2)), defender=defender)
    assert ("reduction.applied", "effect", -8, total) in answer.steps
    assert answer.outcome["defender"]["conditions_after"][0] == reduced(
        parameter, 8, turns=2, cause="effect", paid_ap=None
    )


def test_a_reduction_of_unknown_ap() -> None:
    attack = spell(inflicts=reduced("ap", 8))
    answer = ask("attack", attack=attack, attacker={"ap": 20}, defender={"hp_max": 150})
    assert ("reduction.applied", "effect", -8, None) in answer.steps
    assert answer.outcome["defender"]["ap_after"] is None
    assert answer.outcome["defender"]["ap_spent"] == 0


@pytest.mark.parametrize("state", ["immobilised", "bound", "stunned"])
def test_a_state_takes_hold_whatever_the_resistance(state: str) -> None:
    attack = spell(damage=10, inflicts={"state": state, "turns": 3})
    answer = strike(attack, defender={"magic_resistance": 100})
    assert answer.steps[-2:] == [("state.inflicted", "effect", None, None), ("attack.result", "result", 10, None)]
    (kept,) = answer.outcome["defender"]["conditions_after"]
    assert (kept["state"], kept["cause"], kept["turns"]) == (state, "effect", 3)
    assert answer.outcome["defender"]["stunned"] is (state == "stunned")


def test_nothing_is_inflicted_by_what_does_not_hit() -> None:
    attack = spell(inflicts={"state": "bound"})
    assert strike(attack, "dodge").outcome["defender"]["conditions_after"] == []
    assert strike(attack, "absorb_spell").outcome["defender"]["conditions_after"] == []


# the whip


def test_a_grab_with_a_bonus_still_does_no_damage() -> None:
    attack = {"type": "whip_grab", "damage_bonuses": [{"source": "fire", "value": 10}]}
    answer = strike(attack)
    assert answer.steps[3:] == [
        ("damage.none", "decision", 0, None),
        ("whip.grab", "effect", None, None),
        ("whip.held", "effect", None, None),
        ("attack.result", "result", 0, None),
    ]
    assert answer.outcome["defender"]["conditions_after"] == [WHIP]


def test_a_grab_paid_off_at_once() -> None:
    answer = strike("whip_grab", defender={"ap": 15.5}, if_grabbed="pay")
    assert answer.steps[3:] == [
        ("whip.grab", "effect", None, None),
        ("whip.release", "effect", -15, 0.5),
        ("attack.result", "result", 0, None),
    ]
    assert (answer.outcome["grab"], answer.outcome["defender"]["ap_spent"]) == ("freed", 15)


@pytest.mark.parametrize(
    ("ap", "paid", "grab"), [(0, 0, "held"), (14.9, 14.9, "held"), (15, 15, "freed"), (20, 15, "freed")]
)
def test_a_grab_paid_off_in_instalments(ap: float, paid: float, grab: str) -> None:
    answer = strike("whip_grab", defender={"ap": ap}, if_grabbed="pay", options={"whip_release": "instalments"})
    assert answer.outcome["grab"] == grab
    assert ("whip.release", "effect", -paid, ap - paid) in answer.steps
    assert answer.outcome["defender"]["conditions_after"] == ([WHIP | {"paid_ap": paid}] if grab == "held" else [])


def test_a_second_grab_adds_no_second_hold() -> None:
    held = {"state": "immobilised", "cause": "whip", "paid_ap": 3}
    answer = strike("whip_grab", defender={"conditions": [held]})
    assert answer.outcome["grab"] == "held"
    assert answer.outcome["defender"]["conditions_after"] == [WHIP | {"paid_ap": 3}]


def test_who_can_do_nothing_cannot_pay() -> None:
    helpless = {"hp": 3, "ap": 1, "conditions": [{"state": "bound"}, {"state": "immobilised", "cause": "whip"}]}
    answer = strike("whip_grab", defender=helpless, if_grabbed="pay")
    assert answer.refused_by == ["state.immobilised", "state.stunned", "state.bound"]
    assert strike("whip_grab", defender={"ap": 14.9}, if_grabbed="pay").refused_by == ["whip.release_ap"]


def test_a_payment_is_read_for_a_grab_without_a_defense_only() -> None:
    assert strike("whip", defender={"ap": 0}, if_grabbed="pay").outcome["grab"] == "none"
    assert strike("whip_grab", "dodge", defender={"ap": 10}, if_grabbed="pay").outcome["defender"]["ap_spent"] == 10


# what is left of the target


def test_low_hp_are_listed_after_every_result() -> None:
    lowered = strike(spell(inflicts=reduced("hp", 140))).outcome["defender"]
    assert (lowered["hp_effective"], lowered["conditions_after"][1:]) == (10, [LOW_HP])
    assert strike(spell(inflicts=reduced("hp", 135))).outcome["defender"]["stunned"] is False
    missed = strike({"type": "pistol", "distance_m": 12}, defender={"hp": 14})
    assert missed.outcome["defender"]["conditions_after"] == [LOW_HP]
    assert missed.steps[-2:] == [("stun.below_tenth", "effect", 14, None), ("attack.result", "result", 0, None)]


def test_a_stun_of_low_hp_is_listed_once() -> None:
    answer = strike("punch", defender={"hp": 14, "conditions": [{"state": "stunned", "cause": "low_hp"}]})
    assert answer.outcome["defender"]["conditions_after"] == [LOW_HP]
    other = strike("punch", defender={"hp": 14, "conditions": [{"state": "stunned", "turns": 2}]})
    assert [each["cause"] for each in other.outcome["defender"]["conditions_after"]] == ["effect", "low_hp"]


@pytest.mark.parametrize(("option", "dead"), [("stunned", False), ("dies", True)])
def test_zero_hp(option: str, *, dead: bool) -> None:
    answer = strike("sword", defender={"hp": 35}, options={"at_zero_hp": option})
    defender = answer.outcome["defender"]
    assert (defender["dead"], defender["stunned"], defender["conditions_after"]) == (
        dead,
        not dead,
        [] if dead else [LOW_HP],
    )
    assert "hp.zero" in answer.rules
    again = strike("sword", defender={"hp": 0}, options={"at_zero_hp": option})
    assert again.outcome["defender"]["dead"] is dead
    assert "hp.zero" not in again.rules


def test_effective_hp_of_nothing_do_not_kill() -> None:
    attack = spell(inflicts=reduced("hp", 200))
    defender = strike(attack, options={"at_zero_hp": "dies"}).outcome["defender"]
    assert (defender["hp_after"], defender["hp_effective"], defender["dead"], defender["stunned"]) == (
        150,
        0,
        False,
        True,
    )


def test_the_dead_still_have_their_conditions() -> None:
    attack = spell(damage=200, inflicts={"state": "bound"})
    defender = strike(attack, options={"at_zero_hp": "dies"}).outcome["defender"]
    assert [each["state"] for each in defender["conditions_after"]] == ["bound"]
    assert (defender["dead"], defender["stunned"]) == (True, False)


def test_a_further_target_of_a_mass_attack_costs_nothing() -> None:
    fog = spell(ap=12, damage=30, scope="mass") | {"already_paid": True}
    answer = strike(fog, attacker={"ap": 1})
    assert answer.steps == [
        ("attack.custom", "base", 12, 12),
        ("attack.already_paid", "decision", 0, None),
        ("ap.available", "base", 1, 1),
        ("damage.base", "base", 30, 30),
        ("hp.loss", "effect", -30, 120),
        ("attack.result", "result", 30, None),
    ]
    assert (answer.outcome["attacker"]["ap_spent"], answer.outcome["attacker"]["ap_after"]) == (0, 1)


def test_the_sheet_that_comes_back_can_be_sent_again() -> None:
    """Null is what was left out: conditions and earlier defenses go straight into the next request."""
    first = strike(
        spell(damage=140, inflicts=reduced("ap", 2, turns=2)),
        "none",
        defender={
            "conditions": [{"state": "immobilised", "cause": "whip", "paid_ap": 1.5}, {"state": "bound", "turns": 3}],
            "earlier_defenses": [{"type": "dodge"}, {"type": "parry", "ap": 8.4}],
        },
    ).outcome["defender"]
    sheet = {
        "hp_max": 150,
        "hp": first["hp_after"],
        "ap": first["ap_after"],
        "conditions": first["conditions_after"],
        "earlier_defenses": first["earlier_defenses"],
    }
    assert faults("attack", attack={"type": "punch"}, attacker={"ap": 20}, defender=sheet) == []
    second = strike("punch", defender=sheet).outcome["defender"]
    assert second["conditions_after"] == first["conditions_after"]
    assert second["earlier_defenses"] == first["earlier_defenses"]
    assert [each["cause"] for each in second["conditions_after"]] == ["whip", "effect", "effect", "low_hp"]

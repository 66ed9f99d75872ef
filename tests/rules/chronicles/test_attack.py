"""One attack from the pool to the marked boxes: refusals, Defense in its three modes, damage, all-out."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import Answer, ask, ask_seeded

STATES = ("unspent", "given_up", "spent")
NO_DEFENSE: dict[str, Any] = {"mode": "none"}


def attack(dice: list[int], *, defense: dict[str, Any], **body: Any) -> Answer:
    body.setdefault("attack", {"pool": {"total": 3}})
    return ask("attack", dice, defense=defense, **body)


def known(successes: int, **body: Any) -> Answer:
    body.setdefault("defense", NO_DEFENSE)
    return attack([], attack={"successes": successes}, **body)


# refusals


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", ["unarmed", "melee", "thrown", "firearm"])
@pytest.mark.parametrize(("maneuver", "used"), [("standard", 3), ("all_out", 0), ("all_out", 3)])
@pytest.mark.parametrize("mode", ["none", "passive", "dodge"])
@pytest.mark.parametrize("defender", STATES)
@pytest.mark.parametrize("availability", ["available", "unaware"])
def test_everything_that_forbids_an_attack_is_told_in_order(
    state: str, kind: str, maneuver: str, used: int, mode: str, defender: str, availability: str
) -> None:
    all_out, dodges = maneuver == "all_out", mode == "dodge"
    judged = [
        ("dodge.action_given_up", state == "given_up"),
        ("turn.one_action", state == "spent"),
        ("all_out.close_combat_only", all_out and kind in ("thrown", "firearm")),
        ("all_out.defense_already_used", all_out and used > 0),
        ("dodge.gives_up_action", dodges and defender == "spent"),
        ("dodge.needs_defense", dodges and (availability != "available" or kind == "firearm")),
    ]
    expected = [rule for rule, forbids in judged if forbids]
    answer = ask_seeded(
        "attack",
        "refused",
        attack={"pool": {"total": 1}, "maneuver": maneuver, "action_state": state, "attacks_defended": used},
        weapon={"kind": kind},
        defense={"mode": mode, "score": 1, "action_state": defender, "availability": availability},
    )
    assert answer.refused_by == expected
    assert (answer.outcome is None) == bool(expected)
    if expected:
        assert answer.rules == expected
        assert {step["kind"] for step in answer.body["audit"]} == {"refusal"}
        assert answer.faces == []


def test_a_refused_attack_takes_no_dice() -> None:
    answer = attack([], attack={"pool": {"total": 3}, "action_state": "spent"}, defense=NO_DEFENSE)
    assert answer.refused_by == ["turn.one_action"]


def test_an_action_that_was_spent_is_asked_of_known_successes_too() -> None:
    answer = attack([], attack={"successes": 3, "action_state": "given_up"}, defense=NO_DEFENSE)
    assert answer.refused_by == ["dodge.action_given_up"]


# Defense left out


def test_defense_left_out_is_a_choice_that_is_counted() -> None:
    answer = attack([8, 2, 3], defense={"mode": "none", "attacks_defended": 2, "attacks_undefended": 4})
    assert answer.outcome["defense"] == {
        "mode": "none",
        "applied": False,
        "score": None,
        "roll": None,
        "willpower_spent": False,
        "gives_up_action": False,
        "off_balance_next_turn": False,
        "attacks_defended": 2,
        "attacks_undefended": 5,
    }
    assert answer.rules == [
        "defense.choice",
        "attack.pool",
        "roll.pool",
        "roll.result",
        "attack.hit",
        "attack.damage",
        "weapon.damage_type",
        "attack.result",
    ]


@pytest.mark.parametrize("score", [{"score": 4}, {"traits": {"dexterity": 2, "athletics": 2}}, {}])
def test_defense_left_out_needs_no_score(score: dict[str, Any]) -> None:
    assert attack([8, 2, 3], defense={"mode": "none", **score}).outcome["attack_roll"]["pool"] == 3


def test_defense_left_out_is_a_choice_even_where_there_is_none() -> None:
    answer = attack([8, 2, 3], weapon={"kind": "firearm"}, defense={"mode": "none", "availability": "unaware"})
    assert answer.rules[0] == "defense.choice"


# passive Defense


def test_passive_defense_comes_off_last() -> None:
    pool = {"total": 5, "modifiers": [{"value": 1}], "willpower": True, "wound_penalty": -1}
    answer = attack(
        [8, 2, 2, 2, 2],
        attack={"pool": pool, "maneuver": "all_out"},
        defense={"mode": "passive", "score": 4, "attacks_defended": 1, "willpower": True},
    )
    assert answer.steps()[:9] == [
        ("defense.score", "base", 4, 4),
        ("willpower.resistance", "modifier", 2, 6),
        ("defense.drop", "modifier", -1, 5),
        ("attack.pool", "base", 5, 5),
        ("pool.modifier", "modifier", 1, 6),
        ("all_out.bonus", "modifier", 2, 8),
        ("willpower.dice", "modifier", 3, 11),
        ("wounds.penalty", "modifier", -1, 10),
        ("defense.passive", "modifier", -5, 5),
    ]
    defense = answer.outcome["defense"]
    assert (defense["score"], defense["willpower_spent"], defense["roll"]) == (5, True, None)
    assert (defense["attacks_defended"], defense["gives_up_action"]) == (2, False)
    assert answer.outcome["attack_roll"]["willpower_spent"] is True


def test_passive_defense_of_nothing_is_used_all_the_same() -> None:
    answer = attack([2, 2, 2], defense={"mode": "passive", "score": 1, "attacks_defended": 1})
    assert ("defense.passive", "modifier", 0, 3) in answer.steps()
    assert answer.outcome["defense"]["applied"] is True
    assert answer.outcome["defense"]["attacks_defended"] == 2


def test_passive_defense_is_no_roll_and_knows_no_wounds() -> None:
    answer = attack([2], defense={"mode": "passive", "score": 2, "roll": {"wound_penalty": -3, "rote": True}})
    assert answer.outcome["defense"]["score"] == 2
    assert "wounds.penalty" not in answer.rules


@pytest.mark.parametrize("state", STATES)
def test_passive_defense_needs_no_action(state: str) -> None:
    assert attack([2], defense={"mode": "passive", "score": 2, "action_state": state}).refused_by == []


@pytest.mark.parametrize("availability", ["unaware", "immobilized", "sacrificed"])
def test_where_passive_defense_does_not_apply_the_attack_goes_on_without(availability: str) -> None:
    answer = attack([2, 2, 2], defense={"mode": "passive", "score": 2, "willpower": True, "availability": availability})
    defense = answer.outcome["defense"]
    assert answer.rules[:2] == ["defense.availability", "attack.pool"]
    assert (defense["applied"], defense["score"], defense["willpower_spent"]) == (False, None, False)
    assert (defense["attacks_defended"], defense["attacks_undefended"]) == (0, 1)


def test_a_firearm_is_met_by_defense_where_the_table_says_so() -> None:
    body: dict[str, Any] = {"weapon": {"kind": "firearm"}, "defense": {"mode": "passive", "score": 2}}
    assert attack([2, 2, 2], **body).rules[0] == "defense.firearms"
    assert attack([2], **body, options={"firearms_vs_defense": "defense_applies"}).outcome["defense"]["applied"]


def test_known_successes_had_passive_defense_before() -> None:
    answer = known(2, defense={"mode": "passive", "score": 3, "attacks_defended": 1, "willpower": True})
    assert answer.rules[:5] == [
        "defense.score",
        "willpower.resistance",
        "defense.drop",
        "attack.known_successes",
        "attack.hit",
    ]
    defense = answer.outcome["defense"]
    assert (defense["applied"], defense["score"], defense["willpower_spent"]) == (True, 4, True)
    assert (answer.outcome["net_successes"], defense["attacks_defended"]) == (2, 2)
    assert answer.outcome["attack_roll"] is None


def test_known_successes_where_passive_defense_does_not_apply() -> None:
    answer = known(2, weapon={"kind": "firearm"}, defense={"mode": "passive", "score": 3, "willpower": True})
    assert answer.rules[:2] == ["defense.firearms", "attack.known_successes"]
    assert answer.outcome["defense"]["willpower_spent"] is False


# Dodge


def test_a_dodge_leaves_the_attackers_pool_alone() -> None:
    answer = attack([8, 8, 2, 2, 8, 2, 2], defense={"mode": "dodge", "score": 2})
    assert answer.outcome["attack_roll"]["pool"] == 3
    assert answer.rules == [
        "defense.score",
        "attack.pool",
        "dodge.not_subtracted",
        "roll.pool",
        "roll.result",
        "dodge.gives_up_action",
        "dodge.doubled",
        "roll.pool",
        "roll.result",
        "dodge.subtract",
        "attack.hit",
        "attack.damage",
        "weapon.damage_type",
        "attack.result",
    ]
    assert answer.step("dodge.gives_up_action")["kind"] == "effect"
    assert answer.step("dodge.subtract") | {"text": ""} == {
        "rule": "chronicles.dodge.subtract",
        "kind": "modifier",
        "value": -1,
        "total": 1,
        "text": "",
    }


def test_all_dice_of_the_attack_come_before_those_of_the_dodge() -> None:
    answer = attack(
        [1, 8, 10, 9, 2, 3, 5, 9],
        attack={"pool": {"total": 2, "rote": True}},
        defense={"mode": "dodge", "score": 1, "roll": {"rote": True, "again": "no_again"}},
    )
    assert answer.outcome["attack_roll"]["faces"] == [1, 8, 10, 9]
    assert answer.outcome["defense"]["roll"]["faces"] == [2, 3, 5, 9]
    assert (answer.outcome["attack_successes"], answer.outcome["dodge_successes"]) == (3, 1)


def test_known_successes_can_be_dodged_in_an_attack() -> None:
    answer = ask(
        "attack", [8, 2], attack={"successes": 2}, defense={"mode": "dodge", "score": 1}, weapon={"kind": "melee"}
    )
    assert answer.rules[:4] == ["defense.score", "attack.known_successes", "dodge.gives_up_action", "dodge.doubled"]
    assert "dodge.not_subtracted" not in answer.rules
    assert answer.outcome["net_successes"] == 1


# damage


@pytest.mark.parametrize("kind", ["unarmed", "melee", "thrown", "firearm"])
@pytest.mark.parametrize("severity", [None, "bashing", "lethal", "aggravated"])
def test_a_weapon_has_its_usual_damage_unless_it_says_otherwise(kind: str, severity: str | None) -> None:
    weapon = {"kind": kind, "rating": 2} | ({"damage_type": severity} if severity else {})
    usual = severity or ("bashing" if kind == "unarmed" else "lethal")
    damage = known(1, weapon=weapon).outcome["damage"]
    assert damage == {"bashing": 0, "lethal": 0, "aggravated": 0} | {usual: 3}


def test_bare_hands_are_the_usual_weapon() -> None:
    assert known(2).outcome["damage"] == {"bashing": 2, "lethal": 0, "aggravated": 0}


@pytest.mark.parametrize(("rating", "steps"), [(0, []), (3, [("weapon.rating", "modifier", 3, 5)])])
def test_the_rating_is_added_on_a_hit(rating: int, steps: list[Any]) -> None:
    answer = known(2, weapon={"kind": "melee", "rating": rating})
    assert answer.steps()[2:] == [
        ("attack.hit", "decision", 2, None),
        ("attack.damage", "base", 2, 2),
        *steps,
        ("weapon.damage_type", "decision", 2 + rating, None),
        ("attack.result", "result", 2 + rating, None),
    ]


def test_a_miss_adds_nothing() -> None:
    answer = known(0, weapon={"kind": "melee", "rating": 5})
    assert answer.rules == ["defense.choice", "attack.known_successes", "attack.miss", "attack.result"]
    outcome = answer.outcome
    assert (outcome["result"], outcome["damage_total"], outcome["exceptional"]) == ("miss", 0, False)
    assert outcome["damage"] == {"bashing": 0, "lethal": 0, "aggravated": 0}


@pytest.mark.parametrize(("successes", "exceptional"), [(4, False), (5, True), (200, True)])
def test_five_successes_left_are_exceptional_whatever_the_weapon(successes: int, *, exceptional: bool) -> None:
    answer = known(successes, weapon={"kind": "melee", "rating": 4})
    assert answer.outcome["exceptional"] is exceptional
    assert ("attack.exceptional" in answer.rules) is exceptional


def test_exceptional_counts_what_is_left_of_the_dodge() -> None:
    """Six successes are an exceptional roll, but two of them are dodged."""
    answer = attack(
        [8, 8, 8, 8, 8, 8, 9, 9],
        attack={"pool": {"total": 6}},
        weapon={"kind": "melee", "rating": 9},
        defense={"mode": "dodge", "score": 1},
    )
    assert answer.outcome["attack_roll"]["result"] == "exceptional_success"
    assert (answer.outcome["net_successes"], answer.outcome["exceptional"]) == (4, False)
    assert answer.outcome["damage_total"] == 13


# all-out


@pytest.mark.parametrize("dice", [[8, 2, 2], [2, 2, 2]])
def test_who_goes_all_out_has_lost_defense_hit_or_miss(dice: list[int]) -> None:
    answer = attack(dice, attack={"pool": {"total": 1}, "maneuver": "all_out"}, defense=NO_DEFENSE)
    assert answer.outcome["attack_roll"]["pool"] == 3
    assert answer.outcome["attacker_defense_lost"] is True
    assert answer.rules[-2:] == ["all_out.defense_lost", "attack.result"]


def test_an_ordinary_attack_costs_no_defense() -> None:
    assert attack([2, 2, 2], defense=NO_DEFENSE).outcome["attacker_defense_lost"] is False


def test_an_all_out_exceptional_hit_on_a_target_has_its_steps_in_order() -> None:
    answer = attack(
        [8] * 5,
        attack={"pool": {"total": 3}, "maneuver": "all_out"},
        weapon={"kind": "melee", "rating": 1},
        defense=NO_DEFENSE,
        target={"armor": {"general": 1}, "health": {"boxes": 7}},
    )
    assert answer.rules[5:] == [
        "attack.hit",
        "attack.damage",
        "weapon.rating",
        "weapon.damage_type",
        "attack.exceptional",
        "all_out.defense_lost",
        "armor.general",
        "health.mark",
        "health.wound_penalty",
        "health.condition",
        "attack.result",
    ]


# target


def test_a_miss_tells_the_track_as_it_is() -> None:
    answer = known(0, target={"armor": {"general": 3}, "health": {"boxes": 7, "lethal": 6}})
    assert answer.outcome["target"] == {
        "damage_taken": {"bashing": 0, "lethal": 0, "aggravated": 0},
        "health": {"boxes": 7, "bashing": 0, "lethal": 6, "aggravated": 0},
        "wound_penalty": -2,
        "condition": "able",
        "upgrades": 0,
        "excess": 0,
    }


def test_the_weapons_piercing_and_kind_meet_the_armor() -> None:
    weapon = {"kind": "firearm", "rating": 3, "armor_piercing": 2}
    answer = known(1, weapon=weapon, target={"armor": {"general": 1, "ballistic": 3}})
    assert answer.outcome["damage"] == {"bashing": 0, "lethal": 4, "aggravated": 0}
    assert answer.outcome["target"]["damage_taken"] == {"bashing": 1, "lethal": 2, "aggravated": 0}
    assert answer.outcome["target"]["health"] is None

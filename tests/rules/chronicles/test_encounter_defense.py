"""What a defender does in a fight: stances, Dodges of rolls made at the table, and the scope of a Dodge."""

import pytest

from rules.core.encounter import NotForYou
from service.faults import Malformations
from tests.rules.chronicles.fighting import begun, julia, swing, table, thug

SHOT = {"actor": "guard", "target": "julia", "attack": {"name": "gun"}}


# the stance


@pytest.mark.parametrize("mode", ["passive", "none"])
def test_a_stance_costs_nothing(mode: str) -> None:
    fight = table()
    fight.act("stance", actor="julia", mode=mode)
    assert julia(fight).turn.action_state == "unspent"
    swing(fight, [2] * (4 if mode == "passive" else 7))
    assert fight.request["defense"]["mode"] == mode


def test_a_dodge_stance_gives_up_the_action_at_once() -> None:
    fight = table()
    fight.act("stance", actor="julia", mode="dodge")
    assert fight.steps == [("dodge.gives_up_action", None)]
    assert fight.effects == [
        ("julia", "action_state", "given_up", "dodge.gives_up_action"),
        ("julia", "stance", {"mode": "dodge", "willpower": False}, None),
    ]
    swing(fight, [2] * 7 + [2] * 6)
    assert fight.outcome["defense"]["gives_up_action"] is False
    assert fight.refused("attack", actor="julia", target="thug", attack={"name": "fist"}) == ["dodge.action_given_up"]
    fight.act("stance", actor="julia", mode="dodge", willpower=True)
    assert fight.steps == []


def test_who_has_acted_has_no_dodge_stance() -> None:
    fight = table()
    fight.change("julia", action_state="spent")
    assert fight.refused("stance", actor="julia", mode="dodge") == ["dodge.gives_up_action"]
    fight.change("julia", action_state="unspent", unconscious=True)
    assert fight.refused("stance", actor="julia", mode="dodge") == ["dodge.gives_up_action"]


def test_willpower_of_a_stance_is_used_up_by_the_first_attack() -> None:
    fight = table()
    fight.act("stance", actor="julia", mode="passive", willpower=True)
    assert julia(fight).state.willpower.left == 5
    swing(fight, [2] * 2)
    assert julia(fight).state.willpower.left == 4
    assert fight.effects[-1] == ("julia", "stance", {"mode": "passive", "willpower": False}, "willpower.resistance")
    swing(fight, [2] * 5)
    assert julia(fight).state.willpower.left == 4


def test_willpower_of_a_stance_waits_for_an_attack_against_which_it_is_spent() -> None:
    fight = begun()
    fight.act("stance", actor="julia", mode="passive", willpower=True)
    fight.act("attack", [2] * 4, **SHOT)
    assert julia(fight).turn.stance.willpower is True
    swing(fight, [2] * 7, mode="none")
    assert julia(fight).turn.stance.willpower is True
    assert julia(fight).state.willpower.left == 5


def test_willpower_of_a_stance_that_is_gone_is_left_out() -> None:
    """The attacker's attack is not forbidden by what the defender can no longer pay."""
    fight = table(willpower_limit="per_turn")
    fight.act("stance", actor="julia", mode="passive", willpower=True)
    fight.act("roll", [2] * 4, actor="julia", pool={"total": 1, "willpower": True}, action_type="reflexive")
    swing(fight, [2] * 4)
    assert "willpower" not in fight.request["defense"]


def test_no_willpower_for_a_stance() -> None:
    fight = table(willpower_limit="per_turn")
    fight.change("julia", willpower={"max": 1, "current": 0}, willpower_spent_this_turn=1)
    refused = fight.refused("stance", actor="julia", mode="passive", willpower=True)
    assert refused == ["willpower.points", "willpower.one_per_turn"]
    with pytest.raises(Malformations):
        fight.act("stance", actor="julia", mode="none", willpower=True)


def test_a_dodge_stance_is_passive_where_defense_does_not_apply() -> None:
    fight = begun()
    fight.act("stance", actor="julia", mode="dodge", willpower=True)
    fight.act("attack", [2] * 4, **SHOT)
    assert fight.request["defense"]["mode"] == "passive"
    assert fight.outcome["defense"]["applied"] is False
    assert julia(fight).turn.attacks_undefended == 1
    fight.change("guard", action_state="unspent")
    assert fight.refused("attack", **SHOT, defense={"mode": "dodge"}) == ["dodge.needs_defense"]


def test_what_is_said_for_one_attack_leaves_the_stance() -> None:
    fight = table()
    fight.act("stance", actor="julia", mode="none")
    swing(fight, [2] * 7 + [2] * 6, mode="dodge")
    assert julia(fight).turn.stance.mode == "none"


def test_a_stance_is_ones_own() -> None:
    fight = begun()
    with pytest.raises(NotForYou):
        fight.act("stance", [], "thug", actor="julia", mode="none")
    fight.act("stance", [], "thug", actor="thug", mode="none")


# a Dodge from a roll made at the table


def test_a_dodge_with_an_attacker_is_the_same_as_an_attack() -> None:
    fight = table()
    knife = {"kind": "melee", "rating": 1}
    fight.act("dodge", [8] + [2] * 8, actor="julia", attacker="thug", attack_successes=2, weapon=knife, willpower=True)
    assert fight.request == {
        "attack_successes": 2,
        "defense": {"traits": {"dexterity": 2, "wits": 3, "athletics": 1}, "willpower": True},
        "weapon": knife,
        "target": {"health": {"boxes": 7}},
    }
    health = {"boxes": 7, "bashing": 0, "lethal": 2, "aggravated": 0}
    assert fight.effects == [
        ("thug", "action_state", "spent", "turn.one_action"),
        ("julia", "attacks_defended", 1, "defense.drop"),
        ("julia", "action_state", "given_up", "dodge.gives_up_action"),
        ("julia", "willpower", {"max": 5, "current": 4}, "dodge.willpower"),
        ("julia", "willpower_spent_this_turn", 1, "dodge.willpower"),
        ("julia", "health", health, "health.mark"),
    ]


def test_a_dodge_without_an_attacker_looks_at_the_defender_only() -> None:
    fight = table()
    fight.change("julia", attacks_defended=3)
    fight.act("dodge", [1], "julia", actor="julia", attack_successes=2)
    assert {combatant for combatant, *_ in fight.effects} == {"julia"}
    assert ("julia", "off_balance_pending", 1, "dodge.off_balance") in fight.effects


def test_a_dodge_needs_the_attackers_action_and_the_defenders() -> None:
    fight = table()
    fight.change("thug", action_state="spent")
    dodge = {"actor": "julia", "attacker": "thug", "attack_successes": 2}
    assert fight.refused("dodge", **dodge) == ["turn.one_action"]
    fight.change("thug", action_state="given_up")
    fight.change("julia", action_state="spent", willpower={"max": 0}, availability="unaware")
    assert fight.refused("dodge", **dodge, willpower=True) == [
        "dodge.action_given_up",
        "willpower.points",
        "dodge.gives_up_action",
        "dodge.needs_defense",
    ]
    gun = {"kind": "firearm"}
    fight.change("julia", action_state="unspent", availability="available")
    assert fight.refused("dodge", actor="julia", attack_successes=1, weapon=gun) == ["dodge.needs_defense"]


def test_a_player_dodges_with_their_own_and_spends_nobody_elses_action() -> None:
    fight = table()
    with pytest.raises(NotForYou):
        fight.act("dodge", [], "thug", actor="julia", attack_successes=2)
    with pytest.raises(NotForYou):
        fight.act("dodge", [], "julia", actor="julia", attacker="thug", attack_successes=2)
    fight.act("dodge", [2] * 6, "julia thug", actor="julia", attacker="thug", attack_successes=2)
    assert thug(fight).turn.action_state == "spent"
    late = begun()
    dodge = {"actor": "julia", "attacker": "thug", "attack_successes": 2}
    assert late.refused("dodge", "julia thug", **dodge) == "not_your_turn"


# for how long a Dodge is chosen


def test_a_dodge_may_be_chosen_for_the_rest_of_the_turn() -> None:
    fight = begun(dodge_scope="rest_of_turn")
    swing(fight, [2] * 7 + [2] * 6, mode="dodge")
    assert ("julia", "stance", {"mode": "dodge", "willpower": False}, "dodge.scope") in fight.effects
    fight.change("thug", action_state="unspent")
    attack = {"actor": "thug", "target": "julia", "attack": {"name": "swing"}}
    for mode in ("passive", "none"):
        assert fight.refused("attack", **attack, defense={"mode": mode}) == ["dodge.scope"]
        assert fight.refused("stance", actor="julia", mode=mode) == ["dodge.scope"]
    fight.act("attack", [2] * 7 + [2] * 4, **attack)
    assert fight.request["defense"]["mode"] == "dodge"


def test_the_scope_is_of_attacks_where_defense_applies() -> None:
    fight = begun(dodge_scope="rest_of_turn")
    fight.act("stance", actor="julia", mode="dodge")
    for defense in ({}, {"defense": {"mode": "passive"}}, {"defense": {"mode": "none"}}):
        fight.change("guard", action_state="unspent")
        fight.act("attack", [2] * 4, **SHOT, **defense)
    assert julia(fight).turn.attacks_undefended == 3


def test_the_scope_ends_with_the_turn() -> None:
    fight = begun(dodge_scope="rest_of_turn")
    fight.act("stance", actor="julia", mode="dodge")
    for _ in range(3):
        fight.end_turn()
    swing(fight, [2] * 4)
    assert fight.request["defense"]["mode"] == "passive"


def test_a_dodge_at_the_table_is_chosen_for_the_turn_too() -> None:
    fight = table(dodge_scope="rest_of_turn")
    fight.act("dodge", [2] * 6, actor="julia", attack_successes=1)
    assert julia(fight).turn.stance.mode == "dodge"


@pytest.mark.parametrize("mode", ["passive", "dodge"])
def test_a_dodge_that_stays_spends_only_what_was_chosen_for_a_dodge(mode: str) -> None:
    fight = table(dodge_scope="rest_of_turn")
    fight.act("stance", actor="julia", mode=mode, willpower=True)
    fight.act("dodge", [2] * 6, actor="julia", attack_successes=1)
    assert julia(fight).turn.stance.willpower is (mode == "dodge")


def test_otherwise_each_attack_is_a_choice() -> None:
    fight = table()
    swing(fight, [2] * 7 + [2] * 6, mode="dodge")
    swing(fight, [2] * 5, mode="passive")
    assert julia(fight).turn.attacks_defended == 2

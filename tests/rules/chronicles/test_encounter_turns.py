"""The order of a fight, and what a turn takes and gives back."""

import pytest

from rules.core.encounter import NotAllowed, NotForYou
from service.faults import Malformations
from tests.rules.chronicles.fighting import GUARD, JULIA, begun, julia, swing, table, thug

# the order


def test_everyone_rolls_in_the_order_of_joining_and_the_highest_goes_first() -> None:
    fight = table()
    fight.act("initiative", [3, 10])
    assert [each["request"]["initiative"] for each in fight.draft.resolutions] == [
        {"traits": {"dexterity": 2, "composure": 3}},
        {"score": 4, "modifiers": [{"label": "machete", "value": -2}]},
    ]
    assert fight.effects == [
        ("julia", "initiative", 8, "initiative.result"),
        ("thug", "initiative", 12, "initiative.result"),
        (None, "order", ["thug", "julia"], "initiative.order"),
    ]
    assert fight.steps == [("initiative.order", None)]
    assert (fight.state["round"], fight.state["turn"]) == (0, None)


def test_wounds_count() -> None:
    fight = table()
    fight.change("julia", health={"boxes": 7, "bashing": 6})
    fight.act("initiative", [3], combatants=["julia"])
    assert fight.request["initiative"]["wound_penalty"] == -2
    assert julia(fight).state.initiative == 6


def test_ties_go_to_the_higher_score_without_dice() -> None:
    fight = table()
    fight.act("initiative", [5, 8])
    assert [each.state.initiative for each in (julia(fight), thug(fight))] == [10, 10]
    assert fight.state["order"] == ["julia", "thug"]


def test_those_who_are_tied_in_score_too_roll_until_they_are_not() -> None:
    fight = table()
    for name in ("ann", "ben", "cid"):
        fight.join(name, **JULIA)
    fight.act("initiative", [5, 1, 5, 1, 5, 7, 7, 2, 4, 6])
    assert fight.state["order"] == ["ann", "julia", "cid", "ben", "thug"]
    assert fight.steps == [
        ("initiative.order", 7),
        ("initiative.order", 7),
        ("initiative.order", 2),
        ("initiative.order", 4),
        ("initiative.order", 6),
        ("initiative.order", None),
    ]


def test_the_highest_group_rolls_first() -> None:
    fight = table()
    for name in ("ann", "ben", "cid"):
        fight.join(name, **JULIA)
    fight.act("initiative", [2, 1, 9, 2, 9, 3, 4, 6, 5])
    assert fight.state["order"] == ["cid", "ann", "julia", "ben", "thug"]


def test_after_ten_rounds_who_joined_first_goes_first() -> None:
    fight = table()
    fight.join("ann", **JULIA)
    fight.act("initiative", [5, 1, 5, *[4] * 20])
    assert fight.state["order"] == ["julia", "ann", "thug"]


def test_who_comes_later_finds_a_place_and_the_others_keep_theirs() -> None:
    fight = table()
    fight.join("ann", **JULIA)
    fight.act("initiative", [5, 1, 5, 2, 9])
    assert fight.state["order"] == ["ann", "julia", "thug"]
    fight.join("guard", **GUARD)
    fight.act("initiative", [5])
    assert fight.state["order"] == ["ann", "julia", "guard", "thug"]
    fight.join("ben", **JULIA)
    fight.act("initiative", [5, 6, 2, 1])
    assert fight.state["order"] == ["julia", "ann", "ben", "guard", "thug"]


def test_who_has_rolled_rolls_anew_only_for_the_game_master() -> None:
    fight = table()
    assert fight.refused("initiative", combatants=["ghost"]) == "no_such_combatant"
    fight.act("initiative", [5], "julia", combatants=["julia"])
    assert fight.state["order"] == ["julia"]
    assert fight.refused("initiative", "julia", combatants=["julia"]) == "initiative_rolled"
    fight.act("initiative", [1, 10], combatants=["thug", "julia"])
    assert fight.state["order"] == ["thug", "julia"]
    assert fight.refused("initiative") == "initiative_complete"


def test_a_player_rolls_for_their_own() -> None:
    fight = table()
    with pytest.raises(NotForYou):
        fight.act("initiative", [], "julia")
    with pytest.raises(Malformations):
        fight.act("initiative", [], combatants=["julia", "julia"])
    with pytest.raises(Malformations):
        fight.act("initiative", [], combatants=[])


def test_an_initiative_by_hand_moves_the_place() -> None:
    fight = begun()
    fight.change("guard", initiative=99)
    assert fight.state["order"] == ["guard", "julia", "thug"]
    fight.change("thug", initiative=15)
    assert fight.state["order"] == ["guard", "julia", "thug"]


# turns


def test_no_turn_without_an_order() -> None:
    with pytest.raises(NotAllowed) as refused:
        table().end_turn()
    assert refused.value.code == "no_order"


def test_the_order_goes_round() -> None:
    fight = begun()
    assert (fight.state["round"], fight.steps) == (1, [("turn.reset", 1)])
    turns = []
    for _ in range(4):
        fight.end_turn()
        turns.append((fight.state["round"], fight.state["turn"]))
    assert turns == [(1, "thug"), (1, "guard"), (2, "julia"), (2, "thug")]


def test_a_new_turn_gives_back_the_action_and_full_defense() -> None:
    fight = begun()
    fight.act("stance", actor="julia", mode="dodge", willpower=True)
    swing(fight, [2] * 16)
    swing(fight, [2] * 7, mode="none")
    fight.act("stance", actor="julia", mode="none")
    fight.change("julia", availability="sacrificed", off_balance_pending=2, health={"boxes": 7, "bashing": 7})
    fight.act("stay-conscious", [8, 8], actor="julia")
    fight.end_turn()
    fight.end_turn()
    assert julia(fight).turn.attacks_defended == 1
    fight.end_turn()
    assert fight.steps == [("turn.reset", 2), ("turn.off_balance", 2)]
    assert sorted(effect for effect in fight.effects if effect[0] == "julia") == [
        ("julia", "action_state", "unspent", "turn.reset"),
        ("julia", "attacks_defended", 0, "turn.reset"),
        ("julia", "attacks_undefended", 0, "turn.reset"),
        ("julia", "off_balance", 2, "turn.off_balance"),
        ("julia", "off_balance_pending", 0, "turn.off_balance"),
        ("julia", "rolled_stamina", False, "turn.reset"),
        ("julia", "sacrificed", False, "turn.reset"),
        ("julia", "stance", {"mode": "passive", "willpower": False}, "turn.reset"),
        ("julia", "willpower_spent_this_turn", 0, "turn.reset"),
    ]
    assert ("thug", "action_state", "unspent", "turn.reset") in fight.effects
    assert julia(fight).state.willpower.left == 4


def test_balance_lost_counts_in_the_next_turn_and_is_then_forgotten() -> None:
    fight = begun()
    fight.change("julia", off_balance_pending=1)
    for _ in range(3):
        fight.end_turn()
    swing(fight, [2] * 5)
    assert fight.request["defense"]["off_balance"] == 1
    for _ in range(3):
        fight.end_turn()
    assert julia(fight).turn.off_balance == 0
    assert fight.steps == [("turn.reset", 3)]


def test_what_the_game_master_said_lasts() -> None:
    fight = begun()
    fight.change("julia", availability="unaware")
    fight.change("thug", availability="immobilized")
    for _ in range(3):
        fight.end_turn()
    assert [each.state.availability for each in (julia(fight), thug(fight))] == ["unaware", "immobilized"]


def test_defense_may_come_back_at_ones_own_place() -> None:
    fight = begun(turn_reset="own_initiative")
    fight.change("thug", attacks_defended=2, availability="sacrificed", off_balance_pending=1, action_state="spent")
    fight.end_turn()
    assert (fight.state["turn"], thug(fight).turn.attacks_defended, thug(fight).turn.sacrificed) == ("thug", 0, False)
    assert (thug(fight).turn.off_balance, thug(fight).turn.off_balance_pending) == (1, 0)
    assert thug(fight).turn.action_state == "spent"
    assert fight.steps == [("turn.reset", None), ("turn.off_balance", 1)]
    fight.change("thug", attacks_defended=1)
    fight.act("stance", actor="guard", mode="dodge")
    fight.end_turn()
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"]) == (2, "julia")
    assert (thug(fight).turn.action_state, thug(fight).turn.attacks_defended) == ("unspent", 1)
    assert fight.combatant("guard").turn.action_state == "unspent"
    assert fight.steps == [("turn.reset", 2), ("turn.reset", None)]


def test_a_dodge_before_ones_place_costs_that_turns_action() -> None:
    fight = begun(turn_reset="own_initiative")
    fight.act("stance", actor="thug", mode="dodge")
    fight.end_turn()
    assert thug(fight).turn.action_state == "given_up"


def test_who_has_no_place_gets_defense_back_with_the_turn() -> None:
    fight = begun(turn_reset="own_initiative")
    fight.join("late", **GUARD)
    fight.change("late", attacks_defended=2)
    for _ in range(3):
        fight.end_turn()
    assert fight.combatant("late").turn.attacks_defended == 0


@pytest.mark.parametrize("how", ["dead", "unconscious"])
def test_who_is_out_keeps_the_place_and_is_passed_over(how: str) -> None:
    fight = begun(turn_reset="own_initiative")
    fight.change("thug", attacks_defended=1, unconscious=how == "unconscious")
    if how == "dead":
        fight.change("thug", health={"boxes": 8, "aggravated": 8})
    fight.end_turn()
    assert fight.state["turn"] == "guard"
    assert fight.state["order"] == ["julia", "thug", "guard"]
    assert thug(fight).turn.attacks_defended == 0


def test_when_all_are_out_nobody_has_the_turn() -> None:
    fight = begun()
    for name in ("julia", "thug", "guard"):
        fight.change(name, unconscious=True)
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"]) == (2, None)
    fight.change("thug", unconscious=False)
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"]) == (3, "thug")


def test_who_leaves_hands_the_turn_on() -> None:
    fight = begun()
    fight.leave("julia")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "thug", ["thug", "guard"])
    fight.end_turn()
    fight.leave("guard")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (2, "thug", ["thug"])
    fight.leave("thug")
    assert (fight.state["turn"], fight.state["order"], fight.state["combatants"]) == (None, [], {})


def test_who_leaves_out_of_turn_changes_nothing_else() -> None:
    fight = begun()
    fight.leave("thug")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "julia", ["julia", "guard"])

"""The order of a fight, and what turns and rounds do."""

import pytest

from rules.action_points import ACTION_POINTS
from rules.core.encounter import NotAllowed
from tests.rules.action_points.fighting import (
    IMP,
    MIRA,
    OGRE,
    Body,
    begun,
    plan,
    rounds,
    spent,
    state,
    strike,
    table,
    turn,
)
from tests.rules.fights import Table


def asked(of: Table) -> list[tuple[str, str]]:
    """What the last event asked of the rules: the action, and of an upkeep the border."""
    return [(each["action"], each["request"].get("boundary", "")) for each in of.draft.resolutions]


# the start


def test_the_attacker_starts_then_everybody_goes_by_ap() -> None:
    fight = table(attacker="imp", situation="At the bridge.")
    fight.end_turn()
    assert asked(fight) == [("initiative", ""), ("upkeep", "turn_start")]
    assert fight.request == {
        "combatants": [
            {"id": "mira", "fighter": {**MIRA, "hp": 140}},
            {"id": "ogre", "fighter": {**OGRE, "hp": 200}},
            {"id": "imp", "fighter": {**IMP, "hp": 150}},
        ],
        "attacker": "imp",
    }
    assert fight.effects == [
        (None, "round", 1, None),
        ("imp", "started_fight", True, "fight.declaration"),
        (None, "order", ["imp", "ogre", "mira"], "initiative.result"),
        (None, "turn", "imp", "fight.turn_based"),
    ]
    assert fight.steps == [("fight.declaration", None), ("fight.turn_based", None)]
    assert fight.draft.audit[0]["facts"] == {"attacker": "Imp", "situation": "At the bridge."}


def test_who_joined_first_starts_where_nobody_is_named() -> None:
    fight = table(attacker=None)
    fight.end_turn()
    assert fight.state["order"] == ["mira", "ogre", "imp"]


def test_an_attacker_may_join_later_but_not_after_the_start() -> None:
    fight = table(attacker="late")
    with pytest.raises(NotAllowed) as refused:
        fight.end_turn()
    assert (refused.value.code, refused.value.facts) == ("attacker_missing", {"combatant": "late"})
    fight.join("late", **IMP)
    fight.end_turn()
    assert fight.state["order"] == ["late", "ogre", "mira", "imp"]


def test_a_fight_needs_two() -> None:
    fight = Table(ACTION_POINTS)
    for _ in range(2):
        with pytest.raises(NotAllowed) as refused:
            fight.end_turn()
        assert refused.value.code == "two_needed"
        if not fight.state["combatants"]:
            fight.join("mira", **MIRA)


def test_equal_ap_may_be_rolled_for() -> None:
    fight = table(initiative_ties="roll")
    fight.join("twin", **OGRE)
    fight.end_turn([3, 20])
    assert fight.state["order"] == ["mira", "twin", "ogre", "imp"]


def test_the_order_goes_by_full_ap() -> None:
    fight = table(attacker="imp")
    fight.change("ogre", ap_spent=15)
    fight.change("mira", conditions=[{"state": "reduced", "parameter": "ap", "amount": 9}])
    fight.end_turn()
    assert fight.state["order"] == ["imp", "ogre", "mira"]


# latecomers


@pytest.mark.parametrize(
    ("ap", "order"),
    [
        (25, ["mira", "late", "ogre", "imp"]),
        (20, ["mira", "ogre", "late", "imp"]),
        (16, ["mira", "ogre", "late", "imp"]),
        (15, ["mira", "ogre", "imp", "late"]),
        (1, ["mira", "ogre", "imp", "late"]),
    ],
)
def test_a_latecomer_comes_behind_the_last_with_as_many_ap(ap: int, order: list[str]) -> None:
    fight = begun()
    fight.join("late", hp_max=10, ap_max=ap)
    assert (fight.state["order"], fight.state["turn"]) == (order, "mira")
    assert fight.steps == [("initiative.descending_ap", ap)]
    assert fight.effects[-1] == (None, "order", order, "initiative.descending_ap")


def test_an_attacker_who_left_leads_no_more() -> None:
    fight = begun()
    fight.leave("mira")
    fight.join("late", hp_max=10, ap_max=25)
    assert fight.state["order"] == ["late", "ogre", "imp"]


def test_by_ap_the_attacker_leads_the_first_round_only() -> None:
    fight = table(attacker="imp", later_rounds="by_ap")
    fight.end_turn()
    fight.join("late", hp_max=10, ap_max=25)
    assert fight.state["order"] == ["imp", "late", "ogre", "mira"]
    for _ in range(4):
        fight.end_turn()
    assert (fight.state["order"], fight.state["turn"]) == (["late", "ogre", "mira", "imp"], "late")
    fight.join("later", hp_max=10, ap_max=30)
    assert fight.state["order"] == ["later", "late", "ogre", "mira", "imp"]


# turns and rounds


def test_each_border_is_asked_in_its_order() -> None:
    fight = begun()
    fight.end_turn()
    assert asked(fight) == [("upkeep", "turn_end"), ("upkeep", "turn_start")]
    assert (fight.state["round"], fight.state["turn"]) == (1, "ogre")
    assert fight.steps == [("fight.turn_based", None)]
    fight.end_turn()
    fight.end_turn()
    assert asked(fight) == [
        ("upkeep", "turn_end"),
        *[("upkeep", "round_end")] * 3,
        ("upkeep", "turn_start"),
    ]
    fighters = [each["request"]["fighter"].get("kind", "ogre") for each in fight.draft.resolutions]
    assert fighters == ["fae", "mage", "ogre", "fae", "mage"]
    assert (fight.state["round"], fight.state["turn"]) == (2, "mira")


def test_ap_come_back_at_the_end_of_the_own_turn() -> None:
    fight = begun()
    strike(fight, "sword", "dodge")
    plan(fight, "dash")
    fight.end_turn()
    assert (spent(fight, "mira"), turn(fight, "mira").dash_used, spent(fight, "ogre")) == (0, False, 7)
    assert fight.effects == [
        ("mira", "ap_spent", 0, "ap.refresh"),
        ("mira", "dash_used", False, "ap.refresh"),
        (None, "turn", "ogre", "fight.turn_based"),
    ]
    fight.end_turn()
    assert (spent(fight, "ogre"), turn(fight, "ogre").earlier_defenses) == (0, [])


def test_ap_may_come_back_at_the_start_of_the_own_turn() -> None:
    fight = begun(ap_refresh="start_of_own_turn")
    plan(fight, "dash")
    fight.end_turn()
    assert spent(fight, "mira") == 5
    fight.end_turn()
    fight.end_turn()
    assert (fight.state["turn"], spent(fight, "mira"), turn(fight, "mira").dash_used) == ("mira", 0, False)


def test_ap_may_come_back_at_the_end_of_the_round() -> None:
    fight = begun(ap_refresh="round_end")
    strike(fight, "sword", "dodge")
    fight.end_turn()
    assert (spent(fight, "mira"), spent(fight, "ogre")) == (7, 7)
    fight.end_turn()
    fight.end_turn()
    assert (spent(fight, "mira"), spent(fight, "ogre")) == (0, 0)


def test_hp_regenerate_at_the_end_of_the_round() -> None:
    fight = begun()
    fight.change("ogre", hp=150)
    fight.change("imp", hp=149)
    rounds(fight)
    assert (state(fight, "ogre").hp, state(fight, "imp").hp) == (155, 150)
    assert ("ogre", "hp", 155, "regeneration.round") in fight.effects


def test_hp_may_regenerate_at_the_end_of_the_own_turn() -> None:
    fight = begun(regeneration_at="turn_end")
    fight.change("ogre", hp=150)
    fight.end_turn()
    assert state(fight, "ogre").hp == 150
    fight.end_turn()
    assert state(fight, "ogre").hp == 155
    fight.end_turn()
    assert state(fight, "ogre").hp == 155


def test_conditions_run_down_at_the_end_of_the_own_turn() -> None:
    fight = begun()
    fight.change(
        "mira", conditions=[{"state": "bound", "turns": 2}, {"state": "reduced", "parameter": "hp", "amount": 5}]
    )
    fight.end_turn()
    assert [each.turns for each in state(fight, "mira").conditions] == [1, None]
    assert [effect[3] for effect in fight.effects if effect[1] == "conditions"] == ["state.runs_down"]
    rounds(fight)
    assert [each.parameter for each in state(fight, "mira").conditions] == ["hp"]


def test_the_stun_of_low_hp_comes_and_goes() -> None:
    fight = begun()
    fight.change("ogre", hp=14)
    fight.end_turn()
    fight.end_turn()
    assert [effect[3] for effect in fight.effects if effect[:2] == ("ogre", "conditions")] == ["stun.below_tenth"]
    fight.end_turn()
    assert (state(fight, "ogre").hp, [each.cause for each in state(fight, "ogre").conditions]) == (19, ["low_hp"])
    rounds(fight)
    assert (state(fight, "ogre").hp, state(fight, "ogre").conditions) == (24, [])
    assert ("ogre", "conditions", [], "stun.ends") in fight.effects


def test_what_a_reduction_took_comes_back_with_the_refresh_only() -> None:
    """AP left are those of the rules, whatever ends before they are restored."""
    fight = begun(ap_refresh="round_end")
    ap: Body = {"state": "reduced", "parameter": "ap", "amount": 6, "turns": 1}
    fight.change("mira", conditions=[ap])
    plan(fight, "dash")
    fight.end_turn()
    assert (state(fight, "mira").conditions, spent(fight, "mira")) == ([], 11)
    assert ("mira", "ap_spent", 11, "state.runs_down") in fight.effects
    fight.end_turn()
    fight.end_turn()
    assert spent(fight, "mira") == 0


def test_ap_that_a_reduction_exceeds_stay_as_they_were_spent() -> None:
    fight = begun(ap_refresh="round_end")
    plan(fight, "dash")
    fight.change("mira", conditions=[{"state": "reduced", "parameter": "ap", "amount": 16}])
    fight.end_turn()
    assert spent(fight, "mira") == 5


def test_the_stunned_and_the_paralysed_keep_their_turn() -> None:
    fight = begun()
    fight.change("ogre", conditions=[{"state": "stunned"}])
    fight.change("imp", conditions=[{"state": "immobilised"}])
    fight.end_turn()
    assert fight.state["turn"] == "ogre"
    assert fight.refused("turn-plan", actor="ogre", items=[{"type": "dash"}]) == ["state.stunned"]
    fight.end_turn()
    assert fight.state["turn"] == "imp"
    assert fight.refused("attack", actor="imp", target="ogre", attack={"type": "punch"}) == ["state.immobilised"]


def test_the_dead_are_skipped_and_pass_no_border() -> None:
    fight = begun()
    fight.change("ogre", dead=True, hp=100)
    fight.end_turn()
    assert fight.state["turn"] == "imp"
    fight.end_turn()
    assert asked(fight) == [("upkeep", "turn_end"), *[("upkeep", "round_end")] * 2, ("upkeep", "turn_start")]
    assert state(fight, "ogre").hp == 100
    fight.change("mira", dead=True)
    fight.end_turn()
    assert asked(fight) == [("upkeep", "turn_start")]
    assert fight.state["turn"] == "imp"


def test_when_all_are_dead_nobody_has_the_turn() -> None:
    fight = begun()
    for each in ("mira", "ogre", "imp"):
        fight.change(each, dead=True)
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"], fight.steps) == (2, None, [])
    fight.change("imp", dead=False)
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"]) == (3, "imp")


@pytest.mark.parametrize(
    ("later", "order"), [("same_order", ["imp", "ogre", "mira"]), ("by_ap", ["ogre", "mira", "imp"])]
)
def test_the_order_of_later_rounds(later: str, order: list[str]) -> None:
    fight = table(attacker="imp", later_rounds=later)
    fight.end_turn()
    rounds(fight)
    assert (fight.state["round"], fight.state["order"], fight.state["turn"]) == (2, order, order[0])
    assert ("initiative", "") in asked(fight) or later == "same_order"
    rounds(fight)
    assert fight.state["order"] == order


def test_by_ap_ties_are_rolled_for_in_each_round() -> None:
    fight = table(attacker="imp", later_rounds="by_ap", initiative_ties="roll")
    fight.change("mira", sheet=OGRE)
    fight.end_turn([5, 1])
    assert fight.state["order"] == ["imp", "mira", "ogre"]
    fight.end_turn()
    fight.end_turn()
    fight.end_turn([1, 5])
    assert fight.state["order"] == ["ogre", "mira", "imp"]
    assert fight.draft.resolutions[-2]["request"]["round"] == 2


# leaving


def test_who_leaves_hands_the_turn_on() -> None:
    fight = begun()
    fight.leave("mira")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "ogre", ["ogre", "imp"])
    assert asked(fight) == [("upkeep", "turn_start")]
    fight.end_turn()
    fight.leave("imp")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (2, "ogre", ["ogre"])
    assert asked(fight) == [("upkeep", "round_end"), ("upkeep", "turn_start")]
    fight.leave("ogre")
    assert (fight.state["turn"], fight.state["order"], fight.state["combatants"]) == (None, [], {})


def test_the_last_one_leaves_while_the_order_is_made_anew() -> None:
    fight = table(later_rounds="by_ap")
    fight.end_turn()
    fight.end_turn()
    fight.end_turn()
    fight.leave("imp")
    assert (fight.state["round"], fight.state["order"], fight.state["turn"]) == (2, ["ogre", "mira"], "ogre")
    assert asked(fight) == [*[("upkeep", "round_end")] * 2, ("initiative", ""), ("upkeep", "turn_start")]
    fight.end_turn()
    fight.leave("mira")
    assert (fight.state["round"], fight.state["order"], fight.state["turn"]) == (3, ["ogre"], "ogre")


def test_who_leaves_out_of_turn_changes_nothing_else() -> None:
    fight = begun()
    fight.leave("ogre")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "mira", ["mira", "imp"])

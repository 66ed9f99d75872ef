"""Rolls in a fight that are no attacks, damage that comes from none, and the roll to stay conscious."""

from typing import Any

import pytest

from rules.chronicles import CHRONICLES
from rules.core.encounter import NotForYou
from service.faults import Malformations
from tests.rules.chronicles.fighting import begun, julia, table, thug
from tests.rules.fights import Table

WOUNDED = {"boxes": 7, "lethal": 6}
FADING = {"boxes": 7, "bashing": 7}


# rolls


def test_a_roll_takes_the_wounds_from_the_track_and_spends_the_action() -> None:
    fight = table()
    fight.change("julia", health=WOUNDED)
    pool = {"attribute": 2, "skill": 1, "rote": True, "willpower": True, "modifiers": [{"value": 1}]}
    fight.act("roll", [8] * 5, actor="julia", pool=pool, resistance={"value": 0})
    assert fight.request == {"pool": {**pool, "wound_penalty": -2}, "resistance": {"value": 0}}
    assert fight.effects == [
        ("julia", "action_state", "spent", "turn.one_action"),
        ("julia", "willpower", {"max": 5, "current": 4}, "willpower.dice"),
        ("julia", "willpower_spent_this_turn", 1, "willpower.dice"),
    ]


@pytest.mark.parametrize("slug", ["roll", "contested-roll"])
def test_an_instant_action_needs_the_action_of_the_turn(slug: str) -> None:
    fight = table()
    body = rolling(slug)
    dice = [2] * (1 if slug == "roll" else 2)
    for state, rule in (("spent", "turn.one_action"), ("given_up", "dodge.action_given_up")):
        fight.change("julia", action_state=state)
        assert fight.refused(slug, **body) == [rule]
        fight.act(slug, dice, **body, action_type="reflexive")
        assert fight.effects == []


def rolling(slug: str) -> dict[str, Any]:
    one = {"total": 1}
    return (
        {"actor": "julia", "pool": one}
        if slug == "roll"
        else {
            "actor": "julia",
            "actor_pool": one,
            "opponent_pool": one,
        }
    )


@pytest.mark.parametrize("slug", ["roll", "contested-roll"])
def test_a_player_acts_for_their_own_in_their_place(slug: str) -> None:
    fight = begun()
    body = rolling(slug)
    dice = [2] * (1 if slug == "roll" else 2)
    with pytest.raises(NotForYou):
        fight.act(slug, [], "thug", **body)
    fight.act(slug, dice, "julia", **body)
    fight.end_turn()
    fight.change("julia", action_state="unspent")
    assert fight.refused(slug, "julia", **body) == "not_your_turn"
    fight.act(slug, dice, "julia", **body, action_type="reflexive")
    fight.act(slug, dice, **body)


def test_the_one_who_resists_spends_willpower() -> None:
    fight = table()
    body = {"actor": "julia", "pool": {"total": 9}, "resistance": {"value": 1, "willpower": True}}
    fight.act("roll", [2] * 6, **body, target="thug", action_type="reflexive")
    assert fight.effects == [
        ("thug", "willpower", {"max": 3, "current": 0}, "willpower.resistance"),
        ("thug", "willpower_spent_this_turn", 1, "willpower.resistance"),
    ]
    assert fight.refused("roll", **body, target="thug") == ["willpower.points"]
    with pytest.raises(NotForYou):
        fight.act("roll", [], "julia", **body, target="thug")
    fight.act("roll", [2] * 6, "julia", **body)
    assert thug(fight).turn.willpower_spent_this_turn == 1
    with pytest.raises(Malformations):
        fight.act("roll", [], actor="julia", pool={"total": 1}, target="thug")


def test_a_contest_takes_both_sides_from_the_fight() -> None:
    fight = table()
    fight.change("julia", health=WOUNDED)
    fight.change("thug", health={"boxes": 8, "bashing": 8})
    body = {
        "actor": "julia",
        "actor_pool": {"attribute": 2, "skill": 2, "willpower": True},
        "opponent": "thug",
        "opponent_pool": {"total": 5, "willpower": True},
    }
    fight.act("contested-roll", [2] * 10, **body)
    assert fight.request == {
        "actor": {"attribute": 2, "skill": 2, "willpower": True, "wound_penalty": -2},
        "opponent": {"total": 5, "willpower": True, "wound_penalty": -3},
    }
    assert [each.state.willpower.left for each in (julia(fight), thug(fight))] == [4, 0]
    assert [each.turn.action_state for each in (julia(fight), thug(fight))] == ["spent", "unspent"]
    assert fight.refused("contested-roll", **body) == ["turn.one_action", "willpower.points"]
    with pytest.raises(NotForYou):
        fight.act("contested-roll", [], "julia", **body, action_type="reflexive")
    body["opponent_pool"] = {"total": 5}
    fight.act("contested-roll", [2] * 7, "julia", **body, action_type="reflexive")


def test_an_opponent_who_is_not_in_the_fight_pays_nothing() -> None:
    fight = table()
    other = {"total": 2, "willpower": True}
    fight.act("contested-roll", [2] * 6, "julia", actor="julia", actor_pool={"total": 1}, opponent_pool=other)
    assert fight.request["opponent"] == other
    assert fight.effects == [("julia", "action_state", "spent", "turn.one_action")]


def test_no_willpower_for_a_roll() -> None:
    fight = table(willpower_limit="per_turn")
    fight.change("julia", willpower={"max": 2, "current": 0}, willpower_spent_this_turn=1)
    pool = {"total": 1, "willpower": True}
    missing = ["willpower.points", "willpower.one_per_turn"]
    assert fight.refused("roll", actor="julia", pool=pool) == missing
    assert fight.refused("contested-roll", actor="julia", actor_pool=pool, opponent_pool={"total": 1}) == missing
    assert fight.refused("stay-conscious", actor="julia", willpower=True) == "not_fading"
    fight.change("julia", health=FADING)
    assert fight.refused("stay-conscious", actor="julia", willpower=True) == missing


# damage


def test_damage_meets_armor_unless_it_is_ignored() -> None:
    fight = table()
    damage = {"target": "thug", "damage": {"lethal": 3}, "kind": "firearm", "armor_piercing": 1}
    fight.act("damage", **damage)
    assert fight.request == {
        "damage": {"lethal": 3},
        "kind": "firearm",
        "armor_piercing": 1,
        "target": {"armor": {"general": 1, "ballistic": 2}, "health": {"boxes": 8}},
    }
    track = {"boxes": 8, "bashing": 1, "lethal": 1, "aggravated": 0}
    assert fight.effects == [("thug", "health", track, "health.mark")]
    fight.act("damage", target="thug", damage={"aggravated": 1}, ignore_armor=True)
    assert "armor" not in fight.request["target"]
    assert thug(fight).state.health.aggravated == 1


def test_damage_is_the_game_masters() -> None:
    command = table().rules.command("damage")
    assert command is not None
    assert command.gm_only
    assert [each.slug for each in table().rules.commands if each.gm_only] == ["damage"]


# staying conscious


def test_a_success_keeps_awake_and_the_roll_is_once_a_turn() -> None:
    fight = begun()
    fight.change("julia", health=FADING)
    fight.act("stay-conscious", [8, 1], "julia", actor="julia")
    assert fight.request == {"pool": {"total": 2}}
    assert fight.effects == [("julia", "rolled_stamina", True, "health.stay_conscious")]
    assert fight.steps == []
    assert fight.refused("stay-conscious", actor="julia") == "stamina_rolled"
    for _ in range(3):
        fight.end_turn()
    fight.act("stay-conscious", [2] * 5, actor="julia", willpower=True)
    assert fight.steps == [("health.stay_conscious", None)]
    assert fight.effects == [
        ("julia", "rolled_stamina", True, "health.stay_conscious"),
        ("julia", "willpower", {"max": 5, "current": 4}, "willpower.dice"),
        ("julia", "willpower_spent_this_turn", 1, "willpower.dice"),
        ("julia", "unconscious", True, "health.stay_conscious"),
    ]
    assert fight.refused("stay-conscious", actor="julia") == "unconscious_already"
    assert fight.refused("roll", actor="julia", pool={"total": 1}) == ["turn.one_action"]
    fight.change("julia", unconscious=False)
    assert julia(fight).state.unconscious is False


@pytest.mark.parametrize(
    "health", [{"boxes": 7, "bashing": 6}, {"boxes": 7, "lethal": 7}, {"boxes": 7, "aggravated": 7}]
)
def test_only_the_fading_roll(health: dict[str, int]) -> None:
    fight = table()
    fight.change("julia", health=health)
    assert fight.refused("stay-conscious", actor="julia") == "not_fading"


def test_the_stamina_of_the_sheet() -> None:
    fight = table()
    fight.change("thug", health={"boxes": 8, "bashing": 8})
    fight.act("stay-conscious", [8, 1, 1], actor="thug")
    assert fight.request == {"pool": {"total": 3}}
    fight.change("julia", health=FADING, stamina=0)
    fight.act("stay-conscious", [10], actor="julia")
    assert fight.outcome["chance_die"] is True
    assert julia(fight).state.unconscious is False


def test_a_track_that_is_given_brings_its_stamina() -> None:
    fight = table()
    fight.change("julia", health={"stamina": 5, "size": 2, "bashing": 7})
    fight.act("stay-conscious", [8, 1, 1, 1, 1], actor="julia")
    fight.change("thug", health={"stamina": 5, "size": 2, "bashing": 7}, stamina=1)
    fight.act("stay-conscious", [8], actor="thug")


def test_a_sheet_that_tells_no_stamina() -> None:
    fight = Table(CHRONICLES)
    fight.join(
        "mook",
        defense={"score": 1},
        initiative={"score": 1},
        health={"boxes": 7, "bashing": 7},
        willpower={"max": 0},
    )
    assert fight.refused("stay-conscious", actor="mook") == "stamina_unknown"


def test_one_stays_conscious_for_oneself() -> None:
    fight = table()
    fight.change("julia", health=FADING)
    with pytest.raises(NotForYou):
        fight.act("stay-conscious", [], "thug", actor="julia")

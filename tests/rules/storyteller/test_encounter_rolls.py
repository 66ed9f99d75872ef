"""Rolls that are no attacks, positions, and damage that comes from none."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.storyteller.fighting import begun, of, table

ROLL = {"actor": "mira", "attribute": "wits", "ability": "alertness"}
RESISTED = {
    "actor": "mira",
    "attribute": "strength",
    "ability": "brawl",
    "opponent": "ogre",
    "opponent_attribute": "strength",
}


# rolls


def test_a_roll_takes_the_action_of_the_round() -> None:
    fight = begun()
    fight.change("mira", wounds={"bashing": 2})
    fight.act("roll", [7, 2, 2], "mira", **ROLL)
    assert fight.request == {"roll": {"traits": {"attribute": 3, "ability": 1}, "health": "hurt"}}
    assert fight.effects == [("mira", "has_acted", True, "maneuver.one_action")]
    assert fight.refused("roll", **ROLL) == ["maneuver.one_action"]


def test_without_the_ability_the_attribute_alone() -> None:
    fight = begun("ogre")
    fight.act("roll", [2, 2], actor="ogre", attribute="dexterity")
    assert fight.request == {"roll": {"traits": {"attribute": 2}}}, "and armor does not hinder it"


def test_a_share_for_exactly_this_roll() -> None:
    fight = begun()
    shares = [
        {"for": "roll", "attribute": "wits", "ability": "alertness", "dice": 2},
        {"for": "block", "dice": 1},
    ]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    assert fight.refused("roll", actor="mira", attribute="wits") == ["maneuver.one_action"]
    fight.act("roll", [2, 2], **ROLL)
    assert fight.request["roll"]["allotted"] == 2
    assert [share["used"] for share in of(fight, "mira").turn.shares] == [True, False]


def test_players_roll_on_their_turn_and_the_game_master_at_any_time() -> None:
    fight = begun("ogre")
    for slug, body in (("roll", ROLL), ("resisted-roll", RESISTED)):
        assert fight.refused(slug, "mira", **body) == ["turn.order"]
        with pytest.raises(NotForYou):
            fight.act(slug, [], "ogre", **body)
    fight.act("roll", [2] * 4, **ROLL)
    assert of(fight, "mira").turn.has_acted is True
    table().act("roll", [2] * 4, **ROLL)


def test_a_reflexive_roll_takes_nothing() -> None:
    fight = begun()
    with pytest.raises(NotForYou):
        fight.act("roll", [], "mira", **ROLL, reflexive=True)
    fight.change("mira", has_acted=True)
    fight.act("roll", [2] * 4, **ROLL, reflexive=True)
    assert fight.effects == []
    fight.change("mira", wounds={"bashing": 7})
    assert fight.refused("roll", **ROLL, reflexive=True) == ["health.incapacitated"]
    assert fight.refused("roll", **ROLL) == ["health.incapacitated", "maneuver.one_action"]


def test_difficulty_and_modifiers_are_the_game_masters() -> None:
    fight = begun()
    for said in ({"difficulty": 4}, {"modifiers": [{"dice": 1}]}):
        with pytest.raises(NotForYou):
            fight.act("roll", [], "mira", **ROLL, **said)
    fight.act("roll", [2] * 5, **ROLL, difficulty=4, modifiers=[{"dice": 1}])
    assert (fight.outcome["difficulty"], fight.outcome["pool"]) == (4, 5)


def test_willpower_and_specialties() -> None:
    fight = begun()
    brawl = {"actor": "mira", "attribute": "strength", "ability": "brawl"}
    fight.act("roll", [10, 2, 2, 2, 7], "mira", **brawl, specialty=True, spend_willpower=True)
    assert fight.outcome["successes"] == 3
    assert of(fight, "mira").state.willpower.points == 2
    for said in (ROLL, {"actor": "mira", "attribute": "wits"}):
        with pytest.raises(Malformed) as raised:
            fight.act("roll", **said, specialty=True)
        assert raised.value.code == "no_specialty"


def test_a_resisted_roll_takes_the_action_of_the_one_who_acts() -> None:
    fight = begun()
    fight.act("resisted-roll", [7, 2, 2, 2] + [2] * 4, "mira", **RESISTED)
    assert fight.request == {
        "actor": {"traits": {"attribute": 2, "ability": 2}},
        "opponent": {"traits": {"attribute": 4}},
    }
    assert fight.outcome["result"] == "actor"
    assert (of(fight, "mira").turn.has_acted, of(fight, "ogre").turn.has_acted) == (True, False)


def test_willpower_of_both_sides() -> None:
    fight = begun()
    points: dict[str, Any] = {**RESISTED, "spend_willpower": True, "resisting": {"spend_willpower": True}}
    with pytest.raises(NotForYou):
        fight.act("resisted-roll", [], "mira", **points)
    fight.act("resisted-roll", [2] * 8, **points)
    assert (of(fight, "mira").state.willpower.points, of(fight, "ogre").state.willpower.points) == (2, 0)
    assert fight.refused("resisted-roll", **points) == [
        "maneuver.one_action",
        "willpower.one_a_round",
        "willpower.no_points",
    ]


def test_who_has_no_dice_to_resist_with_spends_nothing() -> None:
    fight = begun()
    fight.change("ogre", wounds={"lethal": 7})
    fight.act("resisted-roll", [2] * 4, **RESISTED, resisting={"spend_willpower": True})
    assert fight.outcome["opponent"]["result"] == "no_dice"
    assert of(fight, "ogre").state.willpower.points == 1


def test_what_is_said_of_the_one_who_resists() -> None:
    fight = begun()
    with pytest.raises(NotForYou):
        fight.act("resisted-roll", [], "mira", **RESISTED, resisting={"difficulty": 5})
    for said, field in (
        ({"opponent": "mira"}, "opponent"),
        ({"resisting": {"specialty": True}}, "resisting/specialty"),
    ):
        with pytest.raises(Malformed) as raised:
            fight.act("resisted-roll", **{**RESISTED, **said})
        assert raised.value.field == field
    fight.act("resisted-roll", [2] * 8, **RESISTED, resisting={"difficulty": 5})
    assert fight.request["opponent"]["difficulty"] == 5


# positions


def test_a_position_is_taken_on_ones_turn_without_an_action() -> None:
    fight = begun()
    fight.act("take-position", [], "mira", actor="mira", cover="good", prone=True)
    assert fight.effects == [("mira", "cover", "good", None), ("mira", "prone", True, None)]
    fight.act("take-position", [], "mira", actor="mira", prone=False)
    assert (of(fight, "mira").state.cover, of(fight, "mira").state.prone) == ("good", False)
    assert fight.refused("take-position", "ogre", actor="ogre", cover="none") == ["turn.order"]
    with pytest.raises(NotForYou):
        fight.act("take-position", [], "ogre", actor="mira", cover="none")
    with pytest.raises(Malformations):
        fight.act("take-position", actor="mira")
    fight.change("mira", wounds={"lethal": 7})
    assert fight.refused("take-position", actor="mira", cover="none") == ["health.incapacitated"]


# damage


def test_damage_goes_through_soak_and_armor() -> None:
    fight = table()
    fight.act("damage", [2] * 4 + [7, 7, 2], target="ogre", damage_pool=3, type="lethal")
    assert fight.request == {
        "damage_pool": 3,
        "type": "lethal",
        "body": {"nature": "supernatural", "stamina": 3, "aggravated_soak": 1, "armor": 1, "wounds": {}},
    }
    assert fight.effects == [
        ("ogre", "armor", {"rating": 0, "penalty": 0}, "armor.destroyed"),
        ("ogre", "wounds", {"bashing": 0, "lethal": 2, "aggravated": 0}, "health.track"),
    ]


def test_damage_as_it_is_said() -> None:
    fight = table()
    said = {
        "strength": 2,
        "bonus": 1,
        "type": "lethal",
        "net_successes": 2,
        "targeting": {"size": "small", "bypass": "armor"},
        "damage_modifiers": [{"dice": -1}],
    }
    fight.act("damage", [2] * 4, target="mira", **said)
    assert {name: fight.request[name] for name in said} == said
    assert fight.effects == []


def test_damage_fells() -> None:
    fight = begun()
    fight.change("mira", wounds={"bashing": 6})
    fight.act("damage", [7], target="mira", damage_pool=1, type="lethal")
    assert ("mira", "status", "unconscious", "health.track") in fight.effects


@pytest.mark.parametrize("said", [{}, {"damage_pool": 1, "strength": 1}, {"damage_pool": 1, "bonus": 1}])
def test_damage_that_is_none(said: dict[str, int]) -> None:
    with pytest.raises(Malformations):
        table().act("damage", target="mira", type="lethal", **said)

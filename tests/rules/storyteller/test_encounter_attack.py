"""Attacks in a fight: what a request takes from sheets and state, what it costs, and what it leaves behind."""

from typing import Any

import pytest

from rules.core.encounter import NotAllowed, NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import MIRA, begun, of, table

STRIKE = {"actor": "mira", "target": "ogre", "maneuver": "strike"}
SHOT = {"actor": "hunter", "target": "mira", "maneuver": "shot"}


def missed(fight: Table, dice: int, /, **body: Any) -> None:
    """An attack of so many dice that all fail."""
    fight.act("attack", [2] * dice, **body)


# what a request takes from the fight


def test_a_request_is_made_of_sheets_and_state() -> None:
    fight = begun()
    fight.change("ogre", wounds={"bashing": 1}, cover="light", wielded="axe")
    fight.act("attack", [2] * 5, "mira", **STRIKE)
    assert fight.request == {
        "maneuver": "strike",
        "attacker": {
            "roll": {"traits": MIRA["traits"]},
            "strength": 2,
            "body": {"nature": "mortal", "stamina": 2, "wounds": {}},
        },
        "cover": "light",
        "defender": {
            "weapon": {"preset": "axe"},
            "strength": 4,
            "body": {
                "nature": "supernatural",
                "stamina": 3,
                "aggravated_soak": 1,
                "armor": 1,
                "wounds": {"bashing": 1},
            },
        },
    }


def test_wounds_armor_and_the_weapon_in_hand_are_the_attackers() -> None:
    fight = begun("ogre")
    fight.change("ogre", wounds={"lethal": 2}, wielded="axe")
    missed(fight, 2, actor="ogre", target="mira", maneuver="weapon_strike")
    attacker = fight.request["attacker"]
    assert (attacker["roll"]["health"], attacker["roll"]["armor_penalty"]) == ("hurt", 1)
    assert attacker["weapon"] == {"preset": "axe"}
    assert fight.outcome["attack"]["pool"] == 2


def test_a_weapon_that_is_named_is_in_hand_from_then_on() -> None:
    fight = begun("ogre")
    missed(fight, 3, actor="ogre", target="mira", maneuver="weapon_strike", weapon="claws")
    assert fight.request["attacker"]["weapon"] == {
        "class": "close",
        "damage_base": "strength",
        "damage_dice": 1,
        "damage_type": "lethal",
    }
    assert of(fight, "ogre").state.wielded == "claws"


def test_the_weapon_has_to_be_there_and_to_fit() -> None:
    fight = begun("ogre")
    cut = {"actor": "ogre", "target": "mira", "maneuver": "weapon_strike"}
    assert fight.refused("attack", **cut) == "no_weapon_in_hand"
    assert fight.refused("attack", **cut, weapon="sword") == "no_such_weapon"
    assert fight.refused("announce", **cut) == "no_weapon_in_hand"
    fight = begun()
    with pytest.raises(Malformed) as raised:
        fight.act("attack", **{**STRIKE, "maneuver": "weapon_strike", "weapon": "pistol"})
    assert (raised.value.field, raised.value.code) == ("weapon", "weapon_class")


def test_what_no_maneuver_uses_is_not_drawn() -> None:
    fight = begun()
    missed(fight, 5, **STRIKE, weapon="pistol")
    assert "weapon" not in fight.request["attacker"]
    assert of(fight, "mira").state.wielded == "knife"


def test_a_disarm_uses_the_close_weapon_in_hand_or_none() -> None:
    fight = begun()
    fight.change("ogre", wielded="axe")
    disarm = {**STRIKE, "maneuver": "disarm"}
    missed(fight, 4, **disarm)
    assert fight.request["attacker"]["weapon"] == {"preset": "knife"}
    fight.change("mira", wielded="pistol", has_acted=False)
    missed(fight, 5, **disarm)
    assert "weapon" not in fight.request["attacker"]
    assert of(fight, "mira").state.wielded == "pistol"


def test_aim_and_position_are_the_players_to_say() -> None:
    fight = begun()
    fight.act("attack", [2] * 6, "mira", **STRIKE, position="flank", targeting={"size": "small"}, specialty=True)
    assert (fight.request["position"], fight.request["targeting"]) == ("flank", {"size": "small"})
    assert fight.request["attacker"]["roll"]["specialty"] is True


@pytest.mark.parametrize(
    ("state", "cover"),
    [
        ({}, None),
        ({"cover": "good"}, "good"),
        ({"prone": True}, "light"),
        ({"prone": True, "cover": "superior"}, "superior"),
    ],
)
def test_cover_is_that_of_the_state_and_light_on_the_ground(state: dict[str, Any], cover: str | None) -> None:
    fight = begun("hunter")
    fight.change("mira", **state)
    fight.change("hunter", **state)
    missed(fight, 6, **SHOT)
    assert (fight.request.get("cover"), fight.request["attacker"].get("cover")) == (cover, cover)


def test_what_the_attacker_sees_is_kept() -> None:
    fight = begun("hunter")
    fight.change("hunter", visibility="partly_blinded")
    assert fight.refused("attack", **SHOT) == ["blind.no_shooting"]
    missed(fight, 6, **SHOT, sight="clear")
    assert "visibility" not in fight.request


def test_foes_are_counted_in_close_attacks_only() -> None:
    fight = begun("hunter")
    missed(fight, 6, **SHOT)
    assert (of(fight, "mira").turn.foes, of(fight, "hunter").turn.foes) == ([], [])
    fight.change("hunter", has_acted=False)
    missed(fight, 4, actor="hunter", target="mira", maneuver="strike")
    assert (of(fight, "mira").turn.foes, of(fight, "hunter").turn.foes) == (["hunter"], ["mira"])
    fight.end_turn()
    missed(fight, 5, **STRIKE)
    assert fight.request["attacker"]["opponents"] == 2
    assert of(fight, "mira").turn.foes == ["hunter", "ogre"]
    fight.change("mira", has_acted=False)
    missed(fight, 3, **{**STRIKE, "maneuver": "shot", "weapon": "pistol"})
    assert "opponents" not in fight.request["attacker"]


def test_both_are_in_the_fight() -> None:
    fight = begun("hunter")
    missed(fight, 6, **SHOT)
    assert [of(fight, each).state.engaged for each in ("mira", "ogre", "hunter")] == [True, False, True]


def test_the_house_rules_of_the_fight_hold() -> None:
    fight = begun(targeting="shots_only")
    assert fight.refused("attack", **STRIKE, targeting={"size": "small"}) == ["targeting.shots_only"]
    missed(fight, 5, **STRIKE)
    assert fight.request["options"] == {"targeting": "shots_only"}


# who, and when


def test_only_on_ones_own_turn() -> None:
    fight = begun("ogre")
    assert fight.refused("attack", "mira", **STRIKE) == ["turn.order"]
    assert fight.refused("attack", **STRIKE) == ["turn.order"]
    assert fight.refused("announce", "mira", **STRIKE) == ["turn.order"]
    assert table().refused("attack", **STRIKE) == ["turn.order"]


def test_only_once_a_round() -> None:
    fight = begun()
    missed(fight, 5, **STRIKE)
    assert ("mira", "has_acted", True, "maneuver.one_action") in fight.effects
    assert fight.refused("attack", **STRIKE) == ["maneuver.one_action"]
    assert fight.refused("announce", **STRIKE) == ["maneuver.one_action"]


def test_a_refused_attack_tells_every_refusal() -> None:
    fight = begun()
    fight.change("mira", has_acted=True, wounds={"lethal": 6}, willpower={"rating": 1, "points": 0})
    refused = fight.refused("attack", **{**STRIKE, "maneuver": "weapon_strike"}, spend_willpower=True)
    assert refused == ["maneuver.one_action", "willpower.no_points", "pool.empty"]


def test_only_for_oneself_and_on_another() -> None:
    fight = begun()
    for slug in ("attack", "announce"):
        with pytest.raises(NotForYou):
            fight.act(slug, [], "ogre", **STRIKE)
        with pytest.raises(Malformed) as raised:
            fight.act(slug, **{**STRIKE, "target": "mira"})
        assert (raised.value.field, raised.value.code) == ("target", "not_oneself")
        with pytest.raises(NotAllowed) as unknown:
            fight.act(slug, **{**STRIKE, "target": "nobody"})
        assert unknown.value.code == "no_such_combatant"


@pytest.mark.parametrize(
    "body",
    [
        {"modifiers": [{"dice": 1}]},
        {"difficulty": 5},
        {"damage_modifiers": [{"dice": 1}]},
        {"opponents": 2},
        {"sight": "clear"},
        {"awareness": "unaware"},
        {"room": "cramped"},
        {"cover": "good"},
        {"maneuver": "disarm", "backfire": "struck"},
        {"maneuver": "custom", "custom": {"range": "close", "armed": False, "damage_base": "none"}},
    ],
    ids="_".join,
)
def test_the_circumstances_are_the_game_masters(body: dict[str, Any]) -> None:
    fight = begun()
    for slug in ("attack", "announce"):
        with pytest.raises(NotForYou) as raised:
            fight.act(slug, [], "mira", **{**STRIKE, **body})
        assert raised.value.facts["field"] in body
    fight.change("ogre", wielded="axe")
    fight.act("announce", **{**STRIKE, **body})


def test_what_the_game_master_says_goes_into_the_request() -> None:
    fight = begun("hunter")
    fight.change("mira", cover="superior")
    fight.act("defend", actor="mira", maneuver="dodge")
    said = {
        "difficulty": 5,
        "modifiers": [{"label": "wind", "dice": -1}],
        "damage_modifiers": [{"dice": 2}],
        "opponents": 3,
        "awareness": "unaware",
        "cover": "light",
        "room": "cramped",
    }
    fight.act("attack", [2] * 5 + [2] * 5, **SHOT, **said)
    roll = fight.request["attacker"]["roll"]
    assert (roll["difficulty"], roll["modifiers"]) == (5, [{"label": "wind", "dice": -1}])
    assert (fight.request["attacker"]["damage_modifiers"], fight.request["attacker"]["opponents"]) == ([{"dice": 2}], 3)
    assert (fight.request["cover"], fight.request["defender"]["awareness"]) == ("light", "unaware")
    assert fight.request["defender"]["defense"]["room"] == "cramped"
    assert of(fight, "mira").state.prone is True


def test_a_maneuver_of_ones_own() -> None:
    fight = begun()
    custom = {"range": "close", "armed": False, "attribute": "strength", "damage_base": "fixed", "damage_dice": 1}
    missed(fight, 4, **{**STRIKE, "maneuver": "custom"}, custom=custom)
    assert fight.request["custom"] == custom
    fight.change("mira", has_acted=False)
    shares = [
        {"for": "attack", "maneuver": "custom", "attribute": "strength", "ability": "brawl", "dice": 1},
        {"for": "block", "dice": 1},
    ]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    missed(fight, 1, **{**STRIKE, "maneuver": "custom"}, custom=custom)
    fight = begun()
    shares = [{"for": "attack", "maneuver": "custom", "dice": 1}, {"for": "block", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    assert fight.request["actions"][0] == {"label": "attack", "dice": 1, "attribute": 3, "ability": 2}
    missed(fight, 1, **{**STRIKE, "maneuver": "custom"}, custom={**custom, "attribute": "dexterity"})
    for slug in ("attack", "announce"):
        with pytest.raises((Malformed, Malformations)):
            fight.act(slug, **{**STRIKE, "maneuver": "custom"})


# announcing


@pytest.mark.parametrize(
    "announced",
    [
        {"maneuver": "custom", "custom": {"range": "close", "armed": False, "damage_base": "none"}},
        {"maneuver": "disarm", "backfire": "struck", "weapon": "knife"},
        {"maneuver": "weapon_strike", "weapon": "knife"},
    ],
)
def test_another_maneuver_than_was_announced_is_made_without_what_that_one_needs(announced: dict[str, Any]) -> None:
    fight = begun()
    fight.act("announce", **{**STRIKE, **announced}, position="flank")
    fight.act("attack", [2] * 6, actor="mira", maneuver="kick")
    assert fight.request["maneuver"] == "kick"
    assert fight.request["position"] == "flank"
    assert {"custom", "backfire"}.isdisjoint(fight.request)


def test_what_was_announced_is_rolled_later() -> None:
    fight = begun()
    fight.act("announce", [], "mira", **STRIKE, position="rear", specialty=True)
    assert fight.effects[0][:2] == ("mira", "announced")
    fight.act("attack", [2] * 7, "mira", actor="mira")
    assert (fight.request["maneuver"], fight.request["position"]) == ("strike", "rear")
    assert fight.request["attacker"]["roll"]["specialty"] is True
    assert of(fight, "mira").turn.announced is None


def test_what_is_said_later_holds() -> None:
    fight = begun()
    fight.act("announce", **STRIKE, position="rear")
    fight.act("attack", [2] * 6, actor="mira", maneuver="kick", position="flank")
    assert (fight.request["maneuver"], fight.request["position"]) == ("kick", "flank")


def test_the_game_master_announces_circumstances_that_the_player_rolls_under() -> None:
    fight = begun()
    fight.act("announce", **STRIKE, difficulty=4)
    fight.act("attack", [2] * 5, "mira", actor="mira")
    assert fight.request["attacker"]["roll"]["difficulty"] == 4


def test_an_announcement_ends_with_the_turn() -> None:
    fight = begun()
    assert fight.refused("attack", actor="mira", maneuver="strike") == "nothing_announced"
    fight.act("announce", **STRIKE)
    fight.end_turn()
    assert of(fight, "mira").turn.announced is None


def test_nobody_announces_what_cannot_be() -> None:
    fight = begun()
    fight.change("mira", willpower={"rating": 5, "points": 0})
    assert fight.refused("announce", **STRIKE, spend_willpower=True) == ["willpower.no_points"]
    fight.change("mira", wounds={"lethal": 7})
    assert fight.refused("announce", **STRIKE) == ["health.incapacitated"]


# Willpower and specialties


def test_a_point_is_spent_for_a_success_once_a_round() -> None:
    fight = begun()
    fight.act("attack", [2] * 5 + [2] * 4 + [2] * 2, **STRIKE, spend_willpower=True)
    assert ("mira", "willpower", {"rating": 5, "points": 2}, "roll.willpower") in fight.effects
    assert ("mira", "willpower_spent", True, "willpower.one_a_round") in fight.effects
    fight.change("mira", has_acted=False)
    assert fight.refused("attack", **STRIKE, spend_willpower=True) == ["willpower.one_a_round"]


def test_no_point_is_left() -> None:
    fight = begun("hunter")
    assert fight.refused("attack", **SHOT, spend_willpower=True) == ["willpower.no_points"]


def test_a_specialty_has_to_be_in_the_ability_of_the_roll() -> None:
    fight = begun()
    for slug in ("attack", "announce"):
        with pytest.raises(Malformed) as raised:
            fight.act(slug, **{**STRIKE, "maneuver": "weapon_strike"}, specialty=True)
        assert (raised.value.field, raised.value.code) == ("specialty", "no_specialty")

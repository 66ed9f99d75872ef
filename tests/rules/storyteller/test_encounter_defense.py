"""Readied defenses: when one may ready them, what they take, and what becomes of those that are forbidden."""

from typing import Any

import pytest

from rules.core.encounter import NotAllowed, NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import MIRA, OGRE, begun, clinch, hold, of

SHARES = [{"for": "dodge", "dice": 2}, {"for": "attack", "maneuver": "strike", "dice": 3}]


def strike(fight: Table, defense: int, actor: str = "ogre") -> None:
    """A strike at Mira that fails, with so many dice of her defense that fail too."""
    fight.change(actor, has_acted=False)
    fight.act(
        "attack", [2] * {"ogre": 3, "hunter": 4}[actor] + [2] * defense, actor=actor, target="mira", maneuver="strike"
    )


# readying


def test_a_defense_is_kept_until_it_is_used() -> None:
    fight = begun("ogre")
    fight.act("defend", [], "mira", actor="mira", maneuver="dodge", refuge="good", specialty=True)
    assert [effect[:2] for effect in fight.effects] == [("mira", "readied_defense")]
    strike(fight, 5)
    assert fight.request["defender"]["defense"] == {
        "maneuver": "dodge",
        "roll": {"traits": MIRA["traits"], "specialty": True},
        "refuge": "good",
    }
    assert of(fight, "mira").turn.readied_defense is None
    strike(fight, 0)
    assert "defense" not in fight.request["defender"]


def test_a_new_one_replaces_it() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="dodge")
    fight.act("defend", actor="mira", maneuver="block")
    strike(fight, 5)
    assert fight.outcome["defense"]["maneuver"] == "block"


def test_a_defense_against_one_waits_for_that_one() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block", against="hunter")
    strike(fight, 0)
    assert of(fight, "mira").turn.readied_defense is not None
    fight.end_turn()
    fight.end_turn()
    strike(fight, 5, "hunter")
    assert of(fight, "mira").turn.readied_defense is None


def test_it_takes_the_one_action() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block")
    strike(fight, 5)
    assert ("mira", "has_acted", True, "maneuver.one_action") in fight.effects
    assert ("mira", "defenses_made", 1, "defense.roll") in fight.effects
    assert fight.refused("defend", actor="mira", maneuver="block") == ["defense.no_action"]


def test_a_declared_action_has_to_be_aborted_first() -> None:
    fight = begun("ogre")
    fight.act("declare", actor="mira", kind="action")
    assert fight.refused("defend", actor="mira", maneuver="block") == ["defense.no_action"]
    fight.act("abort-to-defense", actor="mira", method="spend")
    fight.act("defend", actor="mira", maneuver="block")
    strike(fight, 5)
    assert "mode" not in fight.request["defender"]["defense"]
    assert of(fight, "mira").turn.has_acted is True


def test_who_only_defends_has_a_die_less_each_time() -> None:
    fight = begun("ogre")
    fight.act("declare", actor="mira", kind="full_defense")
    for earlier in range(5):
        fight.act("defend", actor="mira", maneuver="dodge")
        strike(fight, 5 - earlier)
        assert fight.request["defender"]["defense"]["mode"] == "full_round"
        assert fight.request["defender"]["defense"].get("earlier_defenses", 0) == earlier
    assert of(fight, "mira").turn.defenses_made == 5
    assert of(fight, "mira").turn.has_acted is False
    fight.act("defend", actor="mira", maneuver="dodge")
    strike(fight, 0)
    assert fight.steps == [("defense.exhausted", None)]
    assert of(fight, "mira").turn.readied_defense is not None


def test_a_share_of_a_multiple_action_is_for_its_maneuver() -> None:
    fight = begun("ogre")
    fight.act("declare", actor="mira", kind="multiple", shares=SHARES)
    assert fight.refused("defend", actor="mira", maneuver="block") == ["defense.no_action"]
    fight.act("defend", actor="mira", maneuver="dodge")
    strike(fight, 2)
    assert fight.request["defender"]["defense"]["mode"] == "multiple"
    assert fight.request["defender"]["defense"]["roll"]["allotted"] == 2
    assert [share["used"] for share in of(fight, "mira").turn.shares] == [True, False]
    assert fight.refused("defend", actor="mira", maneuver="dodge") == ["defense.no_action"]


def test_foes_make_a_defense_harder() -> None:
    fight = begun("ogre")
    strike(fight, 0)
    fight.end_turn()
    fight.end_turn()
    fight.act("defend", actor="mira", maneuver="block")
    strike(fight, 5, "hunter")
    assert fight.request["defender"]["defense"]["opponents"] == 2
    assert fight.outcome["defense"]["difficulty"] == 7


def test_a_parry_is_made_with_the_weapon_in_hand_or_another() -> None:
    fight = begun()
    fight.act("defend", actor="ogre", maneuver="parry", weapon="claws")
    fight.act("attack", [2] * 4 + [2] * 3, actor="mira", target="ogre", maneuver="weapon_strike")
    assert fight.request["defender"]["weapon"]["damage_dice"] == 1
    assert of(fight, "ogre").state.wielded == "claws"


def test_a_weapon_that_is_gone_leaves_the_one_in_hand() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="parry", weapon="knife")
    fight.change("mira", weapons=[{"id": "club", "name": "Club", "preset": "club"}])
    fight.change("mira", wielded="club")
    strike(fight, 4)
    assert fight.request["defender"]["weapon"] == {"preset": "club"}
    assert of(fight, "mira").state.wielded == "club"


def test_a_point_is_spent_when_it_is_rolled() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block", spend_willpower=True)
    assert of(fight, "mira").state.willpower.points == 3
    strike(fight, 5)
    assert of(fight, "mira").state.willpower.points == 2
    assert fight.refused("roll", actor="mira", attribute="wits", reflexive=True, spend_willpower=True) == [
        "willpower.one_a_round"
    ]


def test_a_point_that_is_gone_is_left_out() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block", spend_willpower=True)
    fight.change("mira", willpower={"rating": 5, "points": 0}, specialties=[])
    assert fight.refused("defend", actor="mira", maneuver="block", spend_willpower=True) == ["willpower.no_points"]
    strike(fight, 5)
    assert "spend_willpower" not in fight.request["defender"]["defense"]["roll"]


def test_a_specialty_that_is_gone_is_left_out() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block", specialty=True)
    fight.change("mira", specialties=[])
    strike(fight, 5)
    assert "specialty" not in fight.request["defender"]["defense"]["roll"]
    with pytest.raises(Malformed) as raised:
        fight.act("defend", actor="hunter", maneuver="block", specialty=True)
    assert raised.value.code == "no_specialty"


# where a dodge under fire ends


@pytest.mark.parametrize(("refuge", "cover", "prone"), [("light", "light", False), ("ground", "none", True)])
def test_a_dodge_under_fire_ends_where_it_means_to(refuge: str, cover: str, prone: bool) -> None:
    fight = begun("hunter")
    fight.act("defend", actor="mira", maneuver="dodge", refuge=refuge)
    fight.act("attack", [2] * 6 + [2] * 5, actor="hunter", target="mira", maneuver="shot")
    assert (of(fight, "mira").state.cover, of(fight, "mira").state.prone) == (cover, prone)
    assert fight.effects[-1][3] == "dodge.refuge"
    assert of(fight, "mira").covered == "light"


def test_the_game_master_says_how_much_room_there_is() -> None:
    fight = begun("hunter")
    said = {"room": "cramped", "opponents": 3, "difficulty": 5, "modifiers": [{"dice": 1}]}
    fight.act("defend", actor="mira", maneuver="dodge", **said)
    fight.act("attack", [2] * 6 + [2] * 6, actor="hunter", target="mira", maneuver="shot")
    assert of(fight, "mira").state.prone is True
    defense = fight.request["defender"]["defense"]
    assert (defense["opponents"], defense["roll"]["difficulty"], defense["roll"]["modifiers"]) == (3, 5, [{"dice": 1}])


# who


@pytest.mark.parametrize("said", [{"room": "open"}, {"opponents": 2}, {"difficulty": 5}, {"modifiers": [{"dice": 1}]}])
def test_the_circumstances_are_the_game_masters(said: dict[str, Any]) -> None:
    with pytest.raises(NotForYou):
        begun().act("defend", [], "mira", actor="mira", maneuver="dodge", **said)


def test_only_for_oneself_and_against_another() -> None:
    fight = begun()
    with pytest.raises(NotForYou):
        fight.act("defend", [], "ogre", actor="mira", maneuver="dodge")
    with pytest.raises(Malformed):
        fight.act("defend", actor="mira", maneuver="dodge", against="mira")
    with pytest.raises(NotAllowed):
        fight.act("defend", actor="mira", maneuver="dodge", against="nobody")
    assert fight.refused("defend", actor="mira", maneuver="parry", weapon="axe") == "no_such_weapon"


@pytest.mark.parametrize(
    "said",
    [
        {"maneuver": "block", "refuge": "light"},
        {"maneuver": "parry", "room": "open"},
        {"maneuver": "dodge", "weapon": "knife"},
    ],
)
def test_each_maneuver_has_its_own_fields(said: dict[str, Any]) -> None:
    with pytest.raises(Malformations):
        begun().act("defend", actor="mira", **said)


def test_the_bound_and_the_fallen_ready_nothing() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="dodge", against="hunter")
    hold(fight)
    assert of(fight, "mira").turn.readied_defense is None
    assert fight.refused("defend", actor="mira", maneuver="dodge") == ["hold.immobile"]
    fight.change("mira", free=True)
    fight.change("ogre", has_acted=False)
    fight.act("defend", actor="ogre", maneuver="block", against="hunter")
    clinch(fight)
    assert of(fight, "ogre").turn.readied_defense is None
    assert fight.refused("defend", actor="ogre", maneuver="dodge") == ["clinch.no_other", "defense.no_action"]
    fight.change("hunter", wounds={"lethal": 7})
    assert fight.refused("defend", actor="hunter", maneuver="dodge") == ["health.incapacitated"]


# what is forbidden


def test_a_forbidden_defense_is_not_used_up_and_the_attack_goes_on() -> None:
    fight = begun("hunter")
    fight.act("defend", actor="mira", maneuver="block")
    fight.act("attack", [8] + [2] * 5 + [7] + [2] * 7, actor="hunter", target="mira", maneuver="shot")
    assert fight.steps == [("block.close_only", None), ("block.unsoakable", None)]
    assert "defense" not in fight.request["defender"]
    assert fight.outcome["health_levels"] == 1
    mira = of(fight, "mira").turn
    assert (mira.readied_defense is not None, mira.has_acted, mira.defenses_made) == (True, False, 0)


@pytest.mark.parametrize(
    ("maneuver", "said", "refused"),
    [
        ("block", {"awareness": "ambushed"}, ["ambush.no_defense"]),
        ("block", {"awareness": "unaware"}, ["defense.unaware"]),
        ("dodge", {"room": "cramped"}, ["dodge.no_room"]),
    ],
)
def test_what_forbids_it_stands_in_the_steps(maneuver: str, said: dict[str, Any], refused: list[str]) -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver=maneuver)
    fight.act("attack", [2] * 3, actor="ogre", target="mira", maneuver="strike", **said)
    assert fight.steps == [(each, None) for each in refused]


def test_a_parry_needs_a_weapon_and_a_pool_dice() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="parry")
    fight.change("mira", empty_handed=True, traits={**MIRA["traits"], "dexterity": 0, "melee": 0})
    strike(fight, 0)
    assert fight.steps == [("parry.no_weapon", None), ("pool.empty", None)]


def test_the_fallen_do_not_defend() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="block")
    fight.change("mira", wounds={"bashing": 7})
    strike(fight, 0)
    assert fight.steps == [("health.incapacitated", None)]


def test_an_action_that_was_used_since_is_there_no_more() -> None:
    fight = begun("mira")
    fight.act("defend", actor="mira", maneuver="block")
    fight.act("attack", [2] * 5, actor="mira", target="ogre", maneuver="strike")
    fight.end_turn()
    strike(fight, 0)
    assert fight.steps == [("defense.no_action", None)]


@pytest.mark.parametrize(
    ("declared", "dice"), [({"kind": "full_defense"}, 5), ({"kind": "multiple", "shares": SHARES}, 2)]
)
def test_a_round_of_defending_and_a_share_outlast_the_action(declared: dict[str, Any], dice: int) -> None:
    fight = begun("ogre")
    fight.act("declare", actor="mira", **declared)
    fight.change("mira", has_acted=True)
    fight.act("defend", actor="mira", maneuver="dodge")
    strike(fight, dice)
    assert fight.request["defender"]["defense"]["maneuver"] == "dodge"


def test_a_weapon_that_was_lost_does_not_parry() -> None:
    fight = begun("ogre", disarm_compare="attack_successes")
    fight.change("ogre", wielded="axe")
    fight.act("defend", actor="mira", maneuver="parry", weapon="knife", against="hunter")
    fight.act("attack", [8, 8, 8], actor="ogre", target="mira", maneuver="disarm")
    assert of(fight, "mira").state.dropped == ["knife"]
    assert fight.refused("defend", actor="mira", maneuver="parry", weapon="knife") == "weapon_lost"
    fight.end_turn()
    fight.end_turn()
    strike(fight, 0, "hunter")
    assert fight.steps == [("parry.no_weapon", None)]


def test_a_refused_attack_leaves_no_steps_and_no_change() -> None:
    fight = begun("hunter")
    fight.act("defend", actor="mira", maneuver="block")
    fight.change("hunter", has_acted=True)
    assert fight.refused("attack", actor="hunter", target="mira", maneuver="shot") == ["maneuver.one_action"]
    assert OGRE["armor"]["rating"] == of(fight, "ogre").state.armor.rating

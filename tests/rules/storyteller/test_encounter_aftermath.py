"""What an attack leaves behind: wounds, armor, weapons, and what becomes of those who are bound."""

from typing import Any

from tests.rules.fights import Table
from tests.rules.storyteller.fighting import OGRE, begun, hold, of

STRIKE = {"actor": "mira", "target": "ogre", "maneuver": "strike"}
SHOT = {"actor": "hunter", "target": "mira", "maneuver": "shot"}


def missed(fight: Table, dice: int, /, **body: Any) -> None:
    """An attack of so many dice that all fail."""
    fight.act("attack", [2] * dice, **body)


def test_damage_fills_the_track_and_destroys_armor() -> None:
    fight = begun()
    fight.act("attack", [7, 7, 2, 2] + [2] * 4 + [7] * 2 + [2] * 2, **{**STRIKE, "maneuver": "weapon_strike"})
    assert ("ogre", "wounds", {"bashing": 0, "lethal": 2, "aggravated": 0}, "health.track") in fight.effects
    assert ("ogre", "armor", {"rating": 0, "penalty": 0}, "armor.destroyed") in fight.effects
    fight.end_turn()
    missed(fight, 3, actor="ogre", target="mira", maneuver="strike")
    assert "armor_penalty" not in fight.request["attacker"]["roll"]
    assert "armor" not in fight.request["attacker"]["body"]


def test_the_dead_stay_dead() -> None:
    fight = begun()
    fight.change("hunter", wounds={"lethal": 7})
    fight.act("damage", [7], target="hunter", damage_pool=1, type="lethal")
    assert ("hunter", "status", "dead", "health.track") in fight.effects
    fight.act("attack", [7, 2, 2, 2, 2] + [2] * 2 + [2] * 2, **{**STRIKE, "target": "hunter"})
    assert of(fight, "hunter").state.status == "dead"


def test_a_disarmed_fighter_keeps_the_weapon_on_the_sheet() -> None:
    fight = begun(disarm_compare="attack_successes")
    fight.change("ogre", wielded="axe", traits={**OGRE["traits"], "strength": 1})
    fight.act("attack", [8, 8, 2, 2], **{**STRIKE, "maneuver": "disarm"})
    assert ("ogre", "wielded", None, "disarm.disarmed") in fight.effects
    assert ("ogre", "dropped", ["axe"], "disarm.disarmed") in fight.effects
    assert of(fight, "ogre").sheet.weapon("axe") is not None
    fight.change("mira", has_acted=False)
    assert fight.refused("attack", **{**STRIKE, "maneuver": "disarm"}) == ["disarm.no_weapon"]


def test_a_disarm_that_fails_costs_the_own_weapon() -> None:
    fight = begun()
    fight.change("ogre", wielded="axe")
    missed(fight, 4, **{**STRIKE, "maneuver": "disarm"}, backfire="drop_weapon")
    assert ("mira", "wielded", None, "disarm.backfire") in fight.effects
    assert of(fight, "mira").state.dropped == ["knife"]


def test_what_was_lost_is_given_back_by_the_game_master_alone() -> None:
    fight = begun()
    fight.change("ogre", wielded="axe")
    missed(fight, 4, **{**STRIKE, "maneuver": "disarm"}, backfire="drop_weapon")
    fight.change("mira", has_acted=False)
    cut = {**STRIKE, "maneuver": "weapon_strike"}
    assert fight.refused("attack", **cut) == "no_weapon_in_hand"
    assert fight.refused("attack", **cut, weapon="knife") == "weapon_lost"
    assert fight.refused("announce", **cut, weapon="knife") == "weapon_lost"
    fight.change("mira", armor={"rating": 0, "penalty": 0})
    assert of(fight, "mira").state.dropped == ["knife"]
    fight.change("mira", wielded="knife")
    assert of(fight, "mira").state.dropped == []
    missed(fight, 4, **cut)


def test_other_weapons_at_hand_have_not_been_lost() -> None:
    fight = begun()
    fight.change("ogre", wielded="axe")
    missed(fight, 4, **{**STRIKE, "maneuver": "disarm"}, backfire="drop_weapon")
    fight.change("mira", weapons=[{"id": "knife", "name": "Another knife", "preset": "knife"}])
    assert of(fight, "mira").state.dropped == []


def test_a_disarm_that_fails_costs_a_blow() -> None:
    fight = begun()
    fight.change("ogre", wielded="axe")
    fight.act("attack", [2] * 4 + [6, 6] + [2] * 5, **{**STRIKE, "maneuver": "disarm"}, backfire="struck")
    assert ("mira", "wounds", {"bashing": 0, "lethal": 2, "aggravated": 0}, "health.track") in fight.effects


def test_a_parry_wounds_the_bare_hand() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="mira", maneuver="parry")
    fight.act(
        "attack", [2] * 3 + [7, 7, 2, 2] + [2] * 4 + [7] + [2] * 4, actor="ogre", target="mira", maneuver="strike"
    )
    assert ("ogre", "wounds", {"bashing": 0, "lethal": 1, "aggravated": 0}, "health.track") in fight.effects


def test_who_holds_lets_go_before_an_attack() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.change("ogre", has_acted=False)
    fight.act("defend", actor="hunter", maneuver="block")
    missed(fight, 3, actor="ogre", target="mira", maneuver="strike")
    assert (of(fight, "ogre").state.grapple, of(fight, "mira").state.grapple) == (None, None)
    assert "condition" not in fight.request["defender"]


def test_the_bound_are_attacked_as_such_and_do_not_attack() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.end_turn()
    assert fight.refused("attack", **STRIKE) == ["hold.immobile"]
    assert fight.refused("announce", **STRIKE) == ["hold.immobile"]
    fight.end_turn()
    missed(fight, 6, **SHOT)
    assert fight.request["defender"]["condition"] == "held"


def test_the_fallen_do_not_attack() -> None:
    fight = begun()
    fight.change("mira", wounds={"bashing": 7})
    assert fight.refused("attack", **STRIKE) == ["health.incapacitated"]

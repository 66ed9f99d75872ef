"""Weapons that are knocked away in a fight, and how often that can be done."""

import pytest

from tests.rules.action_points.fighting import (
    IMP,
    Body,
    aimed,
    begun,
    plan,
    rounds,
    spell,
    state,
    strike,
)


def test_a_dropped_weapon_does_not_attack_until_it_is_picked_up() -> None:
    fight = begun(parry_reading="both")
    strike(fight, "sword", "disarm")
    assert fight.effects[1:4] == [
        ("mira", "dropped_weapon", "sword", "disarm.drops_weapon"),
        ("mira", "disarmed", True, "disarm.drops_weapon"),
        ("ogre", "ap_spent", 11, "defense.ap_spent"),
    ]
    assert ("ogre", "disarm_used", True, "disarm.once_per_fight") in fight.effects
    assert fight.refused("attack", **aimed("sword_swing")) == ["weapon.dropped"]
    assert fight.refused("attack", **aimed("sword"), defense={"type": "dodge"}) == ["weapon.dropped"]
    strike(fight, "punch")
    assert fight.request["attacker"]["has_cold_weapon"] is False
    plan(fight, "pick_up")
    assert fight.effects == [
        ("mira", "ap_spent", 15, "ap.spent"),
        ("mira", "disarmed", False, "act.pick_up"),
        ("mira", "dropped_weapon", None, "act.pick_up"),
    ]
    rounds(fight)
    strike(fight, "sword")
    assert "has_cold_weapon" not in fight.request["attacker"]
    assert fight.refused("attack", **aimed("knife"), defense={"type": "disarm"}) == ["disarm.once_per_fight"]


def test_all_that_forbids_an_attack_is_told() -> None:
    fight = begun()
    fight.change("mira", dropped_weapon="sword", conditions=[{"state": "bound"}])
    assert fight.refused("attack", **aimed("sword")) == ["weapon.dropped", "state.bound"]


@pytest.mark.parametrize(
    ("attack", "weapon"),
    [
        ("knife", "knife"),
        ("club", "club"),
        ("club_swing", "club"),
        ("sword_swing", "sword"),
        ("two_handed", "two_handed"),
        ("whip", "whip"),
        ("whip_grab", "whip"),
        (spell(delivery="cold_weapon", name="spear"), "spear"),
        (spell(delivery="cold_weapon"), "custom"),
    ],
)
def test_each_weapon_has_its_name(attack: Body | str, weapon: str) -> None:
    fight = begun()
    strike(fight, attack, "disarm")
    assert state(fight, "mira").dropped_weapon == weapon


def test_what_is_thrown_is_a_weapon_and_magic_is_not() -> None:
    fight = begun()
    fight.change("mira", dropped_weapon="spear")
    thrown = spell(delivery="ranged", name="spear")
    assert fight.refused("attack", **aimed(thrown)) == ["weapon.dropped"]
    strike(fight, spell(name="spear"))


def test_the_weapon_that_fell_last_is_picked_up_first() -> None:
    fight = begun()
    for weapon in ("sword", "knife", "club"):
        fight.change("ogre", disarm_used=False, ap_spent=0, earlier_defenses=[])
        fight.change("mira", ap_spent=0)
        strike(fight, weapon, "disarm")
    assert (state(fight, "mira").dropped_weapon, state(fight, "mira").dropped_before) == ("club", ["sword", "knife"])
    fight.change("mira", ap_spent=0)
    assert fight.refused("attack", **aimed("sword")) == ["weapon.dropped"]
    plan(fight, "pick_up", "pick_up")
    assert (state(fight, "mira").dropped_weapon, state(fight, "mira").dropped_before) == ("sword", [])
    strike(fight, "knife")
    plan(fight, "pick_up")
    assert state(fight, "mira").dropped_weapon is None
    plan(fight, "pick_up")


@pytest.mark.parametrize(("item", "rule"), [("draw_weapon", "act.draw_or_stow"), ("swap_weapon", "act.swap_weapon")])
def test_another_weapon_parries_while_the_first_lies(item: str, rule: str) -> None:
    fight = begun()
    strike(fight, "sword", "disarm")
    plan(fight, item)
    assert fight.effects[1:] == [("mira", "disarmed", False, rule)]
    assert fight.refused("attack", **aimed("sword")) == ["weapon.dropped"]


def test_one_disarm_each_or_one_for_all() -> None:
    each, for_all = begun(), begun(disarm_limit="per_fight")
    for fight in (each, for_all):
        strike(fight, "knife", "disarm")
        fight.change("mira", dropped_weapon="", ap_spent=0)
    strike(each, "knife", "disarm", target="imp")
    assert [state(for_all, name).disarm_used for name in ("mira", "ogre", "imp")] == [True] * 3
    assert for_all.refused("attack", **aimed("knife", target="imp"), defense={"type": "disarm"}) == [
        "disarm.once_per_fight"
    ]
    for_all.join("late", **IMP)
    each.join("late", **IMP)
    assert (state(for_all, "late").disarm_used, state(each, "late").disarm_used) == (True, False)
    for_all.change("imp", disarm_used=False)
    assert [state(for_all, name).disarm_used for name in ("mira", "ogre", "imp", "late")] == [False] * 4

"""Sheets, changes by hand, and a whole fight."""

from typing import Any

import pytest

from rules.core.encounter import NotAllowed
from rules.core.faults import Malformed
from rules.gurps import GURPS
from service.encounters.kept import plain, rules_of
from service.faults import Malformations
from service.wire import reader_of
from tests.rules.fights import Table
from tests.rules.gurps.fighting import DODGE, MIRA, OGRE, begun, mira, ogre, parry, table

SWORD: dict[str, Any] = {"id": "sword", "tool": {"parry": {"score": 9}}, "skill": 12}
HAND: dict[str, Any] = {
    "id": "hand",
    "tool": {"kind": "unarmed", "skill_name": "dx", "parry": {"skill": 10}},
    "skill": 10,
}


# the sheet


def test_one_begins_unhurt_with_every_weapon_ready() -> None:
    fight = table()
    assert plain(mira(fight).state) == {
        "hp": 10,
        "fp": 10,
        "posture": "standing",
        "state": "able",
        "stunned": False,
        "blind": False,
        "shock": 0,
        "maneuver": "other",
        "weapons": dict.fromkeys(["saber", "dagger", "fist", "hold"], "ready"),
        "covered": False,
        "hidden": False,
        "alert_to": [],
    }


def test_the_speed_alone_is_a_sheet() -> None:
    fight = Table(GURPS)
    fight.join("mook", basic_speed=5)
    fight.act("defense-scores", actor="mook")
    assert (fight.outcome["dodge"], fight.outcome["parries"]) == (8, [])


@pytest.mark.parametrize(
    ("sheet", "pointer"),
    [
        ({}, "#/basic_speed"),
        ({"basic_speed": 5.1}, "#/basic_speed"),
        ({"basic_speed": 5, "st": 10, "basic_lift_g": 1000}, "#/basic_lift_g"),
        ({"basic_speed": 5, "traits": ["weapon_master", "weapon_master"]}, "#/traits/1"),
        ({"basic_speed": 5, "weapons": [SWORD, SWORD]}, "#/weapons/1/id"),
        ({"basic_speed": 5, "weapons": [{**SWORD, "id": "Sword"}]}, "#/weapons/0/id"),
        ({"basic_speed": 5, "weapons": [{**SWORD, "id": "_sword"}]}, "#/weapons/0/id"),
        ({"basic_speed": 5, "weapons": [{**SWORD, "id": "left"}]}, "#/weapons/0/id"),
        (
            {"basic_speed": 5, "weapons": [{**SWORD, "tool": {**SWORD["tool"], "ready": True}}]},
            "#/weapons/0/tool/ready",
        ),
        ({"basic_speed": 5, "weapons": [{**SWORD, "attack": {"form": "shove"}}]}, "#/weapons/0/attack/form"),
        ({"basic_speed": 5, "weapons": [{**SWORD, "attack": {"launcher": True}}]}, "#/weapons/0/attack/launcher"),
        (
            {"basic_speed": 5, "weapons": [{**SWORD, "attack": {"unarmed_skill": "judo"}}]},
            "#/weapons/0/attack/unarmed_skill",
        ),
        ({"basic_speed": 5, "weapons": [{**HAND, "attack": {"kind": "thrown"}}]}, "#/weapons/0/attack/means"),
        (
            {"basic_speed": 5, "weapons": [{**HAND, "attack": {"weapon_class": "flail"}}]},
            "#/weapons/0/attack/weapon_class",
        ),
        ({"basic_speed": 5, "weapons": [{**HAND, "tool": {**HAND["tool"], "hand": "both"}}]}, "#/weapons/0/tool/hand"),
        (
            {"basic_speed": 5, "weapons": [{**SWORD, "damage": {"dice": 1, "type": "cutting", "dr": 1}}]},
            "#/weapons/0/damage/dr",
        ),
    ],
)
def test_a_sheet_that_contradicts_itself(sheet: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformations) as wrong:
        reader_of(rules_of(GURPS).sheet).read(sheet)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_the_examples_can_be_sent() -> None:
    rules = rules_of(GURPS)
    reader_of(rules.sheet).read(dict(rules.sheet_example))
    for command in rules.commands:
        reader_of(command.body).read(dict(command.example))


# changes by hand


def test_what_is_given_is_changed() -> None:
    fight = begun()
    change = {
        "hp": -3,
        "fp": 2,
        "posture": "sitting",
        "state": "unconscious",
        "stunned": True,
        "blind": True,
        "shock": 8,
        "maneuver": "sprint",
        "covered": True,
        "hidden": True,
        "block_used": True,
        "acrobatic_dodge_used": True,
        "double_defense_used": True,
    }
    fight.change("mira", **change, weapons={"dagger": "unready"})
    now = {**plain(mira(fight).state), **plain(mira(fight).turn)}
    assert {name: now[name] for name in change} == change
    assert now["weapons"] == {"saber": "ready", "dagger": "unready", "fist": "ready", "hold": "ready"}


def test_the_sheet_is_changed_and_the_points_stay() -> None:
    fight = begun()
    fight.change("mira", encumbrance="heavy", free_hands=0, dr=5, shield={"db": 3})
    assert mira(fight).state.hp == 10
    sheet = mira(fight).sheet
    assert (sheet.encumbrance, sheet.free_hands, sheet.dr, sheet.shield.db) == ("heavy", 0, 5, 3)
    assert fight.state["combatants"]["mira"]["sheet"]["dr"] == 5
    fight.change("mira", dr=6)
    assert [field for _, field, _, _ in fight.effects] == ["sheet"]


def test_another_sheet_brings_its_weapons_and_its_place() -> None:
    fight = begun()
    fight.change("mira", hp=4, weapons={"saber": "broken"})
    fight.change("mira", sheet={"basic_speed": 4, "hp": 20, "weapons": [MIRA["weapons"][0], SWORD]})
    state = mira(fight).state
    assert (state.hp, state.fp) == (4, None)
    assert state.weapons == {"saber": "broken", "sword": "ready"}
    assert fight.state["order"] == ["ogre", "mira"]
    fight.change("mira", sheet={**MIRA, "hp": 20}, posture="lying")
    assert (mira(fight).state.hp, mira(fight).state.fp, mira(fight).state.posture) == (4, 10, "lying")


def test_only_weapons_of_the_sheet_have_a_status() -> None:
    with pytest.raises(NotAllowed, match="no_such_weapon"):
        begun().change("mira", weapons={"club": "ready"})


def test_witnesses_are_on_guard() -> None:
    fight = begun()
    fight.join("guard", basic_speed=5)
    fight.change("ogre", hidden=True, witnesses=["mira"])
    fight.change("ogre", witnesses=["mira", "guard"])
    assert fight.effects == [("guard", "alert_to", ["ogre"], None)]
    fight.change("ogre", hp=20)
    assert mira(fight).state.alert_to == ["ogre"]
    fight.change("ogre", hidden=False)
    assert [fight.combatant(each).state.alert_to for each in ("mira", "guard")] == [[], []]


def test_nobody_witnesses_one_who_does_not_hide_or_oneself() -> None:
    for change, code in (
        ({"witnesses": ["mira"]}, "only_with"),
        ({"hidden": True, "witnesses": ["ogre"]}, "own_witness"),
    ):
        with pytest.raises(Malformed) as wrong:
            begun().change("ogre", **change)
        assert (wrong.value.code, wrong.value.field) == (code, "witnesses")
    with pytest.raises(NotAllowed, match="no_such_combatant"):
        begun().change("ogre", hidden=True, witnesses=["nobody"])
    with pytest.raises(Malformations):
        begun().change("ogre", hidden=True, witnesses=["mira", "mira"])


def test_the_player_clears_the_mark_of_cover_and_no_more() -> None:
    assert rules_of(GURPS).player_fields == {"covered"}


# a whole fight


def test_a_fight_from_the_first_turn_to_the_last_blow() -> None:
    fight = Table(GURPS)
    fight.join("ogre", **{**OGRE, "hp": 10})
    fight.join("mira", **MIRA)
    fight.end_turn()
    fight.act("maneuver", None, "mira", actor="mira", maneuver="attack")
    fight.act("attack", [3, 3, 4], "mira", actor="mira", target="ogre", weapon="saber")
    fight.act("active-defense", [3, 3, 3, 5], "ogre", actor="ogre", defenses=[DODGE])
    assert fight.outcome["attempts"][0]["effective"] == 7
    assert (ogre(fight).state.hp, ogre(fight).state.shock) == (4, 4)
    fight.end_turn()
    fight.act("attack", [3, 3, 3], "ogre", actor="ogre", target="mira", weapon="club")
    assert fight.outcome["attack"] == {"effective": 9, "roll": 9, "margin": 0, "critical": "none"}
    retreat = parry(option={"kind": "retreat"})
    fight.act("active-defense", [4, 5, 5], "mira", actor="mira", defenses=[retreat])
    assert fight.outcome["attempts"][0]["effective"] == 10 + 1 + 3
    assert fight.outcome["result"] == "success"
    fight.act("attack", [2, 3, 3], "ogre", actor="ogre", target="mira", weapon="kick", attack={"direction": "right"})
    fight.act("active-defense", [4, 4, 4], "mira", actor="mira", defenses=[parry()])
    assert fight.outcome["attempts"][0]["effective"] == 10 - 2 - 2 + 3
    fight.end_turn()
    assert (fight.state["round"], ogre(fight).state.shock, mira(fight).turn.parries) == (2, 0, {})
    fight.act("attack", [1, 1, 2, 6], "mira", actor="mira", target="ogre", weapon="saber")
    assert ogre(fight).state.hp == 4 - 7
    fight.change("ogre", state="unconscious", posture="lying")
    fight.leave("ogre")
    assert (fight.state["order"], fight.state["turn"]) == (["mira"], "mira")

"""A fight as a whole: the sheet, changes by hand, and one fight from the ambush to the last blow."""

from dataclasses import fields
from typing import Any

import pytest

from rules.core.encounter import NotAllowed
from rules.storyteller import STORYTELLER
from rules.storyteller.encounter import ENCOUNTER
from rules.storyteller.encounter_state import State, Turn
from service.faults import Malformations
from service.schemas import json_schema
from service.wire import input_schema, reader_of
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import HUNTER, MIRA, OGRE, begun, hold, of, table


def test_the_commands_are_those_of_the_page() -> None:
    assert [command.slug for command in ENCOUNTER.commands] == [
        "declare",
        "announce",
        "defend",
        "abort-to-defense",
        "ambush",
        "attack",
        "grapple",
        "release",
        "take-position",
        "damage",
        "roll",
        "resisted-roll",
    ]


@pytest.mark.parametrize("command", ENCOUNTER.commands, ids=lambda command: command.slug)
def test_every_example_is_a_body_and_every_field_is_described(command: Any) -> None:
    reader_of(command.body).read(dict(command.example))
    assert undescribed(command.body) == []


@pytest.mark.parametrize("kind", [ENCOUNTER.sheet, ENCOUNTER.change, ENCOUNTER.opening])
def test_every_field_of_a_sheet_and_of_a_change_is_described(kind: type[Any]) -> None:
    assert undescribed(kind) == []


def undescribed(kind: type[Any]) -> list[str]:
    top, definitions = json_schema(input_schema(kind), "validation")
    return [
        f"{name}.{field}"
        for name, schema in {**definitions, kind.__name__: top}.items()
        for field, each in schema.get("properties", {}).items()
        if "description" not in each and "$ref" not in each
    ]


def test_no_command_uses_the_words_that_stand_beside_it() -> None:
    """`dice` and `visibility` of an event are sent in the same object."""
    for command in ENCOUNTER.commands:
        assert {"dice", "visibility"}.isdisjoint(each.name for each in fields(command.body))


def test_only_damage_is_the_game_masters_alone() -> None:
    assert [command.slug for command in ENCOUNTER.commands if command.gm_only] == ["damage"]


def test_what_lasts_and_what_is_per_round_have_different_names() -> None:
    assert {each.name for each in fields(State)}.isdisjoint(each.name for each in fields(Turn))


# the sheet


def test_a_sheet_is_kept_as_it_was_sent_and_the_present_beside_it() -> None:
    fight = Table(STORYTELLER)
    fight.join("ogre", **{**OGRE, "wounds": {"bashing": 2}, "wielded": "axe"})
    kept = fight.state["combatants"]["ogre"]
    assert kept["sheet"] == {**OGRE, "wounds": {"bashing": 2}, "wielded": "axe"}
    assert kept["state"] == {
        "wounds": {"bashing": 2, "lethal": 0, "aggravated": 0},
        "status": "able",
        "armor": {"rating": 1, "penalty": 1},
        "wielded": "axe",
        "willpower": {"rating": 3, "points": 1},
        "engaged": False,
        "grapple": None,
        "cover": "none",
        "prone": False,
        "visibility": "clear",
        "ambush": None,
        "dropped": [],
    }
    assert kept["turn"] == {
        "declared": "none",
        "shares": [],
        "has_acted": False,
        "abort_failed": False,
        "defenses_made": 0,
        "readied_defense": None,
        "announced": None,
        "willpower_spent": False,
        "foes": [],
    }


@pytest.mark.parametrize(
    ("wounds", "status"),
    [
        ({"lethal": 6}, "able"),
        ({"lethal": 7}, "incapacitated"),
        ({"lethal": 6, "bashing": 1}, "unconscious"),
    ],
)
def test_who_joins_with_a_full_track_is_not_able(wounds: dict[str, int], status: str) -> None:
    fight = Table(STORYTELLER)
    fight.join("mira", **MIRA, wounds=wounds)
    assert of(fight, "mira").state.status == status


def test_no_weapon_in_hand_may_be_said_with_null() -> None:
    fight = Table(STORYTELLER)
    fight.join("mira", **{**MIRA, "wielded": None})
    assert of(fight, "mira").in_hand is None


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        ({"traits": {"strength": 1}}, ("#/traits/dexterity", "missing")),
        ({"traits": {**MIRA["traits"], "wits": 11}}, ("#/traits/wits", "less_than_equal")),
        ({"nature": "fallen"}, ("#/nature", "enum")),
        ({"wounds": {"bashing": 4, "lethal": 4}}, ("#/wounds", "wounds_over")),
        ({"weapons": [MIRA["weapons"][0]] * 2}, ("#/weapons/1", "duplicate")),
        ({"weapons": [{"id": "a", "name": "A"}], "wielded": None}, ("#/weapons/0", "exactly_one")),
        ({"wielded": "axe"}, ("#/wielded", "weapon_not_listed")),
        ({"willpower": {"rating": 5}}, ("#/willpower/points", "missing")),
        ({"armor": {"rating": 11, "penalty": 0}}, ("#/armor/rating", "less_than_equal")),
        ({"specialties": ["dodge", "dodge"]}, ("#/specialties/1", "duplicate")),
        ({"specialties": ["wits"]}, ("#/specialties/0", "enum")),
    ],
)
def test_a_sheet_that_is_none(sheet: dict[str, Any], fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        Table(STORYTELLER).join("mira", **{**MIRA, **sheet})
    assert fault in [(each.pointer, each.code) for each in raised.value.faults]


def test_no_more_than_can_roll_initiative_together() -> None:
    fight = Table(STORYTELLER)
    for at in range(50):
        fight.join(f"c{at}", **HUNTER)
    with pytest.raises(NotAllowed) as raised:
        fight.join("mira", **MIRA)
    assert raised.value.code == "too_many_combatants"


# changes by hand


def test_the_game_master_changes_the_sheet_and_what_is_kept() -> None:
    fight = table()
    fight.change(
        "mira",
        traits={**MIRA["traits"], "strength": 5},
        nature="supernatural",
        aggravated_soak=2,
        specialties=[],
        weapons=[MIRA["weapons"][1]],
        armor={"rating": 2, "penalty": 1},
        willpower={"rating": 6, "points": 6},
        wounds={"lethal": 2},
        engaged=True,
        cover="good",
        prone=True,
        visibility="partly_blinded",
        has_acted=True,
        abort_failed=True,
        defenses_made=2,
        willpower_spent=True,
    )
    kept = fight.state["combatants"]["mira"]
    assert kept["sheet"]["traits"]["strength"] == 5
    assert kept["sheet"]["weapons"] == [MIRA["weapons"][1]]
    assert (kept["sheet"]["nature"], kept["sheet"]["aggravated_soak"]) == ("supernatural", 2)
    assert "specialties" not in kept["sheet"]
    state = of(fight, "mira").state
    assert state.wielded is None, "a weapon that is gone is in nobody's hand"
    assert (state.armor.rating, state.willpower.points, state.wounds.lethal) == (2, 6, 2)
    assert (state.engaged, state.cover, state.prone, state.visibility) == (True, "good", True, "partly_blinded")
    turn = of(fight, "mira").turn
    assert (turn.has_acted, turn.abort_failed, turn.defenses_made, turn.willpower_spent) == (True, True, 2, True)


def test_a_weapon_is_put_into_a_hand_and_out_of_it() -> None:
    fight = table()
    fight.change("mira", wielded="pistol")
    assert of(fight, "mira").state.wielded == "pistol"
    fight.change("mira", empty_handed=True)
    assert of(fight, "mira").state.wielded is None
    with pytest.raises(NotAllowed) as raised:
        fight.change("mira", wielded="axe")
    assert raised.value.code == "no_such_weapon"
    with pytest.raises(Malformations):
        fight.change("mira", wielded="knife", empty_handed=True)


def test_a_change_of_weapons_keeps_the_one_in_hand_that_stays() -> None:
    fight = table()
    fight.change("mira", weapons=MIRA["weapons"][:1])
    assert of(fight, "mira").state.wielded == "knife"


def test_wounds_by_hand_fell_and_raise() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.change("mira", wounds={"bashing": 7})
    assert of(fight, "mira").state.status == "unconscious"
    assert of(fight, "ogre").state.grapple is None
    fight.change("mira", wounds={})
    assert of(fight, "mira").able


def test_a_hold_ends_by_hand() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.change("mira", free=True)
    assert (of(fight, "mira").state.grapple, of(fight, "ogre").state.grapple) == (None, None)


def test_nothing_of_it_is_a_players() -> None:
    assert ENCOUNTER.player_fields == frozenset()


# a whole fight


def test_a_fight_from_the_ambush_to_the_last_blow() -> None:
    fight = table()
    # Before the first round Mira sneaks up to the ogre: two successes against none, an attack at once from behind.
    fight.act("ambush", [8, 9, 2, 3, 4, 2, 3], "mira", actor="mira", target="ogre")
    stab = {"actor": "mira", "target": "ogre", "maneuver": "weapon_strike", "position": "rear"}
    fight.act("attack", [6, 7, 8, 2, 2, 2, 2, 2, 2, 2, 2, 2, 7, 7, 2, 2, 2], "mira", **stab)
    assert (fight.request["ambush_successes"], fight.request["defender"]["awareness"]) == (2, "ambushed")
    assert (of(fight, "ogre").state.wounds.lethal, of(fight, "ogre").state.armor.rating) == (2, 0)
    # Round 1: the ogre comes first and is seen coming; she does nothing but defend.
    fight.end_turn([1, 9, 1])
    assert fight.state["order"] == ["ogre", "mira", "hunter"]
    fight.act("announce", [], "ogre", actor="ogre", target="mira", maneuver="weapon_strike", weapon="axe")
    fight.act("declare", [], "mira", actor="mira", kind="full_defense")
    fight.act("defend", [], "mira", actor="mira", maneuver="dodge", specialty=True)
    fight.act("attack", [9, 9, 2, 6, 7, 10, 2, 3, 4], "ogre", actor="ogre")
    assert fight.outcome["result"] == "miss"
    assert of(fight, "ogre").state.wielded == "axe"
    fight.end_turn()
    assert fight.refused("attack", "mira", actor="mira", target="ogre", maneuver="strike") == ["maneuver.one_action"]
    fight.end_turn()
    shot = {"actor": "hunter", "target": "ogre", "maneuver": "shot"}
    fight.act("attack", [7, 8, 2, 2, 2, 2, 2, 2, 2, 6, 6, 6, 6, 2, 2, 2, 2, 2], "hunter", **shot)
    assert of(fight, "ogre").health == "crippled"
    # Round 2: he is still the first, and has no dice left for anything.
    fight.end_turn([3, 10, 3])
    assert (fight.state["round"], fight.state["turn"]) == (2, "ogre")
    assert fight.refused("attack", "ogre", actor="ogre", target="mira", maneuver="strike") == ["pool.empty"]
    fight.end_turn()
    stab["position"] = "front"
    fight.act("attack", [8, 2, 2, 2, 2, 2, 2, 7, 2, 2], "mira", **stab)
    assert of(fight, "ogre").state.status == "incapacitated"
    # Round 3 is for the other two.
    fight.end_turn()
    fight.end_turn([2, 8])
    assert fight.state["order"] == ["hunter", "mira"]

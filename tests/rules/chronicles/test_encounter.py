"""A fight as a whole: the sheet, changes by hand, and one fight from the first roll to the last blow."""

from typing import Any

import pytest

from rules.chronicles import CHRONICLES
from rules.chronicles.encounter import ENCOUNTER
from service.faults import Malformations
from service.schemas import json_schema
from service.wire import input_schema, reader_of
from tests.rules.chronicles.fighting import JULIA, THUG, julia, table, thug
from tests.rules.fights import Table


def test_the_commands_are_those_of_the_page() -> None:
    assert [command.slug for command in ENCOUNTER.commands] == [
        "initiative",
        "stance",
        "attack",
        "dodge",
        "roll",
        "contested-roll",
        "damage",
        "stay-conscious",
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
        if "description" not in each
    ]


# the sheet


def test_a_sheet_is_kept_as_it_was_sent_and_the_present_beside_it() -> None:
    fight = Table(CHRONICLES)
    fight.join("thug", **{**THUG, "health": {"boxes": 8, "bashing": 2}})
    kept = fight.state["combatants"]["thug"]
    assert kept["sheet"] == {**THUG, "health": {"boxes": 8, "bashing": 2}}
    assert kept["state"] == {
        "health": {"boxes": 8, "bashing": 2, "lethal": 0, "aggravated": 0},
        "willpower": {"max": 3, "current": 1},
        "initiative": None,
        "availability": "available",
        "unconscious": False,
    }
    assert kept["turn"] == {
        "action_state": "unspent",
        "attacks_defended": 0,
        "attacks_undefended": 0,
        "sacrificed": False,
        "stance": {"mode": "passive", "willpower": False},
        "off_balance": 0,
        "off_balance_pending": 0,
        "willpower_spent_this_turn": 0,
        "rolled_stamina": False,
    }


def test_willpower_is_full_unless_it_is_told() -> None:
    assert julia(table()).state.willpower.left == 5


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        ({"defense": {}}, ("#/defense", "exactly_one")),
        ({"defense": {"score": 1, "off_balance": 1}}, ("#/defense/off_balance", "unexpected_keyword_argument")),
        ({"initiative": {}}, ("#/initiative", "exactly_one")),
        (
            {"initiative": {"score": 1, "wound_penalty": -1}},
            ("#/initiative/wound_penalty", "unexpected_keyword_argument"),
        ),
        ({"health": {"boxes": 2, "bashing": 3}}, ("#/health", "overfull_track")),
        ({"willpower": {"max": 2, "current": 3}}, ("#/willpower/current", "above_max")),
        ({"willpower": {"max": 11}}, ("#/willpower/max", "less_than_equal")),
        ({"stamina": 16}, ("#/stamina", "less_than_equal")),
        ({"attacks": {"a": {"pool": {}}}}, ("#/attacks/a/pool", "exactly_one")),
        (
            {"attacks": {"a": {"pool": {"total": 1, "willpower": True}}}},
            ("#/attacks/a/pool/willpower", "unexpected_keyword_argument"),
        ),
        ({"attacks": {str(at): {"pool": {"total": 1}} for at in range(21)}}, ("#/attacks", "too_long")),
    ],
)
def test_a_sheet_that_is_none(sheet: dict[str, Any], fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        Table(CHRONICLES).join("julia", **{**JULIA, **sheet})
    assert [(each.pointer, each.code) for each in raised.value.faults] == [fault]


# changes by hand


def test_the_game_master_changes_the_sheet_and_what_is_kept() -> None:
    fight = table()
    fight.change(
        "julia",
        defense={"score": 4},
        armor={"general": 1},
        stamina=4,
        attacks={"kick": {"pool": {"total": 2}}},
        health={"stamina": 2, "size": 5, "lethal": 1},
        willpower={"max": 6},
        unconscious=True,
        action_state="spent",
        attacks_defended=1,
        attacks_undefended=2,
        off_balance=3,
        off_balance_pending=4,
        willpower_spent_this_turn=1,
    )
    kept = fight.state["combatants"]["julia"]
    assert kept["sheet"] == {
        **JULIA,
        "defense": {"score": 4},
        "armor": {"general": 1},
        "stamina": 4,
        "attacks": {"kick": {"pool": {"total": 2}}},
    }
    assert kept["state"]["health"] == {"boxes": 7, "bashing": 0, "lethal": 1, "aggravated": 0}
    assert kept["state"]["willpower"] == {"max": 6, "current": 6}
    turn = julia(fight).turn
    counters = (turn.attacks_defended, turn.attacks_undefended, turn.off_balance, turn.off_balance_pending)
    assert (turn.action_state, *counters, turn.willpower_spent_this_turn) == ("spent", 1, 2, 3, 4, 1)
    fight.act("attack", [2] * 7, actor="thug", target="julia", attack={"name": "swing"}, defense={"mode": "none"})
    assert fight.request["target"] == {"armor": {"general": 1}, "health": {"boxes": 7, "lethal": 1}}


def test_nothing_of_it_is_a_players() -> None:
    assert ENCOUNTER.player_fields == frozenset()


# a whole fight


def test_a_fight_from_the_first_roll_to_the_last_blow() -> None:
    fight = table()
    fight.act("initiative", [4, 9])
    assert fight.state["order"] == ["thug", "julia"]
    fight.end_turn()
    # Turn 1: Julia dodges the wild swing for all but one success, so she does not act.
    fight.act("stance", [], "julia", actor="julia", mode="dodge")
    fight.act(
        "attack",
        [8, 9, 8, 2, 3, 4, 5, 8, 9, 1, 2, 3, 4],
        "thug",
        actor="thug",
        target="julia",
        attack={"name": "swing"},
    )
    assert julia(fight).state.health.bashing == 1
    fight.end_turn()
    assert fight.refused("attack", "julia", actor="julia", target="thug", attack={"name": "fist"}) == [
        "dodge.action_given_up"
    ]
    # Turn 2: the knife, all-out and with his last point of Willpower, against her Defense of 3; then she strikes back at
    # one who has no Defense left.
    fight.end_turn()
    knife = {"name": "knife", "maneuver": "all_out", "willpower": True}
    fight.act("attack", [8, 8, 2, 2, 2, 2, 2, 2], "thug", actor="thug", target="julia", attack=knife)
    assert (julia(fight).state.health.lethal, julia(fight).state.health.bashing) == (3, 1)
    fight.end_turn()
    fist = {"name": "fist", "willpower": True}
    fight.act("attack", [8, 8, 8, 10, 2, 2, 3], "julia", actor="julia", target="thug", attack=fist)
    assert fight.request["defense"]["availability"] == "sacrificed"
    assert thug(fight).state.health.bashing == 3
    # Turn 3: she is down to her last box, and does not stay awake.
    fight.end_turn()
    fight.act("attack", [8, 8, 8, 2], "thug", actor="thug", target="julia", attack={"name": "swing"})
    assert fight.outcome["target"]["condition"] == "fading"
    fight.act("stay-conscious", [3, 4], "julia", actor="julia")
    assert julia(fight).state.unconscious
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"]) == (4, "thug")
    assert fight.refused("attack", actor="thug", target="julia", attack={"name": "knife", "willpower": True}) == [
        "willpower.points"
    ]

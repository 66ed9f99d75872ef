"""A fight as a whole: the sheet, who may do what, changes by hand, and one fight from the first blow to the last."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.action_points import ACTION_POINTS
from rules.action_points.encounter import ENCOUNTER
from rules.core.encounter import NotAllowed, NotForYou
from rules.core.faults import Malformed
from rules.core.rule import Kind
from service.faults import Malformations
from service.schemas import json_schema
from service.wire import input_schema, reader_of
from tests.rules.action_points.fighting import (
    IMP,
    MIRA,
    OGRE,
    Body,
    aimed,
    begun,
    plan,
    rounds,
    spell,
    spent,
    state,
    strike,
    table,
)
from tests.rules.fights import Table

OF_A_FIGHT = {
    "action_points.fight.turn_based": (Kind.DECISION, Kind.REFUSAL),
    "action_points.fight.declaration": (Kind.DECISION,),
    "action_points.weapon.dropped": (Kind.REFUSAL,),
}


def test_the_commands_are_those_of_the_page() -> None:
    slugs = [command.slug for command in ENCOUNTER.commands]
    assert slugs == ["attack", "answer", "turn-plan", "interrupt", "take-cover"]
    assert not any(command.gm_only for command in ENCOUNTER.commands)
    assert ENCOUNTER.player_fields == frozenset()


def test_what_no_action_says_is_of_a_fight() -> None:
    said = {rule.id for action in ACTION_POINTS.actions for rule in action.rules}
    assert {rule.id: rule.kinds for rule in ACTION_POINTS.rules if rule.kinds and rule.id not in said} == OF_A_FIGHT


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


# the opening and the sheet


def test_a_situation_is_of_two_thousand_characters_at_most() -> None:
    assert Table(ACTION_POINTS, situation="x" * 2000).opening["situation"] == "x" * 2000
    with pytest.raises(Malformations):
        Table(ACTION_POINTS, situation="x" * 2001)
    assert Table(ACTION_POINTS).opening["attacker"] is None


def test_a_sheet_is_kept_as_it_was_sent_and_the_present_beside_it() -> None:
    fight = Table(ACTION_POINTS)
    sheet = {**IMP, "hp": 90, "hidden": True, "conditions": [{"state": "bound", "turns": 2}]}
    fight.join("imp", **sheet)
    kept = fight.state["combatants"]["imp"]
    assert kept["sheet"] == sheet
    nothing = {"parameter": None, "amount": None, "paid_ap": None, "holder": None}
    assert kept["state"] == {
        "hp": 90,
        "conditions": [{"state": "bound", "cause": "effect", "turns": 2, **nothing}],
        "hidden": True,
        "dead": False,
        "started_fight": False,
        "disarm_used": False,
        "disarmed": False,
        "dropped_weapon": None,
        "dropped_before": [],
        "shots": {},
        "pending_critical": None,
    }
    assert kept["turn"] == {"ap_spent": 0, "earlier_defenses": [], "dash_used": False}


def test_everything_of_a_sheet_is_told() -> None:
    fight = Table(ACTION_POINTS)
    reduced: Body = {"state": "reduced", "parameter": "ap", "amount": 2}
    sheet = {
        "kind": "lycan",
        "hp_max": 90,
        "ap_max": 9.5,
        "regeneration": 1,
        "circle_of_power": 7,
        "hp": 80,
        "magic_resistance": 5,
        "passive_protection": 3,
        "conditions": [reduced],
        "has_cold_weapon": False,
        "hidden": True,
    }
    fight.join("mira", **sheet)
    fight.join("ogre", **OGRE)
    fight.end_turn()
    strike(fight, "punch")
    assert fight.request["attacker"] == {**sheet, "ap_spent": 0}


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        ({}, ("#", "maxima_needed")),
        ({"hp_max": 10}, ("#", "maxima_needed")),
        ({"kind": "fae", "ap_max": 10}, ("#", "maxima_needed")),
        ({"level": 1}, ("#/kind", "needed_with")),
        ({**IMP, "hp_max": 10}, ("#/hp_max", "not_together")),
        ({**IMP, "hp": 151}, ("#/hp", "less_than_equal")),
        ({**OGRE, "ap_max": 1.25}, ("#/ap_max", "tenths")),
        ({**IMP, "ap": 3}, ("#/ap", "unexpected_keyword_argument")),
        ({**IMP, "ap_spent": 3}, ("#/ap_spent", "unexpected_keyword_argument")),
        ({**IMP, "dash_used": True}, ("#/dash_used", "unexpected_keyword_argument")),
        ({**IMP, "disarm_used": True}, ("#/disarm_used", "unexpected_keyword_argument")),
        ({**IMP, "earlier_defenses": []}, ("#/earlier_defenses", "unexpected_keyword_argument")),
        ({**IMP, "conditions": [{"state": "bound", "holder": "x"}]}, ("#/conditions/0/holder", "only_with")),
        ({**IMP, "conditions": [{"state": "bound", "amount": 1}]}, ("#/conditions/0/amount", "only_with")),
    ],
)
def test_a_sheet_that_is_none(sheet: Body, fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        Table(ACTION_POINTS).join("mira", **sheet)
    assert [(each.pointer, each.code) for each in raised.value.faults] == [fault]


# who may do what


@pytest.mark.parametrize(
    ("slug", "body"),
    [
        ("attack", aimed("sword")),
        ("turn-plan", {"actor": "mira", "items": [{"type": "dash"}]}),
        ("answer", {"actor": "mira"}),
    ],
)
def test_nobody_acts_for_another(slug: str, body: Body) -> None:
    with pytest.raises(NotForYou) as raised:
        begun().act(slug, [], "ogre", **body)
    assert raised.value.facts == {"combatant": "mira"}


@pytest.mark.parametrize("own", [None, "ogre"])
def test_only_who_has_the_turn_acts(own: str | None) -> None:
    fight = begun()
    assert fight.refused("attack", own, **aimed("sword", "ogre", "mira")) == ["fight.turn_based"]
    assert fight.refused("turn-plan", own, actor="ogre", items=[{"type": "dash"}]) == ["fight.turn_based"]


def test_before_the_fight_starts_nobody_has_the_turn() -> None:
    assert table().refused("attack", **aimed("sword")) == ["fight.turn_based"]


def test_the_dead_do_nothing_and_nothing_is_done_to_them() -> None:
    fight = begun()
    fight.change("ogre", dead=True)
    assert fight.refused("attack", **aimed("sword")) == "combatant_dead"
    fight.change("mira", dead=True)
    assert fight.refused("attack", **aimed("sword", target="imp")) == "combatant_dead"
    assert fight.refused("turn-plan", actor="mira", items=[{"type": "dash"}]) == "combatant_dead"


def test_a_combatant_who_is_not_there() -> None:
    assert begun().refused("attack", **aimed("sword", target="ghost")) == "no_such_combatant"
    assert begun().refused("interrupt", attacker="ghost") == "no_such_combatant"


# while an attack waits


def test_while_an_attack_waits_nothing_else_is_done() -> None:
    fight = begun()
    fight.act("attack", **aimed("sword"))
    assert fight.refused("attack", **aimed("sword", target="imp")) == "attack_waits"
    assert fight.refused("turn-plan", actor="mira", items=[{"type": "dash"}]) == "attack_waits"
    others: list[Callable[[], None]] = [
        fight.end_turn,
        lambda: fight.change("imp", hp=1),
        lambda: fight.leave("imp"),
        lambda: fight.join("late", **MIRA),
    ]
    for each in others:
        with pytest.raises(NotAllowed) as refused:
            each()
        assert (refused.value.code, refused.value.facts) == ("attack_waits", {"combatant": "ogre"})
    fight.act("answer", actor="ogre")
    fight.end_turn()


def test_a_critical_attack_is_not_interrupted_while_another_waits() -> None:
    fight = begun()
    fight.act("attack", **aimed({"type": "two_handed", "critical": {}}))
    fight.end_turn()
    fight.act("attack", **aimed("knife", "ogre", "imp"))
    assert fight.refused("interrupt", attacker="mira") == "attack_waits"


# changes by hand


def test_the_game_master_changes_the_sheet_and_what_is_kept() -> None:
    fight = table()
    fight.change(
        "ogre",
        magic_resistance=10,
        passive_protection=4,
        has_cold_weapon=False,
        hp=150,
        conditions=[{"state": "bound"}],
        hidden=True,
        ap_spent=2.5,
        earlier_defenses=[{"type": "dodge", "ap": 2.5}],
        dash_used=True,
        disarm_used=True,
        disarmed=True,
        dropped_weapon="sword",
    )
    kept = fight.state["combatants"]["ogre"]
    assert kept["sheet"] == {**OGRE, "magic_resistance": 10, "passive_protection": 4, "has_cold_weapon": False}
    assert (kept["state"]["hp"], kept["state"]["hidden"], kept["state"]["disarm_used"]) == (150, True, True)
    assert (kept["state"]["dropped_weapon"], kept["state"]["disarmed"]) == ("sword", True)
    assert [each["state"] for each in kept["state"]["conditions"]] == ["bound"]
    assert kept["turn"] == {
        "ap_spent": 2.5,
        "earlier_defenses": [{"type": "dodge", "ap": 2.5}],
        "dash_used": True,
    }
    fight.change("ogre", dropped_weapon="", conditions=[])
    assert (state(fight, "ogre").dropped_weapon, state(fight, "ogre").conditions) == (None, [])


def test_another_sheet_keeps_the_present_as_far_as_it_goes() -> None:
    fight = table()
    fight.change("ogre", hidden=True)
    fight.change("ogre", sheet={"kind": "human", "level": 1})
    assert (state(fight, "ogre").hp, state(fight, "ogre").hidden) == (100, True)
    fight.change("ogre", sheet=OGRE, passive_protection=1)
    assert (state(fight, "ogre").hp, fight.state["combatants"]["ogre"]["sheet"]["passive_protection"]) == (100, 1)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"ap_spent": 1.25}, "tenths"),
        ({"conditions": [{"state": "reduced"}]}, "needed_with"),
        ({"ap": 1}, "unexpected_keyword_argument"),
    ],
)
def test_a_change_that_is_none(change: Body, fault: str) -> None:
    with pytest.raises(Malformations) as raised:
        table().change("ogre", **change)
    assert [each.code for each in raised.value.faults] == [fault]


def test_hp_are_not_above_the_maximum() -> None:
    with pytest.raises(Malformed) as raised:
        table().change("ogre", hp=201)
    assert (raised.value.code, raised.value.field) == ("less_than_equal", "hp")


@pytest.mark.parametrize(("option", "dead"), [("stunned", False), ("dies", True)])
def test_at_zero_hp_by_hand(option: str, dead: bool) -> None:
    fight = table(at_zero_hp=option)
    fight.change("ogre", hp=0)
    fight.join("corpse", **{**OGRE, "hp": 0})
    assert (state(fight, "ogre").dead, state(fight, "corpse").dead) == (dead, dead)


# a whole fight


def test_a_fight_from_the_first_blow_to_the_last() -> None:
    fight = table(situation="Three meet on a bridge.")
    fight.end_turn()
    # Round 1: Mira walks up and strikes; the ogre dodges the sword and is hit by the spell.
    plan(fight, {"type": "walk", "distance_m": 2}, "draw_weapon")
    fight.act("attack", [], "mira", **aimed("sword"))
    fight.act("answer", [], "ogre", actor="ogre", defense={"type": "dodge"})
    assert (fight.outcome["result"], spent(fight, "mira"), spent(fight, "ogre")) == ("dodged", 13, 7)
    assert fight.refused("attack", "mira", **aimed(spell())) == ["attack.ap_insufficient"]
    fight.end_turn()
    # The ogre has 13 AP left of this turn: a knife, which Mira parries, then a critical blow that it cannot finish.
    fight.act("attack", [], "ogre", **aimed("knife", "ogre", "mira"))
    fight.act("answer", [], "mira", actor="mira", defense={"type": "parry"})
    assert (spent(fight, "mira"), spent(fight, "ogre")) == (6, 12)
    fight.act("attack", [], "ogre", **aimed({"type": "two_handed", "critical": {}}, "ogre", "imp"))
    assert fight.outcome["result"] == "continues"
    fight.end_turn()
    # The imp runs away from it, and hits the ogre: the blow is interrupted.
    strike(fight, "knife", actor="imp", target="ogre")
    assert (state(fight, "ogre").hp, state(fight, "ogre").pending_critical) == (180, None)
    plan(fight, {"type": "run", "distance_m": 10}, actor="imp")
    fight.end_turn()
    assert (fight.state["round"], fight.state["turn"], state(fight, "ogre").hp) == (2, "mira", 185)
    # Round 2: a critical sword blow takes 14 of her 12 AP, so it goes on in round 3 and kills.
    critical = {"type": "sword", "critical": {}}
    fight.act("attack", [], "mira", **aimed(critical))
    assert fight.outcome["attacker"]["critical_paid_ap"] == 12
    rounds(fight)
    fight.act("attack", [], "mira", **aimed(critical))
    fight.act("answer", [], "ogre", actor="ogre")
    assert (fight.outcome["result"], fight.request["attack"]["critical"]) == ("hit", {"paid_ap": 12})
    assert (state(fight, "ogre").dead, state(fight, "ogre").hp, state(fight, "mira").pending_critical) == (
        True,
        0,
        None,
    )
    fight.end_turn()
    assert fight.state["turn"] == "imp"

"""Attacks in a fight: what a request is told, what is kept of an outcome, who answers, and mass attacks."""

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import DiceLeftOver, DiceNeeded, Malformed
from service.faults import Malformations
from tests.rules.action_points.fighting import (
    MIRA,
    OGRE,
    Body,
    aimed,
    begun,
    fog,
    rounds,
    spell,
    spent,
    state,
    strike,
    turn,
)

FIRST = {"type": "pistol", "distance_m": 10}
SECOND = {"type": "pistol", "distance_m": 10.1}
THIRD = {"type": "pistol", "distance_m": 25.1}
FAR = {"type": "pistol", "distance_m": 50.1}


# what a request is told, and what is kept


def test_both_sheets_are_told_as_they_are_now() -> None:
    fight = begun(parry_reading="both")
    fight.change("mira", hp=100, conditions=[{"state": "reduced", "parameter": "damage", "amount": 3}], hidden=True)
    fight.change("ogre", passive_protection=2, dash_used=True, disarm_used=True, ap_spent=3.5)
    strike(fight, {"type": "sword", "damage_bonuses": [{"source": "fire", "value": 10}]})
    assert fight.request == {
        "attack": {"type": "sword", "damage_bonuses": [{"source": "fire", "value": 10}]},
        "attacker": {
            **MIRA,
            "hp": 100,
            "ap_spent": 0,
            "conditions": [{"state": "reduced", "parameter": "damage", "amount": 3}],
            "hidden": True,
        },
        "defender": {
            **OGRE,
            "passive_protection": 2,
            "hp": 200,
            "ap_spent": 3.5,
            "dash_used": True,
            "disarm_used": True,
        },
        "options": {"parry_reading": "both"},
    }
    assert fight.effects == [("mira", "ap_spent", 7, "ap.spent"), ("ogre", "hp", 160, "hp.loss")]


def test_a_defense_is_paid_and_makes_the_next_one_dearer() -> None:
    fight = begun()
    strike(fight, "knife", "dodge")
    assert fight.effects == [
        ("mira", "ap_spent", 5, "ap.spent"),
        ("ogre", "ap_spent", 5, "defense.ap_spent"),
        ("ogre", "earlier_defenses", [{"type": "dodge", "ap": 5}], "defense.escalation"),
    ]
    strike(fight, "knife", "dodge")
    assert (fight.outcome["defense"]["ordinal"], spent(fight, "ogre")) == (2, 13)
    assert [each.ap for each in turn(fight, "ogre").earlier_defenses] == [5, 8]
    assert fight.refused("attack", **aimed("knife"), defense={"type": "dodge"}) == ["defense.ap_insufficient"]


def test_tenths_of_ap_are_kept_exactly() -> None:
    fight = begun(ap_rounding="tenths", escalation_base="first_defense")
    fight.change("ogre", sheet={**OGRE, "ap_max": 21})
    strike(fight, "sword", "parry")
    strike(fight, "sword", "parry")
    assert fight.request["defender"]["ap_spent"] == 8.4
    assert (fight.outcome["defense"]["base_ap"], fight.outcome["defense"]["cost_ap"]) == (8.4, 12.6)
    assert fight.state["combatants"]["ogre"]["turn"]["ap_spent"] == 21
    assert [each.ap for each in turn(fight, "ogre").earlier_defenses] == [8.4, 12.6]


def test_a_dash_is_used_up() -> None:
    fight = begun()
    strike(fight, FIRST, {"type": "dash", "direction": "back"})
    assert ("ogre", "dash_used", True, "dash.once_per_turn") in fight.effects
    assert fight.refused("attack", **aimed(FIRST), defense={"type": "dash"}) == ["dash.once_per_turn"]


def test_low_hp_stun_and_zero_hp_may_kill() -> None:
    fight = begun()
    fight.change("ogre", hp=50)
    strike(fight, "sword")
    assert fight.effects[1:] == [
        ("ogre", "hp", 15, "hp.loss"),
        (
            "ogre",
            "conditions",
            [
                {
                    "state": "stunned",
                    "cause": "low_hp",
                    "parameter": None,
                    "amount": None,
                    "turns": None,
                    "paid_ap": None,
                    "holder": None,
                }
            ],
            "stun.below_tenth",
        ),
    ]
    strike(fight, "sword")
    assert (state(fight, "ogre").hp, state(fight, "ogre").dead) == (0, False)
    deadly = begun(at_zero_hp="dies")
    deadly.change("ogre", hp=30)
    strike(deadly, "sword")
    assert ("ogre", "dead", True, "hp.zero") in deadly.effects


def test_what_an_attack_inflicts_lasts() -> None:
    fight = begun()
    fight.change("ogre", magic_resistance=50)
    slow = spell(inflicts={"state": "reduced", "parameter": "ap", "amount": 9, "turns": 2})
    strike(fight, slow)
    [condition] = state(fight, "ogre").conditions
    assert (condition.amount, condition.turns, spent(fight, "ogre")) == (4, 2, 0)
    assert fight.effects[-1][3] == "reduction.applied"
    strike(fight, spell(inflicts={"state": "bound"}))
    assert fight.effects[-1][3] == "state.inflicted"
    assert [each.state for each in state(fight, "ogre").conditions] == ["reduced", "bound"]
    assert fight.refused("attack", **aimed("knife"), defense={"type": "dodge"}) == ["state.bound"]


def test_only_so_many_conditions_and_defenses_are_kept_as_can_be_told() -> None:
    fight = begun()
    fight.change("ogre", conditions=[{"state": "reduced", "parameter": "damage", "amount": 1}] * 32)
    strike(fight, spell(inflicts={"state": "bound"}))
    assert [each.state for each in state(fight, "ogre").conditions[-2:]] == ["reduced", "bound"]
    assert len(state(fight, "ogre").conditions) == 32
    fight.change("ogre", conditions=[], earlier_defenses=[{"type": "dash"}] * 20)
    strike(fight, "knife", "dodge")
    assert [each.type for each in turn(fight, "ogre").earlier_defenses] == ["dash"] * 20


def test_the_circle_of_power_may_have_to_be_known() -> None:
    fight = begun(magic_resistance="threshold")
    slow = spell(inflicts={"state": "reduced", "parameter": "ap", "amount": 9})
    strike(fight, slow)
    fight.end_turn()
    assert fight.refused("attack", **aimed(slow, "ogre", "mira")) == "circle_unknown"
    fight.act("attack", **aimed(spell(inflicts={"state": "bound"}), "ogre", "mira"), defense={"type": "none"})


# shots


def test_shots_are_counted_by_target_and_band() -> None:
    fight = begun()
    strike(fight, FIRST)
    assert state(fight, "mira").shots == {}
    found = []
    for target, shot in [("ogre", SECOND), ("ogre", SECOND), ("imp", SECOND)]:
        fight.act("attack", **aimed(shot, target=target), defense={"type": "none"})
        found.append((fight.request["attack"].get("shot_number", 1), fight.outcome["result"]))
    assert found == [(1, "missed"), (2, "hit"), (1, "missed")]
    assert fight.effects[-1] == ("mira", "shots.imp", {"every_second": 1, "every_third": 0}, "range.cadence")
    rounds(fight)
    for shot in (THIRD, THIRD, SECOND, FAR):
        strike(fight, shot)
    assert fight.outcome["result"] == "out_of_range"
    assert spent(fight, "mira") == 16
    shots = state(fight, "mira").shots["ogre"]
    assert (shots.every_second, shots.every_third) == (3, 2)
    rounds(fight)
    strike(fight, THIRD)
    assert (fight.request["attack"]["shot_number"], fight.outcome["result"]) == (3, "hit")


def test_a_shot_may_be_left_to_chance() -> None:
    fight = begun(range_misses="chance")
    with pytest.raises(DiceLeftOver):
        fight.act("attack", [2], **aimed(SECOND))
    fight.act("attack", **aimed(SECOND))
    with pytest.raises(DiceNeeded):
        fight.act("answer", actor="ogre")
    fight.act("answer", [2], actor="ogre", defense={"type": "dodge"})
    assert fight.outcome["result"] == "dodged"
    strike(fight, SECOND, "dodge", dice=[1])
    assert (fight.outcome["result"], spent(fight, "ogre")) == ("missed", 4)


def test_a_shot_needs_its_distance() -> None:
    with pytest.raises(Malformed) as raised:
        strike(begun(), "pistol")
    assert (raised.value.code, raised.value.field) == ("needed_with", "attack/distance_m")


# the answer


def test_an_attack_waits_for_the_answer_of_its_target() -> None:
    fight = begun()
    fight.act("attack", [], "mira", **aimed("sword"))
    waiting = {
        "attacker": "mira",
        "attack": {"type": "sword", "distance_m": None, "critical": None, "damage_bonuses": [], "custom": None},
        "targets": [{"target": "ogre", "distance_m": None, "defense": None}],
        "paid": False,
    }
    assert (fight.effects, fight.draft.resolutions) == ([(None, "pending", waiting, None)], [])
    assert fight.refused("answer", "imp", actor="imp") == "nothing_to_answer"
    with pytest.raises(NotForYou):
        fight.act("answer", [], "mira", actor="ogre")
    assert fight.refused("answer", "ogre", actor="ogre", defense={"type": "absorb_spell"}) == ["absorb.spells_only"]
    fight.act("answer", [], "ogre", actor="ogre", defense={"type": "parry"})
    assert (fight.request["defense"], fight.outcome["result"]) == ({"type": "parry"}, "parried")
    assert fight.effects[-1] == (None, "pending", None, None)
    assert fight.refused("answer", actor="ogre") == "nothing_to_answer"


def test_the_game_master_answers_for_anybody() -> None:
    fight = begun()
    fight.act("attack", [], "mira", **aimed("sword"))
    fight.act("answer", actor="ogre")
    assert state(fight, "ogre").hp == 165


@pytest.mark.parametrize("own", [None, "mira ogre"])
def test_who_plays_both_sends_the_answer_along(own: str | None) -> None:
    fight = begun()
    fight.act("attack", [], own, **aimed("sword"), defense={"type": "dodge"})
    assert (fight.outcome["result"], fight.state["pending"]) == ("dodged", None)


@pytest.mark.parametrize("answer", [{"defense": {"type": "none"}}, {"if_grabbed": "stay"}])
def test_nobody_else_does(answer: Body) -> None:
    with pytest.raises(NotForYou) as raised:
        begun().act("attack", [], "mira", **aimed("sword"), **answer)
    assert raised.value.facts == {"combatant": "ogre"}


def test_without_an_answer_even_ones_own_attack_waits() -> None:
    fight = begun()
    fight.act("attack", [], "mira ogre", **aimed("sword"))
    assert fight.state["pending"]["targets"][0]["target"] == "ogre"


@pytest.mark.parametrize(
    ("attack", "result"),
    [
        ({"type": "two_handed", "critical": {}}, "continues"),
        (FAR, "out_of_range"),
        (SECOND, "missed"),
        (THIRD, "missed"),
    ],
)
def test_what_no_answer_can_change_is_resolved_at_once(attack: Body, result: str) -> None:
    fight = begun()
    fight.act("attack", [], "mira", **aimed(attack))
    assert (fight.outcome["result"], fight.state["pending"]) == (result, None)
    assert fight.outcome["defense"] == {
        "type": "none",
        "status": "none",
        "ordinal": None,
        "percent": None,
        "base_ap": None,
        "exact_ap": None,
        "cost_ap": 0,
    }


def test_what_the_attacker_may_not_do_waits_for_nothing() -> None:
    fight = begun(critical_scope="named")
    assert fight.refused("attack", **aimed({"type": "punch", "critical": {}})) == ["critical.scope"]
    fight.change("mira", ap_spent=12)
    assert fight.refused("attack", "mira", **aimed("sword")) == ["attack.ap_insufficient"]
    fight.change("mira", conditions=[{"state": "bound"}, {"state": "immobilised"}])
    states = ["state.immobilised", "state.bound", "attack.ap_insufficient"]
    assert fight.refused("attack", **aimed("sword"), defense={"type": "absorb_spell"}) == states


# the body


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"attack": {"type": "sword"}}, ("#", "exactly_one")),
        ({**aimed("sword"), "targets": [{"target": "imp"}]}, ("#", "exactly_one")),
        ({"actor": "mira", "attack": {"type": "sword"}, "targets": [{"target": "imp"}]}, ("#/targets", "only_with")),
        ({"attack": fog(), "targets": []}, ("#/targets", "too_short")),
        ({"attack": fog(), "targets": [{"target": "imp"}, {"target": "imp"}]}, ("#/targets/1", "duplicate")),
        ({"attack": fog(), "targets": [{"target": "imp"}], "defense": {"type": "none"}}, ("#/defense", "only_with")),
        ({"attack": fog(), "targets": [{"target": "imp"}], "if_grabbed": "pay"}, ("#/if_grabbed", "only_with")),
        ({"attack": fog(), "targets": [{"target": "imp", "distance_m": 1.25}]}, ("#/targets/0/distance_m", "tenths")),
        ({"attack": fog(), "targets": [{"target": "mira"}]}, ("#/targets", "own_target")),
        (aimed("sword", target="mira"), ("#/target", "own_target")),
        (aimed({"type": "sword", "shot_number": 1}), ("#/attack/shot_number", "unexpected_keyword_argument")),
        (aimed({"type": "sword", "already_paid": True}), ("#/attack/already_paid", "unexpected_keyword_argument")),
        (
            aimed({"type": "sword", "critical": {"paid_ap": 1}}),
            ("#/attack/critical/paid_ap", "unexpected_keyword_argument"),
        ),
        (
            aimed({"type": "sword", "critical": {"response": "none"}}),
            ("#/attack/critical/response", "unexpected_keyword_argument"),
        ),
        (aimed({"type": "sword", "critical": {"pay_ap": 1.25}}), ("#/attack/critical/pay_ap", "tenths")),
        (aimed({"type": "sword", "distance_m": 1.25}), ("#/attack/distance_m", "tenths")),
        (aimed("custom"), ("#/attack/custom", "needed_with")),
    ],
)
def test_a_body_that_is_none(body: Body, fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        begun().act("attack", [], **{"actor": "mira", **body})
    assert [(each.pointer, each.code) for each in raised.value.faults] == [fault]

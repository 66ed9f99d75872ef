"""The borders of turns and rounds: what comes back, what ends, what is paid off."""

from itertools import product
from typing import Any

import pytest

from tests.rules.action_points.asking import Answer, Body, ask

WHIP: Body = {"state": "immobilised", "cause": "whip", "paid_ap": 0}
LOW_HP: Body = {"state": "stunned", "cause": "low_hp"}
FIGHTER: Body = {"hp_max": 100, "ap_max": 20, "regeneration": 4}
BOUNDARIES = ("turn_start", "turn_end", "round_end")


def upkeep(boundary: str, fighter: Body | None = None, **body: Any) -> Answer:
    """A border passed by one with 100 HP, 20 AP and regeneration 4, unless more is said."""
    return ask("upkeep", boundary=boundary, fighter=FIGHTER | (fighter or {}), **body)


def in_outcome(condition: Body) -> Body:
    """A condition as an outcome shows it."""
    whole = {"cause": "effect", "turns": None, "parameter": None, "amount": None, "paid_ap": None}
    return whole | condition


def test_a_turn_ends() -> None:
    conditions: list[Body] = [
        {"state": "bound", "turns": 1},
        {"state": "reduced", "parameter": "ap", "amount": 5, "turns": 2},
        {"state": "immobilised"},
        {"state": "reduced", "parameter": "hp", "amount": 30, "turns": 1},
    ]
    answer = upkeep(
        "turn_end",
        {"hp": 50, "ap": 3.5, "conditions": conditions},
        options={"regeneration_at": "turn_end"},
    )
    assert answer.steps == [
        ("state.runs_down", "effect", -1, 0),
        ("state.ends", "effect", None, None),
        ("state.runs_down", "effect", -1, 1),
        ("state.runs_down", "effect", -1, 0),
        ("state.ends", "effect", None, None),
        ("regeneration.round", "modifier", 4, 54),
        ("ap.refresh", "effect", 11.5, 15),
        ("upkeep.result", "result", 54, None),
    ]
    assert answer.outcome == {
        "result": "ok",
        "ap_after": 15,
        "hp_after": 54,
        "hp_regained": 4,
        "hp_effective": 54,
        "stunned": False,
        "counters_reset": True,
        "whip": "none",
        "ended": [in_outcome(conditions[0] | {"turns": 0}), in_outcome(conditions[3] | {"turns": 0})],
        "conditions_after": [in_outcome(conditions[1] | {"turns": 1}), in_outcome(conditions[2])],
    }


@pytest.mark.parametrize(
    ("boundary", "option"),
    [*product(BOUNDARIES, ["end_of_own_turn", "start_of_own_turn", "round_end"])],
)
def test_when_ap_come_back(boundary: str, option: str) -> None:
    due = {"turn_start": "start_of_own_turn", "turn_end": "end_of_own_turn", "round_end": "round_end"}[boundary]
    answer = upkeep(boundary, {"ap": 4}, options={"ap_refresh": option})
    assert (answer.outcome["ap_after"], answer.outcome["counters_reset"]) == (
        (20, True) if option == due else (4, False)
    )
    assert (("ap.refresh", "effect", 16, 20) in answer.steps) == (option == due)


@pytest.mark.parametrize(
    ("boundary", "option"),
    [*product(BOUNDARIES, ["round_end", "turn_end"])],
)
def test_when_hp_come_back(boundary: str, option: str) -> None:
    answer = upkeep(boundary, {"hp": 50}, options={"regeneration_at": option})
    assert answer.outcome["hp_after"] == (54 if option == boundary else 50)
    assert answer.outcome["hp_regained"] == (4 if option == boundary else 0)


def test_ap_are_what_is_left_unless_they_come_back() -> None:
    reduced = {"state": "reduced", "parameter": "ap", "amount": 3}
    assert upkeep("round_end", {"ap_spent": 8.4}).outcome["ap_after"] == 11.6
    assert upkeep("round_end", {"ap_spent": 8.4, "conditions": [reduced]}).outcome["ap_after"] == 8.6
    assert upkeep("round_end", {"ap_spent": 50}).outcome["ap_after"] == 0
    assert upkeep("turn_end", {"ap_spent": 8.4, "conditions": [reduced]}).outcome["ap_after"] == 17
    everything = {"state": "reduced", "parameter": "ap", "amount": 30}
    assert upkeep("turn_end", {"conditions": [everything]}).outcome["ap_after"] == 0


# regeneration and the stun of low HP


@pytest.mark.parametrize(
    ("hp", "after", "steps"),
    [
        (50, 54, [("regeneration.round", "modifier", 4, 54)]),
        (96, 100, [("regeneration.round", "modifier", 4, 100)]),
        (98, 100, [("regeneration.round", "modifier", 4, 102), ("regeneration.cap", "limit", 100, 100)]),
        (100, 100, [("regeneration.round", "modifier", 4, 104), ("regeneration.cap", "limit", 100, 100)]),
    ],
)
def test_regeneration_goes_up_to_the_maximum(hp: int, after: int, steps: list[Any]) -> None:
    answer = upkeep("round_end", {"hp": hp})
    assert answer.steps == [*steps, ("upkeep.result", "result", after, None)]
    assert answer.outcome["hp_regained"] == after - hp


def test_no_regeneration_leaves_no_step() -> None:
    assert upkeep("round_end", {"regeneration": 0, "hp": 50}).steps == [("upkeep.result", "result", 50, None)]


@pytest.mark.parametrize("state", ["immobilised", "bound", "stunned"])
def test_everybody_regenerates_in_every_state(state: str) -> None:
    assert upkeep("round_end", {"hp": 50, "conditions": [{"state": state}]}).outcome["hp_after"] == 54


def test_a_request_does_not_tell_the_dead_from_the_stunned() -> None:
    stunned = upkeep("round_end", {"hp": 0}).outcome
    assert (stunned["hp_after"], stunned["stunned"]) == (4, True)
    dead = upkeep("round_end", {"hp": 0, "conditions": [LOW_HP]}, options={"at_zero_hp": "dies"})
    assert (dead.outcome["hp_after"], dead.outcome["stunned"]) == (0, False)
    assert dead.outcome["conditions_after"] == [in_outcome(LOW_HP)]
    assert dead.steps == [("upkeep.result", "result", 0, None)]


@pytest.mark.parametrize("boundary", ["turn_end", "round_end"])
def test_low_hp_stun(boundary: str) -> None:
    answer = upkeep(boundary, {"regeneration": 0, "hp": 9})
    assert ("stun.below_tenth", "effect", 9, None) in answer.steps
    assert answer.outcome["conditions_after"] == [in_outcome(LOW_HP)]
    assert upkeep(boundary, {"regeneration": 0, "hp": 10}).outcome["conditions_after"] == []


@pytest.mark.parametrize("boundary", ["turn_end", "round_end"])
def test_the_stun_of_low_hp_ends_with_them(boundary: str) -> None:
    listed = {"regeneration": 0, "hp": 10, "conditions": [{"state": "bound"}, LOW_HP]}
    answer = upkeep(boundary, listed)
    assert ("stun.ends", "effect", 10, None) in answer.steps
    assert answer.outcome["ended"] == [in_outcome(LOW_HP)]
    assert answer.outcome["conditions_after"] == [in_outcome({"state": "bound"})]
    lasting = upkeep(boundary, listed, options={"low_hp_stun": "until_lifted"}).outcome
    assert (lasting["stunned"], lasting["ended"]) == (True, [])


def test_the_start_of_a_turn_does_not_look_at_the_stun() -> None:
    answer = upkeep("turn_start", {"hp": 9})
    assert (answer.outcome["stunned"], answer.outcome["conditions_after"]) == (True, [])
    over = upkeep("turn_start", {"hp": 90, "conditions": [LOW_HP]}).outcome
    assert (over["stunned"], over["ended"]) == (True, [])


def test_a_stun_of_another_cause_does_not_end_with_low_hp() -> None:
    answer = upkeep("round_end", {"hp": 90, "conditions": [{"state": "stunned", "turns": 2}]}).outcome
    assert (answer["stunned"], answer["ended"]) == (True, [])


def test_low_hp_are_effective_hp() -> None:
    lowered = {"state": "reduced", "parameter": "hp", "amount": 85}
    answer = upkeep("round_end", {"hp": 90, "conditions": [lowered]}).outcome
    assert (answer["hp_after"], answer["hp_effective"], answer["stunned"]) == (94, 9, True)
    ending = upkeep("turn_end", {"hp": 90, "conditions": [lowered | {"turns": 1}, LOW_HP]}).outcome
    assert (ending["hp_effective"], ending["stunned"]) == (90, False)
    assert [each["state"] for each in ending["ended"]] == ["reduced", "stunned"]


def test_only_the_end_of_a_turn_runs_down() -> None:
    conditions = [{"state": "bound", "turns": 1}]
    for boundary in ("turn_start", "round_end"):
        assert upkeep(boundary, {"conditions": conditions}).outcome["ended"] == []


def test_a_hold_with_turns_runs_down_as_well() -> None:
    answer = upkeep("turn_end", {"conditions": [WHIP | {"turns": 1}]}).outcome
    assert (answer["whip"], [each["cause"] for each in answer["ended"]]) == ("freed", ["whip"])


# the whip


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_hold_lasts_until_it_is_paid_off(boundary: str) -> None:
    answer = upkeep(boundary, {"conditions": [WHIP]})
    assert answer.outcome["whip"] == "held"
    assert ("whip.held" in answer.rules) == (boundary == "turn_start")
    assert answer.outcome["conditions_after"] == [in_outcome(WHIP)]


@pytest.mark.parametrize(
    ("option", "paid", "ap", "spent", "freed"),
    [
        ("at_once", 0, 15, 15, True),
        ("at_once", 9, 20, 15, True),
        ("instalments", 0, 20, 15, True),
        ("instalments", 9, 20, 6, True),
        ("instalments", 14.9, 0.1, 0.1, True),
        ("instalments", 9, 5.9, 5.9, False),
        ("instalments", 0, 0, 0, False),
    ],
)
def test_a_hold_is_paid_off(option: str, paid: float, ap: float, spent: float, *, freed: bool) -> None:
    fighter = {"ap": ap, "conditions": [WHIP | {"paid_ap": paid}]}
    answer = upkeep("turn_start", fighter, whip_release="pay", options={"whip_release": option})
    left = round(ap - spent, 1)
    last = ("whip.freed", "effect", None, None) if freed else ("whip.held", "decision", None, None)
    assert answer.steps == [
        ("whip.release", "effect", -spent, left),
        last,
        ("upkeep.result", "result", 100, None),
    ]
    assert (answer.outcome["whip"], answer.outcome["ap_after"]) == ("freed" if freed else "held", left)
    before, after = in_outcome(WHIP | {"paid_ap": paid}), in_outcome(WHIP | {"paid_ap": round(paid + spent, 1)})
    assert answer.outcome["ended"] == ([before] if freed else [])
    assert answer.outcome["conditions_after"] == ([] if freed else [after])


def test_what_forbids_paying_off() -> None:
    def refused(*conditions: Body, **fighter: Any) -> list[str]:
        body = {"conditions": list(conditions), **fighter}
        answer = upkeep("turn_start", body, whip_release="pay")
        assert answer.outcome is None
        assert answer.steps[-1] == ("upkeep.result", "result", 0, None)
        return answer.refused_by

    others: list[Body] = [{"state": "immobilised"}, {"state": "bound"}, {"state": "stunned"}]
    assert refused() == ["whip.not_held"]
    assert refused(*others) == ["whip.not_held"]
    assert refused(WHIP, *others) == ["state.immobilised", "state.stunned", "state.bound"]
    assert refused(WHIP, *others, ap=3) == ["state.immobilised", "state.stunned", "state.bound"]
    assert refused(WHIP, hp=9) == ["state.stunned"]
    assert refused(WHIP, ap=14.9) == ["whip.release_ap"]


def test_ap_that_come_back_at_the_start_can_be_paid() -> None:
    options = {"ap_refresh": "start_of_own_turn"}
    answer = upkeep("turn_start", {"ap": 1, "conditions": [WHIP]}, whip_release="pay", options=options)
    assert answer.steps[:2] == [("ap.refresh", "effect", 19, 20), ("whip.release", "effect", -15, 5)]
    assert answer.outcome["ap_after"] == 5


def test_low_hp_are_told_before_a_payment() -> None:
    answer = upkeep("turn_start", {"hp": 9, "conditions": [WHIP]}, whip_release="pay")
    assert answer.rules == ["stun.below_tenth", "state.stunned", "upkeep.result"]

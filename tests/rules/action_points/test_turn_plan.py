"""A plan item by item: price, permission, payment, and what the items do to each other."""

from typing import Any

import pytest

from tests.rules.action_points.asking import Body, odds, plan, spell

WHIP: Body = {"state": "immobilised", "cause": "whip"}
BOUND: Body = {"state": "bound"}
INSTALMENTS: Any = {"options": {"whip_release": "instalments"}}
SWORD: Body = {"type": "attack", "attack": {"type": "sword"}}


def metres(kind: str, distance: float) -> Body:
    """An item of so many metres."""
    return {"type": kind, "distance_m": distance}


def critical(attack: str = "sword", **of: Any) -> Body:
    """A critical attack as an item."""
    return {"type": "attack", "attack": {"type": attack, "critical": of}}


def ability(ap: int, **more: Any) -> Body:
    """An ability as an item."""
    return {"type": "ability", "ability": {"ap": ap} | more}


def statuses(answer: Any) -> list[str]:
    """What became of each item."""
    return [item["status"] for item in answer.outcome["items"]]


def test_the_steps_of_a_plan() -> None:
    answer = plan(
        metres("walk", 1.5),
        metres("climb", 1.1),
        "dash",
        {"type": "attack", "attack": spell(name="Fire Bolt")},
        ability(2, name="Ward"),
        "whip_release",
        "interact",
        "pick_up",
        fighter={"ap": 20, "hp_max": 100, "hp": 50, "hidden": True},
    )
    assert answer.steps == [
        ("ap.available", "base", 20, 20),
        ("move.walk", "base", 3, 3),
        ("ap.spent", "effect", -3, 17),
        ("stealth.walk_keeps", "decision", None, None),
        ("move.climb", "base", 3.3, 3.3),
        ("ap.rounding", "limit", 4, 4),
        ("ap.spent", "effect", -4, 13),
        ("move.dash", "base", 5, 5),
        ("ap.spent", "effect", -5, 8),
        ("dash.once_per_turn", "effect", None, None),
        ("attack.custom", "base", 6, 6),
        ("ap.spent", "effect", -6, 2),
        ("ability.custom", "base", 2, 2),
        ("ap.spent", "effect", -2, 0),
        ("whip.release", "base", 15, 15),
        ("whip.not_held", "refusal", None, None),
        ("act.interact", "base", 4, 4),
        ("turn.too_expensive", "decision", 4, None),
        ("act.pick_up", "base", 3, 3),
        ("turn.not_reached", "decision", 3, None),
        ("turn.result", "result", 20, None),
    ]
    assert statuses(answer) == ["done"] * 5 + ["not_allowed", "too_expensive", "not_reached"]
    assert answer.refused_by == ["whip.not_held"]
    outcome = {name: value for name, value in answer.outcome.items() if name != "items"}
    assert outcome == {
        "result": "not_allowed",
        "ap_available": 20,
        "ap_spent": 20,
        "ap_left": 0,
        "ap_needed": 27,
        "stealth": "kept",
        "dash_used": True,
        "moved_m": 5.1,
        "whip": "none",
    }
    assert [item["total_ap"] for item in answer.outcome["items"]] == [3, 7, 12, 18, 20, 20, 20, 20]
    assert [item["ap_left"] for item in answer.outcome["items"]] == [17, 13, 8, 2, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("language", "named", "unnamed"),
    [
        ("en", ["Fire Bolt: 6 AP", "Ward: 2 AP"], ["a spell: 6 AP", "an ability: 2 AP"]),
        ("ru", ["Fire Bolt: 6 АП", "Ward: 2 АП"], ["заклинание: 6 АП", "способность: 2 АП"]),
    ],
)
def test_what_has_a_name_is_called_by_it(language: str, named: list[str], unnamed: list[str]) -> None:
    def told(*items: Body) -> list[str]:
        answer = plan(*items, language=language)
        return [answer.text("attack.custom"), answer.text("ability.custom")]

    assert told({"type": "attack", "attack": spell(name="Fire Bolt")}, ability(2, name="Ward")) == named
    assert told({"type": "attack", "attack": spell()}, ability(2)) == unnamed


# permission


def test_all_reasons_against_an_item_stand_in_order() -> None:
    fighter = {
        "kind": "human",
        "ap": 50,
        "hp_max": 100,
        "hp": 3,
        "dash_used": True,
        "conditions": [BOUND, WHIP],
    }
    states = ["state.immobilised", "state.stunned", "state.bound"]
    judged: list[tuple[Any, list[str]]] = [
        ("dash", [*states, "dash.once_per_turn"]),
        ("change_shape", [*states[:2], "ability.change_shape_kinds"]),
        (critical("punch"), [*states, "critical.scope"]),
        ("whip_release", states[1:]),
    ]
    for item, reasons in judged:
        answer = plan(item, fighter=fighter)
        assert answer.refused_by == reasons
        assert answer.rules[1] == "stun.below_tenth"
        assert (answer.outcome["ap_needed"], answer.outcome["ap_spent"]) == (0, 0)
    both = fighter | {"conditions": [BOUND, WHIP, {"state": "immobilised"}]}
    assert plan("whip_release", fighter=both).refused_by == states


HANDS_FREE: list[Any] = [
    metres("telekinetic_throw", 1),
    "change_shape",
    ability(1, needs_hands=False),
    {"type": "attack", "attack": spell(needs_hands=False)},
]
FEET_AND_WINGS: list[Any] = [metres("walk", 1), metres("run", 1), metres("fly", 1)]
HANDS: list[Any] = [
    metres("climb", 1),
    "dash",
    "draw_weapon",
    "stow_weapon",
    "swap_weapon",
    "reload",
    "reload_crossbow",
    "pick_up",
    "interact",
    metres("throw", 1),
    ability(1),
    SWORD,
    {"type": "attack", "attack": spell()},
    {"type": "attack", "attack": spell(delivery="ranged", needs_hands=False)},
]


@pytest.mark.parametrize("item", [*HANDS_FREE, *FEET_AND_WINGS, *HANDS])
def test_what_the_states_forbid(item: Any) -> None:
    fighter = {"kind": "lycan", "ap": 50}
    assert plan(item, fighter=fighter).refused_by == []
    for state in ("immobilised", "stunned"):
        helpless = fighter | {"conditions": [{"state": state}]}
        for option in ("forbidden", "allowed"):
            answer = plan(item, fighter=helpless, options={"bound_movement": option})
            assert answer.refused_by == [f"state.{state}"]
    bound = fighter | {"conditions": [BOUND]}
    assert plan(item, fighter=bound).refused_by == ([] if item in HANDS_FREE else ["state.bound"])
    moving = plan(item, fighter=bound, options={"bound_movement": "allowed"})
    assert moving.refused_by == ([] if item in [*HANDS_FREE, *FEET_AND_WINGS] else ["state.bound"])
    reduced = fighter | {"conditions": [{"state": "reduced", "parameter": "damage", "amount": 9}]}
    assert plan(item, fighter=reduced).refused_by == []


@pytest.mark.parametrize("kind", ["human", "mage", "exorcist", "fae", "abyssal", "guardian", "lucifuge"])
def test_who_cannot_change_shape(kind: str) -> None:
    assert plan("change_shape", fighter={"kind": kind, "ap": 20}).refused_by == ["ability.change_shape_kinds"]


def test_a_refused_item_changes_nothing() -> None:
    answer = plan("dash", "dash", "dash", metres("run", 1), fighter={"ap": 20, "hidden": True, "dash_used": True})
    assert statuses(answer) == ["not_allowed"] * 3 + ["done"]
    assert answer.refused_by == ["dash.once_per_turn"]
    assert (answer.outcome["moved_m"], answer.outcome["ap_needed"], answer.outcome["stealth"]) == (1, 1, "lost")


def test_what_is_not_reached_is_not_judged() -> None:
    answer = plan(SWORD, "dash", "change_shape", fighter={"kind": "human", "ap": 6, "dash_used": True})
    assert statuses(answer) == ["too_expensive", "not_reached", "not_reached"]
    assert (answer.refused_by, answer.outcome["result"], answer.outcome["ap_needed"]) == ([], "exceeds", 22)


def test_a_refusal_comes_before_what_does_not_fit() -> None:
    answer = plan("whip_release", SWORD, fighter={"ap": 6})
    assert statuses(answer) == ["not_allowed", "too_expensive"]
    assert answer.outcome["result"] == "not_allowed"
    assert odds("turn-plan", fighter={"ap": 6}, items=[{"type": "whip_release"}]).refused_by == (
        "action_points.whip.not_held",
    )


# payment


@pytest.mark.parametrize(
    ("ap", "of", "expected"),
    [
        (14, {}, ("done", 14, 14)),
        (13.9, {}, ("continues", 14, 13.9)),
        (0, {}, ("too_expensive", 14, 0)),
        (20, {"paid_ap": 5.5}, ("done", 8.5, 8.5)),
        (20, {"pay_ap": 3}, ("continues", 14, 3)),
        (20, {"pay_ap": 99}, ("done", 14, 14)),
        (13, {"pay_ap": 99}, ("too_expensive", 14, 0)),
        (2, {"pay_ap": 3}, ("too_expensive", 14, 0)),
        (20, {"paid_ap": 10, "pay_ap": 4}, ("done", 4, 4)),
        (3, {"paid_ap": 11, "pay_ap": 99}, ("done", 3, 3)),
    ],
)
def test_a_critical_attack_is_paid(ap: float, of: Body, expected: tuple[str, float, float]) -> None:
    answer = plan(critical(**of), fighter={"ap": ap})
    (item,) = answer.outcome["items"]
    assert (item["status"], item["cost_ap"], item["total_ap"]) == expected
    if item["status"] == "continues":
        assert answer.steps[-2] == ("critical.continues", "decision", of.get("paid_ap", 0) + item["total_ap"], None)


def test_a_plan_goes_on_after_a_part_that_was_chosen_and_stops_after_one_that_was_not() -> None:
    chosen = plan(critical(pay_ap=3), "reload")
    assert (statuses(chosen), chosen.outcome["result"]) == (["continues", "done"], "fits")
    everything = plan(critical(pay_ap=10), "reload", fighter={"ap": 10})
    assert statuses(everything) == ["continues", "too_expensive"]
    forced = plan(critical(), "reload", fighter={"ap": 10})
    assert (statuses(forced), forced.outcome["ap_needed"]) == (["continues", "not_reached"], 18)
    alone = plan(critical(), fighter={"ap": 10})
    assert (alone.outcome["result"], alone.outcome["ap_needed"]) == ("fits", 14)


def test_the_steps_of_a_critical_attack_in_a_plan() -> None:
    answer = plan(critical(paid_ap=2.5), fighter={"ap": 10})
    assert answer.steps[1:] == [
        ("attack.sword", "base", 7, 7),
        ("critical.cost", "modifier", 7, 14),
        ("ap.spent", "effect", -10, 0),
        ("critical.continues", "decision", 12.5, None),
        ("turn.result", "result", 10, None),
    ]
    assert answer.text("critical.continues") == "1.5 AP are missing: it goes on next turn"


def test_a_further_target_costs_nothing_in_a_plan() -> None:
    fog = spell(ap=12, scope="mass")
    items = [{"type": "attack", "attack": fog}, {"type": "attack", "attack": fog | {"already_paid": True}}]
    answer = plan(*items, fighter={"ap": 12})
    assert [item["cost_ap"] for item in answer.outcome["items"]] == [12, 0]
    assert answer.steps[-4:-1] == [
        ("attack.custom", "base", 12, 12),
        ("attack.already_paid", "decision", 0, None),
        ("ap.spent", "effect", 0, 0),
    ]


def test_response_range_and_damage_of_an_attack_are_not_read() -> None:
    shot = {"type": "rifle", "distance_m": 9999, "critical": {"response": "interrupted"}}
    assert statuses(plan({"type": "attack", "attack": shot})) == ["done"]


# the whip


def held(paid: float = 0, ap: float = 20, *more: Body) -> Body:
    """One whom a whip holds."""
    return {"ap": ap, "conditions": [WHIP | {"paid_ap": paid}, *more]}


def test_a_release_frees_for_what_comes_after() -> None:
    answer = plan("reload", "whip_release", "reload", "whip_release", fighter=held())
    assert statuses(answer) == ["not_allowed", "done", "done", "not_allowed"]
    assert answer.refused_by == ["state.immobilised", "whip.not_held"]
    assert (answer.outcome["whip"], answer.outcome["ap_needed"]) == ("freed", 19)
    assert answer.steps[3:6] == [
        ("whip.release", "base", 15, 15),
        ("ap.spent", "effect", -15, 5),
        ("whip.freed", "effect", None, None),
    ]


def test_a_release_does_not_free_from_anything_else() -> None:
    paralysed = plan("whip_release", "reload", fighter=held(0, 20, {"state": "immobilised"}))
    assert statuses(paralysed) == ["not_allowed", "not_allowed"]
    assert plan("whip_release", fighter=held(0, 20, BOUND)).refused_by == ["state.bound"]
    assert plan("whip_release", fighter=held(0, 20, {"state": "stunned"})).refused_by == ["state.stunned"]


def test_too_few_ap_do_not_free_at_once() -> None:
    answer = plan("whip_release", fighter=held(14.9, 14.9))
    assert (statuses(answer), answer.outcome["items"][0]["cost_ap"]) == (["too_expensive"], 15)
    assert (answer.outcome["ap_spent"], answer.outcome["whip"]) == (0, "held")


def test_instalments() -> None:
    answer = plan("whip_release", "whip_release", fighter=held(2.5, 6), **INSTALMENTS)
    assert answer.steps[1:] == [
        ("whip.release", "base", 12.5, 12.5),
        ("ap.spent", "effect", -6, 0),
        ("whip.held", "decision", 8.5, None),
        ("whip.release", "base", 6.5, 6.5),
        ("turn.not_reached", "decision", 6.5, None),
        ("turn.result", "result", 6, None),
    ]
    assert statuses(answer) == ["continues", "not_reached"]
    assert (answer.outcome["ap_needed"], answer.outcome["result"]) == (19, "exceeds")
    last = plan("whip_release", "whip_release", fighter=held(14.9, 0.1), **INSTALMENTS)
    assert [item["cost_ap"] for item in last.outcome["items"]] == [0.1, 15]
    assert (statuses(last), last.outcome["whip"]) == (["done", "not_allowed"], "freed")
    nothing = plan("whip_release", fighter=held(0, 0), **INSTALMENTS)
    assert (statuses(nothing), nothing.outcome["whip"]) == (["too_expensive"], "held")


# stealth


@pytest.mark.parametrize(
    ("item", "by_default", "by_option"),
    [
        (metres("walk", 1), "kept", "kept"),
        (metres("run", 1), "lost", "lost"),
        (metres("fly", 1), "kept", "lost"),
        (metres("climb", 1), "kept", "lost"),
        ("dash", "kept", "lost"),
        (SWORD, "kept", "kept"),
        ("interact", "kept", "kept"),
        (metres("throw", 9), "kept", "kept"),
    ],
)
def test_stealth(item: Any, by_default: str, by_option: str) -> None:
    hidden = {"ap": 20, "hidden": True}
    assert plan(item, fighter=hidden).outcome["stealth"] == by_default
    option: Any = {"options": {"stealth_rule": "only_walk_keeps"}}
    assert plan(item, fighter=hidden, **option).outcome["stealth"] == by_option
    assert plan(item, **option).outcome["stealth"] == "not_hidden"


def test_stealth_ends_once_and_walking_is_told_each_time() -> None:
    items = [metres("walk", 1), metres("run", 1), metres("run", 1), metres("walk", 1)]
    answer = plan(*items, fighter={"ap": 20, "hidden": True})
    told = [rule for rule in answer.rules if rule.startswith("stealth")]
    assert told == ["stealth.walk_keeps", "stealth.run_breaks", "stealth.walk_keeps"]
    assert not [rule for rule in plan(*items).rules if rule.startswith("stealth")]


def test_all_metres_are_added_up() -> None:
    items: list[Any] = [metres("walk", 0.1), metres("run", 0.2), metres("fly", 0.3), metres("climb", 0.4), "dash"]
    assert plan(*items).outcome["moved_m"] == 3.5
    assert plan(metres("throw", 9)).outcome["moved_m"] == 0


def test_a_dash_made_as_a_defense_is_used() -> None:
    answer = plan("reload", fighter={"ap": 20, "earlier_defenses": [{"type": "dash", "ap": 5}]})
    assert answer.outcome["dash_used"] is True
    assert plan("reload").outcome["dash_used"] is False

"""Attacks in a fight: what the stateless request is told, what changes, what is refused."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.chronicles.fighting import begun, julia, swing, table, thug

SWING = {"actor": "thug", "target": "julia", "attack": {"name": "swing"}}
HEALTHY = {"boxes": 7, "bashing": 0, "lethal": 0, "aggravated": 0}


# what a stateless request is told


def test_a_named_attack_is_told_from_the_sheets_and_counters_of_both() -> None:
    fight = table()
    fight.change("thug", health={"boxes": 8, "lethal": 6}, attacks_defended=2, attacks_undefended=1)
    fight.change("julia", off_balance=1, attacks_defended=1, attacks_undefended=3, health={"boxes": 7, "bashing": 5})
    extra = [{"label": "high ground", "value": 1}]
    attack = {"name": "knife", "willpower": True, "modifiers": extra}
    fight.act("attack", [2] * 8, actor="thug", target="julia", attack=attack, defense={"mode": "passive"})
    assert fight.request == {
        "attack": {
            "pool": {
                "total": 5,
                "again": "nine_again",
                "modifiers": [{"label": "knack", "value": 1}, {"label": "high ground", "value": 1}],
                "wound_penalty": -1,
                "willpower": True,
            },
            "attacks_defended": 2,
        },
        "weapon": {"kind": "melee", "rating": 1},
        "defense": {
            "traits": {"dexterity": 2, "wits": 3, "athletics": 1},
            "mode": "passive",
            "off_balance": 1,
            "attacks_defended": 1,
            "attacks_undefended": 3,
            "roll": {"wound_penalty": -1},
        },
        "target": {"health": {"boxes": 7, "bashing": 5}},
    }


def test_armor_and_house_rules_are_told() -> None:
    fight = table(defense_drop="all_attacks")
    fight.act("attack", [2], actor="julia", target="thug", attack={"name": "fist"}, defense={"mode": "passive"})
    assert fight.request["options"] == {"defense_drop": "all_attacks"}
    assert fight.request["target"] == {"armor": {"general": 1, "ballistic": 2}, "health": {"boxes": 8}}
    assert fight.request["defense"]["modifiers"] == [{"label": "shield", "value": 1}]


def test_a_pool_has_its_own_willpower_and_modifiers_and_the_wounds_of_the_track() -> None:
    fight = table()
    fight.change("julia", health={"boxes": 7, "lethal": 7})
    pool = {"attribute": 3, "skill": 2, "willpower": True, "modifiers": [{"value": -1}]}
    weapon = {"kind": "thrown"}
    fight.act("attack", [2], actor="julia", target="thug", attack={"pool": pool}, weapon=weapon)
    assert fight.request["attack"]["pool"] == {
        "attribute": 3,
        "skill": 2,
        "willpower": True,
        "modifiers": [{"value": -1}],
        "wound_penalty": -3,
    }
    assert fight.request["weapon"] == weapon
    assert julia(fight).state.willpower.left == 4


def test_the_qualities_of_the_sheet_are_those_of_a_dodge() -> None:
    fight = table()
    roll = {"again": "eight_again", "rote": True, "modifiers": [{"value": 1}]}
    fight.change("julia", defense={"score": 1, "applies_to_firearms": True, "roll": roll})
    gun = {"kind": "firearm"}
    fight.act(
        "attack",
        [2, 3, 4, 2, 3, 4],
        actor="thug",
        target="julia",
        attack={"successes": 2},
        weapon=gun,
        defense={"mode": "dodge"},
    )
    assert fight.request["defense"]["roll"] == roll
    assert fight.request["defense"]["applies_to_firearms"] is True
    assert fight.outcome["result"] == "hit"


@pytest.mark.parametrize(
    ("change", "availability"),
    [
        ({"availability": "unaware"}, "unaware"),
        ({"availability": "immobilized"}, "immobilized"),
        ({"availability": "sacrificed"}, "sacrificed"),
        ({"unconscious": True}, "immobilized"),
        ({"health": {"boxes": 7, "aggravated": 7}}, "immobilized"),
        ({"unconscious": True, "availability": "unaware"}, "unaware"),
    ],
)
def test_who_has_no_defense_has_none(change: dict[str, Any], availability: str) -> None:
    fight = table()
    fight.change("julia", **change)
    swing(fight, [2] * 7)
    assert fight.request["defense"]["availability"] == availability
    assert fight.outcome["defense"]["applied"] is False
    assert (julia(fight).turn.attacks_defended, julia(fight).turn.attacks_undefended) == (0, 1)


def test_availability_is_the_game_masters_to_give_back() -> None:
    fight = table()
    fight.change("julia", availability="sacrificed")
    fight.change("julia", availability="unaware")
    assert (julia(fight).state.availability, julia(fight).turn.sacrificed) == ("unaware", True)
    fight.change("julia", availability="available")
    assert (julia(fight).state.availability, julia(fight).turn.sacrificed) == ("available", False)


# what changes


def test_a_passive_defense_that_misses() -> None:
    fight = table()
    fight.act("attack", [2, 2, 2, 2], **SWING)
    assert fight.effects == [
        ("thug", "action_state", "spent", "turn.one_action"),
        ("julia", "attacks_defended", 1, "defense.drop"),
    ]


def test_each_attack_drops_defense_by_one() -> None:
    fight = table()
    for pool in (4, 5, 6, 7, 7):
        swing(fight, [2] * pool)
        assert fight.outcome["attack_roll"]["pool"] == pool
    assert julia(fight).turn.attacks_defended == 5


def test_the_counters_stop_where_a_request_does() -> None:
    fight = table()
    fight.change("julia", attacks_defended=50, attacks_undefended=50, off_balance_pending=10)
    swing(fight, [2] * 7 + [1], mode="dodge")
    assert (julia(fight).turn.attacks_defended, julia(fight).turn.off_balance_pending) == (50, 10)
    swing(fight, [2] * 7, mode="none")
    assert julia(fight).turn.attacks_undefended == 50


def test_a_hit_is_marked_on_the_track() -> None:
    fight = table()
    fight.act("attack", [8, 9, 2, 2, 2, 2, 2], **{**SWING, "defense": {"mode": "none"}})
    assert fight.effects == [
        ("thug", "action_state", "spent", "turn.one_action"),
        ("julia", "attacks_undefended", 1, None),
        ("julia", "health", {**HEALTHY, "bashing": 2}, "health.mark"),
    ]


def test_a_hit_on_a_full_track_makes_boxes_worse() -> None:
    fight = table()
    fight.change("julia", health={"boxes": 7, "bashing": 7})
    swing(fight, [8, 2, 2, 2, 2, 2, 2], mode="none")
    assert fight.effects[-1] == ("julia", "health", {**HEALTHY, "bashing": 6, "lethal": 1}, "health.upgrade")


def test_the_wild_swing_dodged() -> None:
    """Three successes against two: a hit, and the Dodge costs the action."""
    fight = table()
    fight.act("attack", [8, 9, 8, 2, 3, 4, 5, 8, 9, 1, 2, 3, 4], **{**SWING, "defense": {"mode": "dodge"}})
    assert fight.outcome["net_successes"] == 1
    assert fight.effects == [
        ("thug", "action_state", "spent", "turn.one_action"),
        ("julia", "attacks_defended", 1, "defense.drop"),
        ("julia", "action_state", "given_up", "dodge.gives_up_action"),
        ("julia", "health", {**HEALTHY, "bashing": 1}, "health.mark"),
    ]
    swing(fight, [2] * 7 + [2] * 4, mode="dodge")
    assert fight.request["defense"]["action_state"] == "given_up"
    assert fight.refused("attack", actor="julia", target="thug", attack={"name": "fist"}) == ["dodge.action_given_up"]


def test_a_dramatic_failure_loses_balance_each_time() -> None:
    fight = table()
    fight.change("julia", attacks_defended=3)
    for times in (1, 2):
        swing(fight, [2] * 7 + [1], mode="dodge")
        assert julia(fight).turn.off_balance_pending == times
    assert julia(fight).turn.off_balance == 0


def test_an_all_out_attack_sacrifices_defense() -> None:
    fight = table()
    attack = {"name": "fist", "maneuver": "all_out"}
    fight.act("attack", [2, 2], actor="julia", target="thug", attack=attack)
    assert fight.effects == [
        ("julia", "action_state", "spent", "turn.one_action"),
        ("julia", "sacrificed", True, "all_out.defense_lost"),
        ("thug", "attacks_defended", 1, "defense.drop"),
    ]
    swing(fight, [2] * 7)
    assert fight.request["defense"]["availability"] == "sacrificed"


def test_both_sides_spend_willpower() -> None:
    fight = table()
    attack = {"name": "swing", "willpower": True}
    defense = {"mode": "passive", "willpower": True}
    fight.act("attack", [2] * 5, actor="thug", target="julia", attack=attack, defense=defense)
    assert fight.effects[1:3] == [
        ("thug", "willpower", {"max": 3, "current": 0}, "willpower.dice"),
        ("thug", "willpower_spent_this_turn", 1, "willpower.dice"),
    ]
    assert fight.effects[4:] == [
        ("julia", "willpower", {"max": 5, "current": 4}, "willpower.resistance"),
        ("julia", "willpower_spent_this_turn", 1, "willpower.resistance"),
    ]


def test_willpower_on_a_dodge_is_dice() -> None:
    fight = table()
    swing(fight, [2] * 7 + [2] * 9, mode="dodge", willpower=True)
    assert ("julia", "willpower", {"max": 5, "current": 4}, "dodge.willpower") in fight.effects


def test_willpower_that_does_nothing_is_not_spent() -> None:
    fight = table(dodge_at_zero_defense="chance_die_only")
    fight.change("julia", attacks_defended=3)
    swing(fight, [2] * 7 + [2], mode="dodge", willpower=True)
    assert julia(fight).state.willpower.left == 5
    fight.change("julia", availability="unaware")
    swing(fight, [2] * 7, mode="passive", willpower=True)
    assert julia(fight).state.willpower.left == 5


def test_known_successes_count_and_spend_passive_defense() -> None:
    fight = table()
    defense = {"mode": "passive", "willpower": True}
    fight.act("attack", actor="thug", target="julia", attack={"successes": 1}, defense=defense)
    assert (julia(fight).turn.attacks_defended, julia(fight).state.willpower.left) == (1, 4)
    assert thug(fight).turn.action_state == "spent"


# what is refused


def test_one_action_a_turn() -> None:
    fight = table()
    fight.act("attack", [2] * 4, **SWING)
    assert fight.refused("attack", **SWING) == ["turn.one_action"]


@pytest.mark.parametrize("change", [{"unconscious": True}, {"health": {"boxes": 8, "aggravated": 8}}])
def test_who_is_out_has_no_action(change: dict[str, Any]) -> None:
    fight = table()
    fight.change("thug", **change)
    assert fight.refused("attack", **SWING) == ["turn.one_action"]
    fight.change("julia", unconscious=True)
    dodging = {"actor": "julia", "attack_successes": 1}
    assert fight.refused("dodge", **dodging) == ["dodge.gives_up_action", "dodge.needs_defense"]


def test_all_out_is_refused_as_in_the_stateless_action() -> None:
    fight = table()
    fight.change("thug", attacks_defended=1)
    attack = {"pool": {"total": 3}, "maneuver": "all_out"}
    refused = fight.refused("attack", actor="thug", target="julia", attack=attack, weapon={"kind": "firearm"})
    assert refused == ["all_out.close_combat_only", "all_out.defense_already_used"]


def test_no_willpower_no_point() -> None:
    fight = table()
    fight.change("thug", willpower={"max": 3, "current": 0})
    fight.change("julia", willpower={"max": 0})
    named = {"name": "swing", "willpower": True}
    both = {**SWING, "attack": named, "defense": {"mode": "dodge", "willpower": True}}
    assert fight.refused("attack", **both) == ["willpower.points"]
    assert fight.refused("attack", **{**SWING, "attack": named}) == ["willpower.points"]
    pool = {"pool": {"total": 3, "willpower": True}}
    assert fight.refused("attack", **{**SWING, "attack": pool}) == ["willpower.points"]
    assert fight.refused("attack", **{**SWING, "defense": {"mode": "passive", "willpower": True}}) == [
        "willpower.points"
    ]


def test_one_point_a_turn_where_the_table_says_so() -> None:
    fight = table(willpower_limit="per_turn")
    defense = {"mode": "passive", "willpower": True}
    swing(fight, [2, 2], **defense)
    fight.change("thug", action_state="unspent")
    assert fight.refused("attack", **{**SWING, "defense": defense}) == ["willpower.one_per_turn"]
    fight.change("julia", willpower={"max": 1, "current": 0})
    assert fight.refused("attack", **{**SWING, "defense": defense}) == ["willpower.points", "willpower.one_per_turn"]


def test_each_roll_has_its_point_otherwise() -> None:
    fight = table()
    for left in (4, 3):
        swing(fight, [2] * (6 - left), mode="passive", willpower=True)
        assert julia(fight).state.willpower.left == left


def test_all_that_forbids_is_told_at_once() -> None:
    fight = table()
    fight.change("thug", action_state="spent", willpower={"max": 1, "current": 0})
    fight.change("julia", availability="unaware")
    sent = {**SWING, "attack": {"name": "swing", "willpower": True}, "defense": {"mode": "dodge"}}
    assert fight.refused("attack", **sent) == ["willpower.points", "turn.one_action", "dodge.needs_defense"]


def test_an_attack_that_the_sheet_does_not_have() -> None:
    fight = table()
    assert fight.refused("attack", **{**SWING, "attack": {"name": "kick"}}) == "no_such_attack"
    assert fight.refused("attack", **{**SWING, "target": "ghost"}) == "no_such_combatant"
    assert fight.refused("attack", **{**SWING, "actor": "ghost"}) == "no_such_combatant"


def test_a_named_attack_takes_no_more_modifiers_than_a_pool() -> None:
    fight = table()
    attack = {"name": "knife", "modifiers": [{"value": 1}] * 8}
    with pytest.raises(Malformed) as raised:
        fight.act("attack", [], actor="thug", target="julia", attack=attack)
    assert (raised.value.code, raised.value.field, raised.value.facts) == (
        "too_long",
        "attack/modifiers",
        {"max_length": 7},
    )


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"attack": {}}, ("#/attack", "exactly_one")),
        ({"attack": {"name": "swing", "successes": 1}}, ("#/attack", "exactly_one")),
        ({"attack": {"name": "swing"}, "weapon": {}}, ("#/weapon", "not_together")),
        ({"attack": {"successes": 1, "maneuver": "all_out"}}, ("#/attack/maneuver", "only_with")),
        ({"attack": {"successes": 1, "willpower": True}}, ("#/attack/willpower", "only_with")),
        ({"attack": {"pool": {"total": 1}, "willpower": True}}, ("#/attack/willpower", "only_with")),
        ({"attack": {"pool": {"total": 1}, "modifiers": [{"value": 1}]}}, ("#/attack/modifiers", "only_with")),
        ({"attack": {"pool": {}}}, ("#/attack/pool", "exactly_one")),
        ({"attack": {"pool": {"total": 1, "attribute": 1}}}, ("#/attack/pool", "exactly_one")),
        ({"attack": {"pool": {"attribute": 1}}}, ("#/attack/pool/skill", "needed_with")),
        ({"attack": {"pool": {"total": 1, "wound_penalty": -1}}}, ("#/attack/pool/wound_penalty", "unexpected")),
        ({"defense": {"mode": "none", "willpower": True}}, ("#/defense/willpower", "only_with")),
        ({"defense": {"willpower": True}}, ("#/defense/mode", "missing")),
    ],
)
def test_an_attack_that_contradicts_itself(body: dict[str, Any], fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        table().act("attack", [], **{**SWING, **body})
    (found,) = raised.value.faults
    assert (found.pointer, found.code.removesuffix("_keyword_argument")) == fault


# who may


def test_a_player_attacks_with_their_own_only_and_chooses_only_their_own_defense() -> None:
    fight = table()
    with pytest.raises(NotForYou):
        fight.act("attack", [], "julia", **SWING)
    with pytest.raises(NotForYou):
        fight.act("attack", [], "thug", **{**SWING, "defense": {"mode": "none"}})
    fight.act("attack", [2] * 4, "thug", **SWING)
    fight.change("thug", action_state="unspent")
    fight.act("attack", [2] * 7, "thug julia", **{**SWING, "defense": {"mode": "none"}})


def test_a_player_attacks_in_their_place_and_the_game_master_when_they_like() -> None:
    fight = begun()
    assert fight.refused("attack", "thug", **SWING) == "not_your_turn"
    fight.act("attack", [2] * 4, **SWING)
    fight.act("attack", [2], "julia", actor="julia", target="thug", attack={"name": "fist"})

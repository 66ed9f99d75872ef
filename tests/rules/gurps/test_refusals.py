"""What forbids a defense: each rule alone."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, block, defend, dodge, parry, refused, sheet

DOUBLE: Body = {"maneuver": "all_out_defense_double"}
RETREAT: Body = {"kind": "retreat"}
DROP: Body = {"kind": "drop"}
LEFT_PARRY = parry({"hand": "left"})
IN_THE_DARK: Body = {"awareness": "alert"}


@pytest.mark.parametrize("state", ["unconscious", "immobilized", "helpless"])
def test_nobody_defends_who_cannot_act(state: str) -> None:
    assert refused(dodge(), state=state) == ["defense.incapable"]


def test_no_defense_against_a_critical_hit() -> None:
    assert refused(dodge(), attack={"critical": True}) == ["defense.critical_hit"]


def test_no_defense_after_all_out_attack() -> None:
    assert refused(dodge(), maneuver="all_out_attack") == ["maneuver.all_out_attack"]


def test_no_defense_against_a_surprise_that_the_game_master_does_not_let_one_notice() -> None:
    assert refused(dodge(), attack={"awareness": "surprise"}) == ["surprise.no_defense"]


def test_the_blind_do_not_notice_a_surprise_either() -> None:
    assert refused(dodge(), attack={"awareness": "surprise"}, blind=True) == ["surprise.no_defense"]


def test_the_blind_know_nothing_of_an_unknown_attacker() -> None:
    assert refused(dodge(), attack={"awareness": "unseen_unknown"}, blind=True) == ["awareness.unseen_unknown"]


def test_under_all_attacks_the_blind_defend_themselves_from_an_unknown_attacker() -> None:
    answer = defend(
        [2, 2, 2],
        dodge(),
        attack={"awareness": "unseen_unknown"},
        defender=sheet(blind=True),
        options={"blind_defense": "all_attacks"},
    )
    assert answer.attempt["effective"] == 9 - 4
    assert answer.rules[0] == "awareness.blind"
    assert answer.rules[-2:] == ["awareness.now_alert", "defense.outcome"]


@pytest.mark.parametrize(
    ("defender", "dice", "expected"),
    [
        ({}, [], ["direction.rear"]),
        ({"traits": ["double_jointed"]}, [], ["direction.rear"]),
        ({"traits": ["peripheral_vision"]}, [3, 3, 3], []),
        ({"blind_fighting": 12}, [3, 3, 3, 3, 3, 3], []),
        ({"blind_fighting": 0}, [], []),
    ],
)
def test_who_may_defend_to_the_rear(defender: Body, dice: list[int], expected: list[str]) -> None:
    answer = defend(dice, dodge(), attack={"direction": "rear"}, defender=sheet(**defender))
    assert answer.refused_by == expected


def test_a_runaround_is_no_attack_to_the_rear() -> None:
    answer = defend([3, 2, 2], dodge(), attack={"direction": "rear", "runaround": "right"}, defender=sheet())
    assert answer.steps()[0] == ("direction.runaround", "decision", None, None)
    assert answer.attempt["effective"] == 7


def test_two_defenses_need_double_defense() -> None:
    assert refused(dodge(), block(), maneuver="all_out_defense_dodge") == ["double_defense.maneuver"]


def test_the_wrong_maneuver_hides_that_the_second_defense_is_spent() -> None:
    spent = {"turn": {"double_defense_used": True}, "options": {"double_defense": "per_turn"}}
    assert refused(dodge(), block(), **spent) == ["double_defense.maneuver"]
    assert refused(dodge(), block(), **DOUBLE, **spent) == ["double_defense.spent"]


def test_by_default_the_second_defense_comes_against_each_attack() -> None:
    spent = sheet(turn={"double_defense_used": True}, **DOUBLE)
    assert defend([3, 3, 3], dodge(), block(), defender=spent).outcome["result"] == "success"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (dodge(), dodge(), ["dodge.once_per_attack"]),
        (dodge(), dodge(acrobatic=False), ["dodge.once_per_attack"]),
        (block(), block(), ["double_defense.different"]),
        (parry(), parry(), ["double_defense.different"]),
        (parry({"hand": "both"}), LEFT_PARRY, ["double_defense.different"]),
        (LEFT_PARRY, LEFT_PARRY, ["double_defense.different"]),
        (block(fallback="dodge"), block(fallback="dodge"), ["double_defense.different"]),
    ],
)
def test_the_second_defense_is_another_one(first: Body, second: Body, expected: list[str]) -> None:
    assert refused(first, second, **DOUBLE) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (dodge(), block(fallback="dodge")),
        (parry(fallback="dodge"), dodge()),
        (block(fallback="dodge"), block(fallback="dodge")),
    ],
)
def test_in_the_dark_a_fallback_counts_as_a_dodge(first: Body, second: Body) -> None:
    assert refused(first, second, attack=IN_THE_DARK, **DOUBLE) == ["dodge.once_per_attack"]


@pytest.mark.parametrize(("first", "second"), [(parry(), LEFT_PARRY), (LEFT_PARRY, parry()), (block(), dodge())])
def test_other_defenses_go_together(first: Body, second: Body) -> None:
    assert defend([1, 1, 1], first, second, defender=sheet(**DOUBLE)).refused_by == []


def test_an_acrobatic_dodge_needs_the_skill_and_comes_once_a_turn() -> None:
    used = {"turn": {"acrobatic_dodge_used": True}}
    assert refused(dodge(acrobatic=True)) == ["acrobatics.untrained"]
    assert refused(dodge(acrobatic=True), acrobatics=0, **used) == ["acrobatics.once_per_turn"]
    assert defend([3, 3, 3], dodge(), defender=sheet(**used)).refused_by == []


@pytest.mark.parametrize(
    ("option", "turn", "expected"),
    [
        (None, None, ["area.movement_required"]),
        (None, {"kind": "drop", "against": "other"}, ["area.movement_required"]),
        (None, {"kind": "drop", "against": "no_one"}, ["area.movement_required"]),
        (None, {"kind": "drop", "against": "this_attacker"}, []),
        (None, {"kind": "retreat", "against": "this_attacker"}, []),
        (RETREAT, None, []),
        (DROP, None, []),
    ],
)
def test_under_movement_required_an_area_is_dodged_in_motion(option: Any, turn: Any, expected: list[str]) -> None:
    answer = defend(
        [] if expected else [3, 3, 3],
        dodge(option=option) if option else dodge(),
        attack={"kind": "area"},
        defender=sheet(turn={"option": turn}),
        options={"area_dodge": "movement_required"},
    )
    assert answer.refused_by == expected


@pytest.mark.parametrize("defense", [block(), parry()])
def test_what_only_dodges(defense: Body) -> None:
    assert refused(defense, creature="handless_animal") == ["creature.dodge_only"]
    assert refused(defense, attack={"kind": "area"}) == ["area.dodge_only"]
    noticed = {"awareness": "surprise", "detection": {"skill": 12}}
    assert refused(defense, attack=noticed) == ["surprise.dodge_only"]
    anyhow = {**noticed, "detection": {"skill": 12, "allows": "any"}}
    assert defend([3, 3, 3, 3, 3, 3], defense, attack=anyhow, defender=sheet()).refused_by == []


def test_what_forbids_a_block() -> None:
    assert refused(block(), attack={"forbids": ["parry", "block"]}) == ["block.forbidden"]
    assert refused(block(), turn={"block_used": True}) == ["block.once_per_turn"]
    assert refused(block(), shield={"block": {"score": 11}, "ready": False}) == ["block.needs_item"]
    without = {"dodge": {"score": 9}}
    assert defend([], block(), defender=without).refused_by == ["block.needs_item"]


@pytest.mark.parametrize("kind", ["shield", "cloak", "body"])
@pytest.mark.parametrize(
    ("hand", "direction", "allowed"),
    [
        ("left", "left", True),
        ("left", "right", False),
        ("right", "left", False),
        ("right", "right", True),
        ("both", "left", True),
        ("both", "right", True),
        ("right", "front", True),
    ],
)
def test_a_shield_blocks_on_its_side(kind: str, hand: str, direction: str, *, allowed: bool) -> None:
    shield = {"kind": kind, "hand": hand, "block": {"score": 11}}
    answer = defend(
        [3, 2, 2] if allowed else [], block(), attack={"direction": direction}, defender=sheet(shield=shield)
    )
    assert answer.refused_by == ([] if allowed else ["direction.shield_side"])


def test_an_unready_shield_on_the_wrong_side_is_refused_twice_and_a_missing_one_once() -> None:
    unready = {"block": {"score": 11}, "ready": False}
    from_the_right = {"direction": "right"}
    assert refused(block(), attack=from_the_right, shield=unready) == ["block.needs_item", "direction.shield_side"]
    assert defend([], block(), attack=from_the_right).refused_by == ["block.needs_item"]

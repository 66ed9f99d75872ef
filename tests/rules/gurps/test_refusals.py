"""What forbids a defense: each rule alone, all of them in order, and what stands beside them in the audit."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, ask, bare_hand, block, defend, dodge, parry, sheet

DOUBLE = {"maneuver": "all_out_defense_double"}
RETREAT = {"kind": "retreat"}
DROP = {"kind": "drop"}
LEFT_PARRY = parry({"hand": "left"})
IN_THE_DARK = {"awareness": "alert"}


def refused(*defenses: Body, attack: Any = None, options: Any = None, **defender: Any) -> list[str]:
    answer = defend([], *defenses, attack=attack or {}, defender=sheet(**defender), options=options or {})
    assert answer.outcome is None
    assert answer.faces == []
    return answer.refused_by


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


@pytest.mark.parametrize("creature", ["person", "monster"])
def test_persons_and_monsters_parry(creature: str) -> None:
    assert defend([3, 3, 3], parry(), defender=sheet(creature=creature)).outcome["result"] == "success"


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


@pytest.mark.parametrize(
    ("tool", "attack", "defender", "expected"),
    [
        ({}, {"forbids": ["parry"]}, {}, "parry.forbidden"),
        ({"ready": False}, {}, {}, "parry.not_ready"),
        ({}, {"kind": "missile"}, {}, "parry.missile"),
        ({"skill_name": "parry_missile_weapons"}, {}, {}, "parry.missile_skill"),
        ({"attacked_with": True}, {}, {"maneuver": "move_and_attack"}, "maneuver.move_and_attack"),
        ({"attacked_with": True, "traits": ["unbalanced"]}, {}, {}, "parry.unbalanced"),
        ({"weapon_type": "knife"}, {"weapon_class": "kusari"}, {}, "parry.flail_forbidden"),
        ({"traits": ["fencing"]}, {"weapon_class": "flail"}, {}, "parry.flail_forbidden"),
        ({"skill_name": "main_gauche"}, {"weapon_class": "flail"}, {}, "parry.flail_forbidden"),
        (bare_hand(), {"means": "unarmed"}, {"free_hands": 0}, "parry.free_hands"),
        (bare_hand("parry_missile_weapons"), {"kind": "missile"}, {"free_hands": 0}, "parry.free_hands"),
        (bare_hand("sumo_wrestling", hand="both"), {"means": "unarmed"}, {"free_hands": 1}, "parry.free_hands"),
        (bare_hand(), {"kind": "missile", "launcher_in_reach": True}, {}, "parry.missile"),
    ],
)
def test_what_forbids_a_parry(tool: Body, attack: Body, defender: Body, expected: str) -> None:
    assert refused(parry(tool), attack=attack, **defender) == [expected]


@pytest.mark.parametrize(
    ("tool", "attack", "defender"),
    [
        ({"traits": ["unbalanced"]}, {}, {}),
        ({"attacked_with": True}, {}, {}),
        ({}, {}, {"maneuver": "move_and_attack"}),
        ({}, {"kind": "thrown", "weight_g": 900}, {}),
        ({"skill_name": "parry_missile_weapons"}, {"kind": "missile"}, {}),
        ({"skill_name": "parry_missile_weapons"}, {"kind": "thrown", "weight_g": 900}, {}),
        ({"kind": "natural_weapon"}, {"kind": "missile", "launcher_in_reach": True}, {}),
        (bare_hand(), {"weapon_class": "flail"}, {}),
        (bare_hand(), {"means": "unarmed"}, {"free_hands": 1}),
        (bare_hand("wrestling", hand="both"), {"means": "unarmed"}, {"free_hands": 2}),
        ({}, {}, {"free_hands": 0}),
    ],
)
def test_what_does_not_forbid_a_parry(tool: Body, attack: Body, defender: Body) -> None:
    assert defend([1, 1, 1], parry(tool), attack=attack, defender=sheet(**defender)).outcome["result"] == "success"


@pytest.mark.parametrize(
    ("tool", "traits", "options", "allowed"),
    [
        ({"hand": "right"}, [], {}, False),
        ({"hand": "left"}, [], {}, True),
        ({"hand": "both"}, [], {}, True),
        ({"hand": "right"}, ["double_jointed"], {}, True),
        ({"hand": "right"}, ["peripheral_vision"], {}, False),
        ({"hand": "right", "kind": "natural_weapon"}, [], {}, False),
        (bare_hand(hand="right"), [], {}, True),
        (bare_hand(hand="right"), [], {"bare_hands": "as_weapons"}, False),
        (bare_hand(hand="left"), [], {"bare_hands": "as_weapons"}, True),
        (bare_hand(hand="right"), ["double_jointed"], {"bare_hands": "as_weapons"}, True),
    ],
)
def test_which_hand_parries_an_attack_from_the_left(tool: Body, traits: Any, options: Body, *, allowed: bool) -> None:
    answer = defend(
        [1, 1, 1] if allowed else [],
        parry(tool),
        attack={"direction": "left", "strike": "thrust"},
        defender=sheet(traits=traits),
        options=options,
    )
    assert answer.refused_by == ([] if allowed else ["direction.weapon_side"])


@pytest.mark.parametrize("means", ["weapon", "unarmed"])
@pytest.mark.parametrize("tool", [{}, {"kind": "natural_weapon"}, bare_hand()])
def test_a_limb_is_hurt_by_a_weapon_that_parries_an_unarmed_attack(means: str, tool: Body) -> None:
    allowed = means == "unarmed" and tool.get("kind") != "unarmed"
    answer = defend(
        [1, 1, 1, 3, 3, 3] if allowed else [], parry(tool, injure_limb={"skill": 12}), attack={"means": means}
    )
    assert answer.refused_by == ([] if allowed else ["parry.injure_limb_needs"])


def test_one_option_a_turn_and_one_a_request() -> None:
    for against in ("this_attacker", "other", "no_one"):
        turn = {"option": {"kind": "drop", "against": against}}
        assert refused(dodge(option=RETREAT), turn=turn) == ["option.once_per_turn"]
    assert refused(dodge(option=RETREAT), block(option=RETREAT), **DOUBLE) == ["option.once_per_turn"]
    assert defend([1, 1, 1], dodge(), block(option=RETREAT), defender=sheet(**DOUBLE)).refused_by == []


@pytest.mark.parametrize(
    ("attack", "defender", "expected"),
    [
        ({"kind": "missile"}, {}, "retreat.melee_only"),
        ({"kind": "thrown", "weight_g": 900}, {}, "retreat.melee_only"),
        ({}, {"posture": "kneeling"}, "retreat.posture"),
        ({}, {"posture": "sitting"}, "retreat.posture"),
        ({}, {"stunned": True}, "retreat.stunned"),
        ({}, {"maneuver": "sprint"}, "retreat.maneuver"),
        ({}, {"maneuver": "move_and_attack"}, "retreat.maneuver"),
    ],
)
def test_what_forbids_a_retreat(attack: Body, defender: Body, expected: str) -> None:
    assert refused(dodge(option=RETREAT), attack=attack, **defender) == [expected]


@pytest.mark.parametrize(
    "defender", [{"posture": "crouching"}, {"posture": "crawling"}, {"posture": "lying"}, {"maneuver": "move"}]
)
@pytest.mark.parametrize("kind", ["melee", "area"])
def test_what_does_not_forbid_a_retreat(kind: str, defender: Body) -> None:
    answer = defend([1, 1, 1], dodge(option=RETREAT), attack={"kind": kind}, defender=sheet(**defender))
    assert answer.outcome["movement"]["steps"] == 1


@pytest.mark.parametrize("posture", ["kneeling", "sitting"])
def test_a_drop_is_allowed_where_a_retreat_is_not(posture: str) -> None:
    defender = sheet(posture=posture, stunned=True, maneuver="sprint")
    answer = defend([1, 1, 1], dodge(option=DROP), attack={"kind": "missile"}, defender=defender)
    assert answer.outcome["posture"] == "lying"


@pytest.mark.parametrize("kind", ["missile", "thrown", "area"])
def test_a_drop_goes_with_a_dodge_of_any_ranged_attack(kind: str) -> None:
    attack = {"kind": kind, "weight_g": 900}
    assert defend([1, 1, 1], dodge(option=DROP), attack=attack, defender=sheet()).refused_by == []
    forbidden = ["area.dodge_only", "drop.dodge_only"] if kind == "area" else ["drop.dodge_only"]
    assert refused(block(option=DROP), attack=attack) == forbidden


@pytest.mark.parametrize(
    ("option", "kind", "expected"),
    [
        (RETREAT, "melee", ["retreat.occupied"]),
        (RETREAT, "area", ["retreat.occupied"]),
        (RETREAT, "missile", ["retreat.melee_only", "retreat.occupied"]),
        (DROP, "area", ["retreat.occupied"]),
        (DROP, "missile", []),
        (DROP, "melee", ["drop.ranged_only"]),
    ],
)
def test_a_step_does_not_lead_into_an_occupied_hex(option: Body, kind: str, expected: list[str]) -> None:
    answer = defend(
        [] if expected else [1, 1, 1],
        dodge(option={**option, "hex": "occupied"}),
        attack={"kind": kind},
        defender=sheet(),
    )
    assert answer.refused_by == expected


def test_a_drop_is_forbidden_to_the_lying_and_under_one_reading_to_acrobats() -> None:
    missile = {"kind": "missile"}
    assert refused(dodge(option=DROP), attack=missile, posture="lying") == ["drop.already_lying"]
    forbidden = {"acrobatics_with_drop": "forbidden"}
    acrobat = dodge(option=DROP, acrobatic=True)
    assert refused(acrobat, attack=missile, acrobatics=12, options=forbidden) == ["acrobatics.drop"]
    for options in (None, forbidden):
        assert (
            defend([1, 1, 1], dodge(option=DROP), attack=missile, defender=sheet(), options=options or {}).refused_by
            == []
        )
    assert defend([3, 3, 3, 1, 1, 1], acrobat, attack=missile, defender=sheet(acrobatics=12)).refused_by == []


def test_all_refusals_of_a_dodge_and_a_block_stand_in_order_each_once() -> None:
    assert refused(
        dodge(acrobatic=True, option={"kind": "drop", "hex": "occupied"}),
        block(option={"kind": "retreat", "hex": "occupied"}),
        attack={"kind": "area", "direction": "rear", "critical": True, "awareness": "surprise", "forbids": ["block"]},
        state="helpless",
        maneuver="all_out_attack",
        posture="lying",
        creature="handless_animal",
        shield={"block": {"score": 11}, "ready": False},
        stunned=True,
        turn={"block_used": True, "acrobatic_dodge_used": True, "option": {"kind": "drop", "against": "other"}},
        options={"acrobatics_with_drop": "forbidden"},
    ) == [
        "defense.critical_hit",
        "defense.incapable",
        "maneuver.all_out_attack",
        "surprise.no_defense",
        "direction.rear",
        "double_defense.maneuver",
        "acrobatics.untrained",
        "acrobatics.once_per_turn",
        "option.once_per_turn",
        "drop.already_lying",
        "acrobatics.drop",
        "retreat.occupied",
        "creature.dodge_only",
        "area.dodge_only",
        "block.forbidden",
        "block.needs_item",
        "block.once_per_turn",
        "direction.rear_block",
        "retreat.stunned",
    ]


def test_all_refusals_of_two_parries_stand_in_order_each_once() -> None:
    flawed = {
        "ready": False,
        "skill_name": "parry_missile_weapons",
        "attacked_with": True,
        "traits": ["unbalanced", "fencing"],
    }
    assert refused(
        parry(flawed, injure_limb={"skill": 10}, option={"kind": "drop"}),
        parry(flawed, injure_limb={"skill": 10}, option={"kind": "retreat", "hex": "occupied"}),
        attack={"weapon_class": "flail", "direction": "left", "forbids": ["parry"]},
        maneuver="move_and_attack",
        posture="kneeling",
    ) == [
        "double_defense.maneuver",
        "double_defense.different",
        "parry.forbidden",
        "parry.not_ready",
        "parry.missile_skill",
        "maneuver.move_and_attack",
        "parry.unbalanced",
        "direction.weapon_side",
        "parry.flail_forbidden",
        "parry.injure_limb_needs",
        "drop.dodge_only",
        "drop.ranged_only",
        "option.once_per_turn",
        "retreat.posture",
        "retreat.maneuver",
        "retreat.occupied",
    ]


def test_the_refusals_of_the_first_defense_come_before_those_of_the_second() -> None:
    assert refused(parry({"ready": False}, option=RETREAT), dodge(acrobatic=True), stunned=True, **DOUBLE) == [
        "parry.not_ready",
        "retreat.stunned",
        "acrobatics.untrained",
    ]


def test_a_refused_defense_ends_with_the_outcome_and_makes_the_attacked_alert() -> None:
    answer = defend([], dodge(), attack={"awareness": "unseen_unknown"}, defender=sheet())
    assert answer.steps() == [
        ("awareness.unseen_unknown", "refusal", None, None),
        ("awareness.now_alert", "effect", None, None),
        ("defense.outcome", "result", 0, None),
    ]
    seen = defend([], dodge(), attack={"critical": True}, defender=sheet())
    assert seen.rules == ["defense.critical_hit", "defense.outcome"]


def test_nothing_forbids_to_decline() -> None:
    answer = defend(
        [],
        attack={"critical": True, "direction": "rear", "awareness": "unseen_unknown"},
        defender={"state": "helpless", "maneuver": "all_out_attack"},
    )
    assert answer.steps() == [
        ("defense.declined", "decision", None, None),
        ("awareness.now_alert", "effect", None, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert (answer.outcome["attempts"], answer.outcome["now_alert"]) == ([], True)


def test_a_forbidden_defense_stops_an_attack_before_it_is_rolled() -> None:
    answer = ask(
        "attack",
        roll={"skill": 4, "modifiers": [{"name": "fog", "value": -2}]},
        attack={"kind": "melee", "awareness": "unseen_unknown", "deceptive": 1},
        defender=sheet(maneuver="all_out_attack"),
        defenses=[dodge()],
    )
    assert answer.outcome is None
    assert answer.steps() == [
        ("maneuver.all_out_attack", "refusal", None, None),
        ("awareness.unseen_unknown", "refusal", None, None),
        ("attack.skill", "base", 4, 4),
        ("modifier.custom", "modifier", -2, 2),
        ("attack.deceptive_cost", "modifier", -2, 0),
        ("attack.deceptive_limit", "refusal", None, None),
        ("success.minimum", "refusal", None, None),
        ("attack.outcome", "result", 0, None),
    ]

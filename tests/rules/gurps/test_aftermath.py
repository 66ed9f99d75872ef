"""What follows a defense: limbs and arms, retreats and drops, dives for cover, the turn afterwards."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, bare_hand, block, defend, dodge, parry, sheet, thrown

DOUBLE = {"maneuver": "all_out_defense_double"}
UNARMED = {"means": "unarmed"}
RETREAT = {"kind": "retreat"}
DROP = {"kind": "drop"}
CLOAK = {"kind": "cloak", "block": {"score": 11}, "db": 1}


@pytest.mark.parametrize("skill", ["judo", "karate"])
@pytest.mark.parametrize(
    ("hand", "traits", "off_hand"), [("left", [], True), ("left", ["ambidexterity"], False), ("right", [], False)]
)
def test_the_roll_against_a_limb(skill: str, hand: str, traits: list[str], *, off_hand: bool) -> None:
    answer = defend(
        [3, 3, 3, 2, 2, 2],
        parry({"hand": hand, "skill_name": "main_gauche"}, injure_limb={"skill": 14}),
        attack={**UNARMED, "unarmed_skill": skill},
        defender={"traits": traits},
    )
    start = answer.rules.index("defense.result") + 1
    off = [("parry.injure_limb_off_hand", "modifier", -4, 6)] if off_hand else []
    assert answer.steps()[start:] == [
        ("parry.injure_limb_art", "modifier", -4, 10),
        *off,
        ("parry.injure_limb", "roll", 6, None),
        ("parry.injure_limb", "decision", 1, None),
        ("defense.outcome", "result", 1, None),
    ]
    assert answer.attempt["limb_injured"] is True


def test_no_roll_against_a_limb_after_a_failed_parry_or_with_a_broken_weapon() -> None:
    follow_up = {"injure_limb": {"skill": 14}}
    failed = defend([4, 4, 4], parry(**follow_up), attack=UNARMED)
    assert failed.attempt["limb_injured"] is None
    attack = {**UNARMED, "body": {"st": 60, "form": "strike"}}
    broken = defend([3, 3, 3, 1], parry({"weight_g": 1000}, **follow_up), attack=attack)
    assert (broken.attempt["weapon"], broken.attempt["limb_injured"]) == ("broken", None)
    held = defend([3, 3, 3, 6, 6, 6, 6], parry({"weight_g": 1000}, **follow_up), attack=attack)
    assert (held.attempt["weapon"], held.attempt["limb_injured"]) == ("intact", False)


def test_a_hopeless_roll_against_a_limb_takes_no_dice() -> None:
    answer = defend([3, 3, 3], parry(injure_limb={"skill": 2}), attack=UNARMED)
    assert answer.attempt["limb_injured"] is False
    assert answer.rules[-3:] == ["success.minimum", "parry.injure_limb", "defense.outcome"]


@pytest.mark.parametrize(
    ("hand", "skill", "arms"),
    [
        ("right", "karate", ["right_arm"]),
        ("left", "dx", ["left_arm"]),
        ("both", "wrestling", ["right_arm", "left_arm"]),
    ],
)
def test_an_arm_that_failed_to_parry_a_weapon_may_be_hit(hand: str, skill: str, arms: list[str]) -> None:
    answer = defend([6, 6, 5], parry(bare_hand(skill, hand=hand)))
    assert answer.rules[-2:] == ["parry.unarmed_failed", "defense.outcome"]
    assert answer.outcome["attacker_may_hit"] == ["original_target", *arms]


def test_an_arm_that_failed_to_parry_a_missile_may_be_hit_too() -> None:
    answer = defend([6, 6, 5], parry(bare_hand("parry_missile_weapons")), attack={"kind": "missile"})
    assert answer.outcome["attacker_may_hit"] == ["original_target", "right_arm"]


@pytest.mark.parametrize("tool", [{}, {"kind": "natural_weapon"}])
def test_no_arm_behind_a_weapon(tool: Body) -> None:
    assert defend([6, 6, 5], parry(tool)).outcome["attacker_may_hit"] == ["original_target"]


@pytest.mark.parametrize(
    ("shield", "attack", "rolled", "arms"),
    [
        (CLOAK, {}, 17, ["left_arm"]),
        ({**CLOAK, "hand": "both"}, {}, 17, ["right_arm", "left_arm"]),
        (CLOAK, {"kind": "missile"}, 17, []),
        ({**CLOAK, "kind": "shield"}, {}, 17, []),
        ({**CLOAK, "kind": "body", "db": 0}, {}, 17, []),
    ],
)
def test_a_cloak_arm_that_failed_to_block_may_be_hit(shield: Body, attack: Body, rolled: int, arms: list[str]) -> None:
    answer = defend(thrown(rolled), block(), attack=attack, defender={"shield": shield})
    assert answer.outcome["attacker_may_hit"] == ["original_target", *arms]
    assert ("block.cloak_failed" in answer.rules) is bool(arms)


def test_a_successful_cloak_block_exposes_nothing() -> None:
    answer = defend([3, 3, 3], block(), defender={"shield": CLOAK})
    assert (answer.outcome["attacker_may_hit"], "block.cloak_failed" in answer.rules) == ([], False)


def test_both_failures_count_and_right_comes_before_left() -> None:
    answer = defend([6, 6, 5, 6, 6, 5], block(), parry(bare_hand()), defender={"shield": CLOAK, "dx": 10, **DOUBLE})
    assert answer.outcome["attacker_may_hit"] == ["original_target", "right_arm", "left_arm"]


def test_what_failed_first_is_safe_when_the_second_defense_stops_the_attack() -> None:
    answer = defend([6, 6, 5, 1, 1, 1], parry(bare_hand()), dodge(), defender=sheet(**DOUBLE))
    assert "parry.unarmed_failed" in answer.rules
    assert answer.outcome["attacker_may_hit"] == []


@pytest.mark.parametrize(
    ("defense", "rule", "bonus"),
    [
        (dodge(), "retreat.dodge", 3),
        (block(), "retreat.other", 1),
        (parry(), "retreat.other", 1),
        (parry({"skill_name": "main_gauche"}), "retreat.fencing", 3),
        (parry({"skill_name": "smallsword"}), "retreat.fencing", 3),
        (parry({"skill_name": "rapier"}), "retreat.fencing", 3),
        (parry({"skill_name": "saber"}), "retreat.fencing", 3),
        (parry({"traits": ["fencing"]}), "retreat.fencing", 3),
        (parry(bare_hand("boxing")), "retreat.fencing", 3),
        (parry(bare_hand("judo")), "retreat.fencing", 3),
        (parry(bare_hand("karate")), "retreat.fencing", 3),
        (parry(bare_hand("brawling")), "retreat.other", 1),
        (parry(bare_hand("dx")), "retreat.other", 1),
        (parry(bare_hand("wrestling", hand="both")), "retreat.other", 1),
    ],
)
def test_what_a_retreat_gives_now_and_later(defense: Body, rule: str, bonus: int) -> None:
    now = defend([1, 1, 1], {**defense, "option": RETREAT}, attack=UNARMED, defender=sheet())
    assert now.step(rule)[2] == bonus
    assert "retreat.lasting" not in now.rules
    turn = {"option": now.outcome["turn"]["option"]}
    later = defend([1, 1, 1], defense, attack=UNARMED, defender=sheet(turn=turn))
    assert later.step(rule)[2] == bonus
    assert later.rules.index("retreat.lasting") == later.rules.index(rule) - 1


@pytest.mark.parametrize("kind", ["melee", "missile", "area"])
def test_a_lasting_retreat_holds_against_any_attack_of_that_foe(kind: str) -> None:
    turn = {"option": {"kind": "retreat", "against": "this_attacker"}}
    assert defend([1, 1, 1], dodge(), attack={"kind": kind}, defender=sheet(turn=turn)).attempt["effective"] == 12


@pytest.mark.parametrize(("kind", "bonus"), [("melee", 0), ("thrown", 3), ("missile", 3), ("area", 3)])
def test_a_lasting_drop_holds_for_dodges_of_ranged_attacks(kind: str, bonus: int) -> None:
    defender = sheet(turn={"option": {"kind": "drop", "against": "this_attacker"}})
    attack = {"kind": kind, "weight_g": 900}
    assert defend([1, 1, 1], dodge(), attack=attack, defender=defender).attempt["effective"] == 9 + bonus
    if kind != "area":
        assert defend([1, 1, 1], block(), attack=attack, defender=defender).attempt["effective"] == 11


def test_an_option_used_in_vain_still_holds_for_the_second_defense() -> None:
    answer = defend([6, 6, 5, 1, 1, 1], parry(option=RETREAT), block(), defender=sheet(**DOUBLE))
    assert [each["effective"] for each in answer.outcome["attempts"]] == [11, 12]
    assert answer.rules[-6:-3] == ["retreat.lasting", "retreat.other", "defense.roll"]
    assert answer.outcome["movement"]["steps"] == 1


def test_an_option_of_a_defense_that_was_prevented_does_not_hold() -> None:
    answer = defend(
        [6, 6, 5, 1, 1, 1],
        block(option=RETREAT),
        dodge(),
        attack={"awareness": "alert"},
        defender=sheet(**DOUBLE),
    )
    assert answer.outcome["attempts"][1]["effective"] == 9 - 4
    assert (answer.outcome["movement"], answer.outcome["turn"]["option"]) == (None, None)


@pytest.mark.parametrize("step", ["none", "taken", "available"])
@pytest.mark.parametrize("facing", ["unchanged", "left", "right"])
def test_a_retreat_in_melee_moves_and_the_foe_may_follow(step: str, facing: str) -> None:
    option = {**RETREAT, "facing": facing}
    answer = defend([6, 6, 6], dodge(option=option), attack={"attacker_step": step}, defender=sheet())
    assert ("retreat.follow" in answer.rules) is (step == "available")
    assert answer.outcome["movement"] == {
        "steps": 1,
        "away_from": "attacker",
        "when": "after_attack",
        "facing": facing,
        "attacker_may_follow": step == "available",
    }
    assert answer.outcome["turn"]["option"] == {
        "kind": "retreat",
        "against": "this_attacker",
        "posture_before": "standing",
    }
    assert answer.outcome["posture"] == "standing"


@pytest.mark.parametrize("rolled", [3, 18])
def test_a_drop_lies_down_whatever_comes_of_the_dodge(rolled: int) -> None:
    answer = defend(
        thrown(rolled),
        dodge(option={**DROP, "cover": True}),
        attack={"kind": "missile", "attacker_step": "available"},
        defender=sheet(posture="kneeling"),
    )
    assert answer.rules[-3:] == ["drop.posture", "drop.cover", "defense.outcome"]
    assert answer.attempt["effective"] == 9 - 2 + 3
    assert (answer.outcome["posture"], answer.outcome["later_cover"]) == ("lying", True)
    assert (answer.outcome["movement"], answer.outcome["protected_by"]) == (None, "none")
    assert answer.outcome["turn"]["option"] == {
        "kind": "drop",
        "against": "this_attacker",
        "posture_before": "kneeling",
    }


@pytest.mark.parametrize("option", [RETREAT, DROP])
@pytest.mark.parametrize("rolled", [3, 18])
def test_a_dive_for_cover(option: Body, rolled: int) -> None:
    answer = defend(
        thrown(rolled),
        dodge(option=option),
        attack={"kind": "area", "attacker_step": "available", "direction": "left"},
        defender=sheet(shield={"db": 2}, magic_db=[1]),
    )
    success, drop = rolled == 3, option is DROP
    assert answer.steps() == [
        ("dodge.score", "base", 9, 9),
        ("direction.side", "modifier", -2, 7),
        ("db.area", "decision", 0, None),
        ("area.dive", "modifier", 3, 10),
        ("defense.roll", "roll", rolled, None),
        ("defense.automatic", "decision", int(success), None),
        ("defense.result", "result", 10 - rolled, None),
        *([("drop.posture", "effect", None, None)] if drop else []),
        ("area.movement", "effect", 1, None),
        *([("area.protected", "effect", None, None)] if success else []),
        ("defense.outcome", "result", int(success), None),
    ]
    assert answer.outcome["movement"] == {
        "steps": 1,
        "away_from": "attack",
        "when": "before_effect" if success else "after_effect",
        "facing": "unchanged",
        "attacker_may_follow": False,
    }
    assert answer.outcome["posture"] == ("lying" if drop else "standing")
    assert answer.outcome["protected_by"] == ("cover_or_distance" if success else "none")
    assert answer.outcome["turn"]["option"]["against"] == "no_one"


def test_the_bonus_of_a_dive_lasts_under_that_reading() -> None:
    lasting = {"dive_bonus": "lasting"}
    answer = defend([1, 1, 1], dodge(option=DROP), attack={"kind": "area"}, defender=sheet(), options=lasting)
    assert answer.outcome["turn"]["option"] == {
        "kind": "drop",
        "against": "this_attacker",
        "posture_before": "standing",
    }


def test_a_plain_dodge_of_an_area_protects_and_does_not_move() -> None:
    answer = defend([1, 1, 1], dodge(), attack={"kind": "area"}, defender=sheet())
    assert answer.rules == [
        "dodge.score",
        "defense.roll",
        "defense.automatic",
        "defense.result",
        "area.protected",
        "defense.outcome",
    ]
    assert (answer.outcome["movement"], answer.outcome["protected_by"]) == (None, "cover_or_distance")


@pytest.mark.parametrize(
    ("direction", "options", "lost"),
    [
        ("front", {}, True),
        ("right", {}, True),
        ("right", {"magic_db": "as_shield"}, False),
        ("rear", {"magic_db": "as_shield"}, False),
    ],
)
def test_against_an_area_only_a_bonus_that_would_have_counted_is_told(
    direction: str, options: Body, *, lost: bool
) -> None:
    defender = sheet(shield={"db": 2}, magic_db=[1], traits=["peripheral_vision"])
    answer = defend(
        [1, 1, 1], dodge(), attack={"kind": "area", "direction": direction}, defender=defender, options=options
    )
    assert ("db.area" in answer.rules) is lost


@pytest.mark.parametrize(
    ("defense", "used"),
    [
        (dodge(), {}),
        (dodge(acrobatic=True), {"acrobatic_dodge_used": True}),
        (block(), {"block_used": True}),
        (parry(), {}),
    ],
)
def test_what_a_defense_uses_up_and_what_was_used_before(defense: Body, used: Any) -> None:
    unused = {"block_used": False, "acrobatic_dodge_used": False, "double_defense_used": False, "option": None}
    answer = defend([1, 1, 1, 1, 1, 1][: 6 if "acrobatic" in defense else 3], defense, defender=sheet(acrobatics=12))
    assert answer.outcome["turn"] == {**unused, **used}
    before = {
        "double_defense_used": True,
        "option": {"kind": "retreat", "against": "other", "posture_before": "crouching"},
    }
    answer = defend(
        [1, 1, 1, 1, 1, 1][: 6 if "acrobatic" in defense else 3], defense, defender=sheet(acrobatics=12, turn=before)
    )
    assert answer.outcome["turn"] == {**unused, **before, **used}


def test_each_parry_counts_on_and_tells_of_its_weapon() -> None:
    answer = defend(
        [6, 6, 5, 1, 1, 1],
        parry({"previous_parries": 4}),
        parry({"kind": "natural_weapon", "hand": "left"}),
        defender=DOUBLE,
    )
    assert [(each["parries_after"], each["weapon"]) for each in answer.outcome["attempts"]] == [
        (5, "intact"),
        (1, None),
    ]

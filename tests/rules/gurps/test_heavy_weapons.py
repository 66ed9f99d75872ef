"""Parrying what is heavy: what breaks, what is dropped, who is thrown back."""

import pytest

from tests.rules.gurps.asking import Body, bare_hand, block, defend, dodge, parry, sheet, thrown

DOUBLE = {"maneuver": "all_out_defense_double"}


def chance(weight: int, tool: Body) -> list[tuple[str, str, int | None, int | None]]:
    answer = defend([3, 3, 3, 6], parry({"weight_g": 1000, **tool}), attack={"weight_g": weight})
    return [each for each in answer.steps() if each[0] in ("parry.improvised", "heavy.breakage_chance")]


@pytest.mark.parametrize(
    ("weight", "quality", "expected"),
    [
        (3000, "good", 2),
        (3999, "good", 2),
        (4000, "good", 3),
        (6000, "good", 5),
        (3000, "cheap", 4),
        (4000, "fine", 2),
        (3000, "fine", 1),
        (4000, "very_fine", 1),
        (7999, "very_fine", 4),
    ],
)
def test_the_chance_to_break(weight: int, quality: str, expected: int) -> None:
    assert chance(weight, {"quality": quality}) == [("heavy.breakage_chance", "decision", expected, None)]


@pytest.mark.parametrize("quality", ["good", "fine", "very_fine"])
def test_an_improvised_weapon_is_cheap_whatever_its_quality(quality: str) -> None:
    improvised = {"traits": ["improvised"], "quality": quality}
    assert chance(3000, improvised) == [
        ("parry.improvised", "limit", 2, 4),
        ("heavy.breakage_chance", "decision", 4, None),
    ]


def test_a_cheap_improvised_weapon_is_not_made_any_cheaper() -> None:
    improvised = {"traits": ["improvised"], "quality": "cheap"}
    assert chance(3000, improvised) == [("heavy.breakage_chance", "decision", 4, None)]


@pytest.mark.parametrize("face", range(1, 7))
def test_it_breaks_at_the_chance_or_lower_and_the_parry_counts(face: int) -> None:
    answer = defend([3, 3, 3, face], parry({"weight_g": 1000}), attack={"weight_g": 4000})
    broken = face <= 3
    assert answer.attempt["weapon"] == ("broken" if broken else "intact")
    assert ("heavy.broken" in answer.rules) is broken
    assert answer.outcome["result"] == "success"


@pytest.mark.parametrize(("quality", "weight", "expected"), [("very_fine", 3000, 0), ("very_fine", 3999, 0)])
def test_a_chance_of_0_holds_without_a_die(quality: str, weight: int, expected: int) -> None:
    answer = defend([3, 3, 3], parry({"weight_g": 1000, "quality": quality}), attack={"weight_g": weight})
    assert answer.step("heavy.breakage_chance")[2] == expected
    assert answer.attempt["weapon"] == "intact"


def test_at_6_in_6_it_breaks_and_counts_above_it_does_not_count() -> None:
    even = defend([3, 3, 3], parry({"weight_g": 1000}), attack={"weight_g": 7999})
    assert (even.attempt["result"], even.attempt["weapon"]) == ("success", "broken")
    over = defend([3, 3, 3], parry({"weight_g": 1000}), attack={"weight_g": 8000})
    assert (over.attempt["result"], over.attempt["weapon"]) == ("overwhelmed", "broken")
    assert (over.attempt["margin"], over.outcome["result"]) == (1, "failure")
    assert over.rules[-4:] == ["heavy.breakage_chance", "heavy.broken", "heavy.no_resistance", "defense.outcome"]


def test_an_overwhelmed_parry_leaves_room_for_the_second_defense() -> None:
    answer = defend(
        [3, 3, 3, 3, 3, 3], parry({"weight_g": 1000}), dodge(), attack={"weight_g": 9000}, defender=sheet(**DOUBLE)
    )
    assert [each["result"] for each in answer.outcome["attempts"]] == ["overwhelmed", "success"]


@pytest.mark.parametrize(
    ("attack", "tool"),
    [
        ({}, {"weight_g": 10}),
        ({"weight_g": 9000}, {}),
        ({"weight_g": 2999}, {"weight_g": 1000}),
        ({"weight_g": 9000}, {"kind": "natural_weapon", "weight_g": 1000}),
        ({"weight_g": 9000, "means": "unarmed"}, bare_hand()),
    ],
)
def test_nothing_breaks(attack: Body, tool: Body) -> None:
    answer = defend([3, 3, 3], parry(tool), attack=attack)
    assert [each for each in answer.rules if each.startswith("heavy.")] == []
    assert answer.attempt["weapon"] == ("intact" if "kind" not in tool else None)


def test_nothing_breaks_without_contact_unless_every_parry_is_checked() -> None:
    attack = {"weight_g": 3000}
    assert "heavy.breakage_chance" not in defend([4, 4, 4], parry({"weight_g": 1000}), attack=attack).rules
    checked = {"breakage_check": "every_parry"}
    failed = defend([4, 4, 4, 2], parry({"weight_g": 1000}), attack=attack, options=checked)
    assert (failed.attempt["result"], failed.attempt["weapon"]) == ("failure", "broken")
    hopeless = defend([4, 4, 4], parry({"weight_g": 1000}), attack={"weight_g": 9000}, options=checked)
    assert (hopeless.attempt["result"], hopeless.attempt["weapon"]) == ("failure", "broken")
    assert "heavy.no_resistance" not in hopeless.rules


@pytest.mark.parametrize(
    ("tool", "limit", "options"),
    [
        ({}, 10_000, {}),
        ({"hand": "both"}, 20_000, {}),
        (bare_hand(), 10_000, {}),
        (bare_hand("wrestling", hand="both"), 20_000, {}),
        (bare_hand("wrestling", hand="both"), 10_000, {"unarmed_lift": "single"}),
        ({"hand": "both"}, 20_000, {"unarmed_lift": "single"}),
        ({"kind": "natural_weapon", "hand": "both"}, 20_000, {"unarmed_lift": "single"}),
    ],
)
def test_what_is_too_heavy(tool: Body, limit: int, options: Body) -> None:
    for lift in ({"st": 10}, {"basic_lift_g": 10_000}):
        for weight, heavy in ((limit, False), (limit + 1, True)):
            body = sheet(posture="lying", **lift)
            answer = defend(
                [] if heavy else [1, 1, 1], parry(tool), attack={"weight_g": weight}, defender=body, options=options
            )
            assert ("heavy.too_heavy" in answer.rules) is heavy
            assert (answer.attempt["result"] == "automatic_failure") is heavy


def test_a_weapon_swept_aside_breaks_or_is_dropped() -> None:
    heavy = {"attack": {"weight_g": 12_000}, "defender": {"st": 10}}
    dropped = defend([5], parry({"weight_g": 3000, "previous_parries": 2}), **heavy)
    assert dropped.steps() == [
        ("heavy.too_heavy", "decision", None, None),
        ("heavy.breakage_chance", "decision", 3, None),
        ("heavy.breakage", "roll", 5, None),
        ("heavy.dropped", "effect", None, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert (dropped.attempt["weapon"], dropped.attempt["parries_after"]) == ("dropped", 3)
    broken = defend([], parry({"weight_g": 1000}), **heavy)
    assert broken.rules == ["heavy.too_heavy", "heavy.breakage_chance", "heavy.broken", "defense.outcome"]
    assert broken.attempt["weapon"] == "broken"
    assert defend([], parry(), **heavy).attempt["weapon"] == "dropped"


@pytest.mark.parametrize(("rolled", "posture"), [(11, "standing"), (12, "lying")])
@pytest.mark.parametrize("tool", [bare_hand(), {"kind": "natural_weapon"}])
def test_bare_hands_and_natural_weapons_are_thrown_back(tool: Body, rolled: int, posture: str) -> None:
    body = {"st": 40, "form": "shove"}
    answer = defend(thrown(rolled), parry(tool), attack={"means": "unarmed", "body": body}, defender=sheet(st=10))
    fell = ["heavy.fall"] if posture == "lying" else []
    assert answer.rules == [
        "heavy.weight",
        "heavy.too_heavy",
        "heavy.knockback",
        "heavy.keep_feet",
        "heavy.keep_feet",
        *fell,
        "defense.outcome",
    ]
    assert (answer.outcome["knockback_m"], answer.outcome["posture"]) == (1, posture)
    assert (answer.attempt["weapon"], answer.attempt["parries_after"]) == (None, 1)
    assert (answer.attempt["base"], answer.attempt["effective"], answer.attempt["margin"]) == (None, None, None)


def test_whoever_lies_does_not_fall() -> None:
    answer = defend([], parry(bare_hand()), attack={"weight_g": 20_000}, defender={"st": 10, "posture": "lying"})
    assert answer.rules == ["heavy.too_heavy", "heavy.knockback", "parry.unarmed_failed", "defense.outcome"]


def test_whoever_has_fallen_in_the_first_parry_does_not_fall_again_in_the_second() -> None:
    answer = defend(
        [6, 6, 5],
        parry(bare_hand()),
        parry(bare_hand(hand="left")),
        attack={"weight_g": 20_000},
        defender={"st": 10, "dx": 12, **DOUBLE},
    )
    assert answer.rules.count("heavy.knockback") == 2
    assert answer.rules.count("heavy.fall") == 1
    assert answer.outcome["knockback_m"] == 1
    assert answer.outcome["attacker_may_hit"] == ["original_target", "right_arm", "left_arm"]


def test_a_fall_does_not_change_the_posture_that_counts_in_the_same_request() -> None:
    answer = defend(
        [6, 6, 5, 3, 3, 3], parry(bare_hand()), dodge(), attack={"weight_g": 20_000}, defender=sheet(st=10, **DOUBLE)
    )
    assert answer.outcome["attempts"][1]["effective"] == 9
    assert answer.outcome["posture"] == "lying"


def test_the_posture_at_the_time_is_the_one_before_the_option() -> None:
    answer = defend(
        [6, 6, 5, 3, 3, 3],
        parry(bare_hand()),
        block(option={"kind": "retreat"}),
        attack={"weight_g": 20_000},
        defender=sheet(st=10, **DOUBLE),
    )
    assert answer.outcome["turn"]["option"]["posture_before"] == "lying"


def test_dx_below_3_falls_without_dice() -> None:
    answer = defend([], parry(bare_hand()), attack={"weight_g": 20_000}, defender={"st": 10, "dx": 2})
    assert answer.rules[2:5] == ["success.minimum", "heavy.keep_feet", "heavy.fall"]


def test_the_body_that_attacks_is_weighed_at_each_parry_and_at_nothing_else() -> None:
    attack = {"means": "unarmed", "body": {"st": 10, "form": "strike"}}
    assert "heavy.weight" not in defend([1, 1, 1], dodge(), attack=attack, defender=sheet()).rules
    twice = defend([6, 6, 5, 1, 1, 1], parry(), parry({"hand": "left"}), attack=attack, defender=sheet(**DOUBLE))
    assert twice.rules.count("heavy.weight") == 2


def test_without_basic_lift_nothing_is_too_heavy() -> None:
    answer = defend([1, 1, 1], parry(bare_hand()), attack={"weight_g": 100_000_000})
    assert answer.outcome["result"] == "success"


def test_a_parry_swept_aside_uses_its_option() -> None:
    answer = defend([], parry(option={"kind": "retreat"}), attack={"weight_g": 20_000}, defender={"st": 10})
    assert answer.rules == ["heavy.too_heavy", "heavy.dropped", "retreat.movement", "defense.outcome"]
    assert answer.outcome["turn"]["option"]["kind"] == "retreat"

"""The scores of a sheet, figured in advance."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Answer, Body, ask, bare_hand, faults


def scores(*tools: Body, options: Body | None = None, **defender: Any) -> Answer:
    return ask("defense-scores", defender=defender, tools=list(tools), options=options or {})


def parries(*tools: Body, options: Body | None = None, **defender: Any) -> list[int]:
    return [each["score"] for each in scores(*tools, options=options, **defender).outcome["parries"]]


@pytest.mark.parametrize(
    ("speed", "encumbrance", "dodge"),
    [
        (6.75, "light", 8),
        (7, "none", 10),
        (5.25, "medium", 6),
        (0, "extra_heavy", -1),
        (0.75, "heavy", 0),
        (40, "none", 43),
    ],
)
def test_dodge_is_3_and_basic_speed_less_encumbrance_rounded_down(speed: float, encumbrance: str, dodge: int) -> None:
    answer = scores(dodge={"basic_speed": speed}, encumbrance=encumbrance)
    assert answer.outcome["dodge"] == dodge
    assert answer.step("dodge.score") == ("dodge.score", "base", dodge, dodge)


def test_a_given_score_is_not_changed_by_anything_but_the_halving_of_a_dodge() -> None:
    answer = scores(
        {"parry": {"score": 9}, "hand": "left", "weapon_type": "staff", "traits": ["fencing"]},
        dodge={"score": 9},
        shield={"block": {"score": 10}},
        encumbrance="heavy",
        reeling=True,
    )
    assert answer.steps() == [
        ("dodge.score", "base", 9, 9),
        ("dodge.reeling", "limit", 5, 5),
        ("block.score", "base", 10, 10),
        ("parry.score", "base", 9, 9),
        ("scores.result", "result", None, None),
    ]


@pytest.mark.parametrize(("skill", "block"), [(0, 3), (1, 3), (15, 10), (16, 11)])
def test_block_is_3_and_half_of_the_skill_rounded_down(skill: int, block: int) -> None:
    for kind in ("shield", "cloak", "body"):
        answer = scores(shield={"kind": kind, "block": {"skill": skill, "bonus": 2}})
        assert answer.outcome["block"] == block + 2
        assert answer.rules == ["block.score", "score.bonus", "scores.result"]


def test_a_parry_is_counted_in_order() -> None:
    answer = scores(
        {"parry": {"skill": 15, "bonus": -1}, "traits": ["fencing"], "hand": "right", "parry_modifier": 3},
        dominant_hand="left",
        encumbrance="light",
    )
    assert answer.steps()[:-1] == [
        ("parry.score", "base", 10, 10),
        ("parry.weapon_type", "modifier", 3, 13),
        ("score.bonus", "modifier", -1, 12),
        ("parry.off_hand", "modifier", -2, 10),
        ("parry.encumbrance", "modifier", -1, 9),
    ]


@pytest.mark.parametrize(
    ("weapon_type", "modifier"),
    [("other", 0), ("bolas", -2), ("kusari", -2), ("whip", -2), ("short_stick", -1), ("knife", -1), ("staff", 2)],
)
def test_weapon_types(weapon_type: str, modifier: int) -> None:
    assert parries({"parry": {"skill": 12}, "weapon_type": weapon_type}) == [9 + modifier]
    assert parries({"parry": {"skill": 12}, "weapon_type": weapon_type, "parry_modifier": 0}) == [9]


@pytest.mark.parametrize(
    ("tool", "defender", "options", "penalty"),
    [
        ({"hand": "left"}, {}, {}, -2),
        ({"hand": "right"}, {"dominant_hand": "left"}, {}, -2),
        ({"hand": "left"}, {"dominant_hand": "left"}, {}, 0),
        ({"hand": "both"}, {}, {}, 0),
        ({"hand": "left"}, {"traits": ["ambidexterity"]}, {}, 0),
        ({"hand": "left", "skill_name": "main_gauche"}, {}, {}, 0),
        ({"hand": "left", "skill_name": "rapier"}, {}, {}, -2),
        ({"hand": "left", "kind": "natural_weapon"}, {}, {}, -2),
        (bare_hand(hand="left"), {}, {}, 0),
        (bare_hand(hand="left"), {}, {"bare_hands": "as_weapons"}, -2),
        (bare_hand(hand="left"), {"traits": ["ambidexterity"]}, {"bare_hands": "as_weapons"}, 0),
        (bare_hand("wrestling", hand="both"), {}, {"bare_hands": "as_weapons"}, 0),
    ],
)
def test_the_off_hand(tool: Body, defender: Body, options: Body, penalty: int) -> None:
    assert parries({"parry": {"skill": 14}, **tool}, options=options, **defender) == [10 + penalty]


@pytest.mark.parametrize(
    ("tool", "suffers"),
    [
        ({"skill_name": "main_gauche"}, True),
        ({"skill_name": "smallsword"}, True),
        ({"skill_name": "saber"}, True),
        ({"skill_name": "rapier"}, True),
        ({"traits": ["fencing"]}, True),
        (bare_hand("judo"), True),
        (bare_hand("karate"), True),
        ({"kind": "natural_weapon", "skill_name": "karate"}, True),
        (bare_hand("boxing"), False),
        (bare_hand("wrestling", hand="both"), False),
        ({}, False),
    ],
)
def test_encumbrance_of_a_parry(tool: Body, *, suffers: bool) -> None:
    by_level = {"none": 0, "light": 1, "medium": 2, "heavy": 3, "extra_heavy": 4}
    for level, penalty in by_level.items():
        for skill in (14, 15):
            odd = {"parry": {"skill": skill}, **tool}
            off_parry = 3 + skill // 2 - (penalty if suffers else 0)
            off_skill = 3 + (skill - (penalty if suffers else 0)) // 2
            assert parries(odd, encumbrance=level) == [off_parry]
            assert parries(odd, encumbrance=level, options={"encumbered_parry": "skill"}) == [off_skill]


def test_a_skill_of_0_under_a_load_is_halved_downwards() -> None:
    karate = {"parry": {"skill": 0}, **bare_hand("karate")}
    assert parries(karate, encumbrance="light", options={"encumbered_parry": "skill"}) == [2]


def test_the_bonuses_of_shield_and_magic_stand_apart() -> None:
    outcome = scores(shield={"db": 3, "block": {"score": 10}}, magic_db=[1, 4, 2]).outcome
    assert (outcome["shield_db"], outcome["magic_db"], outcome["block"]) == (3, 4, 10)
    outcome = scores(shield={"db": 3, "ready": False}).outcome
    assert (outcome["shield_db"], outcome["magic_db"], outcome["block"]) == (0, 0, None)


def test_an_empty_sheet_has_no_scores() -> None:
    answer = scores()
    assert answer.outcome == {
        "result": "computed",
        "dodge": None,
        "block": None,
        "parries": [],
        "shield_db": 0,
        "magic_db": 0,
    }
    assert answer.rules == ["scores.result"]


def test_each_tool_has_its_index_and_its_name_or_null() -> None:
    found = scores({"name": "axe", "parry": {"skill": 12}}, {"parry": {"skill": 13}}).outcome["parries"]
    assert found == [{"index": 0, "name": "axe", "score": 9}, {"index": 1, "name": None, "score": 9}]


def test_dice_have_to_be_empty() -> None:
    assert faults("defense-scores", defender={}, dice=[3]) == [("#/dice", "too_long")]
    assert faults("defense-scores", defender={}, dice=[]) == []
    assert faults("defense-scores", defender={}, seed="x") == []

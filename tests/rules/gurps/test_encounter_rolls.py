"""Success rolls and defense scores in a fight."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.gurps.fighting import IMP, begun, table

ROLL = [3, 3, 4]


@pytest.mark.parametrize(
    ("purpose", "more", "skill"),
    [
        ("dx", {}, 13),
        ("hearing", {}, 12),
        ("detection", {}, 12),
        ("acrobatics", {}, 12),
        ("weapon_skill", {"weapon": "saber"}, 15),
        ("other", {"roll": {"skill": 8}}, 8),
    ],
)
def test_the_purpose_picks_the_score(purpose: str, more: dict[str, Any], skill: int) -> None:
    fight = table()
    fight.act("success-roll", ROLL, "mira", actor="mira", purpose=purpose, **more)
    said = {} if purpose == "other" else {"purpose": purpose}
    assert fight.request == {"roll": {"skill": skill}, **said}
    assert fight.effects == []


def test_blind_fighting_is_a_score_too() -> None:
    fight = table()
    fight.join("monk", basic_speed=6, blind_fighting=14)
    fight.act("success-roll", ROLL, actor="monk", purpose="blind_fighting")
    assert fight.request["roll"] == {"skill": 14}


def test_shock_comes_off_and_a_cap_caps() -> None:
    fight = begun()
    fight.change("mira", shock=2)
    roll = {"modifiers": [{"name": "noise", "value": 5}], "cap": 11}
    fight.act("success-roll", ROLL, actor="mira", purpose="hearing", roll=roll)
    modifiers = [{"name": "shock / шок", "value": -2}, {"name": "noise", "value": 5}]
    assert fight.request["roll"] == {"skill": 12, "modifiers": modifiers, "cap": 11}
    assert fight.outcome["effective"] == 11


def test_twenty_modifiers_shock_included() -> None:
    fight, modifiers = table(), [{"name": "noise", "value": 0}] * 20
    fight.act("success-roll", ROLL, actor="mira", purpose="hearing", roll={"modifiers": modifiers})
    fight.change("mira", shock=2)
    with pytest.raises(Malformed) as wrong:
        fight.act("success-roll", ROLL, actor="mira", purpose="hearing", roll={"modifiers": modifiers})
    assert (wrong.value.field, wrong.value.code, wrong.value.facts) == (
        "roll/modifiers",
        "too_long",
        {"max_length": 19},
    )


def test_a_hopeless_roll_is_refused() -> None:
    roll = {"skill": 2}
    assert table().refused("success-roll", actor="mira", purpose="other", roll=roll) == ["success.minimum"]


@pytest.mark.parametrize("purpose", ["dx", "hearing", "detection", "acrobatics", "blind_fighting"])
def test_a_score_that_no_sheet_tells(purpose: str) -> None:
    fight = table()
    fight.join("imp", **IMP)
    assert fight.refused("success-roll", actor="imp", purpose=purpose) == "score_unknown"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "#/roll/skill"),
        ({"purpose": "dx", "roll": {"skill": 9}}, "#/roll/skill"),
        ({"purpose": "weapon_skill"}, "#/weapon"),
        ({"purpose": "dx", "weapon": "saber"}, "#/weapon"),
        ({"purpose": "dx", "roll": {"modifiers": [{"name": "x", "value": 0}] * 21}}, "#/roll/modifiers"),
    ],
)
def test_a_command_that_contradicts_itself(body: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformations) as wrong:
        table().act("success-roll", actor="mira", **body)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_a_weapon_has_to_be_there() -> None:
    body = {"actor": "mira", "purpose": "weapon_skill", "weapon": "club"}
    assert table().refused("success-roll", **body) == "no_such_weapon"


def test_the_scores_of_a_sheet() -> None:
    fight = table()
    fight.act("defense-scores", None, "mira", actor="mira")
    assert fight.outcome["dodge"] == 9
    assert fight.outcome["block"] == 9
    assert [(each["name"], each["score"]) for each in fight.outcome["parries"]] == [
        (None, 10),
        ("dirk", 6),
        (None, 9),
        (None, 8),
    ]
    assert fight.effects == []


@pytest.mark.parametrize(("slug", "more"), [("success-roll", {"purpose": "dx"}), ("defense-scores", {})])
def test_rolls_and_scores_are_ones_own(slug: str, more: dict[str, Any]) -> None:
    with pytest.raises(NotForYou, match="another_combatant"):
        table().act(slug, None, "ogre", actor="mira", **more)

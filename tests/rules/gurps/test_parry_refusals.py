"""What forbids a parry, and what does not."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, bare_hand, defend, parry, refused, sheet


@pytest.mark.parametrize("creature", ["person", "monster"])
def test_persons_and_monsters_parry(creature: str) -> None:
    assert defend([3, 3, 3], parry(), defender=sheet(creature=creature)).outcome["result"] == "success"


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

"""What makes a request malformed, and what does not."""

from typing import Any

import pytest

from tests.rules.gurps.asking import Body, bare_hand, block, dodge, faults, parry, sheet

MELEE = {"kind": "melee"}


def defense_faults(*defenses: Body, attack: Any = MELEE, defender: Any = None, **more: Any) -> list[tuple[str, str]]:
    return faults(
        "active-defense",
        attack=attack,
        defender=sheet() if defender is None else defender,
        defenses=list(defenses),
        **more,
    )


@pytest.mark.parametrize(
    ("attack", "pointer"),
    [
        ({"means": "weapon"}, "#/attack/kind"),
        ({**MELEE, "kind": "spell"}, "#/attack/kind"),
        ({"kind": "thrown", "means": "unarmed"}, "#/attack/means"),
        ({"kind": "area", "means": "unarmed"}, "#/attack/means"),
        ({"kind": "thrown", "weapon_class": "flail"}, "#/attack/weapon_class"),
        ({**MELEE, "means": "unarmed", "weapon_class": "kusari"}, "#/attack/weapon_class"),
        ({**MELEE, "unarmed_skill": "judo"}, "#/attack/unarmed_skill"),
        ({**MELEE, "weight_g": 0}, "#/attack/weight_g"),
        ({**MELEE, "weight_g": 100_000_001}, "#/attack/weight_g"),
        ({**MELEE, "weight_g": None}, "#/attack/weight_g"),
        ({**MELEE, "weight_g": 1.5}, "#/attack/weight_g"),
        ({**MELEE, "weight_g": True}, "#/attack/weight_g"),
        ({**MELEE, "body": {"st": 10, "form": "strike"}}, "#/attack/body"),
        ({**MELEE, "means": "unarmed", "body": {"st": 10}}, "#/attack/body/form"),
        ({**MELEE, "means": "unarmed", "body": {"form": "strike"}}, "#/attack/body/st"),
        ({**MELEE, "means": "unarmed", "body": {"st": 0, "form": "strike"}}, "#/attack/body/st"),
        ({**MELEE, "means": "unarmed", "body": {"st": 10, "form": "strike"}, "weight_g": 5}, "#/attack/body"),
        ({**MELEE, "runaround": "left"}, "#/attack/runaround"),
        ({**MELEE, "direction": "left", "runaround": "left"}, "#/attack/runaround"),
        ({**MELEE, "detection": {"skill": 12}}, "#/attack/detection"),
        ({**MELEE, "awareness": "surprise", "detection": {}}, "#/attack/detection/skill"),
        ({**MELEE, "awareness": "surprise", "detection": {"skill": 61}}, "#/attack/detection/skill"),
        ({**MELEE, "height": {"vertical_cm": 60}}, "#/attack/height/horizontal_cm"),
        ({**MELEE, "height": {"horizontal_cm": 60}}, "#/attack/height/vertical_cm"),
        ({**MELEE, "height": {"vertical_cm": 60, "horizontal_cm": -1}}, "#/attack/height/horizontal_cm"),
        ({**MELEE, "forbids": ["block", "block"]}, "#/attack/forbids/1"),
        ({**MELEE, "forbids": ["dodge"]}, "#/attack/forbids/0"),
        ({**MELEE, "launcher_in_reach": True}, "#/attack/launcher_in_reach"),
        ({"kind": "thrown", "launcher_in_reach": True}, "#/attack/launcher_in_reach"),
        ({**MELEE, "deceptive": 11}, "#/attack/deceptive"),
        ({**MELEE, "feint": -1}, "#/attack/feint"),
        ({**MELEE, "reach": 1}, "#/attack/reach"),
    ],
)
def test_malformed_attacks(attack: Body, pointer: str) -> None:
    assert [where for where, _ in defense_faults(dodge(), attack=attack)] == [pointer]


@pytest.mark.parametrize(
    "attack",
    [
        {**MELEE, "runaround": "none"},
        {**MELEE, "launcher_in_reach": False},
        {**MELEE, "weapon_class": "ordinary", "unarmed_skill": "other", "critical": False},
        {**MELEE, "means": "unarmed", "weight_g": 500, "unarmed_skill": "karate"},
        {"kind": "missile", "strike": "thrust", "awareness": "surprise"},
    ],
)
def test_defaults_may_be_said_and_what_is_not_asked_may_stand(attack: Body) -> None:
    assert defense_faults(attack=attack) == []


@pytest.mark.parametrize(
    ("defender", "pointer"),
    [
        ({"dodge": {}}, "#/defender/dodge"),
        ({"dodge": {"score": 9, "basic_speed": 6}}, "#/defender/dodge"),
        ({"dodge": {"score": 9, "bonus": 1}}, "#/defender/dodge/bonus"),
        ({"dodge": {"score": 9, "bonus": 0}}, "#/defender/dodge/bonus"),
        ({"dodge": {"score": 61}}, "#/defender/dodge/score"),
        ({"dodge": {"score": -11}}, "#/defender/dodge/score"),
        ({"dodge": {"basic_speed": 5.3}}, "#/defender/dodge/basic_speed"),
        ({"dodge": {"basic_speed": 6.7500000001}}, "#/defender/dodge/basic_speed"),
        ({"dodge": {"basic_speed": 40.25}}, "#/defender/dodge/basic_speed"),
        ({"dodge": {"basic_speed": -0.25}}, "#/defender/dodge/basic_speed"),
        ({"dodge": {"basic_speed": "6"}}, "#/defender/dodge/basic_speed"),
        ({"dodge": {"basic_speed": 6, "bonus": 11}}, "#/defender/dodge/bonus"),
        ({"shield": {"block": {"skill": 12, "score": 9}}}, "#/defender/shield/block"),
        ({"shield": {"block": {"score": 9, "bonus": 1}}}, "#/defender/shield/block/bonus"),
        ({"shield": {"kind": "body", "db": 1}}, "#/defender/shield/db"),
        ({"shield": {"db": 11}}, "#/defender/shield/db"),
        ({"st": 10, "basic_lift_g": 10_000}, "#/defender/basic_lift_g"),
        ({"traits": ["ambidexterity", "ambidexterity"]}, "#/defender/traits/1"),
        ({"traits": ["brave"]}, "#/defender/traits/0"),
        ({"magic_db": [1] * 11}, "#/defender/magic_db"),
        ({"magic_db": [11]}, "#/defender/magic_db/0"),
        ({"free_hands": 3}, "#/defender/free_hands"),
        ({"shock": 9}, "#/defender/shock"),
        ({"hearing": None}, "#/defender/hearing"),
        ({"turn": {"option": {"kind": "retreat"}}}, "#/defender/turn/option/against"),
        ({"turn": {"option": {"against": "other"}}}, "#/defender/turn/option/kind"),
        ({"turn": {"block_used": None}}, "#/defender/turn/block_used"),
        ({"turn": {"parries": 1}}, "#/defender/turn/parries"),
        ({"hp": 10}, "#/defender/hp"),
    ],
)
def test_malformed_defenders(defender: Body, pointer: str) -> None:
    assert [where for where, _ in defense_faults(defender=defender)] == [pointer]


def test_the_option_of_a_turn_may_be_null() -> None:
    assert defense_faults(defender={"turn": {"option": None}}) == []
    assert defense_faults(defender={"magic_db": [1, 1, 1]}) == []


@pytest.mark.parametrize(
    ("tool", "pointer"),
    [
        ({"parry": {}}, "#/defenses/0/tool/parry"),
        ({"name": ""}, "#/defenses/0/tool/name"),
        ({"name": "x" * 61}, "#/defenses/0/tool/name"),
        ({"parry": {"score": 9}, "parry_modifier": 1}, "#/defenses/0/tool/parry_modifier"),
        ({"parry": {"skill": 9}, "parry_modifier": 7}, "#/defenses/0/tool/parry_modifier"),
        ({"traits": ["fencing", "fencing"]}, "#/defenses/0/tool/traits/1"),
        ({"previous_parries": 51}, "#/defenses/0/tool/previous_parries"),
        ({"skill_name": "boxing"}, "#/defenses/0/tool/skill_name"),
        ({"skill_name": "dx"}, "#/defenses/0/tool/skill_name"),
        ({"kind": "unarmed"}, "#/defenses/0/tool/skill_name"),
        (bare_hand("rapier"), "#/defenses/0/tool/skill_name"),
        (bare_hand("wrestling"), "#/defenses/0/tool/hand"),
        (bare_hand("sumo_wrestling", hand="left"), "#/defenses/0/tool/hand"),
        (bare_hand("boxing", hand="both"), "#/defenses/0/tool/hand"),
        (bare_hand("parry_missile_weapons", hand="both"), "#/defenses/0/tool/hand"),
        (bare_hand(weapon_type="other"), "#/defenses/0/tool/weapon_type"),
        (bare_hand(parry={"skill": 12}, parry_modifier=0), "#/defenses/0/tool/parry_modifier"),
        (bare_hand(traits=[]), "#/defenses/0/tool/traits"),
        (bare_hand(quality="good"), "#/defenses/0/tool/quality"),
        (bare_hand(weight_g=100), "#/defenses/0/tool/weight_g"),
    ],
)
def test_malformed_tools(tool: Body, pointer: str) -> None:
    assert [where for where, _ in defense_faults(parry(tool))] == [pointer]


@pytest.mark.parametrize("skill", ["other", "rapier", "boxing", "wrestling", "dx"])
def test_a_natural_weapon_uses_any_skill(skill: str) -> None:
    assert (
        defense_faults(parry({"kind": "natural_weapon", "skill_name": skill, "weight_g": 10, "quality": "fine"})) == []
    )


@pytest.mark.parametrize(
    ("defense", "pointer"),
    [
        ({}, "#/defenses/0/kind"),
        ({"kind": "parry"}, "#/defenses/0/tool"),
        (dodge(tool={"parry": {"score": 9}}), "#/defenses/0/tool"),
        (block(tool={"parry": {"score": 9}}), "#/defenses/0/tool"),
        (dodge(injure_limb={"skill": 9}), "#/defenses/0/injure_limb"),
        (block(injure_limb={"skill": 9}), "#/defenses/0/injure_limb"),
        (dodge(fallback="dodge"), "#/defenses/0/fallback"),
        (dodge(fallback="none"), "#/defenses/0/fallback"),
        (block(acrobatic=False), "#/defenses/0/acrobatic"),
        (parry(acrobatic=True), "#/defenses/0/acrobatic"),
        (parry(injure_limb={"skill": 61}), "#/defenses/0/injure_limb/skill"),
        (dodge(option={}), "#/defenses/0/option/kind"),
        (dodge(option=None), "#/defenses/0/option"),
        (dodge(option={"kind": "drop", "facing": "left"}), "#/defenses/0/option/facing"),
        (dodge(option={"kind": "retreat", "cover": True}), "#/defenses/0/option/cover"),
        (dodge(modifiers=[{"name": "x", "value": 21}]), "#/defenses/0/modifiers/0/value"),
        (dodge(modifiers=[{"name": "", "value": 1}]), "#/defenses/0/modifiers/0/name"),
        (dodge(modifiers=[{"value": 1}]), "#/defenses/0/modifiers/0/name"),
        (dodge(modifiers=[{"name": "x", "value": 1}] * 21), "#/defenses/0/modifiers"),
    ],
)
def test_malformed_defenses(defense: Body, pointer: str) -> None:
    assert [where for where, _ in defense_faults(defense)] == [pointer]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"defender": {}, "defenses": []}, "#/attack"),
        ({"attack": MELEE, "defenses": []}, "#/defender"),
        ({"attack": MELEE, "defender": {}}, "#/defenses"),
        ({"attack": MELEE, "defender": {}, "defenses": [dodge()] * 3}, "#/defenses"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "damage": {"dice": 1}}, "#/damage/type"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "damage": {"type": "cutting"}}, "#/damage/dice"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "damage": {"dice": 21, "type": "cutting"}}, "#/damage/dice"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "options": {"hexes": "yes"}}, "#/options/hexes"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "options": {"magic_db": "none"}}, "#/options/magic_db"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "dice": [1] * 101}, "#/dice"),
        ({"attack": MELEE, "defender": {}, "defenses": [], "turn": {}}, "#/turn"),
    ],
)
def test_malformed_requests(body: Body, pointer: str) -> None:
    assert [where for where, _ in faults("active-defense", **body)] == [pointer]


DARK = {**MELEE, "awareness": "alert"}
HEAVY = {**MELEE, "weight_g": 10_001}


@pytest.mark.parametrize(
    ("defense", "attack", "defender", "pointer"),
    [
        (dodge(), MELEE, {}, "#/defender/dodge"),
        (block(), MELEE, {"shield": {}}, "#/defender/shield/block"),
        (block(), MELEE, {"shield": {"ready": False}}, "#/defender/shield/block"),
        (block(), DARK, {"shield": {"block": {"score": 9}}}, "#/defender/hearing"),
        (parry(), DARK, {}, "#/defender/hearing"),
        (parry(fallback="dodge"), DARK, {"hearing": 12}, "#/defender/dodge"),
        (parry(), {"kind": "thrown"}, {}, "#/attack/weight_g"),
        (parry(bare_hand()), HEAVY, {"st": 10}, "#/defender/dx"),
        (parry({"kind": "natural_weapon"}), HEAVY, {"basic_lift_g": 10_000}, "#/defender/dx"),
        (parry(bare_hand()), HEAVY, {"st": 10, "posture": "crawling"}, "#/defender/dx"),
        (parry(), MELEE, {"blind": True}, "#/defender/hearing"),
        (parry(), {**MELEE, "awareness": "partly_sees"}, {"blind": True}, "#/defender/hearing"),
        (
            parry(),
            {**MELEE, "awareness": "surprise", "detection": {"skill": 12, "allows": "any"}},
            {"blind": True},
            "#/defender/hearing",
        ),
    ],
)
@pytest.mark.parametrize("forbidden", [{}, {"state": "helpless"}])
@pytest.mark.parametrize("action", ["active-defense", "attack"])
def test_a_request_that_lacks_an_ingredient_is_malformed_even_where_the_defense_is_forbidden(
    action: str, defense: Body, attack: Body, defender: Body, forbidden: Body, pointer: str
) -> None:
    body = {"attack": attack, "defender": {**defender, **forbidden}, "defenses": [defense]}
    roll = {"roll": {"skill": 12}} if action == "attack" else {}
    assert [where for where, _ in faults(action, **body, **roll)] == [pointer]


def test_the_second_defense_needs_its_ingredients_too() -> None:
    assert defense_faults(parry(), dodge(), defender={}) == [("#/defender/dodge", "needed_with")]


@pytest.mark.parametrize(
    ("defense", "attack", "defender"),
    [
        (block(), MELEE, {}),
        (parry(fallback="dodge"), MELEE, {}),
        (dodge(), DARK, {"dodge": {"score": 9}}),
        (parry(), HEAVY, {"st": 10}),
        (parry(bare_hand()), HEAVY, {}),
        (parry(bare_hand()), HEAVY, {"st": 10, "posture": "lying"}),
        (parry(), {**MELEE, "awareness": "unseen_unknown"}, {"blind": True}),
        (parry(), {**MELEE, "awareness": "surprise"}, {"blind": True}),
        (dodge(), {"kind": "thrown"}, {"dodge": {"score": 9}}),
    ],
)
def test_what_is_not_needed_may_be_absent(defense: Body, attack: Body, defender: Body) -> None:
    assert defense_faults(defense, attack=attack, defender=defender) == []


def test_under_all_attacks_the_blind_need_hearing_against_an_unknown_attacker() -> None:
    unknown = {**MELEE, "awareness": "unseen_unknown"}
    found = defense_faults(parry(), attack=unknown, defender={"blind": True}, options={"blind_defense": "all_attacks"})
    assert found == [("#/defender/hearing", "needed_with")]


def test_one_bare_lift_makes_dx_needed_under_that_reading() -> None:
    hug = parry(bare_hand("wrestling", hand="both"))
    assert defense_faults(hug, attack=HEAVY, defender={"st": 10}) == []
    found = defense_faults(hug, attack=HEAVY, defender={"st": 10}, options={"unarmed_lift": "single"})
    assert found == [("#/defender/dx", "dx_needed")]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"attack": MELEE}, "#/roll"),
        ({"roll": {"skill": 12}}, "#/attack"),
        ({"roll": {}, "attack": MELEE}, "#/roll"),
        ({"roll": {"skill": 12, "effective": 12}, "attack": MELEE}, "#/roll"),
        ({"roll": {"effective": 12, "modifiers": []}, "attack": MELEE}, "#/roll/modifiers"),
        ({"roll": {"effective": 12, "cap": 9}, "attack": MELEE}, "#/roll/cap"),
        ({"roll": {"skill": 61}, "attack": MELEE}, "#/roll/skill"),
        ({"roll": {"skill": 12, "cap": 0}, "attack": MELEE}, "#/roll/cap"),
        ({"roll": {"skill": 12}, "attack": {**MELEE, "critical": False}}, "#/attack/critical"),
        ({"roll": {"skill": 12}, "attack": MELEE, "defenses": [dodge()]}, "#/defender"),
    ],
)
def test_malformed_attack_requests(body: Body, pointer: str) -> None:
    assert [where for where, _ in faults("attack", **body)] == [pointer]


def test_at_most_20_tools() -> None:
    tools = [{"parry": {"score": 9}}] * 21
    assert faults("defense-scores", defender={}, tools=tools) == [("#/tools", "too_long")]

"""Attacks in a fight: what a request is told, what becomes of a hit, who may do what."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from service.faults import Malformations
from tests.rules.gurps.fighting import (
    BLOCK,
    CRITICAL_HIT,
    DODGE,
    HIT,
    IMP,
    MISS,
    begun,
    mira,
    ogre,
    parry,
    table,
)

ATTACK = {"actor": "ogre", "target": "mira", "weapon": "club"}
HIDDEN = "hidden"


# what the request is told


def test_without_a_defense_nothing_is_said_of_the_defender() -> None:
    fight = begun()
    fight.act("attack", [*HIT, 3, 4], **ATTACK, defense="none")
    assert fight.request == {
        "roll": {"skill": 13},
        "attack": {"kind": "melee", "weight_g": 2000},
        "damage": {"dice": 2, "type": "crushing", "dr": 1},
    }
    assert fight.effects == [
        ("ogre", "attacked_with", ["club", "right", "left"], None),
        ("mira", "hp", 4, "damage.injury"),
        ("mira", "shock", 4, "injury.shock"),
    ]


def test_what_the_client_says_is_handed_on() -> None:
    fight = begun()
    said = {
        "direction": "rear",
        "runaround": "left",
        "height": {"vertical_cm": 60, "horizontal_cm": 100},
        "strike": "thrust",
        "attacker_step": "taken",
        "forbids": ["parry"],
        "feint": 2,
        "deceptive": 1,
        "awareness": "surprise",
        "detection": {"skill": 12},
    }
    roll = {"modifiers": [{"name": "aim", "value": 3}], "cap": 14}
    fight.act("attack", MISS, **ATTACK, attack=said, roll=roll, defense="none")
    assert fight.request["attack"] == {"kind": "melee", "weight_g": 2000, **said}
    assert fight.request["roll"] == {"skill": 13, **roll}


def test_the_options_of_the_fight_are_those_of_its_requests() -> None:
    fight = begun(bare_hands="as_weapons")
    fight.act("attack", MISS, **ATTACK)
    assert fight.request["options"] == {"bare_hands": "as_weapons"}


@pytest.mark.parametrize(
    ("weapon", "said", "expected"),
    [
        ("club", {}, {"kind": "melee", "weight_g": 2000}),
        (
            "kick",
            {},
            {"kind": "melee", "means": "unarmed", "unarmed_skill": "karate", "body": {"st": 20, "form": "strike"}},
        ),
        ("bite", {}, {"kind": "melee"}),
        ("bow", {}, {"kind": "missile"}),
        ("bow", {"launcher_in_reach": True}, {"kind": "missile", "weight_g": 1500, "launcher_in_reach": True}),
        ("stone", {}, {"kind": "thrown", "weight_g": 500}),
        ("chain", {}, {"kind": "melee", "weapon_class": "flail"}),
        ("blast", {}, {"kind": "area"}),
    ],
)
def test_the_weapon_and_st_say_what_strikes(weapon: str, said: dict[str, Any], expected: dict[str, Any]) -> None:
    fight = begun()
    fight.act("attack", MISS, actor="ogre", target="mira", weapon=weapon, attack=said)
    assert fight.request["attack"] == expected


@pytest.mark.parametrize(
    ("weapon", "expected"),
    [
        ("dagger", {"kind": "melee", "strike": "thrust"}),
        ("fist", {"kind": "melee", "means": "unarmed"}),
        ("hold", {"kind": "melee", "means": "unarmed", "body": {"st": 10, "form": "grapple"}}),
    ],
)
def test_bare_hands_are_unarmed_and_a_weapon_may_thrust(weapon: str, expected: dict[str, Any]) -> None:
    fight = begun(ogres=False)
    fight.act("attack", MISS, actor="mira", target="ogre", weapon=weapon)
    assert fight.request["attack"] == expected


def test_an_attack_may_say_that_it_is_no_thrust() -> None:
    fight = begun(ogres=False)
    fight.act("attack", MISS, actor="mira", target="ogre", weapon="dagger", attack={"strike": "other"})
    assert fight.request["attack"] == {"kind": "melee"}


def test_the_weight_of_a_body_needs_st() -> None:
    fight = begun()
    sheet = {"basic_speed": 4, "weapons": [{**OGRE_KICK, "skill": 12}]}
    fight.join("golem", **sheet)
    fight.end_turn()
    while fight.state["turn"] != "golem":
        fight.end_turn()
    fight.act("attack", MISS, actor="golem", target="mira", weapon="kick")
    assert fight.request["attack"] == {"kind": "melee", "means": "unarmed"}


OGRE_KICK: dict[str, Any] = {
    "id": "kick",
    "tool": {"kind": "natural_weapon", "parry": {"score": 8}},
    "attack": {"means": "unarmed", "form": "strike"},
}


@pytest.mark.parametrize(("dice", "field"), [([7, 3, 3], "dice/0"), ([*HIT, 3, 3, 9], "dice/5")])
def test_a_face_that_the_die_lacks_is_said_of_the_dice(dice: list[int], field: str) -> None:
    fight = begun()
    with pytest.raises(Malformed) as wrong:
        fight.act("attack", dice, **ATTACK, defense="now", defenses=[DODGE])
    assert (wrong.value.field, wrong.value.code) == (field, "face")


def test_shock_comes_off_the_attackers_skill() -> None:
    fight = begun()
    fight.change("ogre", shock=4)
    fight.act("attack", MISS, **ATTACK, roll={"modifiers": [{"name": "aim", "value": 1}], "cap": 9})
    modifiers = [{"name": "shock / шок", "value": -4}, {"name": "aim", "value": 1}]
    assert fight.request["roll"] == {"skill": 13, "modifiers": modifiers, "cap": 9}
    assert fight.outcome["attack"]["effective"] == 9


# what becomes of a hit


def test_a_hit_waits_for_its_defense() -> None:
    fight = begun()
    fight.act("attack", HIT, "ogre", **ATTACK, attack={"direction": "left", "attacker_step": "available"})
    attack = {"direction": "left", "attacker_step": "available"}
    assert fight.request == {"roll": {"skill": 13}, "attack": {"kind": "melee", "weight_g": 2000, **attack}}
    assert fight.outcome["result"] == "hit"
    waiting = fight.state["pending"]
    assert {name: waiting[name] for name in ("attacker", "target", "weapon")} == {
        "attacker": "ogre",
        "target": "mira",
        "weapon": "club",
    }
    assert {name: waiting["attack"][name] for name in attack} == attack
    assert mira(fight).state.hp == 10


def test_a_miss_is_over() -> None:
    fight = begun()
    fight.act("attack", MISS, **ATTACK)
    assert fight.state["pending"] is None
    assert fight.effects == [("ogre", "attacked_with", ["club", "right", "left"], None)]


def test_a_critical_hit_strikes_at_once() -> None:
    fight = begun()
    fight.act("attack", [*CRITICAL_HIT, 1, 2], "ogre", **ATTACK)
    attack, struck = fight.draft.resolutions
    assert attack["resolution"]["outcome"]["result"] == "critical_hit"
    assert (struck["action"], struck["request"]["attack"]["critical"]) == ("active-defense", True)
    assert struck["request"]["defenses"] == []
    assert fight.state["pending"] is None
    assert mira(fight).state.hp == 8


def test_a_critical_hit_without_damage_is_over() -> None:
    fight = begun()
    fight.act("attack", CRITICAL_HIT, actor="ogre", target="mira", weapon="bite")
    assert len(fight.draft.resolutions) == 1
    assert fight.state["pending"] is None
    assert mira(fight).state.hp == 10


def test_a_critical_hit_leaves_a_defense_at_once_unused() -> None:
    fight = begun()
    fight.act("attack", [*CRITICAL_HIT, 1, 2], **ATTACK, defense="now", defenses=[BLOCK])
    assert fight.outcome["defense"] is None
    assert not mira(fight).turn.block_used
    assert mira(fight).state.hp == 8


def test_a_defense_at_once() -> None:
    fight = begun()
    fight.act("attack", [*HIT, 3, 3, 3], **ATTACK, defense="now", defenses=[parry()])
    assert fight.outcome["result"] == "defended"
    assert fight.state["pending"] is None
    assert ("mira", "parries.saber", 1, "parry.repeated") in fight.effects


def test_no_defense_at_once() -> None:
    fight = begun()
    fight.act("attack", [*HIT, 1, 2], **ATTACK, defense="now", defenses=[])
    assert fight.outcome["result"] == "hit"
    assert mira(fight).state.hp == 8


def test_shock_is_at_most_4_and_injury_adds_up() -> None:
    fight = begun()
    for dice, hp, shock in (([1, 1], 9, 1), ([1, 2], 7, 3), ([2, 2], 4, 4), ([6, 6], -7, 4)):
        fight.act("attack", [*HIT, *dice], **ATTACK, defense="none")
        assert (mira(fight).state.hp, mira(fight).state.shock) == (hp, shock)


def test_shock_that_is_higher_is_not_lowered() -> None:
    fight = begun()
    fight.change("mira", shock=6)
    fight.act("attack", [*HIT, 1, 1], **ATTACK, defense="none")
    assert mira(fight).state.shock == 6


def test_an_attack_that_does_not_penetrate_changes_nothing() -> None:
    fight = begun()
    fight.change("mira", dr=12)
    fight.act("attack", [*HIT, 6, 6], **ATTACK, defense="none")
    assert fight.effects == [("ogre", "attacked_with", ["club", "right", "left"], None)]


def test_fatigue_comes_off_fp_and_is_no_shock() -> None:
    fight = begun()
    fight.act("attack", [*HIT, 5], actor="ogre", target="mira", weapon="chain", defense="none")
    assert (mira(fight).state.hp, mira(fight).state.fp, mira(fight).state.shock) == (10, 6, 0)
    assert ("mira", "fp", 6, "damage.injury") in fight.effects


@pytest.mark.parametrize(("weapon", "dice"), [("club", [4, 4]), ("chain", [4])])
def test_points_that_no_sheet_tells_are_not_kept(weapon: str, dice: list[int]) -> None:
    fight = begun()
    fight.join("imp", **IMP)
    fight.act("attack", [*HIT, *dice], actor="ogre", target="imp", weapon=weapon, defense="none")
    assert (fight.combatant("imp").state.hp, fight.combatant("imp").state.fp) == (None, None)
    assert fight.combatant("imp").state.shock == (4 if weapon == "club" else 0)


@pytest.mark.parametrize(
    ("weapon", "used"),
    [
        ("club", ["club", "right", "left"]),
        ("stone", ["stone", "right"]),
        ("kick", ["kick", "right"]),
        ("bite", ["bite"]),
    ],
)
def test_a_weapon_and_its_hands_have_attacked(weapon: str, used: list[str]) -> None:
    fight = begun()
    fight.act("attack", MISS, actor="ogre", target="mira", weapon=weapon)
    assert ogre(fight).turn.attacked_with == used
    fight.act("attack", MISS, actor="ogre", target="mira", weapon="club")
    assert ogre(fight).turn.attacked_with == list(dict.fromkeys([*used, "club", "right", "left"]))


# refusals


def test_an_attack_needs_the_turn() -> None:
    assert table().refused("attack", **ATTACK) == "not_your_turn"
    assert begun(ogres=False).refused("attack", "ogre", **ATTACK) == "not_your_turn"


def test_who_and_what_has_to_be_there() -> None:
    fight = begun()
    assert fight.refused("attack", actor="nobody", target="mira", weapon="club") == "no_such_combatant"
    assert fight.refused("attack", actor="ogre", target="nobody", weapon="club") == "no_such_combatant"
    assert fight.refused("attack", actor="ogre", target="mira", weapon="saber") == "no_such_weapon"
    body = {**ATTACK, "defense": "now", "defenses": [parry("club")]}
    assert fight.refused("attack", **body) == "no_such_weapon"


@pytest.mark.parametrize("status", ["unready", "dropped", "broken"])
def test_a_weapon_has_to_be_ready(status: str) -> None:
    fight = begun()
    fight.change("ogre", weapons={"club": status})
    assert fight.refused("attack", **ATTACK) == "weapon_not_ready"
    fight.change("ogre", weapons={"club": "ready"})
    fight.act("attack", MISS, **ATTACK)


def test_the_rules_of_the_attack_refuse() -> None:
    fight = begun()
    assert fight.refused("attack", **ATTACK, attack={"deceptive": 2}) == ["attack.deceptive_limit"]
    hopeless = {"modifiers": [{"name": "fog", "value": -11}]}
    assert fight.refused("attack", **ATTACK, roll=hopeless) == ["success.minimum"]
    knife = [parry("dagger")]
    body = {"actor": "ogre", "target": "mira", "weapon": "chain", "defense": "now", "defenses": knife}
    assert fight.refused("attack", **body) == ["parry.flail_forbidden"]


def test_an_attack_is_ones_own() -> None:
    with pytest.raises(NotForYou, match="another_combatant"):
        begun().act("attack", None, "mira", **ATTACK)


@pytest.mark.parametrize("body", [{"defense": "none"}, {"defense": "now", "defenses": [DODGE]}])
def test_only_the_targets_player_says_how_the_target_defends(body: dict[str, Any]) -> None:
    with pytest.raises(NotForYou, match="another_combatant"):
        begun().act("attack", None, "ogre", **ATTACK, **body)
    fight = begun()
    fight.act("attack", MISS, "ogre mira", **ATTACK, **body)
    assert fight.outcome["result"] == "miss"


@pytest.mark.parametrize("said", [{"awareness": "surprise"}, {"awareness": "surprise", "detection": {"skill": 10}}])
def test_a_surprise_is_the_game_masters_to_say(said: dict[str, Any]) -> None:
    with pytest.raises(NotForYou, match="gm_field"):
        begun().act("attack", None, "ogre", **ATTACK, attack=said)


def test_darkness_is_anybodys_to_say() -> None:
    fight = begun()
    fight.act("attack", MISS, "ogre", **ATTACK, attack={"awareness": "partly_sees"})
    assert fight.request["attack"]["awareness"] == "partly_sees"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"target": "ogre"}, "#/target"),
        ({"defenses": [DODGE]}, "#/defenses"),
        ({"defense": "now"}, "#/defenses"),
        ({"defense": "none", "defenses": []}, "#/defenses"),
        ({"attack": {"runaround": "left"}}, "#/attack/runaround"),
        ({"attack": {"detection": {"skill": 9}}}, "#/attack/detection"),
        ({"attack": {"awareness": "partly_sees", "detection": {"skill": 9}}}, "#/attack/detection"),
        ({"attack": {"forbids": ["block", "block"]}}, "#/attack/forbids/1"),
        ({"attack": {"awareness": "alert"}}, "#/attack/awareness"),
        ({"attack": {"critical": True}}, "#/attack/critical"),
        ({"roll": {"skill": 12}}, "#/roll/skill"),
        ({"defense": "now", "defenses": [{"kind": "parry"}]}, "#/defenses/0/weapon"),
        ({"defense": "now", "defenses": [{**DODGE, "weapon": "saber"}]}, "#/defenses/0/weapon"),
        ({"defense": "now", "defenses": [{**DODGE, "injure_limb": "yes"}]}, "#/defenses/0/injure_limb"),
        ({"defense": "now", "defenses": [{**DODGE, "fallback": "dodge"}]}, "#/defenses/0/fallback"),
        ({"defense": "now", "defenses": [{**BLOCK, "acrobatic": True}]}, "#/defenses/0/acrobatic"),
    ],
)
def test_a_command_that_contradicts_itself(body: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformations) as wrong:
        begun().act("attack", **{**ATTACK, **body})
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]

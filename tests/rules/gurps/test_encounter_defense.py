"""The defense against an attack that waits: what a request is told, and what the defense leaves behind."""

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from tests.rules.gurps.fighting import (
    DODGE,
    FAILED,
    HIT,
    IMP,
    MADE,
    MIRA,
    MISS,
    SURELY,
    begun,
    defend,
    parry,
    pending,
)

# what the request is told


def test_the_defender_is_the_sheet() -> None:
    fight = defend(pending(), MADE, DODGE)
    assert fight.request == {
        "attack": {"kind": "melee", "weight_g": 2000},
        "defender": {
            "dodge": {"basic_speed": 6.5},
            "shield": MIRA["shield"],
            "dx": 13,
            "hearing": 12,
            "acrobatics": 12,
            "st": 10,
        },
        "defenses": [DODGE],
        "damage": {"dice": 2, "type": "crushing", "dr": 1},
    }


def test_every_field_of_a_sheet_is_told() -> None:
    sheet = {
        "basic_speed": 5,
        "dodge": {"score": 9},
        "encumbrance": "light",
        "creature": "monster",
        "traits": ["double_jointed", "ambidexterity"],
        "dominant_hand": "left",
        "basic_lift_g": 9000,
        "dx": 10,
        "hearing": 11,
        "acrobatics": 12,
        "blind_fighting": 13,
        "free_hands": 1,
        "shield": {"db": 2},
        "magic_db": [1, 3],
    }
    fight = begun()
    fight.join("guard", **sheet)
    fight.act("attack", HIT, actor="ogre", target="guard", weapon="club")
    fight.act("active-defense", [*MADE], actor="guard", defenses=[DODGE])
    assert fight.request["defender"] == {name: value for name, value in sheet.items() if name != "basic_speed"}


def test_the_state_is_told() -> None:
    fight = begun()
    state = {"posture": "kneeling", "stunned": True, "blind": True, "shock": 2, "maneuver": "move", "state": "helpless"}
    fight.change("mira", **state, hp=3, fp=3)
    defend(pending(of=fight), [1, 1])
    defender = fight.request["defender"]
    assert {name: defender.get(name) for name in state} == state
    assert (defender["reeling"], defender["exhausted"]) == (True, True)


@pytest.mark.parametrize(("points", "below"), [(4, False), (3, True)])
def test_below_a_third_of_ten(points: int, below: bool) -> None:
    fight = begun()
    fight.change("mira", hp=points, fp=points)
    defend(pending(of=fight), SURELY, DODGE)
    defender = fight.request["defender"]
    assert (defender.get("reeling", False), defender.get("exhausted", False)) == (below, below)


@pytest.mark.parametrize(("points", "below"), [(4, False), (3, True)])
def test_a_third_itself_is_not_below_it(points: int, below: bool) -> None:
    fight = begun()
    fight.change("mira", sheet={**MIRA, "hp": 12})
    fight.change("mira", hp=points)
    defend(pending(of=fight), SURELY, DODGE)
    assert fight.request["defender"].get("reeling", False) is below


def test_a_defense_is_handed_on_with_the_weapon_of_the_sheet() -> None:
    fight = pending("kick")
    modifiers = [{"name": "footing", "value": 6}]
    option = {"kind": "retreat", "facing": "left"}
    defend(fight, [3, 3, 3, 3, 3, 3], parry(modifiers=modifiers, option=option, injure_limb="yes"))
    assert fight.request["defenses"] == [
        {
            "kind": "parry",
            "modifiers": modifiers,
            "option": option,
            "tool": {"skill_name": "saber", "parry": {"skill": 15}, "weight_g": 1000},
            "injure_limb": {"skill": 15},
        }
    ]
    assert fight.outcome["attempts"][0]["limb_injured"] is True


def test_a_limb_is_spared() -> None:
    fight = defend(pending("kick"), MADE, parry(injure_limb="no"))
    assert "injure_limb" not in fight.request["defenses"][0]


def test_bare_hands_spare_the_limb() -> None:
    body = {"actor": "mira", "defenses": [parry("fist", injure_limb="yes")]}
    assert pending("kick").refused("active-defense", **body) == ["parry.injure_limb_needs"]


@pytest.mark.parametrize("status", ["unready", "dropped", "broken"])
def test_a_weapon_that_is_not_ready_does_not_parry(status: str) -> None:
    fight = begun()
    fight.change("mira", weapons={"saber": status})
    pending(of=fight)
    assert fight.refused("active-defense", actor="mira", defenses=[parry()]) == ["parry.not_ready"]
    defend(fight, [*FAILED, 1, 1], parry("dagger"))


@pytest.mark.parametrize(
    ("attacks", "parries", "counts"),
    [
        ("saber", "saber", True),
        ("saber", "dagger", False),
        ("saber", "fist", True),
        ("fist", "saber", True),
        ("dagger", "hold", True),
        ("hold", "dagger", True),
    ],
)
def test_what_has_attacked_is_the_weapon_or_its_hand(attacks: str, parries: str, counts: bool) -> None:
    fight = begun(ogres=False)
    fight.act("attack", MISS, actor="mira", target="ogre", weapon=attacks)
    fight.end_turn()
    defend(pending(of=fight), [*FAILED, 1, 1], parry(parries))
    assert fight.request["defenses"][0]["tool"].get("attacked_with", False) is counts


def test_no_parry_with_the_hand_that_attacked_after_move_and_attack() -> None:
    fight = begun(ogres=False)
    fight.act("maneuver", actor="mira", maneuver="move_and_attack")
    fight.act("attack", MISS, actor="mira", target="ogre", weapon="fist", roll={"cap": 9})
    fight.end_turn()
    pending(of=fight)
    assert fight.refused("active-defense", actor="mira", defenses=[parry()]) == ["maneuver.move_and_attack"]
    defend(fight, SURELY, parry("dagger"))


def test_a_bite_takes_no_hand() -> None:
    fight = begun()
    fight.act("attack", MISS, actor="ogre", target="mira", weapon="bite")
    fight.end_turn()
    fight.act("attack", HIT, actor="mira", target="ogre", weapon="saber")
    fight.act("active-defense", SURELY, actor="ogre", defenses=[parry("club")])
    assert "attacked_with" not in fight.request["defenses"][0]["tool"]
    fight.act("attack", HIT, actor="mira", target="ogre", weapon="saber")
    fight.act("active-defense", SURELY, actor="ogre", defenses=[parry("bite")])
    assert fight.request["defenses"][0]["tool"]["attacked_with"] is True


# who, and when


def test_only_the_target_answers() -> None:
    fight = pending()
    with pytest.raises(NotForYou, match="another_combatant"):
        fight.act("active-defense", None, "ogre", actor="mira", defenses=[DODGE])
    assert fight.refused("active-defense", "ogre", actor="ogre", defenses=[DODGE]) == "attack_pending"
    fight.act("active-defense", MADE, actor="mira", defenses=[DODGE])


def test_without_an_attack_there_is_no_defense() -> None:
    assert begun().refused("active-defense", actor="mira", defenses=[DODGE]) == "no_attack_pending"


def test_a_refused_defense_leaves_the_attack_waiting() -> None:
    fight = begun()
    fight.change("mira", state="immobilized", maneuver="all_out_attack")
    pending(of=fight)
    refused = ["defense.incapable", "maneuver.all_out_attack"]
    assert fight.refused("active-defense", actor="mira", defenses=[DODGE]) == refused
    assert fight.state["pending"]["target"] == "mira"


def test_animals_only_dodge() -> None:
    fight = begun()
    fight.join(
        "imp", **IMP, weapons=[{"id": "claw", "tool": {"kind": "natural_weapon", "parry": {"score": 9}}, "skill": 9}]
    )
    fight.act("attack", HIT, actor="ogre", target="imp", weapon="club")
    assert fight.refused("active-defense", actor="imp", defenses=[parry("claw")]) == ["creature.dodge_only"]


def test_what_the_sheet_does_not_tell_is_asked_of_the_defenses() -> None:
    fight = begun()
    sheet = {name: value for name, value in MIRA.items() if name != "hearing"}
    fight.change("mira", sheet=sheet)
    fight.change("mira", blind=True)
    pending(of=fight)
    with pytest.raises(Malformed) as wrong:
        fight.act("active-defense", actor="mira", defenses=[parry()])
    assert (wrong.value.code, wrong.value.field) == ("needed_with", "defenses")
    assert wrong.value.facts["field"] == "defender.hearing"

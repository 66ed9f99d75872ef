"""Blocks, dodges and parries: what forbids them, how they are rolled, and what they leave of an attack."""

from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, ask_seeded, faults, refused

BODIES: dict[str, dict[str, Any]] = {
    "mortal": {"nature": "mortal", "stamina": 3},
    "armored": {"nature": "mortal", "stamina": 3, "armor": 1},
    "fallen": {"nature": "supernatural", "stamina": 3},
    "frail": {"nature": "supernatural", "stamina": 0},
    "given": {"nature": "mortal", "soak": 1},
    "bare": {"nature": "supernatural", "soak": 0, "armor": 3},
}
SOAKS = {
    "lethal": {"armored", "fallen", "given"},
    "aggravated": {"given"},
}


def defend(
    dice: list[int],
    maneuver: str,
    *,
    successes: int = 1,
    reach: str = "close",
    armed: bool = False,
    kind: str = "bashing",
    defender: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    attacker: dict[str, Any] | None = None,
    **defense: Any,
) -> Answer:
    defense.setdefault("roll", {"pool": 1})
    return ask(
        "defense",
        dice,
        attack={"successes": successes, "range": reach, "armed": armed, "damage_type": kind},
        defender={**(defender or {}), "defense": {"maneuver": maneuver, **defense}},
        attacker=attacker or {},
        options=options or {},
    )


# what forbids them


def test_everything_that_forbids_a_defense_is_told_in_order() -> None:
    for maneuver, reach, (condition, health), awareness, (mode, earlier), pool, option in product(
        ("block", "dodge", "parry"),
        ("close", "ranged"),
        (("free", "healthy"), ("clinched", "healthy"), ("held", "incapacitated"), ("free", "incapacitated")),
        ("aware", "unaware", "ambushed"),
        (("action", 0), ("action", 1), ("multiple", 1), ("full_round", 0), ("full_round", 2)),
        (0, 2, 3),
        (False, True),
    ):
        roll: dict[str, Any] = {"pool": pool, "health": health}
        if mode == "multiple":
            roll["allotted"] = 2
        left = pool - (earlier if mode == "full_round" else 0)
        empty = left <= 0 and health == "healthy"
        out = empty and mode == "full_round" and earlier > 0
        judged = [
            ("health.incapacitated", health == "incapacitated"),
            ("clinch.no_other", condition == "clinched"),
            ("hold.immobile", condition == "held"),
            ("ambush.no_defense", awareness == "ambushed"),
            ("defense.unaware", awareness == "unaware" and (maneuver != "dodge" or option)),
            ("block.close_only", maneuver == "block" and reach == "ranged"),
            ("block.unarmed_only", maneuver == "block" and reach == "close" and option),
            ("block.unsoakable", maneuver == "block"),
            ("dodge.no_room", maneuver == "dodge" and reach == "close"),
            ("parry.close_only", maneuver == "parry" and reach == "ranged"),
            ("parry.no_weapon", maneuver == "parry"),
            ("defense.no_action", mode == "action" and earlier > 0),
            ("defense.exhausted", out),
            ("pool.empty", empty and not out),
        ]
        answer = ask_seeded(
            "defense",
            "refused",
            attack={"successes": 2, "range": reach, "armed": True, "damage_type": "lethal"},
            defender={
                "condition": condition,
                "awareness": awareness,
                "body": BODIES["mortal"],
                "weapon": {"preset": "rifle"},
                "defense": {
                    "maneuver": maneuver,
                    "roll": roll,
                    "mode": mode,
                    "earlier_defenses": earlier,
                    **({"room": "cramped"} if maneuver == "dodge" else {}),
                },
            },
            options={"unaware_dodge": "refused", "block_scope": "unarmed_attacks"} if option else {},
        )
        assert refused(answer) == [rule for rule, forbids in judged if forbids]


def test_the_aggravated_weapon_of_a_defender_is_refused_first() -> None:
    blade = {"class": "close", "damage_base": "fixed", "damage_dice": 2, "damage_type": "aggravated"}
    answer = defend([], "parry", defender={"weapon": blade, "condition": "held"})
    assert refused(answer) == ["weapon.aggravated", "hold.immobile"]


@pytest.mark.parametrize("kind", ["bashing", "lethal", "aggravated"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("armed", [False, True])
def test_a_block_of_what_is_not_bashing_needs_something_to_soak_it_with(kind: str, body: str, armed: bool) -> None:
    can = kind == "bashing" or body in SOAKS[kind]
    answer = defend([6] if can else [], "block", armed=armed, kind=kind, defender={"body": BODIES[body]})
    assert refused(answer) == ([] if can else ["block.unsoakable"])


def test_the_options_of_soak_decide_what_can_be_blocked() -> None:
    armored = {"body": {"nature": "mortal", "stamina": 3, "armor": 1}}
    answer = defend([2], "block", kind="aggravated", defender=armored, options={"armor_vs_aggravated": "full"})
    assert refused(answer) == []
    power = {"body": {"nature": "mortal", "stamina": 3, "aggravated_soak": 1}}
    assert refused(defend([2], "block", kind="aggravated", defender=power)) == []


def test_an_attack_aimed_past_the_armor_cannot_be_blocked_with_it() -> None:
    body: dict[str, Any] = {
        "maneuver": "weapon_strike",
        "attacker": {"successes": 1, "strength": 2, "weapon": {"preset": "knife"}},
        "defender": {
            "body": {"nature": "mortal", "stamina": 3, "armor": 2},
            "defense": {"maneuver": "block", "roll": {"pool": 1}},
        },
    }
    assert refused(ask("attack", [6], **body)) == []
    aimed = ask("attack", [], **body, targeting={"size": "medium", "bypass": "armor"})
    assert refused(aimed) == ["block.unsoakable"]


def test_a_bashing_shot_is_refused_a_block_for_being_a_shot_alone() -> None:
    assert refused(defend([], "block", reach="ranged")) == ["block.close_only"]


def test_a_parry_takes_a_close_weapon_of_any_kind() -> None:
    for weapon in ("sap", "club", "knife"):
        assert refused(defend([2], "parry", defender={"weapon": {"preset": weapon}, "strength": 1})) == []


def test_a_dodge_under_fire_needs_no_room() -> None:
    assert refused(defend([2], "dodge", reach="ranged", room="cramped")) == []
    assert refused(defend([2], "dodge", room="open")) == []


# how they are rolled


@pytest.mark.parametrize(("maneuver", "pool"), [("block", 4), ("dodge", 5), ("parry", 6)])
def test_each_reads_its_traits(maneuver: str, pool: int) -> None:
    traits = {"dexterity": 2, "brawl": 2, "dodge": 3, "melee": 4}
    weapon = {"weapon": {"preset": "club"}}
    answer = defend([2] * pool, maneuver, roll={"traits": traits}, defender=weapon)
    assert answer.outcome["defense"] | {"maneuver": maneuver, "pool": pool} == answer.outcome["defense"]
    assert answer.rules[:3] == ["attack.known", maneuver, "pool.traits"]


@pytest.mark.parametrize(
    ("mode", "earlier", "allotted", "pool"),
    [
        ("action", 0, None, 4),
        ("multiple", 0, 3, 3),
        ("multiple", 9, 2, 2),
        ("full_round", 0, None, 4),
        ("full_round", 1, None, 3),
        ("full_round", 3, None, 1),
    ],
)
def test_the_pool_shrinks_with_each_further_defense_of_a_round_of_defending(
    mode: str, earlier: int, allotted: int | None, pool: int
) -> None:
    roll = {"pool": 4, **({"allotted": allotted} if allotted else {})}
    answer = defend([2] * pool, "dodge", roll=roll, mode=mode, earlier_defenses=earlier)
    assert answer.outcome["defense"]["pool"] == pool
    assert ("defense.full_round" in answer.rules) == (mode == "full_round" and earlier > 0)


def test_a_further_defense_loses_its_dice_before_the_storytellers_are_added() -> None:
    roll = {"pool": 2, "modifiers": [{"dice": 1}]}
    answer = defend([2], "dodge", roll=roll, mode="full_round", earlier_defenses=2)
    assert [total for rule, _, _, total in answer.steps() if rule in ("defense.full_round", "pool.modifier")] == [0, 1]


@pytest.mark.parametrize(("opponents", "more"), [(1, 0), (2, 1), (5, 4), (20, 4)])
@pytest.mark.parametrize("reach", ["close", "ranged"])
def test_several_opponents_make_any_defense_harder(opponents: int, more: int, reach: str) -> None:
    answer = defend([2], "dodge", reach=reach, opponents=opponents)
    assert answer.outcome["defense"]["difficulty"] == 6 + more


def test_a_chosen_defense_is_rolled_even_against_nothing() -> None:
    answer = defend([1], "dodge", successes=0)
    assert (answer.outcome["result"], answer.outcome["defense"]["result"]) == ("miss", "botch")
    assert "defense.tie" not in answer.rules


# what they leave


@pytest.mark.parametrize("tie", ["miss", "hit"])
@pytest.mark.parametrize(("attack", "defense"), list(product(range(4), repeat=2)))
def test_the_attack_keeps_the_difference(attack: int, defense: int, tie: str) -> None:
    dice = [6] * defense + [2] * (3 - defense)
    answer = defend(dice, "dodge", successes=attack, roll={"pool": 3}, options={"defense_tie": tie})
    equal = attack == defense and attack > 0
    hit = attack > defense or (equal and tie == "hit")
    assert answer.outcome["result"] == ("hit" if hit else "miss")
    assert answer.outcome["net_successes"] == max(attack - defense, 0)
    assert ("defense.tie" in answer.rules) == equal
    assert ("attack.hit" in answer.rules, "attack.miss" in answer.rules) == (hit, not hit)
    assert ("defense.compare" in answer.rules) == (defense > 0)
    if defense:
        assert answer.step("defense.compare") | {"value": -defense, "total": attack - defense} == answer.step(
            "defense.compare"
        )
    assert answer.rules[-1] == "defense.result"


def test_a_tie_that_hits_does_the_base_damage() -> None:
    answer = ask(
        "attack",
        [6, 6, 6],
        maneuver="strike",
        attacker={"successes": 1, "strength": 2},
        defender={
            "body": {"nature": "mortal", "stamina": 0},
            "defense": {"maneuver": "dodge", "roll": {"pool": 1}},
        },
        options={"defense_tie": "hit"},
    )
    assert answer.outcome["damage"]["pool"] == 2
    assert "damage.extra_successes" not in answer.rules


@pytest.mark.parametrize("reach", ["close", "ranged"])
@pytest.mark.parametrize("room", ["open", "cramped", None])
@pytest.mark.parametrize("refuge", ["none", "ground", "light", "good", "superior", None])
@pytest.mark.parametrize("when", ["always", "on_miss"])
@pytest.mark.parametrize("hit", [False, True])
def test_where_a_dodge_ends(reach: str, room: str | None, refuge: str | None, when: str, hit: bool) -> None:
    said: dict[str, Any] = {name: value for name, value in (("room", room), ("refuge", refuge)) if value}
    if reach == "close" and room == "cramped":
        return
    answer = defend([2 if hit else 6], "dodge", reach=reach, options={"dodge_refuge": when}, **said)
    nowhere = reach == "close" or (hit and when == "on_miss")
    expected = "none" if nowhere else "ground" if room == "cramped" else refuge or "none"
    assert answer.outcome["defense"]["refuge"] == expected
    assert ("dodge.refuge" in answer.rules) == (expected != "none")


# a parry that wounds


@pytest.mark.parametrize("armed", [False, True])
@pytest.mark.parametrize("weapon", ["club", "knife"])
@pytest.mark.parametrize(("attack", "defense"), list(product(range(3), repeat=2)))
def test_a_parry_wounds_the_bare_hand_that_it_out_rolls(attack: int, defense: int, weapon: str, armed: bool) -> None:
    wounds = not armed and weapon == "knife" and defense > attack
    pool = 2 + 1 + defense - attack
    dice = [6] * defense + [2] * (2 - defense) + ([6] * pool if wounds else [])
    answer = defend(
        dice,
        "parry",
        successes=attack,
        armed=armed,
        roll={"pool": 2},
        defender={"weapon": {"preset": weapon}, "strength": 2},
        attacker={"body": {"nature": "mortal", "stamina": 4}},
    )
    if not wounds:
        assert answer.outcome["counter"] is None
        return
    assert answer.outcome["counter"] | {"type": "lethal", "pool": pool} == answer.outcome["counter"]
    assert answer.outcome["counter"]["damage"] | {"soak_pool": 0, "levels": pool} == answer.outcome["counter"]["damage"]
    at = answer.rules.index("parry.counter")
    assert answer.rules[at - 1 : at + 3] == ["attack.miss", "parry.counter", "damage.base", "parry.counter_dice"]


@pytest.mark.parametrize("maneuver", ["block", "dodge"])
def test_only_a_parry_wounds(maneuver: str) -> None:
    knife = {"weapon": {"preset": "knife"}, "strength": 2}
    answer = defend([6], maneuver, successes=0, defender=knife, attacker={"body": BODIES["mortal"]})
    assert answer.outcome["counter"] is None


def test_without_the_attackers_body_the_pool_of_a_parry_is_told_and_nothing_rolled() -> None:
    blade = {"class": "close", "damage_base": "fixed", "damage_dice": 0, "damage_type": "lethal"}
    answer = defend([6], "parry", successes=0, defender={"weapon": blade})
    assert answer.outcome["counter"] == {"type": "lethal", "pool": 1, "damage": None}
    assert "damage.base" not in answer.rules


def test_the_pool_of_a_parry_is_never_over_fifty() -> None:
    blade = {"class": "close", "damage_base": "strength", "damage_dice": 20, "damage_type": "lethal"}
    answer = defend([6] * 30, "parry", successes=0, roll={"pool": 30}, defender={"weapon": blade, "strength": 10})
    assert answer.outcome["counter"]["pool"] == 50


def test_a_supernatural_blade_wounds_with_aggravated_damage() -> None:
    blade = {
        "class": "close",
        "damage_base": "fixed",
        "damage_dice": 1,
        "damage_type": "aggravated",
        "supernatural": True,
    }
    answer = defend([6, 6, 6], "parry", successes=0, defender={"weapon": blade}, attacker={"body": BODIES["fallen"]})
    assert answer.outcome["counter"]["type"] == "aggravated"
    assert answer.outcome["counter"]["damage"]["levels"] == 2


def test_the_damage_of_a_parry_is_soaked_like_any_other() -> None:
    body = {"nature": "supernatural", "stamina": 1, "armor": 1, "wounds": {}}
    knife = {"weapon": {"preset": "knife"}, "strength": 1}
    answer = defend([6, 6, 2, 6, 6], "parry", successes=0, defender=knife, attacker={"body": body})
    told = answer.outcome["counter"]["damage"]
    assert told | {"pool": 3, "soak_pool": 2, "soak_successes": 1, "rolled": 2, "levels": 2} == told
    assert told["armor_destroyed"]
    assert told["health"]["lethal"] == 2


# what has to be sent


@pytest.mark.parametrize("kind", ["bashing", "lethal", "aggravated"])
@pytest.mark.parametrize("reach", ["close", "ranged"])
def test_a_block_of_what_is_not_bashing_needs_the_body(kind: str, reach: str) -> None:
    found = faults(
        "defense",
        attack={"successes": 1, "range": reach, "armed": True, "damage_type": kind},
        defender={"defense": {"maneuver": "block", "roll": {"pool": 1}}},
    )
    assert found == ([] if kind == "bashing" else [("#/defender/body", "needed_with")])


@pytest.mark.parametrize("armed", [False, True])
@pytest.mark.parametrize(("weapon", "cuts"), [("knife", True), ("club", False), ("rifle", False)])
def test_a_parry_that_could_cut_needs_the_strength_behind_it(weapon: str, cuts: bool, armed: bool) -> None:
    found = faults(
        "defense",
        attack={"successes": 1, "range": "close", "armed": armed, "damage_type": "bashing"},
        defender={"weapon": {"preset": weapon}, "defense": {"maneuver": "parry", "roll": {"pool": 1}}},
    )
    assert found == ([("#/defender/strength", "needed_with")] if cuts and not armed else [])

"""What an attack does when it strikes or fails: damage, bonds, disarming and what comes back."""

from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer
from tests.rules.storyteller.test_attack import BODY, attack, known

# the blow


def test_net_successes_after_the_first_add_dice_that_a_defense_takes_away() -> None:
    defender = {"body": BODY, "defense": {"maneuver": "dodge", "roll": {"pool": 1}}}
    answer = known(4, [6, *[2] * 4], defender=defender)
    assert (answer.outcome["net_successes"], answer.outcome["damage"]["pool"]) == (3, 4)


@pytest.mark.parametrize("added", ["ignored", "added"])
@pytest.mark.parametrize("maneuver", ["clinch", "strike"])
def test_net_successes_of_a_clinch_add_nothing_unless_the_option_says_so(maneuver: str, added: str) -> None:
    pool = 2 if maneuver == "clinch" and added == "ignored" else 4
    answer = known(3, [2] * pool, maneuver, options={"clinch_extra_successes": added})
    assert answer.outcome["damage"]["pool"] == pool


def test_a_clinch_still_takes_aim_and_the_storytellers_dice() -> None:
    attacker = {"damage_modifiers": [{"dice": 2}]}
    answer = known(3, [2] * 5, "clinch", attacker, targeting={"size": "small"})
    assert answer.outcome["damage"]["pool"] == 5


def test_a_miss_binds_nobody() -> None:
    for maneuver in ("clinch", "hold"):
        answer = known(0, [], maneuver)
        assert (answer.outcome["effect"], answer.outcome["damage"]) == ("none", None)
        assert not {"clinch.begins", "hold.begins"} & set(answer.rules)


def test_the_damage_of_the_defender_alone_counts_as_health_levels() -> None:
    answer = known(
        0,
        [6, 6, 7, 7, 7, 7],
        attacker={"body": BODY},
        defender={
            "body": BODY,
            "strength": 1,
            "weapon": {"preset": "knife"},
            "defense": {"maneuver": "parry", "roll": {"pool": 2}},
        },
    )
    assert answer.outcome["counter"]["damage"]["levels"] == 4
    assert answer.outcome["health_levels"] == 0
    assert answer.step("attack.result")["value"] == 0


# disarming


def disarm(dice: list[int], successes: int = 2, botch: bool = False, **body: Any) -> Answer:
    own = body.pop("attacker", {})
    foe = {"weapon": {"preset": "sword"}, "strength": 2, "body": {**BODY, "wounds": {}}, **body.pop("defender", {})}
    attacker = {"successes": successes, "damage_pool": 4, **({"botch": True} if botch else {}), **own}
    return attack(dice, "disarm", attacker=attacker, defender=foe, **body)


@pytest.mark.parametrize("soak", ["removes_dice", "removes_levels"])
@pytest.mark.parametrize("hurt", range(6))
def test_more_damage_successes_than_strength_disarm_instead_of_hurting(soak: str, hurt: int) -> None:
    """With damage first the soak roll falls away for one who is disarmed, and armor stays whole."""
    body = {"nature": "supernatural", "stamina": 1, "armor": 1, "wounds": {}}
    disarmed = hurt > 2
    rolled = [6] * hurt + [2] * (5 - hurt)
    afterwards = [2, 2] if hurt and not disarmed else []
    dice = [2, 2, *rolled] if soak == "removes_dice" else [*rolled, *afterwards]
    answer = disarm(dice, defender={"body": body}, options={"soak": soak})
    told = answer.outcome["damage"]
    assert answer.outcome["effect"] == ("disarmed" if disarmed else "none")
    assert told["successes"] == hurt
    assert told["levels"] == (0 if disarmed else hurt // 2)
    assert told["armor_destroyed"] == (hurt == 2)
    assert ("bashing.halved" in answer.rules) == (0 < hurt <= 2)
    assert answer.step("disarm.compare")["value"] == hurt
    assert ("disarm.disarmed" in answer.rules) == disarmed
    assert answer.rules[-3:] == ["damage.levels", "health.track", "attack.result"]


def test_the_comparison_stands_as_soon_as_the_damage_is_known() -> None:
    body = {"nature": "supernatural", "stamina": 1}
    answer = disarm([6, 2, 2, 2, 2, 2], defender={"body": body}, options={"soak": "removes_levels"})
    at = answer.rules.index("disarm.compare")
    assert answer.rules[at - 1 : at + 2] == ["damage.roll", "disarm.compare", "soak.roll"]


@pytest.mark.parametrize("net", range(1, 5))
def test_a_disarm_may_be_compared_by_the_attack(net: int) -> None:
    disarmed = net > 2
    answer = disarm([] if disarmed else [6] * (3 + net), net, options={"disarm_compare": "attack_successes"})
    assert answer.outcome["effect"] == ("disarmed" if disarmed else "none")
    assert (answer.outcome["damage"] is None) == disarmed
    assert answer.outcome["health_levels"] == (0 if disarmed else (3 + net) // 2)
    assert answer.step("disarm.compare")["value"] == net


@pytest.mark.parametrize("by", ["damage_successes", "attack_successes"])
def test_a_disarm_by_a_tie_that_hits_compares_0(by: str) -> None:
    options = {"defense_tie": "hit", "disarm_compare": by}
    foe = {"strength": 0, "defense": {"maneuver": "dodge", "roll": {"pool": 1}}}
    answer = disarm([6, 2, 2, 2, 2], 1, defender=foe, options=options)
    assert (answer.outcome["net_successes"], answer.outcome["effect"]) == (0, "none")
    assert answer.step("disarm.compare")["value"] == 0


@pytest.mark.parametrize(("botch", "reading"), list(product((False, True), ("on_failure", "on_botch"))))
@pytest.mark.parametrize("successes", [0, 1])
def test_a_disarm_backfires(successes: int, botch: bool, reading: str) -> None:
    """What counts is the attack roll itself, not that a defense made a miss of it."""
    foe = {"defense": {"maneuver": "dodge", "roll": {"pool": 1}}}
    botch = botch and successes == 0
    answer = disarm([6], successes, botch, defender=foe, options={"disarm_backfire": reading})
    assert answer.outcome["result"] == "miss"
    back = successes == 0 and (botch or reading == "on_failure")
    expected = {"effect": "storyteller_decides", "pool": None, "damage": None} if back else None
    assert answer.outcome["backfire"] == expected
    assert ("disarm.backfire" in answer.rules) == back


def test_a_disarm_backfires_by_a_roll_of_the_request() -> None:
    options = {"disarm_backfire": "on_botch"}
    foe = {"weapon": {"preset": "knife"}, "strength": 1, "body": BODY}
    for dice, back in (([1, 2], True), ([2, 2], False)):
        attacker = {"roll": {"pool": 2}, "strength": 1}
        answer = attack(dice, "disarm", attacker=attacker, defender=foe, options=options)
        assert (answer.outcome["backfire"] is not None) == back


def test_a_disarm_may_cost_the_own_weapon() -> None:
    own = {"weapon": {"preset": "club"}}
    answer = disarm([], 0, backfire="drop_weapon", attacker=own)
    assert answer.outcome["backfire"] == {"effect": "weapon_dropped", "pool": None, "damage": None}


@pytest.mark.parametrize(("weapon", "pool"), [("sword", 4), ("rifle", 8), ("club", 4)])
def test_a_disarm_may_be_answered_by_the_opponents_weapon(weapon: str, pool: int) -> None:
    """Nothing is added to the weapon's damage; without the attacker's body only the pool is told."""
    foe = {"weapon": {"preset": weapon}}
    told = disarm([], 0, backfire="struck", defender=foe).outcome["backfire"]
    assert told == {"effect": "struck", "pool": pool, "damage": None}
    answer = disarm(
        [6] * pool, 0, backfire="struck", defender=foe, attacker={"body": {"nature": "mortal", "stamina": 0}}
    )
    hurt = answer.outcome["backfire"]["damage"]
    assert hurt["levels"] == (pool // 2 if weapon == "club" else pool)
    assert answer.outcome["health_levels"] == 0


def test_a_parry_and_a_backfire_hurt_one_body_after_the_other() -> None:
    """The second blow meets the wounds and the armor that the first has left."""
    body = {"nature": "mortal", "stamina": 0, "armor": 1, "wounds": {"bashing": 1}}
    answer = disarm(
        [6, 2, 6, 6, 2, 2, 2, 6, 2, 2, 2],
        0,
        backfire="struck",
        attacker={"body": body},
        defender={"defense": {"maneuver": "parry", "roll": {"pool": 1}}},
    )
    first, second = answer.outcome["counter"]["damage"], answer.outcome["backfire"]["damage"]
    assert (first["soak_pool"], first["levels"], first["armor_destroyed"]) == (1, 2, True)
    assert (second["soak_pool"], second["levels"]) == (0, 1)
    assert first["health"] | {"bashing": 1, "lethal": 2} == first["health"]
    assert second["health"] | {"bashing": 1, "lethal": 3} == second["health"]

"""One attack from the maneuver to the end of the exchange: what forbids it, what changes it, what it does."""

from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, ask_seeded, refused

BODY: dict[str, Any] = {"nature": "mortal", "stamina": 0}
SHEET = {"strength": 1, "dexterity": 2, "brawl": 3, "melee": 4, "firearms": 5, "athletics": 6}
PISTOL: dict[str, Any] = {"preset": "light_pistol"}


def attack(dice: list[int], maneuver: str = "strike", **body: Any) -> Answer:
    body.setdefault("attacker", {"roll": {"pool": 2}})
    return ask("attack", dice, maneuver=maneuver, **body)


def known(successes: int, dice: list[int], maneuver: str = "strike", attacker: Any = None, **body: Any) -> Answer:
    body.setdefault("defender", {"body": BODY})
    return attack(dice, maneuver, attacker={"successes": successes, "strength": 2, **(attacker or {})}, **body)


# what forbids it


def test_everything_that_forbids_an_attack_is_told_in_order() -> None:
    for health, condition, visibility, partial, aimed, scope, aggravated, pool in product(
        ("healthy", "incapacitated"),
        ("free", "clinched", "held"),
        ("clear", "partly_blinded", "total_darkness"),
        ("refused", "penalty"),
        (False, True),
        ("any_attack", "shots_only"),
        (None, "attacker", "defender"),
        (0, 1),
    ):
        claws = {"class": "ranged", "damage_base": "fixed", "damage_dice": 1, "damage_type": "aggravated"}
        for maneuver, ranged in (("strike", False), ("shot", True), ("disarm", False)):
            attacker: dict[str, Any] = {"roll": {"pool": pool, "health": health}, "condition": condition, "strength": 1}
            defender: dict[str, Any] = {"strength": 1, "body": BODY}
            if ranged:
                attacker["weapon"] = claws if aggravated == "attacker" else PISTOL
            if aggravated == "defender":
                defender["weapon"] = claws
            judged = [
                ("health.incapacitated", health == "incapacitated"),
                ("clinch.no_other", condition == "clinched"),
                ("hold.immobile", condition == "held"),
                (
                    "blind.no_shooting",
                    ranged
                    and (visibility == "total_darkness" or (visibility == "partly_blinded" and partial == "refused")),
                ),
                ("targeting.shots_only", aimed and not ranged and scope == "shots_only"),
                ("weapon.aggravated", aggravated == "defender" or (aggravated == "attacker" and ranged)),
                ("disarm.no_weapon", maneuver == "disarm" and aggravated != "defender"),
                ("pool.empty", pool == 0 and health == "healthy"),
            ]
            answer = ask_seeded(
                "attack",
                "refused",
                maneuver=maneuver,
                attacker=attacker,
                defender=defender,
                visibility=visibility,
                **({"targeting": {"size": "medium"}} if aimed else {}),
                options={"partial_blind_shooting": partial, "targeting": scope},
            )
            assert refused(answer) == [rule for rule, forbids in judged if forbids]


def test_the_attack_pool_that_may_be_empty_is_the_whole_one() -> None:
    wounded = {"roll": {"pool": 1, "health": "crippled"}}
    assert refused(attack([], attacker=wounded, position="rear")) == ["pool.empty"]
    assert refused(attack([2], attacker=wounded, position="rear", ambush_successes=3)) == []
    as_successes = {"ambush_bonus": "successes"}
    assert refused(attack([], attacker=wounded, ambush_successes=9, options=as_successes)) == ["pool.empty"]


def test_a_weapon_that_is_supernatural_may_do_aggravated_damage() -> None:
    blade = {
        "class": "close",
        "damage_base": "strength",
        "damage_dice": 1,
        "damage_type": "aggravated",
        "supernatural": True,
    }
    answer = known(1, [6, 6, 2], "weapon_strike", {"weapon": blade})
    assert answer.outcome["damage"]["type"] == "aggravated"


def test_an_aggravated_weapon_is_refused_even_where_it_is_not_used() -> None:
    knife = {"class": "close", "damage_base": "fixed", "damage_dice": 1, "damage_type": "aggravated"}
    assert refused(attack([], attacker={"roll": {"pool": 1}, "weapon": knife})) == ["weapon.aggravated"]
    both: dict[str, Any] = {"attacker": {"successes": 1, "weapon": knife}, "defender": {"weapon": knife}}
    assert refused(attack([], **both)) == ["weapon.aggravated"]


def test_both_in_a_clinch_are_refused_once_with_a_step_for_each() -> None:
    answer = attack(
        [],
        attacker={"roll": {"pool": 0}, "condition": "clinched"},
        defender={"condition": "clinched", "defense": {"maneuver": "dodge", "roll": {"pool": 0}}},
    )
    assert answer.refused_by == ["clinch.no_other", "pool.empty"]
    assert answer.rules == ["clinch.no_other", "pool.empty", "clinch.no_other", "pool.empty"]
    texts = [step["text"] for step in answer.body["audit"]]
    assert "attacker" in texts[0]
    assert "defender" in texts[2]


def test_known_successes_are_asked_of_bonds_too() -> None:
    assert refused(known(2, [], attacker={"condition": "held"})) == ["hold.immobile"]


# maneuvers


@pytest.mark.parametrize(
    ("maneuver", "weapon", "pool", "difficulty", "base", "kind"),
    [
        ("strike", None, 5, 6, 3, "bashing"),
        ("kick", None, 5, 7, 4, "bashing"),
        ("clinch", None, 4, 6, 3, "bashing"),
        ("hold", None, 5, 6, None, None),
        ("disarm", None, 5, 7, 3, "bashing"),
        ("disarm", "axe", 6, 7, 6, "lethal"),
        ("weapon_strike", "sap", 6, 6, 4, "bashing"),
        ("weapon_strike", "club", 6, 6, 5, "bashing"),
        ("weapon_strike", "knife", 6, 6, 4, "lethal"),
        ("weapon_strike", "sword", 6, 6, 5, "lethal"),
        ("weapon_strike", "axe", 6, 6, 6, "lethal"),
        ("weapon_strike", "stake", 6, 6, 4, "lethal"),
        ("shot", "light_revolver", 7, 6, 4, "lethal"),
        ("shot", "heavy_revolver", 7, 6, 6, "lethal"),
        ("shot", "light_pistol", 7, 6, 4, "lethal"),
        ("shot", "heavy_pistol", 7, 6, 5, "lethal"),
        ("shot", "rifle", 7, 6, 8, "lethal"),
        ("shot", "small_smg", 7, 6, 4, "lethal"),
        ("shot", "large_smg", 7, 6, 4, "lethal"),
        ("shot", "assault_rifle", 7, 6, 7, "lethal"),
        ("shot", "shotgun", 7, 6, 8, "lethal"),
        ("shot", "semi_auto_shotgun", 7, 6, 8, "lethal"),
        ("shot", "crossbow", 7, 6, 5, "lethal"),
    ],
)
def test_each_maneuver_rolls_its_line_of_the_table(
    maneuver: str, weapon: str | None, pool: int, difficulty: int, base: int | None, kind: str | None
) -> None:
    attacker: dict[str, Any] = {"roll": {"traits": SHEET}, "strength": 3}
    if weapon:
        attacker["weapon"] = {"preset": weapon}
    defender = {"body": BODY, "strength": 9, "weapon": {"preset": "club"}}
    dice = [7] + [2] * (pool - 1) + [2] * (base or 0)
    answer = attack(dice, maneuver, attacker=attacker, defender=defender)
    assert answer.rules[0] == f"maneuver.{maneuver}"
    rolled = answer.outcome["attack"]
    assert (rolled["pool"], rolled["difficulty"]) == (pool, difficulty)
    if base is None:
        assert answer.outcome["damage"] is None
    else:
        told = answer.outcome["damage"]
        assert (told["pool"], told["type"]) == (base, kind)
        assert answer.step("damage.base")["value"] == base


def test_a_finished_damage_pool_stands_in_for_all_of_the_base() -> None:
    for maneuver, weapon in (("kick", None), ("weapon_strike", {"preset": "axe"})):
        attacker = {"successes": 2, "damage_pool": 2, **({"weapon": weapon} if weapon else {})}
        answer = attack([2] * 3, maneuver, attacker=attacker, defender={"body": BODY})
        assert answer.outcome["damage"]["pool"] == 3


def test_a_hold_does_no_damage_even_with_a_finished_pool() -> None:
    answer = attack([], "hold", attacker={"successes": 2, "damage_pool": 9}, defender={"body": BODY})
    assert (answer.outcome["damage"], answer.outcome["effect"]) == (None, "held")
    assert "damage.base" not in answer.rules


def test_without_a_body_the_exchange_ends_with_the_net_successes() -> None:
    answer = attack([6, 7], attacker={"roll": {"pool": 2}})
    assert (answer.outcome["net_successes"], answer.outcome["damage"]) == (2, None)
    assert answer.rules[-2:] == ["attack.hit", "attack.result"]


# a maneuver of one's own


def custom(dice: list[int], own: dict[str, Any], attacker: dict[str, Any] | None = None, **body: Any) -> Answer:
    own = {"range": "close", "armed": False, "damage_base": "strength", **own}
    return attack(dice, "custom", custom=own, attacker=attacker or {"successes": 1, "strength": 2}, **body)


@pytest.mark.parametrize(("attribute", "rating"), [(None, 2), ("dexterity", 2), ("strength", 1)])
@pytest.mark.parametrize(
    ("ability", "more"), [(None, 3), ("brawl", 3), ("melee", 4), ("firearms", 5), ("athletics", 6)]
)
def test_a_maneuver_of_ones_own_names_its_traits(
    attribute: str | None, rating: int, ability: str | None, more: int
) -> None:
    own = {name: value for name, value in (("attribute", attribute), ("ability", ability)) if value}
    answer = custom([2] * (rating + more), own, {"roll": {"traits": SHEET}})
    assert answer.outcome["attack"]["pool"] == rating + more


@pytest.mark.parametrize(
    ("own", "weapon", "base", "kind"),
    [
        ({"damage_base": "strength"}, None, 2, "bashing"),
        ({"damage_base": "strength", "damage_dice": 3, "damage_type": "lethal"}, None, 5, "lethal"),
        ({"damage_base": "fixed", "damage_dice": 3}, None, 3, "bashing"),
        ({"damage_base": "fixed", "damage_type": "aggravated"}, None, 1, "aggravated"),
        ({"damage_base": "weapon", "armed": True}, {"preset": "sword"}, 4, "lethal"),
        ({"damage_base": "weapon", "armed": True, "damage_dice": 2}, {"preset": "club"}, 6, "bashing"),
        ({"damage_base": "weapon", "armed": True, "range": "ranged"}, {"preset": "rifle"}, 8, "lethal"),
        ({"damage_base": "strength"}, {"preset": "rifle"}, 2, "bashing"),
    ],
)
def test_a_maneuver_of_ones_own_does_its_damage(
    own: dict[str, Any], weapon: dict[str, Any] | None, base: int, kind: str
) -> None:
    attacker = {"successes": 1, "strength": 2, **({"weapon": weapon} if weapon else {})}
    answer = custom([2] * base, own, attacker, defender={"body": BODY})
    assert (answer.outcome["damage"]["pool"], answer.outcome["damage"]["type"]) == (base, kind)


def test_a_maneuver_of_ones_own_may_do_no_damage() -> None:
    answer = custom([], {"damage_base": "none", "damage_dice": 3}, {"successes": 1}, defender={"body": BODY})
    assert answer.outcome["damage"] is None


@pytest.mark.parametrize(("effect", "told"), [("none", "none"), ("clinch", "clinched"), ("hold", "held")])
def test_a_maneuver_of_ones_own_may_bind(effect: str, told: str) -> None:
    answer = custom([2, 2, 2], {"effect": effect}, {"successes": 2, "strength": 2}, defender={"body": BODY})
    assert answer.outcome["effect"] == told
    assert answer.outcome["damage"]["pool"] == 3
    assert ("clinch.begins" in answer.rules, "hold.begins" in answer.rules) == (effect == "clinch", effect == "hold")


@pytest.mark.parametrize(("accuracy", "change", "pool", "difficulty"), [(3, 2, 5, 8), (-1, -4, 1, 2), (0, 0, 2, 6)])
def test_a_maneuver_of_ones_own_changes_dice_and_difficulty(
    accuracy: int, change: int, pool: int, difficulty: int
) -> None:
    own = {"accuracy": accuracy, "difficulty": change}
    answer = custom([1] * pool, own, {"roll": {"pool": 2}})
    assert (answer.outcome["attack"]["pool"], answer.outcome["attack"]["difficulty"]) == (pool, difficulty)
    assert ("maneuver.accuracy" in answer.rules) == (accuracy != 0)


def test_a_weapon_of_ones_own() -> None:
    chain = {"class": "close", "damage_base": "strength", "damage_dice": 3, "damage_type": "bashing"}
    answer = known(1, [2] * 5, "weapon_strike", {"weapon": chain})
    assert (answer.outcome["damage"]["pool"], answer.outcome["damage"]["type"]) == (5, "bashing")
    laser = {"class": "ranged", "damage_base": "fixed", "damage_dice": 3, "damage_type": "lethal"}
    answer = known(1, [2] * 3, "shot", {"weapon": laser})
    assert (answer.outcome["damage"]["pool"], answer.outcome["damage"]["type"]) == (3, "lethal")


# what changes the roll


def test_every_change_of_the_difficulty_of_a_blow_in_its_order() -> None:
    answer = attack(
        [10],
        "custom",
        custom={"range": "close", "armed": False, "damage_base": "none", "difficulty": -4},
        attacker={"roll": {"pool": 1, "modifiers": [{"difficulty": 1}]}, "opponents": 3, "cover": "superior"},
        visibility="partly_blinded",
        targeting={"size": "precise", "bypass": "cover"},
        cover="superior",
    )
    assert answer.steps()[2:8] == [
        ("difficulty.base", "base", 6, 6),
        ("maneuver.difficulty", "modifier", -4, 2),
        ("blind.penalty", "modifier", 2, 4),
        ("targeting.precise", "modifier", 3, 7),
        ("opponents.attack", "modifier", 2, 9),
        ("difficulty.modifier", "modifier", 1, 10),
    ]


def test_every_change_of_the_difficulty_of_a_shot_in_its_order() -> None:
    answer = attack(
        [10],
        "shot",
        attacker={
            "roll": {"pool": 1, "difficulty": 2, "modifiers": [{"difficulty": -1}]},
            "opponents": 9,
            "cover": "superior",
            "weapon": PISTOL,
        },
        visibility="partly_blinded",
        targeting={"size": "small"},
        cover="good",
        options={"partial_blind_shooting": "penalty"},
    )
    assert answer.steps()[2:8] == [
        ("difficulty.base", "base", 2, 2),
        ("blind.penalty", "modifier", 2, 4),
        ("targeting.small", "modifier", 2, 6),
        ("cover.target", "modifier", 2, 8),
        ("cover.own", "modifier", 2, 10),
        ("difficulty.modifier", "modifier", -1, 9),
    ]


@pytest.mark.parametrize(("target", "more"), [("none", 0), ("light", 1), ("good", 2), ("superior", 3)])
@pytest.mark.parametrize(("own", "less"), [("none", 0), ("light", 0), ("good", 1), ("superior", 2)])
@pytest.mark.parametrize("bypass", ["none", "armor", "cover"])
def test_cover_of_both(target: str, more: int, own: str, less: int, bypass: str) -> None:
    """An aimed shot at the cover finds its target; one's own cover stays in the way."""
    attacker = {"roll": {"pool": 1, "difficulty": 4}, "weapon": PISTOL, "cover": own}
    answer = attack([1], "shot", attacker=attacker, cover=target, targeting={"size": "medium", "bypass": bypass})
    counted = 0 if bypass == "cover" else more
    assert answer.outcome["attack"]["difficulty"] == 4 + 1 + counted + less
    assert ("targeting.bypass_cover" in answer.rules) == (bypass == "cover" and more > 0)
    assert ("cover.target" in answer.rules) == (counted > 0)
    assert ("cover.own" in answer.rules) == (less > 0)


def test_a_blow_knows_no_cover() -> None:
    answer = attack([1], attacker={"roll": {"pool": 1}, "cover": "superior"}, cover="superior")
    assert answer.outcome["attack"]["difficulty"] == 6
    aimed = attack([1], attacker={"roll": {"pool": 1}}, cover="good", targeting={"size": "medium", "bypass": "cover"})
    assert "targeting.bypass_cover" not in aimed.rules


@pytest.mark.parametrize(("opponents", "more"), [(1, 0), (2, 1), (5, 4), (6, 4), (20, 4)])
def test_several_opponents(opponents: int, more: int) -> None:
    blow = attack([1], attacker={"roll": {"pool": 1}, "opponents": opponents})
    assert blow.outcome["attack"]["difficulty"] == 6 + more
    shot = attack([1], "shot", attacker={"roll": {"pool": 1}, "opponents": opponents, "weapon": PISTOL})
    assert shot.outcome["attack"]["difficulty"] == 6


def test_a_won_ambush_adds_dice_or_successes_that_ones_leave() -> None:
    dice = attack([1, 6, 2, 2], ambush_successes=2)
    assert (dice.outcome["attack"]["pool"], dice.outcome["attack"]["successes"]) == (4, 0)
    options = {"ambush_bonus": "successes"}
    both = attack([1, 6], attacker={"roll": {"pool": 2, "spend_willpower": True}}, ambush_successes=2, options=options)
    assert (both.outcome["attack"]["pool"], both.outcome["attack"]["successes"]) == (2, 3)
    assert both.rules.index("roll.willpower") < both.rules.index("ambush.bonus") < both.rules.index("roll.result")
    none = attack([1, 6], ambush_successes=0, options=options)
    assert "ambush.bonus" not in none.rules


# known attacks


@pytest.mark.parametrize(
    ("successes", "botch", "result"),
    [(3, None, "success"), (0, None, "failure"), (0, False, "failure"), (0, True, "botch")],
)
def test_a_known_attack_shows_successes_and_result_alone(successes: int, botch: bool | None, result: str) -> None:
    attacker = {"successes": successes, **({} if botch is None else {"botch": botch})}
    answer = attack([], attacker=attacker)
    assert answer.outcome["attack"] == {
        "pool": None,
        "difficulty": None,
        "hits": None,
        "ones": None,
        "rerolls": None,
        "successes": successes,
        "result": result,
    }
    assert answer.rules[:2] == ["maneuver.strike", "attack.known"]
    assert answer.outcome["result"] == ("hit" if successes else "miss")

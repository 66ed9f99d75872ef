"""What damage meets: soak, armor, halving, the health track, and the rolls on which ones mean nothing."""

from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask

MORTAL: dict[str, Any] = {"nature": "mortal", "stamina": 0}


def damage(dice: list[int], pool: int, kind: str = "lethal", body: dict[str, Any] | None = None, **more: Any) -> Answer:
    return ask("damage", dice, damage_pool=pool, type=kind, body=MORTAL if body is None else body, **more)


# who soaks what


@pytest.mark.parametrize("bypass", ["none", "armor", "cover"])
@pytest.mark.parametrize("armor", [0, 2])
@pytest.mark.parametrize("power", [0, 3])
@pytest.mark.parametrize("kind", ["bashing", "lethal", "aggravated"])
@pytest.mark.parametrize("nature", ["mortal", "supernatural"])
@pytest.mark.parametrize("mortal_lethal", ["armor_only", "stamina_with_armor"])
@pytest.mark.parametrize("aggravated", ["none", "full"])
def test_the_soak_pool(
    nature: str, kind: str, power: int, armor: int, bypass: str, mortal_lethal: str, aggravated: str
) -> None:
    stamina, worn = 4, 0 if bypass == "armor" else armor
    if kind == "aggravated":
        base, rule = power, "soak.aggravated"
        expected = power + (worn if aggravated == "full" else 0)
    elif kind == "lethal" and nature == "mortal" and not (mortal_lethal == "stamina_with_armor" and worn):
        base, rule = 0, "soak.mortal_lethal"
        expected = worn
    else:
        base, rule = stamina, "soak.stamina"
        expected = stamina + worn
    answer = damage(
        [2] * (expected + 1),
        1,
        kind,
        {"nature": nature, "stamina": stamina, "aggravated_soak": power, "armor": armor},
        targeting={"size": "medium", "bypass": bypass},
        options={"mortal_lethal_soak": mortal_lethal, "armor_vs_aggravated": aggravated},
    )
    assert answer.outcome["damage"]["soak_pool"] == expected
    assert answer.step(rule)["value"] == base
    assert ("armor.soak" in answer.rules) == (expected > base)
    assert ("targeting.bypass_armor" in answer.rules) == (bypass == "armor" and armor > 0)
    assert ("soak.roll" in answer.rules) == (expected > 0)


@pytest.mark.parametrize("kind", ["bashing", "lethal", "aggravated"])
@pytest.mark.parametrize("bypass", ["none", "armor"])
def test_a_finished_soak_pool_is_never_changed(kind: str, bypass: str) -> None:
    body = {"nature": "mortal", "soak": 3, "armor": 2}
    answer = damage([2, 2, 2, 5], 1, kind, body, targeting={"size": "medium", "bypass": bypass})
    assert answer.outcome["damage"]["soak_pool"] == 3
    assert answer.step("soak.given")["total"] == 3
    assert "armor.soak" not in answer.rules


def test_a_finished_soak_pool_serves_to_see_whether_armor_breaks() -> None:
    body = {"nature": "mortal", "soak": 0, "armor": 1}
    assert damage([6, 6], 2, "lethal", body).outcome["damage"]["armor_destroyed"]
    past = damage([6, 6], 2, "lethal", body, targeting={"size": "medium", "bypass": "armor"})
    assert not past.outcome["damage"]["armor_destroyed"]


def test_soak_is_rolled_at_its_own_difficulty_and_damage_at_6() -> None:
    body = {"nature": "supernatural", "stamina": 2, "soak_difficulty": 9}
    answer = damage([8, 9, 5, 6], 3, "lethal", body)
    assert answer.outcome["damage"]["soak_successes"] == 1
    assert answer.outcome["damage"]["successes"] == 1


# ones mean nothing


@pytest.mark.parametrize("soak", ["removes_dice", "removes_levels"])
@pytest.mark.parametrize("botch", ["revised", "second_edition"])
def test_ones_on_damage_and_soak_mean_nothing(soak: str, botch: str) -> None:
    body = {"nature": "supernatural", "stamina": 3}
    rolled = [6, 1, 1, 6, 1, 1] if soak == "removes_dice" else [6, 6, 1, 1, 6, 1, 1]
    answer = damage(rolled, 4, "lethal", body, options={"soak": soak, "botch": botch})
    assert answer.outcome["damage"]["soak_successes"] == 1
    assert answer.outcome["health_levels"] == 1
    assert not {"roll.ones", "roll.botch"} & set(answer.rules)


def test_tens_on_damage_and_soak_are_one_success() -> None:
    body = {"nature": "supernatural", "stamina": 1}
    answer = damage([10, 10, 10], 3, "lethal", body, options={"specialty": "double"})
    assert (answer.outcome["damage"]["soak_successes"], answer.outcome["damage"]["successes"]) == (1, 2)


# soak before or after damage


@pytest.mark.parametrize(("pool", "soaked", "hurt"), list(product(range(1, 4), range(4), range(4))))
def test_soak_takes_dice_first(pool: int, soaked: int, hurt: int) -> None:
    rolled = max(0, pool - soaked)
    hits = min(hurt, rolled)
    dice = [6] * soaked + [2] * (3 - soaked) + [7] * hits + [3] * (rolled - hits)
    answer = damage(dice, pool, "lethal", {"nature": "supernatural", "stamina": 3})
    told = answer.outcome["damage"]
    assert (told["pool"], told["rolled"], told["soak_successes"]) == (pool, rolled, soaked)
    assert told["successes"] == told["levels"] == hits
    assert ("soak.removes_dice" in answer.rules) == (soaked > 0)
    assert ("damage.roll" in answer.rules) == (rolled > 0)
    if soaked:
        assert answer.step("soak.removes_dice")["total"] == rolled


@pytest.mark.parametrize(("pool", "soaked", "hurt"), list(product(range(1, 4), range(4), range(4))))
def test_soak_takes_levels_afterwards(pool: int, soaked: int, hurt: int) -> None:
    """Where no harm was done nothing is soaked."""
    hits = min(hurt, pool)
    dice = [7] * hits + [3] * (pool - hits) + ([6] * soaked + [2] * (3 - soaked) if hits else [])
    body = {"nature": "supernatural", "stamina": 3}
    answer = damage(dice, pool, "lethal", body, options={"soak": "removes_levels"})
    told = answer.outcome["damage"]
    soaked = soaked if hits else 0
    assert (told["rolled"], told["successes"], told["soak_successes"]) == (pool, hits, soaked)
    assert told["levels"] == max(0, hits - soaked)
    assert told["soak_pool"] == 3
    assert ("soak.removes_levels" in answer.rules) == (soaked > 0)
    assert ("soak.roll" in answer.rules) == (hits > 0)


def test_the_steps_of_a_blow_in_their_order() -> None:
    answer = damage(
        [6, 2, 2, 6, 6, 6, 6, 6, 6],
        3,
        "bashing",
        {"nature": "supernatural", "stamina": 2, "armor": 1, "wounds": {}},
        net_successes=3,
        targeting={"size": "precise"},
        damage_modifiers=[{"dice": -1, "label": "gloves"}, {"dice": 0}, {"dice": 1}],
    )
    assert answer.steps() == [
        ("damage.base", "base", 3, 3),
        ("damage.extra_successes", "modifier", 2, 5),
        ("targeting.damage", "modifier", 2, 7),
        ("damage.modifier", "modifier", -1, 6),
        ("damage.modifier", "modifier", 1, 7),
        ("soak.stamina", "base", 2, 2),
        ("armor.soak", "modifier", 1, 3),
        ("soak.roll", "roll", 1, None),
        ("soak.removes_dice", "modifier", -1, 6),
        ("damage.roll", "roll", 6, None),
        ("armor.destroyed", "effect", 6, None),
        ("bashing.halved", "limit", 3, 3),
        ("damage.levels", "effect", 3, None),
        ("health.track", "effect", 3, None),
        ("damage.result", "result", 3, None),
    ]


def test_the_steps_of_a_blow_that_is_soaked_afterwards() -> None:
    body = {"nature": "supernatural", "stamina": 1, "armor": 1}
    answer = damage([6, 6, 6, 2], 2, "bashing", body, options={"soak": "removes_levels"})
    assert answer.steps()[-7:] == [
        ("damage.roll", "roll", 2, None),
        ("soak.roll", "roll", 1, None),
        ("soak.removes_levels", "modifier", -1, 1),
        ("armor.destroyed", "effect", 2, None),
        ("bashing.halved", "limit", 0, 0),
        ("damage.levels", "effect", 0, None),
        ("damage.result", "result", 0, None),
    ]


# the damage pool


@pytest.mark.parametrize(("base", "change", "pool"), [(0, 0, 1), (3, -10, 1), (1, 0, 1), (0, 1, 1), (0, 2, 2)])
def test_whatever_hits_may_hurt(base: int, change: int, pool: int) -> None:
    answer = damage([2] * pool, base, damage_modifiers=[{"dice": change}])
    assert answer.outcome["damage"]["pool"] == pool
    assert ("damage.minimum" in answer.rules) == (base + change < 1)


def test_a_damage_pool_is_never_over_fifty() -> None:
    answer = damage([2] * 50, 40, net_successes=12)
    assert ("pool.maximum", "limit", 50, 50) in answer.steps()
    assert "pool.maximum" not in damage([2] * 50, 40, net_successes=11).rules


@pytest.mark.parametrize(("net", "more"), [(1, 0), (2, 1), (5, 4)])
def test_each_net_success_after_the_first_adds_a_die(net: int, more: int) -> None:
    answer = damage([2] * (2 + more), 2, net_successes=net)
    assert answer.outcome["damage"]["pool"] == 2 + more
    assert ("damage.extra_successes" in answer.rules) == (more > 0)


@pytest.mark.parametrize(("size", "more"), [("medium", 0), ("small", 1), ("precise", 2)])
@pytest.mark.parametrize("bypass", ["none", "armor", "cover"])
@pytest.mark.parametrize("reading", ["keeps_damage", "replaces_damage"])
def test_the_dice_of_the_aimed_size(size: str, more: int, bypass: str, reading: str) -> None:
    more = 0 if reading == "replaces_damage" and bypass != "none" else more
    aimed = {"size": size, "bypass": bypass}
    answer = damage([2] * (2 + more), 2, targeting=aimed, options={"targeting_bypass": reading})
    assert answer.outcome["damage"]["pool"] == 2 + more
    assert ("targeting.damage" in answer.rules) == (more > 0)


@pytest.mark.parametrize(("strength", "bonus", "base"), [(3, None, 3), (3, 2, 5), (0, 0, 0)])
def test_strength_and_bonus_are_the_base(strength: int, bonus: int | None, base: int) -> None:
    more: dict[str, Any] = {} if bonus is None else {"bonus": bonus}
    answer = ask("damage", [2] * max(base, 1), strength=strength, **more, type="bashing", body=MORTAL)
    assert answer.step("damage.base")["value"] == base


# armor that breaks


@pytest.mark.parametrize("rating", [1, 2, 3])
@pytest.mark.parametrize("successes", range(8))
@pytest.mark.parametrize("destruction", ["at_double", "never"])
def test_armor_breaks_at_twice_its_rating(rating: int, successes: int, destruction: str) -> None:
    body = {"nature": "mortal", "stamina": 0, "armor": rating}
    dice = [2] * rating + [6] * successes + [2] * (7 - successes)
    answer = damage(dice, 7, "lethal", body, options={"armor_destruction": destruction})
    breaks = destruction == "at_double" and successes >= 2 * rating
    assert answer.outcome["damage"]["armor_destroyed"] == breaks
    assert ("armor.destroyed" in answer.rules) == breaks


def test_without_armor_nothing_breaks() -> None:
    assert not damage([6, 6], 2).outcome["damage"]["armor_destroyed"]


def test_armor_breaks_before_bashing_is_halved_and_before_soak_takes_levels() -> None:
    body = {"nature": "mortal", "stamina": 1, "armor": 1}
    answer = damage([6, 6, 6, 6], 2, "bashing", body, options={"soak": "removes_levels"})
    assert answer.outcome["damage"] | {"levels": 0, "armor_destroyed": True} == answer.outcome["damage"]


def test_armor_breaks_by_aggravated_damage_that_it_does_not_soak() -> None:
    body = {"nature": "mortal", "stamina": 1, "armor": 1}
    answer = damage([6, 6], 2, "aggravated", body)
    assert (answer.outcome["damage"]["soak_pool"], answer.outcome["damage"]["armor_destroyed"]) == (0, True)


# bashing halved


@pytest.mark.parametrize("successes", range(6))
@pytest.mark.parametrize("nature", ["mortal", "supernatural"])
@pytest.mark.parametrize("whose", ["everyone", "supernatural"])
@pytest.mark.parametrize("rounding", ["down", "up"])
def test_bashing_is_halved(successes: int, nature: str, whose: str, rounding: str) -> None:
    body = {"nature": nature, "stamina": 0}
    options = {"bashing_halved_for": whose, "bashing_rounding": rounding}
    answer = damage([6] * successes + [2] * (5 - successes), 5, "bashing", body, options=options)
    halved = whose == "everyone" or nature == "supernatural"
    half = successes // 2 if rounding == "down" else successes - successes // 2
    assert answer.outcome["health_levels"] == (half if halved else successes)
    assert ("bashing.halved" in answer.rules) == (halved and successes > 0)


@pytest.mark.parametrize("kind", ["lethal", "aggravated"])
def test_nothing_else_is_halved(kind: str) -> None:
    answer = damage([6, 6, 6], 3, kind)
    assert answer.outcome["health_levels"] == 3
    assert answer.outcome["damage"]["healing"] == "slow"


def test_bashing_heals_quickly() -> None:
    assert damage([6], 1, "bashing").outcome["damage"]["healing"] == "quick"


# the health track


def filled(before: dict[str, int], kind: str, levels: int) -> tuple[dict[str, int], bool]:
    """A track filled box by box, as with a pencil: bashing to the right, the worst to the left."""
    boxes = [name for name in ("aggravated", "lethal", "bashing") for _ in range(before.get(name, 0))]
    for _ in range(levels):
        if len(boxes) < 7:
            boxes.append(kind)
        elif "bashing" in boxes:
            boxes.remove("bashing")
            boxes.append("aggravated" if kind == "aggravated" else "lethal")
        else:
            return {name: boxes.count(name) for name in ("bashing", "lethal", "aggravated")}, True
    return {name: boxes.count(name) for name in ("bashing", "lethal", "aggravated")}, False


LEVELS = ("healthy", "bruised", "hurt", "injured", "wounded", "mauled", "crippled", "incapacitated")
PENALTIES = (0, 0, -1, -1, -2, -2, -5, None)


@pytest.mark.parametrize("kind", ["bashing", "lethal", "aggravated"])
@pytest.mark.parametrize("levels", range(5))
@pytest.mark.parametrize(
    ("bashing", "lethal", "aggravated"),
    [each for each in product(range(0, 8, 2), repeat=3) if sum(each) <= 7] + [(7, 0, 0), (0, 7, 0), (1, 5, 1)],
)
def test_the_track_is_filled(bashing: int, lethal: int, aggravated: int, levels: int, kind: str) -> None:
    before = {"bashing": bashing, "lethal": lethal, "aggravated": aggravated}
    after, dead = filled(before, kind, levels)
    body = {"nature": "mortal", "stamina": 0, "wounds": before}
    dice = [6] * levels + [2] * (5 - levels)
    answer = damage(dice, 5, kind, body, options={"bashing_halved_for": "supernatural"})
    total = sum(after.values())
    full = "unconscious" if after["bashing"] else "incapacitated"
    assert answer.outcome["damage"]["health"] == {
        **after,
        "level": LEVELS[total],
        "penalty": PENALTIES[total],
        "status": "dead" if dead else full if total == 7 else "able",
    }
    assert answer.step("health.track")["value"] == levels


def test_without_wounds_no_health_is_told() -> None:
    answer = damage([6], 1)
    assert answer.outcome["damage"]["health"] is None
    assert "health.track" not in answer.rules


def test_bashing_fills_what_is_left_and_then_turns_bashing_into_lethal() -> None:
    body = {"nature": "mortal", "stamina": 0, "wounds": {"bashing": 5}}
    answer = damage([6] * 8, 8, "bashing", body)
    assert answer.outcome["damage"]["health"] == {
        "bashing": 5,
        "lethal": 2,
        "aggravated": 0,
        "level": "incapacitated",
        "penalty": None,
        "status": "unconscious",
    }


@pytest.mark.parametrize("levels", [0, 1])
def test_damaged_or_unharmed(levels: int) -> None:
    answer = damage([6] if levels else [2], 1)
    assert answer.outcome["result"] == ("damaged" if levels else "unharmed")
    assert answer.outcome["health_levels"] == answer.step("damage.levels")["value"] == levels

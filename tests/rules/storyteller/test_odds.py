"""Odds against every row of faces, for every reading of ones, tens and soak; and what they cost."""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from rules.core.odds import Odds
from rules.core.reading import pool_chances
from rules.core.trail import Trail
from tests.face_tree import distribution
from tests.rules.storyteller.asking import ask_seeded, odds_of, question

BOTCHES = ("revised", "second_edition")
SPECIALTIES = ("reroll", "reroll_ignoring_ones", "double")
SOAKS = ("removes_dice", "removes_levels")
BODY: dict[str, Any] = {"nature": "supernatural", "stamina": 1, "armor": 1, "wounds": {"bashing": 3}}


def chances(odds: Odds) -> dict[tuple[Any, ...], Fraction]:
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    return {row.values: Fraction(row.numerator, odds.denominator) for row in odds.rows}


def by_faces(action: str, most: int = 100_000, **body: Any) -> dict[tuple[Any, ...], Fraction]:
    """The distribution of an action's odds, counted face by face."""
    asked = question(action)
    request = asked.read_for_odds(body)

    def run(trail: Trail) -> tuple[Any, ...]:
        return tuple(asked.action.odds_over.read(asked.action.resolve(request, trail)))

    return distribution(run, most)


def agree(action: str, **body: Any) -> None:
    assert chances(odds_of(action, **body)) == by_faces(action, **body)


@pytest.mark.parametrize("botch", BOTCHES)
@pytest.mark.parametrize("specialty", [None, *SPECIALTIES])
@pytest.mark.parametrize("willpower", [False, True])
@pytest.mark.parametrize(("count", "difficulty"), [(1, 6), (3, 2), (3, 6), (3, 10)])
def test_odds_of_a_roll(count: int, difficulty: int, willpower: bool, specialty: str | None, botch: str) -> None:
    """With rerolls one die has some hundred rows of faces of its own."""
    count = 1 if specialty not in (None, "double") else count
    roll = {
        "pool": count,
        "difficulty": difficulty,
        "specialty": specialty is not None,
        "spend_willpower": willpower,
    }
    agree("roll", roll=roll, options={"botch": botch, **({"specialty": specialty} if specialty else {})})


@pytest.mark.parametrize("botch", BOTCHES)
@pytest.mark.parametrize("specialty", SPECIALTIES)
def test_odds_of_two_dice_with_a_specialty(specialty: str, botch: str) -> None:
    """Two dice are two of one die, put together here by hand: hits and ones of each."""
    one = faces_of_one_die(specialty)
    expected: dict[tuple[Any, ...], Fraction] = {}
    for (hits, ones), (more_hits, more_ones) in product(one, repeat=2):
        chance = one[hits, ones] * one[more_hits, more_ones]
        value = told(hits + more_hits, ones + more_ones, botch)
        expected[value] = expected.get(value, Fraction(0)) + chance
    odds = odds_of("roll", roll={"pool": 2, "specialty": True}, options={"specialty": specialty, "botch": botch})
    assert chances(odds) == expected


def faces_of_one_die(specialty: str) -> dict[tuple[int, int], Fraction]:
    """Hits and ones of one die at difficulty 6, with all its rerolls."""
    found: dict[tuple[int, int], Fraction] = {}
    for face in range(1, 11):
        hits, ones = int(face >= 6), int(face == 1)
        if face == 10 and specialty == "double":
            hits = 2
        later = chain(10, counts_ones=specialty == "reroll") if face == 10 and specialty != "double" else {(0, 0): 1}
        for (more_hits, more_ones), chance in later.items():
            key = hits + more_hits, ones + more_ones
            found[key] = found.get(key, Fraction(0)) + Fraction(1, 10) * chance
    return found


def chain(left: int, *, counts_ones: bool) -> dict[tuple[int, int], Fraction]:
    """Hits and ones of a die rolled for a ten, when so many waves are left."""
    if left == 0:
        return {(0, 0): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    further = chain(left - 1, counts_ones=counts_ones)
    for face in range(1, 11):
        hits, ones = int(face >= 6), int(face == 1 and counts_ones)
        for (more_hits, more_ones), chance in (further if face == 10 else {(0, 0): Fraction(1)}).items():
            key = hits + more_hits, ones + more_ones
            found[key] = found.get(key, Fraction(0)) + Fraction(1, 10) * chance
    return found


def told(hits: int, ones: int, botch: str) -> tuple[str, int]:
    if hits > ones:
        return "success", hits - ones
    botched = ones > hits if botch == "second_edition" else hits == 0 and ones > 0
    return "botch" if botched else "failure", 0


@pytest.mark.parametrize("botch", BOTCHES)
@pytest.mark.parametrize("opponent", [{"pool": 2}, {"pool": 1, "spend_willpower": True}, {"pool": 0}])
def test_odds_of_a_resisted_roll(opponent: dict[str, Any], botch: str) -> None:
    agree("resisted-roll", actor={"pool": 2, "difficulty": 7}, opponent=opponent, options={"botch": botch})


def test_odds_of_an_ambush_and_of_aborting() -> None:
    agree("ambush", attacker={"roll": {"pool": 2}}, target={"roll": {"pool": 2, "difficulty": 7}})
    agree("abort-to-defense", method="roll", willpower_rating=3)
    agree("abort-to-defense", method="spend", willpower_points=1)


@pytest.mark.parametrize("soak", SOAKS)
@pytest.mark.parametrize("kind", ["bashing", "lethal"])
@pytest.mark.parametrize("rounding", ["down", "up"])
@pytest.mark.parametrize("difficulty", [6, 8])
def test_odds_of_damage(soak: str, kind: str, rounding: str, difficulty: int) -> None:
    body = {**BODY, "armor": 0, "soak_difficulty": difficulty}
    options = {"soak": soak, "bashing_rounding": rounding}
    agree("damage", damage_pool=2, type=kind, body=body, options=options)


@pytest.mark.parametrize("soak", SOAKS)
def test_odds_of_armor_that_breaks(soak: str) -> None:
    body = {"nature": "mortal", "stamina": 3, "armor": 1}
    agree("damage", damage_pool=2, type="lethal", body=body, options={"soak": soak})


@pytest.mark.parametrize("soak", SOAKS)
@pytest.mark.parametrize("tie", ["miss", "hit"])
def test_odds_of_an_exchange(soak: str, tie: str) -> None:
    agree(
        "attack",
        maneuver="strike",
        attacker={"roll": {"pool": 1}, "damage_pool": 1},
        defender={"defense": {"maneuver": "dodge", "roll": {"pool": 1}}, "body": {**BODY, "armor": 0}},
        options={"soak": soak, "defense_tie": tie, "bashing_rounding": "up"},
    )


@pytest.mark.parametrize("tie", ["miss", "hit"])
@pytest.mark.parametrize("botch", BOTCHES)
def test_odds_of_the_rolls_of_an_exchange(tie: str, botch: str) -> None:
    agree(
        "attack",
        maneuver="clinch",
        attacker={"roll": {"pool": 2, "difficulty": 4}},
        defender={"defense": {"maneuver": "dodge", "roll": {"pool": 1, "spend_willpower": True}}},
        options={"defense_tie": tie, "botch": botch},
    )


@pytest.mark.parametrize("specialty", SPECIALTIES)
def test_odds_of_an_exchange_with_a_specialty(specialty: str) -> None:
    body: dict[str, Any] = {
        "maneuver": "strike",
        "attacker": {"roll": {"pool": 1, "specialty": True}},
        "defender": {"defense": {"maneuver": "dodge", "roll": {"pool": 1}}},
        "options": {"specialty": specialty},
    }
    agree("attack", **body)


@pytest.mark.parametrize("compare", ["damage_successes", "attack_successes"])
@pytest.mark.parametrize("backfire", ["on_failure", "on_botch"])
def test_odds_of_a_disarm(compare: str, backfire: str) -> None:
    agree(
        "attack",
        maneuver="disarm",
        attacker={"roll": {"pool": 1}, "damage_pool": 2, "body": {"nature": "mortal", "stamina": 0}},
        defender={
            "defense": {"maneuver": "dodge", "roll": {"pool": 1}},
            "body": {"nature": "mortal", "stamina": 0},
            "strength": 0,
            "weapon": {"class": "close", "damage_base": "fixed", "damage_dice": 1, "damage_type": "lethal"},
        },
        backfire="struck",
        options={"disarm_compare": compare, "disarm_backfire": backfire},
    )


def test_odds_of_an_exchange_in_which_a_parry_wounds() -> None:
    blade = {"class": "close", "damage_base": "fixed", "damage_dice": 0, "damage_type": "lethal"}
    defender = {"defense": {"maneuver": "parry", "roll": {"pool": 1}}, "weapon": blade}
    body = {"nature": "mortal", "stamina": 0}
    attacker = {"roll": {"pool": 1}, "strength": 1, "body": body}
    agree("attack", maneuver="strike", attacker=attacker, defender={**defender, "body": body})
    known = {"successes": 1, "range": "close", "armed": False, "damage_type": "bashing"}
    agree("defense", attack=known, defender=defender, attacker={"body": body})
    agree("defense", attack={**known, "successes": 0}, defender=defender, attacker={"body": body})


@pytest.mark.parametrize("clinch", ["rolled", "automatic"])
@pytest.mark.parametrize("soak", SOAKS)
def test_odds_of_a_clinch(clinch: str, soak: str) -> None:
    opponent = {"body": {"nature": "mortal", "stamina": 2}}
    options = {"clinch_damage": clinch, "soak": soak}
    agree("grapple", grapple="clinch", choice="inflict", actor={"strength": 2}, opponent=opponent, options=options)


def test_odds_of_a_hold() -> None:
    roll = {"roll": {"pool": 1}}
    opponent = {**roll, "body": {"nature": "mortal", "stamina": 0}}
    agree("grapple", grapple="hold", choice="escape", actor={"roll": {"pool": 2}}, opponent=roll)
    contested = {"squeeze": "contested"}
    actor = {**roll, "strength": 2}
    agree("grapple", grapple="hold", choice="squeeze", actor=actor, opponent=opponent, options=contested)


def test_what_is_refused_has_no_odds() -> None:
    odds = odds_of("roll", roll={"pool": 0})
    assert (odds.refused_by, odds.rows, odds.mean) == (("storyteller.pool.empty",), (), {})


def test_known_successes_without_dice_are_certain() -> None:
    odds = odds_of("attack", maneuver="strike", attacker={"successes": 2})
    assert chances(odds) == {("hit", 2, "none", 0): 1}


# what they cost

FIFTY: dict[str, Any] = {"pool": 40, "modifiers": [{"dice": 10}], "specialty": True}
WHOLE: dict[str, Any] = {
    "maneuver": "strike",
    "attacker": {"roll": {"pool": 8}, "damage_pool": 5},
    "defender": {
        "defense": {"maneuver": "dodge", "roll": {"pool": 6}},
        "body": {"nature": "supernatural", "stamina": 4},
    },
}


def seconds(run: Callable[[], object]) -> float:
    """The time of the processor, with nothing remembered from before."""
    pool_chances.cache_clear()
    started = time.process_time()
    run()
    return time.process_time() - started


@pytest.mark.parametrize("soak", SOAKS)
def test_a_whole_exchange_is_walked_in_a_twentieth_of_a_second(soak: str) -> None:
    asked = question("attack")
    request = asked.read_for_odds({**WHOLE, "options": {"soak": soak}})
    assert seconds(partial(asked.odds, request)) < 0.05


def test_fifty_dice_with_rerolls_are_cheap() -> None:
    asked = question("roll")
    request = asked.read_for_odds({"roll": FIFTY})
    assert seconds(partial(asked.odds, request)) < 0.5
    ask_seeded("roll", "warm", roll={"pool": 1})
    assert seconds(partial(ask_seeded, "roll", "fifty", roll=FIFTY)) < 0.05


def test_wide_exchanges_are_walked_all_the_same() -> None:
    """Fifty dice with rerolls against fifty; every damage pool up to fifty dice against forty dice of soak."""
    defender: dict[str, Any] = {"defense": {"maneuver": "dodge", "roll": FIFTY}}
    odds = odds_of("attack", maneuver="strike", attacker={"roll": FIFTY}, defender=defender)
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    body = {"nature": "supernatural", "soak": 40, "armor": 10, "wounds": {}}
    plain = {**FIFTY, "specialty": False}
    odds = odds_of("attack", maneuver="strike", attacker={"roll": plain, "damage_pool": 0}, defender={"body": body})
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    assert odds.mean["net_successes"] > 0

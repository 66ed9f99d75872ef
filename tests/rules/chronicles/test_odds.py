"""Exact odds: equal to brute force over raw faces, and to what a die's chain of rerolls sums to."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.chronicles import rolls
from rules.core.odds import Odds
from service.questions import QUESTIONS
from tests.face_tree import distribution
from tests.rules.chronicles.asking import odds_of

AGAIN = {"ten_again": 1, "nine_again": 2, "eight_again": 3, "no_again": 0}
"""How many of ten faces are rolled again."""
MOST_ROWS = 60_000


def as_chances(odds: Odds) -> dict[tuple[Any, ...], Fraction]:
    return {row.values: Fraction(row.numerator, odds.denominator) for row in odds.rows}


def by_brute_force(action: str, **body: Any) -> dict[tuple[Any, ...], Fraction]:
    """Every row of faces through the same rules, read as the odds read them."""
    question = QUESTIONS["chronicles", action]
    request, over = question.read_for_odds(body), question.action.odds_over
    return distribution(lambda trail: over.read(question.action.resolve(request, trail)), MOST_ROWS)


def waves(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """End every chain early, so that its faces can be counted."""
    monkeypatch.setattr(rolls, "MOST_AGAIN_WAVES", most)


@pytest.mark.parametrize(
    ("again", "rote", "ten", "total"), [*product(AGAIN, [False, True], ["no_again", "again"], [0, 1])]
)
def test_one_die_is_what_its_faces_give(
    again: str, rote: bool, ten: str, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waves(2, monkeypatch)
    body: dict[str, Any] = {"pool": {"total": total, "again": again, "rote": rote}, "options": {"chance_die_ten": ten}}
    assert as_chances(odds_of("roll", **body)) == by_brute_force("roll", **body)


@pytest.mark.parametrize(
    ("again", "rote"), [*product(AGAIN, [False]), ("no_again", True), ("ten_again", True)], ids=str
)
def test_two_dice_are_what_their_faces_give(again: str, rote: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    waves(1, monkeypatch)
    body: dict[str, Any] = {"pool": {"total": 2, "again": again, "rote": rote}}
    assert as_chances(odds_of("roll", **body)) == by_brute_force("roll", **body)


EIGHT_AGAIN: dict[str, Any] = {"again": "eight_again"}
ROTE: dict[str, Any] = {"again": "no_again", "rote": True}
TARGET = {"armor": {"general": 1, "ballistic": 1}, "health": {"boxes": 3, "bashing": 2}}


@pytest.mark.parametrize(
    ("attacker", "score", "dodger"),
    [
        ({"total": 1, **EIGHT_AGAIN}, 1, EIGHT_AGAIN),
        ({"total": 1, **EIGHT_AGAIN}, 0, ROTE),
        ({"total": 1, **ROTE}, 1, EIGHT_AGAIN),
        ({"total": 0, **ROTE}, 1, ROTE),
        ({"total": 0, **EIGHT_AGAIN}, 0, EIGHT_AGAIN),
    ],
)
def test_an_attack_against_a_dodge_is_what_its_faces_give(
    attacker: dict[str, Any],
    score: int,
    dodger: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A Dodge of one die, or of a chance die."""
    waves(1, monkeypatch)
    body: dict[str, Any] = {
        "attack": {"pool": attacker},
        "weapon": {"kind": "melee", "rating": 2},
        "defense": {"mode": "dodge", "score": score, "roll": dodger | {"modifiers": [{"value": -score}]}},
        "target": TARGET,
    }
    assert as_chances(odds_of("attack", **body)) == by_brute_force("attack", **body)


@pytest.mark.parametrize("mode", ["none", "passive"])
def test_an_attack_without_a_dodge_is_what_its_faces_give(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waves(1, monkeypatch)
    body: dict[str, Any] = {
        "attack": {"pool": {"total": 2, "again": "nine_again"}},
        "weapon": {"kind": "firearm", "rating": 3, "armor_piercing": 1},
        "defense": {"mode": mode, "score": 1, "applies_to_firearms": True},
        "target": TARGET,
    }
    assert as_chances(odds_of("attack", **body)) == by_brute_force("attack", **body)


@pytest.mark.parametrize("tie", ["roll_again", "actor_wins", "opponent_wins"])
def test_a_contest_is_what_its_faces_give(tie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waves(1, monkeypatch)
    body: dict[str, Any] = {
        "actor": {"total": 1, "rote": True},
        "opponent": {"total": 1, "again": "nine_again"},
        "options": {"contested_tie": tie},
    }
    assert as_chances(odds_of("contested-roll", **body)) == by_brute_force("contested-roll", **body)


@pytest.mark.parametrize("rote", [False, True])
@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("size", [1, 7])
def test_the_mean_is_the_sum_of_a_chain_of_twenty(again: str, size: int, *, rote: bool) -> None:
    """Each die expects its own success, and one more die for each time that its chain goes on, twenty times at most."""
    goes_on, standing = Fraction(AGAIN[again], 10), Fraction(17, 10) if rote else Fraction(1)
    extra_dice = standing * sum((goes_on**wave for wave in range(1, 21)), Fraction(0))
    expected = size * Fraction(3, 10) * (standing + extra_dice)
    assert odds_of("roll", pool={"total": size, "again": again, "rote": rote}).mean["successes"] == expected


@pytest.mark.parametrize(("rote", "dramatic", "success"), [(False, 10, 10), (True, 18, 18)])
def test_a_chance_die_fails_dramatically_on_a_one_that_stands(rote: bool, dramatic: int, success: int) -> None:
    """Of a hundred pairs of faces: on a rote action eight of ten first faces are rolled once more."""
    chances = as_chances(odds_of("roll", pool={"total": 0, "rote": rote}))
    assert chances["dramatic_failure", 0] == Fraction(dramatic, 100)
    assert chances["success", 1] == Fraction(success, 100)


def test_an_attack_against_a_dodge_is_the_two_rolls_side_by_side() -> None:
    """All twenty waves: the odds of the attack are those of both rolls, pair by pair."""
    attacker: dict[str, Any] = {"total": 4, "again": "eight_again", "rote": True}
    dodger: dict[str, Any] = {"again": "nine_again", "rote": True}
    body: dict[str, Any] = {
        "attack": {"pool": attacker},
        "weapon": {"kind": "melee", "rating": 1},
        "defense": {"mode": "dodge", "score": 2, "roll": dodger},
        "target": {"armor": {"general": 2}},
    }
    expected: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    dodges = as_chances(odds_of("roll", pool={"total": 4, **dodger}))
    for (_, attack), chance in as_chances(odds_of("roll", pool=attacker)).items():
        for (_, dodge), other in dodges.items():
            net = max(0, attack - dodge)
            damage = net + 1 if net else 0
            taken = max(0, damage - 2) or min(damage, 1)
            expected["hit" if net else "miss", net, damage, taken] += chance * other
    assert as_chances(odds_of("attack", **body)) == expected


def test_the_odds_of_a_dodge_are_those_of_the_attack() -> None:
    defense = {"score": 3, "attacks_defended": 1}
    dodged = odds_of("dodge", attack_successes=3, defense=defense, weapon={"rating": 2})
    attacked = odds_of("attack", attack={"successes": 3}, defense={**defense, "mode": "dodge"}, weapon={"rating": 2})
    assert dodged.fields == attacked.fields == ("result", "net_successes", "damage_total", "damage_taken")
    assert dodged == attacked


def test_what_takes_no_dice_is_certain() -> None:
    assert as_chances(odds_of("defense", defense={"score": 1})) == {("applies",): 1}
    damage = odds_of("damage", damage={"lethal": 3}, target={"armor": {"general": 1}})
    assert damage.fields == ("result", "damage_taken")
    assert as_chances(damage) == {("damaged", 2): 1}


def test_odds_are_refused_as_the_attack_is() -> None:
    odds = odds_of("attack", attack={"successes": 1, "action_state": "spent"}, defense={"mode": "dodge", "score": 1})
    assert (odds.refused_by, odds.rows) == (("chronicles.turn.one_action",), ())


def test_wide_pools_are_told() -> None:
    """Ten dice of 8-again and rote against eight, and as many as two sides may throw at a table."""
    body: dict[str, Any] = {"target": {"health": {"boxes": 8}}, "weapon": {"rating": 2}}
    pool = {"total": 10, "again": "eight_again", "rote": True}
    odds = odds_of("attack", attack={"pool": pool}, defense={"mode": "dodge", "score": 4}, **body)
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    assert len(odds.rows) == 211
    assert len(odds_of("roll", pool={"total": 50, "again": "eight_again", "rote": True}).rows) == 1051

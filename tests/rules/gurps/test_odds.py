"""Exact odds: checked by hand on small requests, and cheap on large ones."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.core.action import Action
from rules.core.odds import Budget, walk
from rules.core.trail import Trail
from rules.gurps import GURPS
from service.questions import QUESTIONS
from tests.rules.gurps.asking import Body, block, dodge, odds_of, parry, sheet

SUMS = [sum(faces) for faces in product(range(1, 7), repeat=3)]
DOUBLE: Body = {"maneuver": "all_out_defense_double"}


def at_most(score: int) -> Fraction:
    """The chance of a defense or an inner roll at this score, 3 or more."""
    return Fraction(sum(each <= 4 or (each <= score and each < 17) for each in SUMS), 216)


def chances(action: str, **body: Any) -> dict[tuple[Any, ...], Fraction]:
    odds = odds_of(action, **body)
    assert sum(row.numerator for row in odds.rows) == odds.denominator
    return {row.values: Fraction(row.numerator, odds.denominator) for row in odds.rows}


def stopped(*defenses: Body, attack: Body | None = None, **defender: Any) -> Fraction:
    found = chances(
        "active-defense",
        attack={"kind": "melee", **(attack or {})},
        defender=sheet(**defender),
        defenses=list(defenses),
    )
    return found.get(("success", 0), Fraction(0))


@pytest.mark.parametrize("score", [-10, 3, 9, 16, 17, 30])
def test_a_dodge(score: int) -> None:
    assert stopped(dodge(), dodge={"score": score}) == at_most(score)


def test_an_acrobatic_dodge() -> None:
    acrobatics = at_most(13)
    expected = acrobatics * at_most(11) + (1 - acrobatics) * at_most(7)
    assert stopped(dodge(acrobatic=True), acrobatics=13) == expected


def test_two_defenses() -> None:
    assert stopped(dodge(), block(), **DOUBLE) == 1 - (1 - at_most(9)) * (1 - at_most(11))


def test_hearing_is_rolled_once_for_both_defenses() -> None:
    hears = at_most(10)
    both = 1 - (1 - at_most(6)) * (1 - at_most(7))
    assert stopped(parry(), block(), attack={"awareness": "alert"}, **DOUBLE) == hears * both


def test_what_breaks_or_injures_changes_nothing_of_the_odds() -> None:
    heavy = {"means": "unarmed", "body": {"st": 80, "form": "strike"}}
    follow_up = parry({"weight_g": 1000}, injure_limb={"skill": 12})
    assert stopped(follow_up, attack=heavy) == at_most(10)
    assert stopped(parry({"weight_g": 400}), attack=heavy) == 0


def test_damage_of_what_gets_through() -> None:
    found = chances(
        "active-defense",
        attack={"kind": "melee"},
        defender=sheet(),
        defenses=[dodge()],
        damage={"dice": 1, "type": "cutting", "dr": 3},
    )
    fails = 1 - at_most(9)
    assert found == {
        ("success", 0): at_most(9),
        ("failure", 0): fails / 2,
        ("failure", 1): fails / 6,
        ("failure", 3): fails / 6,
        ("failure", 4): fails / 6,
    }


def test_an_attack_with_a_defense_and_damage() -> None:
    found = chances(
        "attack",
        roll={"skill": 12},
        attack={"kind": "melee"},
        defender=sheet(),
        defenses=[dodge()],
        damage={"dice": 1, "adds": 2, "type": "crushing"},
    )
    hit = at_most(12)
    critical = at_most(4)
    plain = hit - critical
    each = Fraction(1, 6)
    assert found == {
        ("miss", 0): 1 - hit - Fraction(4, 216),
        ("critical_miss", 0): Fraction(4, 216),
        ("defended", 0): plain * at_most(9),
        **{("hit", injury): plain * (1 - at_most(9)) * each for injury in range(3, 9)},
        **{("critical_hit", injury): critical * each for injury in range(3, 9)},
    }


def test_a_success_roll_and_the_scores_of_a_sheet() -> None:
    found = chances("success-roll", roll={"skill": 10})
    assert sum(chance for (result, _), chance in found.items() if "success" in result) == at_most(10)
    assert chances("defense-scores", defender={}) == {("computed",): 1}


def test_what_is_refused_has_no_odds() -> None:
    odds = odds_of("active-defense", attack={"kind": "melee", "critical": True}, defender=sheet(), defenses=[dodge()])
    assert (odds.refused_by, odds.rows) == (("gurps.defense.critical_hit",), ())


WIDEST: Body = {
    "attack": {
        "kind": "melee",
        "means": "unarmed",
        "body": {"st": 60, "form": "strike"},
        "awareness": "surprise",
        "detection": {"skill": 14, "allows": "any"},
        "direction": "rear",
    },
    "defender": sheet(blind=True, blind_fighting=12, **DOUBLE),
    "defenses": [
        parry({"weight_g": 1000}, injure_limb={"skill": 12}, fallback="dodge"),
        parry({"weight_g": 1000, "hand": "left"}, injure_limb={"skill": 12}),
    ],
    "damage": {"dice": 20, "type": "cutting", "dr": 10},
    "options": {"breakage_check": "every_parry"},
}


@pytest.mark.parametrize(("action", "more"), [("active-defense", {}), ("attack", {"roll": {"skill": 14}})])
def test_the_widest_request_takes_few_runs(action: str, more: Body) -> None:
    question = QUESTIONS["gurps", action]
    request = question.read_for_odds({**WIDEST, **more})
    found: Action[Any, Any] | None = GURPS.action(action)
    assert found is not None

    def run(trail: Trail) -> Any:
        outcome = found.resolve(request, trail)
        return None if outcome is None else found.odds_over.read(outcome)

    budget = Budget(800)
    walked, refusals = walk(run, {}, budget)
    assert refusals == ()
    assert len(walked.values) > 100
    assert sum(walked.weights) == walked.denominator

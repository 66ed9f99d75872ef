"""Sneaking up, aborting to a defense, dividing dice, and two pools against each other."""

from itertools import product
from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, ask_seeded, faults, odds_of, refused

# resisted rolls


def against(dice: list[int], actor: dict[str, Any], opponent: dict[str, Any]) -> Answer:
    return ask("resisted-roll", dice, actor=actor, opponent=opponent)


@pytest.mark.parametrize(("actor", "opponent"), list(product(range(3), repeat=2)))
def test_more_successes_win_by_the_difference(actor: int, opponent: int) -> None:
    dice = [6] * actor + [2] * (2 - actor) + [6] * opponent + [2] * (2 - opponent)
    answer = against(dice, {"pool": 2}, {"pool": 2})
    winner = "tie" if actor == opponent else "actor" if actor > opponent else "opponent"
    assert (answer.outcome["result"], answer.outcome["margin"]) == (winner, abs(actor - opponent))
    assert answer.rules[-1] == "resisted.result"


def test_each_side_has_its_own_difficulty_specialty_and_willpower() -> None:
    answer = against(
        [10, 7, 6],
        {"pool": 1, "specialty": True, "difficulty": 7},
        {"pool": 1, "difficulty": 7, "spend_willpower": True},
    )
    assert answer.outcome["actor"] | {"successes": 2, "rerolls": 1} == answer.outcome["actor"]
    assert answer.outcome["opponent"] | {"successes": 1, "rerolls": 0} == answer.outcome["opponent"]
    rolls = ["resisted.actor", "roll.specialty", "resisted.opponent"]
    assert [rule for rule in answer.rules if rule in rolls] == rolls


@pytest.mark.parametrize(
    "opponent",
    [
        {"pool": 0},
        {"pool": 3, "health": "incapacitated", "difficulty": 8},
        {"pool": 1, "health": "crippled", "spend_willpower": True},
        {"traits": {"attribute": 0}, "specialty": True},
    ],
)
def test_a_side_that_only_resists_may_be_without_dice(opponent: dict[str, Any]) -> None:
    answer = against([2], {"pool": 1}, opponent)
    assert answer.outcome["result"] == "tie"
    assert answer.outcome["opponent"] == {
        "pool": 0,
        "difficulty": opponent.get("difficulty", 6),
        "hits": 0,
        "ones": 0,
        "rerolls": 0,
        "successes": 0,
        "result": "no_dice",
    }
    assert answer.rules[-2:] == ["pool.empty", "resisted.result"]
    assert answer.step("pool.empty")["kind"] == "decision"
    assert "difficulty.base" in answer.rules[answer.rules.index("resisted.actor") :]


@pytest.mark.parametrize(
    ("actor", "rule"),
    [({"pool": 0}, "pool.empty"), ({"pool": 0, "health": "incapacitated"}, "health.incapacitated")],
)
def test_the_one_who_acts_needs_dice(actor: dict[str, Any], rule: str) -> None:
    assert refused(against([], actor, {"pool": 0})) == [rule]


# multiple actions


def divide(actions: list[dict[str, Any]], health: str = "healthy") -> Answer:
    return ask("multiple-action", actions=actions, health=health)


@pytest.mark.parametrize(
    ("health", "dice", "expected"),
    [
        ("healthy", (2, 2), []),
        ("healthy", (2, 3), ["multiple.exceeds"]),
        ("hurt", (1, 2), []),
        ("hurt", (2, 2), ["multiple.exceeds"]),
        ("crippled", (2, 2), ["pool.empty"]),
        ("incapacitated", (9, 9), ["health.incapacitated"]),
    ],
)
def test_as_many_dice_as_the_smallest_pool_has_after_wounds(
    health: str, dice: tuple[int, int], expected: list[str]
) -> None:
    actions: list[dict[str, Any]] = [
        {"attribute": 3, "ability": 3, "dice": dice[0]},
        {"label": "dodge", "pool": 4, "dice": dice[1]},
    ]
    answer = divide(actions, health)
    assert refused(answer) == expected
    if not expected:
        smallest = 4 if health == "healthy" else 3
        assert answer.outcome == {
            "result": "allowed",
            "smallest_pool": smallest,
            "allotted": sum(dice),
            "spare": smallest - sum(dice),
        }
        assert answer.rules == ["multiple.smallest", "multiple.split"]


def test_an_attribute_alone_is_a_pool() -> None:
    answer = divide([{"attribute": 2, "dice": 1}, {"attribute": 1, "ability": 1, "dice": 1}])
    assert answer.outcome["smallest_pool"] == 2


def test_dividing_dice_rolls_none() -> None:
    odds = odds_of("multiple-action", actions=[{"pool": 5, "dice": 1}, {"pool": 4, "dice": 1}])
    assert [(row.values, row.numerator) for row in odds.rows] == [(("allowed", 2), 1)]


# ambushes


def sneak(dice: list[int], options: dict[str, Any] | None = None, **body: Any) -> Answer:
    body.setdefault("attacker", {"roll": {"pool": 2}})
    body.setdefault("target", {"roll": {"pool": 2}})
    return ask("ambush", dice, options=options or {}, **body)


@pytest.mark.parametrize(("attacker", "target"), list(product(range(3), repeat=2)))
def test_who_sneaks_up_on_whom(attacker: int, target: int) -> None:
    dice = [6] * attacker + [2] * (2 - attacker) + [6] * target + [2] * (2 - target)
    answer = sneak(dice)
    lead = attacker - target
    result = "tie" if lead == 0 else "surprise" if lead > 0 else "spotted"
    told = {name: answer.outcome[name] for name in ("result", "bonus", "awareness", "initiative")}
    assert told == {
        "result": result,
        "bonus": max(lead, 0),
        "awareness": "ambushed" if lead > 0 else "aware",
        "initiative": "roll" if lead < 0 else "attacker_first",
    }
    assert answer.rules[-1] == f"ambush.{result}"


@pytest.mark.parametrize(
    ("asked", "attacker", "target"), list(product(("attacker", "target", "either"), (False, True), (False, True)))
)
@pytest.mark.parametrize(("pool", "health"), [(2, "healthy"), (0, "healthy"), (2, "incapacitated")])
def test_whoever_is_in_the_fight_cannot_use_it(
    asked: str, attacker: bool, target: bool, pool: int, health: str
) -> None:
    engaged = (attacker and asked != "target") or (target and asked != "attacker")
    answer = ask_seeded(
        "ambush",
        "engaged",
        attacker={"roll": {"pool": pool, "health": health}, "engaged": attacker},
        target={"roll": {"pool": 0}, "engaged": target},
        options={"ambush_engaged": asked},
    )
    expected = ["ambush.engaged"] if engaged else []
    expected += ["health.incapacitated"] if health == "incapacitated" else [] if pool else ["pool.empty"]
    assert refused(answer) == expected


def test_a_target_without_dice_is_surprised_by_one_success() -> None:
    answer = sneak([6, 2], target={"roll": {"pool": 1, "health": "incapacitated"}})
    assert (answer.outcome["result"], answer.outcome["target"]["result"]) == ("surprise", "no_dice")


def test_each_side_reads_its_traits() -> None:
    traits = {"dexterity": 1, "stealth": 1, "perception": 2, "alertness": 1}
    both = {"roll": {"traits": traits, "armor_penalty": 1}}
    answer = sneak([2] * 4, attacker=both, target=both)
    assert (answer.outcome["attacker"]["pool"], answer.outcome["target"]["pool"]) == (1, 3)


# aborting


def abort(dice: list[int], **body: Any) -> Answer:
    return ask("abort-to-defense", dice, **body)


DECLARED = ("action", "multiple_with_defense", "full_defense", "none")


def test_everything_that_forbids_to_abort_is_told_in_order() -> None:
    for method, rating, points, declared, acted, rolled in product(
        ("roll", "spend"), (0, 2), (0, 2), DECLARED, (False, True), (False, True)
    ):
        judged = [
            ("abort.too_late", rolled),
            ("abort.already_acted", acted and declared in ("action", "none")),
            ("abort.no_willpower", declared == "action" and method == "spend" and points == 0),
            ("pool.empty", declared == "action" and method == "roll" and rating == 0),
        ]
        answer = ask_seeded(
            "abort-to-defense",
            "refused",
            method=method,
            willpower_rating=rating,
            willpower_points=points,
            declared=declared,
            has_acted=acted,
            attack_rolled=rolled,
        )
        assert refused(answer) == [rule for rule, forbids in judged if forbids]


@pytest.mark.parametrize("declared", DECLARED[1:])
def test_nothing_is_aborted_that_was_not_declared(declared: str) -> None:
    answer = abort([], method="spend", willpower_points=0, declared=declared)
    assert answer.outcome == {"result": "not_needed", "roll": None, "willpower_left": 0}
    assert answer.rules == ["abort.not_needed"]
    assert abort([], method="roll", willpower_rating=0, declared=declared).outcome["willpower_left"] is None


def test_a_point_is_enough() -> None:
    answer = abort([], method="spend", willpower_points=3, willpower_rating=0)
    assert answer.outcome == {"result": "aborted", "roll": None, "willpower_left": 2}
    assert answer.steps() == [("abort.spend", "effect", -1, 2), ("abort.aborted", "result", None, None)]


@pytest.mark.parametrize(
    ("dice", "result", "roll"),
    [
        ([6, 2], "aborted", "success"),
        ([6, 1], "must_act", "failure"),
        ([2, 1], "must_act", "botch"),
        ([5, 5], "must_act", "failure"),
        ([10, 5], "aborted", "success"),
    ],
)
def test_a_willpower_roll_needs_a_success(dice: list[int], result: str, roll: str) -> None:
    answer = abort(dice, method="roll", willpower_rating=2, willpower_points=4)
    assert (answer.outcome["result"], answer.outcome["roll"]["result"]) == (result, roll)
    assert answer.outcome["willpower_left"] == 4
    assert answer.steps()[:3] == [
        ("abort.willpower", "base", 2, 2),
        ("difficulty.base", "base", 6, 6),
        ("abort.roll", "roll", len([face for face in dice if face >= 6]), None),
    ]


def test_the_options_of_rolls_hold_for_willpower_too() -> None:
    answer = ask(
        "abort-to-defense",
        [6, 1, 1],
        method="roll",
        willpower_rating=3,
        options={"botch": "second_edition"},
    )
    assert answer.outcome["roll"]["result"] == "botch"


@pytest.mark.parametrize(("method", "field"), [("roll", "willpower_rating"), ("spend", "willpower_points")])
def test_each_way_needs_its_own_number(method: str, field: str) -> None:
    other = {"willpower_points": 1} if method == "roll" else {"willpower_rating": 1}
    assert faults("abort-to-defense", method=method, **other) == [(f"#/{field}", "needed_with")]

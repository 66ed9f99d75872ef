"""The envelope: one request on one source of dice."""

from dataclasses import dataclass
from enum import StrEnum

import pytest

from rules.core.action import Action
from rules.core.faults import DiceLeftOver, DiceNeeded, Malformed
from rules.core.odds import OddsOver
from rules.core.resolution import Randomness, chosen_options, resolve_with_dice, resolve_with_seed
from rules.core.rule import Kind, rule
from rules.core.stream import Stream
from rules.core.system import System
from rules.core.trail import Trail

ROLL = rule("example.roll", "published", Kind.ROLL)
AGAIN = rule("example.again", "published", Kind.ROLL)
FORBIDDEN = rule("example.forbidden", "published", Kind.REFUSAL)


class Edition(StrEnum):
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    edition: Edition = Edition.FIRST
    strict: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    forbidden: bool = False
    options: HouseRules = HouseRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    sum: int


def resolve(request: Question, trail: Trail) -> Answer | None:
    if request.forbidden:
        trail.refuse(FORBIDDEN)
        trail.refuse(FORBIDDEN)
        return None
    first = trail.sum(ROLL, 2, 6)
    return Answer(sum=first + (trail.sum(AGAIN, 1, 10) if first == 12 else 0))


ACTION = Action(
    slug="roll",
    request=Question,
    outcome=Answer,
    resolve=resolve,
    rules=(ROLL, AGAIN, FORBIDDEN),
    odds_over=OddsOver(("sum",), lambda outcome: (outcome.sum,)),
    example={},
    max_dice=3,
    max_sides=10,
)
SYSTEM = System(
    slug="example",
    package="example",
    ruleset="1.2.3",
    options=HouseRules,
    actions=(ACTION,),
    rules=ACTION.rules,
)


def test_a_seed_gives_the_faces_of_its_stream() -> None:
    resolution = resolve_with_seed(SYSTEM, ACTION, Question(), "table-7")
    faces = Stream("table-7").faces(2, 6)
    assert resolution.randomness == Randomness("seed", "hmac-sha256-v1", "table-7", faces)
    assert resolution.outcome == Answer(sum=sum(faces))
    assert [(step.rule, step.faces) for step in resolution.audit] == [("example.roll", faces)]
    assert (resolution.system, resolution.action, resolution.ruleset) == ("example", "roll", "1.2.3")
    assert (resolution.options, resolution.refused_by) == ({}, [])


def test_supplied_dice_are_shown_in_the_order_of_the_steps() -> None:
    resolution = resolve_with_dice(SYSTEM, ACTION, Question(), [6, 6, 10])
    assert resolution.randomness == Randomness("dice", None, None, [6, 6, 10])
    assert resolution.outcome == Answer(sum=22)


def test_supplied_dice_have_to_fit() -> None:
    with pytest.raises(DiceNeeded):
        resolve_with_dice(SYSTEM, ACTION, Question(), [6, 6])
    with pytest.raises(DiceLeftOver):
        resolve_with_dice(SYSTEM, ACTION, Question(), [6, 5, 10])
    with pytest.raises(Malformed):
        resolve_with_dice(SYSTEM, ACTION, Question(), [6, 7])


def test_what_is_refused_names_each_rule_once_and_leaves_the_dice() -> None:
    resolution = resolve_with_seed(SYSTEM, ACTION, Question(forbidden=True), "table-7")
    assert resolution.refused_by == ["example.forbidden"]
    assert len(resolution.audit) == 2
    assert (resolution.outcome, resolution.randomness.faces) == (None, [])
    with pytest.raises(DiceLeftOver):
        resolve_with_dice(SYSTEM, ACTION, Question(forbidden=True), [1])


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (HouseRules(), {}),
        (HouseRules(edition=Edition.FIRST, strict=True), {}),
        (HouseRules(edition=Edition.SECOND), {"edition": Edition.SECOND}),
        (HouseRules(strict=False), {"strict": False}),
        (HouseRules(edition=Edition.SECOND, strict=False), {"edition": Edition.SECOND, "strict": False}),
    ],
    ids=["defaults", "defaults said", "one", "a truth", "both"],
)
def test_only_the_house_rules_that_differ_are_shown(options: HouseRules, chosen: dict[str, object]) -> None:
    assert chosen_options(options) == chosen
    assert resolve_with_seed(SYSTEM, ACTION, Question(options=options), "a").options == chosen


def test_an_action_is_found_by_its_slug() -> None:
    assert SYSTEM.action("roll") is ACTION
    assert SYSTEM.action("rol") is None

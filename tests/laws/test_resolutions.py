"""The laws of every resolution: it repeats, its dice are accounted for, its totals chain."""

from collections.abc import Iterator

import pytest

from rules.core.audit import Step
from rules.core.faults import DiceLeftOver, DiceNeeded
from rules.core.resolution import Resolution
from rules.core.rule import Kind
from rules.core.stream import ALGORITHM
from rules.core.trail import Number
from service.answers import encode, resolution_body
from service.questions import Question
from service.texts import texts_in
from tests.laws.corpus import (
    LANGUAGES,
    as_json,
    cases,
    distinct_requests,
    each_answer,
    every_action,
    hold,
    key_of,
    on_dice,
    on_seed,
    resolved,
    rolls,
    shown_faces,
)

FLOORS = (0, 1)
"""What a running total is kept from going below."""
OF_THE_REQUEST = {"chronicles.armor.piercing"}
"""Modifiers of a number that the request says and no step shows: the armor that is pierced."""


@every_action
def test_the_same_request_and_seed_give_the_same_bytes(question: Question) -> None:
    breaches = []
    for case in cases(question):
        for language in LANGUAGES:
            one, other = (
                encode(resolution_body(resolved(question, case.bare, "стол 7"), texts_in(language))) for _ in range(2)
            )
            if one != other:
                breaches.append(f"{case.name}: {language}")
    hold(breaches)


@every_action
def test_the_faces_of_the_roll_steps_are_those_of_the_randomness(question: Question) -> None:
    breaches = [
        f"{name}: steps {shown_faces(resolution)}, randomness {resolution.randomness.faces}"
        for name, resolution in each_answer(question)
        if shown_faces(resolution) != resolution.randomness.faces
    ]
    hold(breaches)


@every_action
def test_each_supplied_die_stands_in_exactly_one_roll_step(question: Question) -> None:
    breaches = []
    for case in cases(question):
        if "dice" in case.body:
            shown = shown_faces(resolved(question, case.body))
            if shown != case.body["dice"]:
                breaches.append(f"{case.name}: supplied {case.body['dice']}, shown {shown}")
    hold(breaches)


@every_action
def test_only_roll_steps_have_dice_and_each_has_some(question: Question) -> None:
    breaches = []
    for name, resolution in each_answer(question):
        for step in resolution.audit:
            fine = bool(step.faces) and all(1 <= face <= step.sides for face in step.faces or ())
            if fine != (step.kind is Kind.ROLL) or (step.faces is not None) != (step.kind is Kind.ROLL):
                breaches.append(f"{name}: {step.rule} is {step.kind} and shows {step.faces} of {step.sides} sides")
    hold(breaches)


@every_action
def test_every_roll_has_a_value(question: Question) -> None:
    breaches = [
        f"{name}: {step.rule}"
        for name, resolution in each_answer(question)
        for step in rolls(resolution)
        if step.value is None
    ]
    hold(breaches)


@every_action
def test_totals_chain(question: Question) -> None:
    breaches = [
        f"{name}: {breach}" for name, resolution in each_answer(question) for breach in broken_chains(resolution)
    ]
    hold(breaches)


def broken_chains(resolution: Resolution) -> Iterator[str]:
    """The bases and modifiers whose total is not what the steps before lead to."""
    earlier: list[Number] = []
    for step in resolution.audit:
        if step.kind is Kind.BASE and step.total != step.value:
            yield f"{step.rule} begins with {step.value}, but the total is {step.total}"
        chained = step.rule in OF_THE_REQUEST or any(follows(step, before) for before in reversed(earlier))
        if step.kind is Kind.MODIFIER and not chained:
            yield f"{step.rule} adds {step.value} and comes to {step.total}, after {earlier}"
        earlier += [number for number in (step.value, step.total) if number is not None]


def follows(step: Step, before: Number) -> bool:
    """Whether a modifier's total follows from an earlier number: their sum, or a floor that the sum went below."""
    reached = before + (step.value or 0)
    return step.total == reached or (step.total in FLOORS and reached < step.total <= before)


@every_action
def test_every_modifier_and_limit_tells_value_and_total(question: Question) -> None:
    told = (Kind.BASE, Kind.MODIFIER, Kind.LIMIT)
    breaches = [
        f"{name}: {step.rule}"
        for name, resolution in each_answer(question)
        for step in resolution.audit
        if step.kind in told and step.value is None
    ]
    hold(breaches)


@every_action
def test_the_envelope_says_what_was_asked(question: Question) -> None:
    for name, resolution in each_answer(question):
        assert (resolution.system, resolution.action) == key_of(question), name
        assert resolution.ruleset == question.system.ruleset, name
        randomness = resolution.randomness
        if randomness.source == "seed":
            assert (randomness.algorithm, randomness.seed is None) == (ALGORITHM, False), name
        else:
            assert (randomness.source, randomness.algorithm, randomness.seed) == ("dice", None, None), name


@every_action
def test_the_options_shown_are_those_that_differ_from_the_defaults(question: Question) -> None:
    defaults = question.system.options()
    for case in cases(question):
        sent = case.body.get("options", {})
        shown = as_json(resolved(question, case.body, "options"))["options"]
        assert shown == {name: value for name, value in sent.items() if getattr(defaults, name) != value}, case.name


@every_action
def test_a_seeded_resolution_can_be_repeated_with_its_faces_on_the_table(question: Question) -> None:
    """Supplied dice of the same faces give the same outcome and the same steps; so the action takes that many."""
    for name, request in distinct_requests(key_of(question)):
        seeded = as_json(on_seed(question, request, f"replay of {name}"))
        faces = seeded.pop("randomness")["faces"]
        assert question.faults_of_dice(faces) == [], name
        supplied = as_json(on_dice(question, request, faces))
        assert supplied.pop("randomness") == {"source": "dice", "algorithm": None, "seed": None, "faces": faces}, name
        assert supplied == seeded, name


@every_action
def test_people_may_roll_as_they_go(question: Question) -> None:
    """Asked without dice, an action asks for each roll in turn: by its rule, the number of dice and their sides."""
    for name, request in distinct_requests(key_of(question)):
        sent: list[int] = []
        for step in rolls(on_seed(question, request, f"roll as you go: {name}")):
            faces = step.faces or []
            for held in {0, len(faces) - 1}:
                with pytest.raises(DiceNeeded) as needed:
                    on_dice(question, request, [*sent, *faces[:held]])
                asked = needed.value.rule, needed.value.count, needed.value.sides
                assert asked == (step.rule, len(faces) - held, step.sides), name
            sent += faces
        with pytest.raises(DiceLeftOver) as left:
            on_dice(question, request, [*sent, 1])
        assert (left.value.consumed, left.value.sent) == (len(sent), len(sent) + 1), name

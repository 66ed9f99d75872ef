"""The laws of every resolution: it repeats, its dice are accounted for, its totals chain, its refusals are answers."""

from collections.abc import Callable, Iterator

import pytest

from rules.core.faults import DiceLeftOver, DiceNeeded
from rules.core.resolution import Resolution
from rules.core.stream import ALGORITHM
from service.answers import encode, resolution_body
from service.questions import Question
from service.texts import texts_in
from tests.laws import breaches
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


def hold_in_each(question: Question, law: Callable[[Resolution], Iterator[str]]) -> None:
    """Demand that no case, on its own dice or on a stream, breaks a law."""
    hold(f"{name}: {breach}" for name, resolution in each_answer(question) for breach in law(resolution))


@every_action
def test_the_same_request_and_seed_give_the_same_bytes(question: Question) -> None:
    def answered(body: dict[str, object], language: str) -> bytes:
        return encode(resolution_body(resolved(question, body, "стол 7"), texts_in(language)))

    hold(
        f"{case.name}: {language}"
        for case in cases(question)
        for language in LANGUAGES
        if answered(case.bare, language) != answered(case.bare, language)
    )


@every_action
def test_the_faces_of_the_roll_steps_are_those_of_the_randomness(question: Question) -> None:
    hold_in_each(question, breaches.in_dice)


@every_action
def test_each_supplied_die_stands_in_exactly_one_roll_step(question: Question) -> None:
    hold(
        case.name
        for case in cases(question)
        if "dice" in case.body and shown_faces(resolved(question, case.body)) != case.body["dice"]
    )


@every_action
def test_totals_chain(question: Question) -> None:
    hold_in_each(question, breaches.in_totals)


@every_action
def test_what_is_refused_is_told_takes_no_dice_and_has_no_outcome(question: Question) -> None:
    hold_in_each(question, lambda resolution: breaches.in_refusals(question, resolution))


@every_action
def test_whoever_does_not_know_asks_without_dice_and_is_told_the_same(question: Question) -> None:
    for case in cases(question):
        resolution = resolved(question, case.bare, "refusals")
        if resolution.refused_by:
            asked = on_dice(question, question.read_for_odds(case.bare), [])
            assert asked.refused_by == resolution.refused_by, case.name
            assert [step.rule for step in asked.audit] == [step.rule for step in resolution.audit], case.name


@every_action
def test_every_step_names_a_declared_rule_and_one_of_its_kinds(question: Question) -> None:
    hold_in_each(question, lambda resolution: breaches.in_rules(question, resolution))


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

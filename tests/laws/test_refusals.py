"""The laws of what the rules forbid: it is an answer, it takes no dice, and it names its rules."""

from rules.core.rule import Kind
from service.questions import Question
from tests.laws.corpus import JUDGES_A_LIST, cases, each_answer, every_action, key_of, on_dice, resolved


@every_action
def test_refused_by_are_the_refusal_steps_once_each_in_order(question: Question) -> None:
    for name, resolution in each_answer(question):
        refusals = [step.rule for step in resolution.audit if step.kind is Kind.REFUSAL]
        assert resolution.refused_by == list(dict.fromkeys(refusals)), name


@every_action
def test_what_is_refused_takes_no_dice(question: Question) -> None:
    for name, resolution in each_answer(question):
        if resolution.refused_by:
            assert resolution.randomness.faces == [], name


@every_action
def test_what_is_refused_has_no_outcome_and_everything_else_has_one(question: Question) -> None:
    for name, resolution in each_answer(question):
        if resolution.refused_by and key_of(question) != JUDGES_A_LIST:
            assert resolution.outcome is None, name
        else:
            assert isinstance(resolution.outcome, question.action.outcome), name


@every_action
def test_the_audit_of_what_is_refused_is_its_refusals(question: Question) -> None:
    """What else was looked at on the way may stand before them, but nothing rolled, happened or concluded."""
    for name, resolution in each_answer(question):
        if resolution.refused_by and key_of(question) != JUDGES_A_LIST:
            kinds = {step.kind for step in resolution.audit}
            assert not kinds & {Kind.ROLL, Kind.EFFECT, Kind.RESULT}, name


@every_action
def test_a_refusal_says_no_number(question: Question) -> None:
    for name, resolution in each_answer(question):
        for step in resolution.audit:
            if step.kind is Kind.REFUSAL:
                assert (step.value, step.total) == (None, None), name


@every_action
def test_whoever_does_not_know_asks_without_dice_and_is_told_the_same(question: Question) -> None:
    for case in cases(question):
        resolution = resolved(question, case.bare, "refusals")
        if resolution.refused_by:
            asked = on_dice(question, question.read_for_odds(case.bare), [])
            assert asked.refused_by == resolution.refused_by, case.name
            assert [step.rule for step in asked.audit] == [step.rule for step in resolution.audit], case.name

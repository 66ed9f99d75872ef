"""The laws hold not only for the cases: for requests that nobody thought of too."""

from typing import Any

from service.faults import Malformations
from service.questions import Question
from tests.laws import breaches
from tests.laws.corpus import as_json, every_action, hold, on_dice, on_seed
from tests.laws.mutations import Mutations

REQUESTS = 200


@every_action
def test_any_question_is_answered_by_the_laws(question: Question) -> None:
    found, answered = [], 0
    for body, request in Mutations(question).requests(REQUESTS):
        try:
            resolution = on_seed(question, request, "any request")
        except Malformations as malformed:
            found += [f"{fault.code} without words, in {body}" for fault in malformed.faults if wordless(fault, body)]
            continue
        answered += 1
        own = breaches.words_of(body)
        found += [f"{breach}, in {body}" for breach in breaches.all_breaches(question, resolution, own)]
        supplied = as_json(on_dice(question, request, resolution.randomness.faces)) | {"randomness": None}
        if supplied != as_json(resolution) | {"randomness": None}:
            found.append(f"another answer on the same faces, to {body}")
    hold(found)
    assert answered > REQUESTS / 4


def wordless(fault: Any, body: Any) -> bool:
    """Whether a fault is told by its code alone, or not in every language."""
    return any(breaches.in_fault(fault, body))

"""The law of replay: what the rules gave is accepted, and nothing that differs from it."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from service.questions import QUESTIONS
from service.texts import texts_in
from service.verification import Verification, VerifyReason, VerifyRequest, verify
from tests.laws.corpus import Case, as_json, cases, hold, resolved

RANDOM_RESOLUTIONS = 1_000

Asked = tuple[tuple[str, str], dict[str, Any], Any]


@cache
def asked() -> tuple[Asked, ...]:
    """Cases without their dice on random seeds, of every action alike, and every case on its own dice."""
    return tuple(each_asked(Random(1969)))


def each_asked(random: Random) -> Iterator[Asked]:
    keys = list(QUESTIONS)
    for number in range(RANDOM_RESOLUTIONS):
        key = keys[number % len(keys)]
        case: Case = random.choice(cases(QUESTIONS[key]))
        seed = "".join(random.choices("0123456789abcdefёж🎲", k=random.randint(1, 128)))
        yield key, case.bare, as_json(resolved(QUESTIONS[key], case.bare, seed))
    for key, question in QUESTIONS.items():
        for case in cases(question):
            if "dice" in case.body:
                yield key, case.body, as_json(resolved(question, case.body))


def judged(key: tuple[str, str], body: dict[str, Any], claimed: Any) -> Verification:
    """What verify says of a claim."""
    question = VerifyRequest(system=key[0], action=key[1], request=body, resolution=claimed)
    return verify(question, texts_in("en"))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every number, word, truth and null that is no text."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "text":
                yield from places(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*path, index))
    else:
        yield path


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def with_change(claimed: Any, path: tuple[Any, ...]) -> Any:
    """A copy in which one value is another of its kind."""
    changed = deepcopy(claimed)
    place, old = at(changed, path[:-1]), at(claimed, path)
    if isinstance(old, bool):
        place[path[-1]] = not old
    elif isinstance(old, int | float):
        place[path[-1]] = old + 1
    else:
        place[path[-1]] = "another" if old is None else f"{old}x"
    return changed


def pointer(path: tuple[Any, ...]) -> str:
    return "#/" + "/".join(map(str, path))


def test_what_the_rules_gave_is_accepted() -> None:
    assert len(asked()) > RANDOM_RESOLUTIONS
    hold(f"{key}: {body}" for key, body, claimed in asked() if not judged(key, body, claimed).valid)


def test_one_changed_face_value_or_rule_is_rejected_where_it_stands() -> None:
    """In each resolution one face, one number and one rule id in turn, and one value anywhere in the outcome."""
    random, breaches = Random(1986), []
    changes = dict.fromkeys(("face", "value", "rule", "outcome"), 0)
    for key, body, claimed in asked():
        paths = list(places(claimed))
        for what, chosen in {
            "face": [path for path in paths if path[0] == "audit" and path[-2] == "faces"],
            "value": [path for path in paths if path[0] == "audit" and path[-1] in ("value", "total")],
            "rule": [path for path in paths if path[0] == "audit" and path[-1] == "rule"],
            "outcome": [path for path in paths if path[0] == "outcome"],
        }.items():
            if not chosen:
                continue
            changes[what] += 1
            path = random.choice(chosen)
            found = judged(key, body, with_change(claimed, path))
            difference = found.difference
            if found.reason is not VerifyReason.DIFFERS or difference is None or difference.pointer != pointer(path):
                breaches.append(f"{key}: a changed {what} at {pointer(path)} is told as {found}")
    hold(breaches)
    assert all(count > 100 for count in changes.values()), changes


def test_the_faces_in_the_list_are_part_of_the_claim() -> None:
    for key, body, claimed in asked():
        if claimed["randomness"]["source"] == "seed" and claimed["randomness"]["faces"]:
            changed = with_change(claimed, ("randomness", "faces", 0))
            assert not judged(key, body, changed).valid


def test_words_may_be_reworded() -> None:
    for key, body, claimed in asked():
        reworded = [step | {"text": step["text"][::-1]} for step in claimed["audit"]]
        assert judged(key, body, claimed | {"audit": reworded}).valid

"""How one resolution can break the laws: what is wrong with its dice, its totals, its refusals, its rules, its texts."""

import dataclasses
import re
import string
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from rules.core.audit import Step
from rules.core.resolution import Resolution
from rules.core.rule import Kind
from rules.core.trail import Number
from service.answers import step_body
from service.faults import Fault
from service.questions import Question
from service.texts import texts_in
from tests.laws.corpus import JUDGES_A_LIST, LANGUAGES, key_of, shown_faces

FLOORS = (0, 1)
"""What a running total is kept from going below."""
OF_THE_REQUEST = {
    "action_points.reduction.magic_resistance": "the amount of the reduction",
    "action_points.regeneration.round": "the HP before it",
    "chronicles.armor.ballistic": "the lethal points that came in",
    "chronicles.armor.piercing": "the armor that is pierced",
    "gurps.damage.dr": "the sum of the dice and what is added to them",
    "gurps.parry.injure_limb_art": "the skill of the second blow",
    "gurps.parry.injure_limb_off_hand": "the skill of the second blow",
}
"""Modifiers of a number that the request says and no step shows."""
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def all_breaches(question: Question, resolution: Resolution, own: set[str]) -> Iterator[str]:
    """Every law that a resolution breaks; `own` are the words that its request brought along."""
    yield from in_dice(resolution)
    yield from in_totals(resolution)
    yield from in_refusals(question, resolution)
    yield from in_rules(question, resolution)
    for language in LANGUAGES:
        yield from in_facts(question, resolution, language)
        yield from in_texts(resolution, own, language)


def in_dice(resolution: Resolution) -> Iterator[str]:
    """Dice without a roll, rolls without dice or a value, faces that no die has or that the randomness does not show."""
    if shown_faces(resolution) != resolution.randomness.faces:
        yield f"the steps show {shown_faces(resolution)}, the randomness {resolution.randomness.faces}"
    for step in resolution.audit:
        rolled = step.kind is Kind.ROLL
        fine = bool(step.faces) and all(1 <= face <= step.sides for face in step.faces or ())
        if rolled != fine or rolled != (step.faces is not None):
            yield f"{step.rule} is {step.kind} and shows {step.faces} of {step.sides} sides"
        if rolled and step.value is None:
            yield f"{step.rule} is a roll without a value"


def in_totals(resolution: Resolution) -> Iterator[str]:
    """Bases and modifiers whose total is not what the steps before lead to."""
    earlier: list[Number] = []
    for step in resolution.audit:
        if step.kind in (Kind.BASE, Kind.MODIFIER, Kind.LIMIT) and step.value is None:
            yield f"{step.rule} is {step.kind} without a value"
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


def in_refusals(question: Question, resolution: Resolution) -> Iterator[str]:
    """Refusals that are not told, take dice or have an outcome; and no outcome without a refusal."""
    refusals = [step for step in resolution.audit if step.kind is Kind.REFUSAL]
    if resolution.refused_by != list(dict.fromkeys(step.rule for step in refusals)):
        yield f"refused_by is {resolution.refused_by}, the steps are {[step.rule for step in refusals]}"
    for step in refusals:
        if step.value is not None or step.total is not None:
            yield f"{step.rule} is a refusal with a number"
    if refusals and resolution.randomness.faces:
        yield f"refused by {resolution.refused_by} and still rolled {resolution.randomness.faces}"
    if not refusals or key_of(question) == JUDGES_A_LIST:
        if not isinstance(resolution.outcome, question.action.outcome):
            yield f"the outcome is {resolution.outcome!r}"
        return
    if resolution.outcome is not None:
        yield f"refused by {resolution.refused_by} and still {resolution.outcome!r}"
    for step in resolution.audit:
        if step.kind is Kind.ROLL:
            yield f"{step.rule} is rolled in what is refused"


def in_rules(question: Question, resolution: Resolution) -> Iterator[str]:
    """Steps of rules, or of kinds, that the action does not declare."""
    declared = {rule.id: rule.kinds for rule in question.action.rules}
    for step in resolution.audit:
        if step.kind not in declared.get(step.rule, ()):
            kinds = [kind.value for kind in declared[step.rule]] if step.rule in declared else "no such rule"
            yield f"{step.rule} as {step.kind}, declared: {kinds}"


class WatchedFacts(dict[str, Any]):
    """Facts that remember which were asked for and not there."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self.missing: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            self.missing.add(name)
            return 0
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self.missing.add(name)
        return super().get(name, default)


def in_facts(question: Question, resolution: Resolution, language: str) -> Iterator[str]:
    """Facts that a step's text asks for and does not get, and named values that it has no word for."""
    texts = texts_in(language)
    own = texts.systems[question.system.slug]
    terms = {**texts.service.get("terms", {}), **own.get("terms", {})}
    for step in resolution.audit:
        if not texts.has_step(step.rule, step.kind):
            yield f"{language}: {step.rule} has no text as {step.kind}"
            continue
        facts = WatchedFacts(step.facts)
        watched = dataclasses.replace(step, facts=facts)
        step_body(watched, texts)
        for fact in facts.missing:
            yield f"{language}: {step.rule} as {step.kind} asks for {fact}"
        for fact, value in untold(own, watched, terms):
            yield f"{language}: {step.rule} has no word for {fact}={value!r}"


def untold(own: Mapping[str, Any], step: Step, terms: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The facts whose value a step's template neither has a term for nor chooses by."""
    entry = own["rules"][step.rule]["step"]
    template = entry if isinstance(entry, str) else entry[step.kind]
    for _, fact, spec, _ in string.Formatter().parse(template):
        value = step.facts.get(fact) if fact else None
        if spec and "=" in spec:
            choices = {choice.split("=", 1)[0] for choice in spec.split("|")}
            plain = value.value if isinstance(value, StrEnum) else "none" if value is None else str(value)
            if "*" not in choices and plain not in choices:
                yield str(fact), value
        else:
            yield from ((str(fact), each) for each in named_values(value) if each.value not in terms)


def named_values(value: Any) -> Iterator[StrEnum]:
    """The values that are shown by a term."""
    for each in value if isinstance(value, tuple | list) else (value,):
        if isinstance(each, StrEnum):
            yield each


def in_texts(resolution: Resolution, own: set[str], language: str) -> Iterator[str]:
    """Texts that are not whole or not in their language."""
    for step in resolution.audit:
        if texts_in(language).has_step(step.rule, step.kind):
            text = step_body(step, texts_in(language))["text"]
            for fault in faults_of(text, own, language):
                yield f"{language}: {step.rule}: {fault} in {text!r}"


def faults_of(text: str, own: set[str], language: str) -> Iterator[str]:
    """What is wrong with a text; the request's own words may be in any language."""
    if not text.strip() or text != text.strip() or "  " in text:
        yield "space"
    for word in sorted(own, key=len, reverse=True):
        if not re.fullmatch("[a-z]+(_[a-z]+)+", word):
            text = text.replace(word, "")
    if re.search("[{}]", text):
        yield "a brace"
    if re.search(r"\bNone\b|\bnull\b|\b(True|False)\b|Fraction|<", text):
        yield "a value of the program"
    if re.search("[a-z]_[a-z]", text):
        yield "a name of the program"
    if language == "ru" and not CYRILLIC.search(text):
        yield "no Russian"
    if language == "en" and CYRILLIC.search(text):
        yield "Russian"


def words_of(body: Any) -> set[str]:
    """Every string that a request brought along; such a one may stand in a text as it is."""
    if isinstance(body, str):
        return {body}
    parts = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return {word for part in parts for word in words_of(part)}


def in_fault(fault: Fault, body: Any) -> Iterator[str]:
    """Whether what is wrong with a request is told in words, in every language."""
    for language in LANGUAGES:
        texts, facts = texts_in(language), WatchedFacts(fault.facts)
        told = texts.fault(fault.code, facts)
        if told == texts.fault("unknown", {"code": fault.code}):
            yield f"{language}: {fault.code} has no sentence"
        for missing in facts.missing:
            yield f"{language}: {fault.code} asks for {missing}"
        for wrong in faults_of(re.sub("[a-z]_[a-z]", "", told), words_of(body), language):
            yield f"{language}: {fault.code}: {wrong} in {told!r}"

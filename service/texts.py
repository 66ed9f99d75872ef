"""Texts for people, in English and Russian, rendered from the facts of a step, a rule or a fault.

A template is a format string over named facts. `{value}` is the fact: a number, faces, or the term for a named value;
`{value:+}` a number with its sign; `{value:# success|# successes}` agrees with the number in the plural forms of the
language (English: one, other; Russian: one, few, many), `#` being the number; `{value:1=heard|0=not heard|*=other}`
chooses by the value.
"""

import string
import tomllib
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

from babel import Locale

from rules.catalogue import SYSTEMS
from rules.core.rule import Kind

LANGUAGES = ("en", "ru")
Part = Callable[[Any], str | int]
NUMBERS = (int, Fraction)
PLURAL_FORMS = {"en": ("one", "other"), "ru": ("one", "few", "many")}


class Template:
    """A text with places for facts, of which `names` are shown, in order."""

    __slots__ = ("_parts", "_pattern", "names")

    def __init__(self, pattern: str, parts: list[tuple[str, Part]]) -> None:
        self._pattern = pattern
        self._parts = parts
        self.names = tuple(name for name, _ in parts)

    def __call__(self, facts: Mapping[str, Any]) -> str:
        """The text with these facts."""
        get = facts.get
        return self._pattern % tuple([part(get(name)) for name, part in self._parts])


class Texts:
    """The texts of one language: of the service and of every system."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._plural_form = _plural_form_of(language)
        self.service: dict[str, Any] = _load("service", language)
        self.systems: dict[str, dict[str, Any]] = {
            system.slug: _load(f"rules.{system.package}", language) for system in SYSTEMS
        }
        self.terms: dict[str, str] = dict(self.service.get("terms", {}))
        for texts in self.systems.values():
            self.terms.update(texts.get("terms", {}))
        self._steps: dict[tuple[str, str], Template] = {}
        for system in SYSTEMS:
            terms = {**self.service.get("terms", {}), **self.systems[system.slug].get("terms", {})}
            for rule_id, entry in self.systems[system.slug].get("rules", {}).items():
                for kinds, template in _templates(entry):
                    self._steps |= dict.fromkeys([(rule_id, kind) for kind in kinds], self.compiled(template, terms))
        self._problems = {
            (name, part): self.compiled(template, self.terms)
            for name, entry in self.service.get("problems", {}).items()
            for part, template in entry.items()
        }
        self._forbidding = {
            rule_id: Template(entry["rule"].replace("%", "%%"), [])
            for texts in self.systems.values()
            for rule_id, entry in texts.get("rules", {}).items()
        }
        self._faults = {
            code: self.compiled(template, self.terms)
            for texts in (self.service, *self.systems.values())
            for code, template in texts.get("faults", {}).items()
        }

    def step(self, rule: str, kind: str, facts: Mapping[str, Any]) -> str:
        """The text of a step."""
        return self._steps[rule, kind](facts)

    def template(self, rule: str, kind: str) -> Template:
        """What writes the text of a step."""
        return self._steps[rule, kind]

    def fault(self, code: str, facts: Mapping[str, Any]) -> str:
        """The sentence for a fault; one that has none of its own is called by its code."""
        renderer = self._faults.get(code) or self._forbidding.get(code)
        return renderer(facts) if renderer else self._faults["unknown"]({**facts, "code": code})

    def problem(self, name: str, part: str, facts: Mapping[str, Any]) -> str:
        """The title, the detail or the page of a problem."""
        return self._problems[name, part](facts)

    def rule(self, system: str, rule: str) -> str:
        """What a rule says."""
        text: str = self.systems[system]["rules"][rule]["rule"]
        return text

    def has_step(self, rule: str, kind: str) -> bool:
        """Whether a step of this rule and kind has a text."""
        return (rule, kind) in self._steps

    def compiled(self, template: str, terms: Mapping[str, str]) -> Template:
        """A template turned into a function of the facts, once."""
        pattern, parts = "", []
        for literal, field, spec, _ in string.Formatter().parse(template):
            pattern += literal.replace("%", "%%")
            if field is not None:
                pattern += "%s"
                parts.append((field, self._part(spec or "", terms)))
        return Template(pattern, parts)

    def _part(self, spec: str, terms: Mapping[str, str]) -> Part:
        if "=" in spec:
            cases = dict(case.split("=", 1) for case in spec.split("|"))
            return lambda value: cases.get(_plain(value), cases.get("*", ""))
        if "|" in spec:
            forms = dict(zip(PLURAL_FORMS[self.language], [form.split("#") for form in spec.split("|")], strict=True))
            return lambda value: self._agreed(forms, value)
        if spec == "+":
            return self._signed
        return lambda value: value if type(value) is int and value >= 0 else self._shown(value, terms)

    def _agreed(self, forms: Mapping[str, list[str]], number: Any) -> str:
        chosen = forms.get(self._plural_form(number)) or forms[PLURAL_FORMS[self.language][1]]
        return self._number(number).join(chosen)

    def _signed(self, number: Any) -> str:
        return ("−" if number < 0 else "+") + self._number(abs(number))

    def _number(self, value: Any) -> str:
        if not isinstance(value, Fraction):
            return str(value) if value >= 0 else f"−{-value}"
        shown = f"{float(value):.8g}".replace("-", "−")
        return shown.replace(".", ",") if self.language == "ru" else shown

    def _shown(self, value: Any, terms: Mapping[str, str]) -> str:
        if isinstance(value, StrEnum):
            return terms.get(value, value)
        if isinstance(value, list):
            return ", ".join(map(str, value))
        if isinstance(value, tuple):
            return ", ".join([self._shown(each, terms) for each in value])
        if isinstance(value, bool) or value is None:
            return terms.get(str(value).lower(), str(value).lower())
        return self._number(value) if isinstance(value, NUMBERS) else str(value)


def _plain(value: Any) -> str:
    return str(value.value) if isinstance(value, StrEnum) else str(value).lower() if value is None else str(value)


def _templates(entry: Mapping[str, Any]) -> list[tuple[Iterable[str], str]]:
    step = entry.get("step")
    if step is None:
        return []
    return [(Kind, step)] if isinstance(step, str) else [((kind,), template) for kind, template in step.items()]


def _plural_form_of(language: str) -> Callable[[Any], str]:
    plural_form = Locale.parse(language).plural_form

    @lru_cache(maxsize=1024)
    def form_of(number: int | Fraction) -> str:
        return plural_form(abs(float(number) if isinstance(number, Fraction) else number))

    return form_of


def _load(package: str, language: str) -> dict[str, Any]:
    source = files(package) / "texts" / f"{language}.toml"
    return tomllib.loads(source.read_text("utf-8"))


@lru_cache(maxsize=len(LANGUAGES))
def texts_in(language: str) -> Texts:
    """The texts of a language, loaded once."""
    return Texts(language)


@lru_cache(maxsize=1024)
def negotiated(accept_language: str) -> str:
    """The language that an Accept-Language header asks for; English when it asks for none that is there."""
    best, best_weight = LANGUAGES[0], 0.0
    for part in accept_language.split(","):
        tag, _, parameters = part.strip().partition(";")
        language = tag.strip().lower().split("-")[0]
        language = LANGUAGES[0] if language == "*" else language
        weight = _weight(parameters)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0

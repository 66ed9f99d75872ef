"""Resolutions and odds as JSON, with texts in one language."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from rules.core.audit import Step
from rules.core.odds import Odds
from rules.core.resolution import Resolution
from rules.core.rule import Kind
from rules.core.system import System
from rules.core.trail import Fact, Number
from service.texts import Template, Texts


def number(value: Fraction) -> int | float:
    """An exact fraction as the nearest JSON number."""
    return value.numerator if value.denominator == 1 else value.numerator / value.denominator


def _beyond_json(value: Any) -> Any:
    if isinstance(value, Fraction):
        return number(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


_encoder = msgspec.json.Encoder(enc_hook=_beyond_json)
encode = _encoder.encode


def resolution_body(resolution: Resolution, texts: Texts | None) -> dict[str, Any]:
    """A resolution, ready to be encoded; without texts when none are given."""
    return {
        "system": resolution.system,
        "action": resolution.action,
        "ruleset": resolution.ruleset,
        "options": resolution.options,
        "refused_by": resolution.refused_by,
        "outcome": resolution.outcome,
        "audit": [_step(step, texts) for step in resolution.audit],
        "randomness": resolution.randomness,
    }


def _step(step: Step, texts: Texts | None) -> msgspec.Raw | dict[str, Any]:
    if texts is None or step.faces is not None:
        return step_body(step, texts)
    template = texts.template(step.rule, step.kind)
    return _remembered(template, step.rule, step.kind, step.value, step.total, *map(step.facts.get, template.names))


@lru_cache(maxsize=16_384, typed=True)
def _remembered(
    template: Template, rule: str, kind: Kind, value: Number | None, total: Number | None, *facts: Fact
) -> msgspec.Raw:
    """A step without dice in JSON: its numbers are small, so that most have been written before."""
    body: dict[str, Any] = {"rule": rule, "kind": kind}
    known: dict[str, Any] = dict(zip(template.names, facts, strict=True))
    if value is not None:
        known["value"] = body["value"] = value
    if total is not None:
        known["total"] = body["total"] = total
    body["text"] = template(known)
    return msgspec.Raw(encode(body))


def step_body(step: Step, texts: Texts | None) -> dict[str, Any]:
    """A step with its text, if texts are given; what it does not have is left out."""
    facts = step.facts
    body: dict[str, Any] = {"rule": step.rule, "kind": step.kind}
    if step.faces is not None:
        body["dice"] = {"sides": step.sides, "faces": step.faces}
        facts["faces"] = step.faces
    if step.value is not None:
        facts["value"] = body["value"] = step.value
    if step.total is not None:
        facts["total"] = body["total"] = step.total
    if texts is not None:
        body["text"] = texts.step(step.rule, step.kind, facts)
    return body


def odds_body(system: System, action: str, odds: Odds) -> dict[str, Any]:
    """The exact distribution: whole numbers as decimal strings."""
    denominator = odds.denominator
    return {
        "system": system.slug,
        "action": action,
        "ruleset": system.ruleset,
        "refused_by": odds.refused_by,
        "fields": odds.fields,
        "denominator": str(denominator),
        "distribution": [
            {
                "outcome": dict(zip(odds.fields, row.values, strict=True)),
                "numerator": str(row.numerator),
                "probability": row.numerator / denominator,
            }
            for row in odds.rows
        ],
        "mean": {name: mean.numerator / mean.denominator for name, mean in odds.mean.items()},
    }


def as_json_values(value: Any) -> Any:
    """What a JSON reader would see of an encoded value."""
    return msgspec.json.decode(encode(value))

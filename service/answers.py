"""Resolutions and odds as JSON, with texts in one language."""

from fractions import Fraction
from typing import Any

import msgspec

from rules.core.audit import Step
from rules.core.odds import Odds
from rules.core.resolution import Resolution
from rules.core.system import System
from service.texts import Texts


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
        "audit": [step_body(step, texts) for step in resolution.audit],
        "randomness": resolution.randomness,
    }


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

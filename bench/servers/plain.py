"""The same endpoint in FastAPI as it is usually written: pydantic models in and out, the steps built as models.

The rules and the texts are the service's own, and the parts of the request are the dataclasses of the rules, which
pydantic reads as fast as its models; so what is compared is the form.
"""

import secrets
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field

from rules.core.audit import Step
from rules.core.resolution import Resolution, resolve_with_dice, resolve_with_seed
from rules.gurps import GURPS
from rules.gurps.active_defense import ACTIVE_DEFENSE, ActiveDefenseOutcome, ActiveDefenseRequest
from rules.gurps.damage import Damage
from rules.gurps.defense_choice import Defense
from rules.gurps.incoming_attack import IncomingAttack
from rules.gurps.options import Options
from rules.gurps.sheet import Defender
from service.texts import texts_in

TEXTS = texts_in("en")

app = FastAPI(title="Active defense, plainly")


class ActiveDefenseBody(BaseModel):
    """What is asked."""

    model_config = ConfigDict(extra="forbid")

    attack: IncomingAttack
    defender: Defender
    defenses: Annotated[tuple[Defense, ...], Field(max_length=2)]
    damage: Damage | None = None
    options: Options = Options()
    seed: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    dice: list[Annotated[int, Field(ge=1, le=6)]] | None = None


class DiceModel(BaseModel):
    """The dice of a step."""

    sides: int
    faces: list[int]


class StepModel(BaseModel):
    """A step of the audit trail."""

    rule: str
    kind: str
    dice: DiceModel | None = None
    value: float | int | None = None
    total: float | int | None = None
    text: str


class RandomnessModel(BaseModel):
    """Where the faces came from."""

    source: str
    algorithm: str | None
    seed: str | None
    faces: list[int]


class ResolutionModel(BaseModel):
    """The answer."""

    system: str
    action: str
    ruleset: str
    options: dict[str, Any]
    refused_by: list[str]
    outcome: ActiveDefenseOutcome | None
    audit: list[StepModel]
    randomness: RandomnessModel


@app.post("/v1/gurps/active-defense", response_model_exclude_unset=True)
async def active_defense(body: ActiveDefenseBody) -> ResolutionModel:
    """Resolve an active defense."""
    request = ActiveDefenseRequest(
        attack=body.attack,
        defender=body.defender,
        defenses=body.defenses,
        damage=body.damage,
        options=body.options,
    )
    if body.dice is not None:
        resolution = resolve_with_dice(GURPS, ACTIVE_DEFENSE, request, body.dice)
    else:
        resolution = resolve_with_seed(GURPS, ACTIVE_DEFENSE, request, body.seed or secrets.token_hex(16))
    return resolution_model(resolution)


def resolution_model(resolution: Resolution) -> ResolutionModel:
    """The answer as a model."""
    randomness = resolution.randomness
    return ResolutionModel(
        system=resolution.system,
        action=resolution.action,
        ruleset=resolution.ruleset,
        options=resolution.options,
        refused_by=resolution.refused_by,
        outcome=resolution.outcome,
        audit=[step_model(step) for step in resolution.audit],
        randomness=RandomnessModel(
            source=randomness.source,
            algorithm=randomness.algorithm,
            seed=randomness.seed,
            faces=randomness.faces,
        ),
    )


def step_model(step: Step) -> StepModel:
    """A step as a model; what it does not have stays unset."""
    facts = {**step.facts, "value": step.value, "total": step.total, "faces": step.faces}
    has: dict[str, Any] = {}
    if step.faces is not None:
        has["dice"] = DiceModel(sides=step.sides, faces=step.faces)
    if step.value is not None:
        has["value"] = step.value
    if step.total is not None:
        has["total"] = step.total
    return StepModel(rule=step.rule, kind=step.kind, text=TEXTS.step(step.rule, step.kind, facts), **has)

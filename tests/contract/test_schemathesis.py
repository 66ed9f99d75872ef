"""The service holds what its document promises, on data that schemathesis makes up."""

import os
from collections.abc import Callable
from typing import Any

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS
from schemathesis.schemas import BaseSchema

from service.app import create_app
from service.settings import Settings

# In CI there is time for hundreds of cases for each operation, at every bound of every field. Odds take the request of
# their action, whose bounds are tried there; encounters ask for a token before they look at anything.
IN_CI = os.environ.get("CI") == "true"
APP = create_app(Settings())


def operations_of(app: FastAPI) -> BaseSchema:
    """What an application promises, which is not started for that: it is imported by every process that runs tests."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = app
    return schema


ALL, OTHERS = operations_of(APP), operations_of(APP)
ALL.config.phases.coverage.enabled = IN_CI
OTHERS.config.phases.coverage.enabled = False

some_examples = settings(
    max_examples=50 if IN_CI else 10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)

# Fields that contradict each other are 422, which JSON Schema cannot say without the `oneOf` that breaks generated clients.
CONTRADICTIONS: Callable[..., Any] = CHECKS.get_one("positive_data_acceptance")
# What is wrong with an item of a batch is that item's problem, within an answer of 200.
FAULTS_OF_ITEMS: Callable[..., Any] = CHECKS.get_one("negative_data_rejection")


@ALL.exclude(path_regex="/odds$|/encounters").parametrize()
@some_examples
def test_operation(case: schemathesis.Case[Any]) -> None:
    excluded = [CONTRADICTIONS, FAULTS_OF_ITEMS] if case.operation.path == "/v1/batch" else [CONTRADICTIONS]
    case.call_and_validate(excluded_checks=excluded)


@OTHERS.include(path_regex="/odds$|/encounters").parametrize()
@some_examples
def test_odds_and_encounters(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(excluded_checks=[CONTRADICTIONS])

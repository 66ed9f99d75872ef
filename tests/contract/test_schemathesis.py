"""The service holds what its document promises, on data that schemathesis makes up."""

import schemathesis
from hypothesis import HealthCheck, settings

from schemathesis.checks import CHECKS

from service.app import create_app
from service.settings import Settings

schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(Settings()))


# Fields that contradict each other are 422, which JSON Schema cannot say without the `oneOf` that breaks generated clients.
CONTRADICTIONS = CHECKS.get_one("positive_data_acceptance")
# What is wrong with an item of a batch is that item's problem, within an answer of 200.
FAULTS_OF_ITEMS = CHECKS.get_one("negative_data_rejection")


@schema.parametrize()
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_operation(case: schemathesis.Case) -> None:
    excluded = [CONTRADICTIONS, FAULTS_OF_ITEMS] if case.operation.path == "/v1/batch" else [CONTRADICTIONS]
    case.call_and_validate(excluded_checks=excluded)

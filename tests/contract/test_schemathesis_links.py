"""Random walks through fights along the links of the contract: no 5xx, and nothing that the contract does not say."""

import os
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS
from schemathesis.generation import GenerationMode

from tests.encounters.conftest import store_url
from tests.encounters.processes import Service, serving

__all__ = ["store_url"]

IN_CI = os.environ.get("CI") == "true"
# What a fight allows depends on what happened in it, which no schema says; a token is looked at after the body.
STATE_OF_THE_FIGHT = ("positive_data_acceptance", "ignored_auth")


@pytest.fixture(scope="module")
def service(store_url: str) -> Iterator[Service]:
    with serving(redis_url=store_url, address_rate="0", max_open_encounters="100000") as service:
        yield service


def test_walks_through_fights(service: Service) -> None:
    schema = schemathesis.openapi.from_url(f"{service.url}/openapi.json").include(path_regex="^/v1/gurps/encounters")
    schema = schema.exclude(path_regex="/stream$")
    schema.config.generation.update(modes=[GenerationMode.POSITIVE])  # what is wrong leads nowhere: tests of their own
    excluded = [CHECKS.get_one(name) for name in STATE_OF_THE_FIGHT]
    statuses: list[tuple[str, int]] = []

    class Walk(schema.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            case.headers.pop("If-Match", None)  # no version that is made up is the right one

        def validate_response(self, response, case, *_, **__):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN002, ANN003, ANN202
            statuses.append((f"{case.method} {case.path}", response.status_code))
            case.validate_response(response, excluded_checks=excluded)

    Walk.run(
        settings=settings(
            max_examples=100 if IN_CI else 12,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
            phases=(Phase.generate,),
        )
    )
    assert not [each for each in statuses if each[1] >= 500]
    followed = {operation for operation, status in statuses if status in (200, 201)}
    assert len(followed) > 2, "the links lead into fights, not past them"

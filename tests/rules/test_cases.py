"""Every given case of every system holds."""

from typing import Any

import pytest

from rules.catalogue import SYSTEMS
from tests.cases_of import answer_to, cases_of, faults_of

CASES = [
    pytest.param(case, id=f"{system.slug}: {case['name']}") for system in SYSTEMS for case in cases_of(system.slug)
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    assert faults_of(case, *answer_to(case)) == []

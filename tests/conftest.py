"""What holds for all tests."""

import os
import shutil
import tempfile
from collections.abc import Generator

import pytest

# Whatever a test starts keeps its data here: never where a service that runs on this machine keeps its own.
DATA = tempfile.mkdtemp(prefix="rulewright-tests-")
os.environ["RULEWRIGHT_DATA_DIR"] = DATA
# So are the temporary files of services that are killed; one place for all who share the tests, so that its path stays short.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["TMPDIR"] = DATA


def pytest_unconfigure() -> None:
    """Nothing is left behind."""
    shutil.rmtree(DATA, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI=true a test that would be skipped fails: what it needs has to be installed there."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, which CI=true forbids: {call.excinfo and call.excinfo.value}"
    return report


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The loop that uvicorn runs."""
    return "asyncio"

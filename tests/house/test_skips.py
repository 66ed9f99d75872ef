"""A skipped test is told with its reason, and in CI it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPPED = """
import pytest

def test_that_is_skipped():
    pytest.skip("no moon tonight")

@pytest.mark.skipif(True, reason="no sun today")
def test_that_is_marked():
    assert False

@pytest.mark.xfail
def test_that_is_known_to_fail():
    assert False
"""


@pytest.mark.parametrize(
    ("ci", "status", "outcome"), [("", 0, "2 skipped, 1 xfailed"), ("true", 1, "1 failed, 1 xfailed, 1 error")]
)
def test_what_is_skipped(tmp_path: Path, ci: str, status: int, outcome: str) -> None:
    test = tmp_path / "test_skipped.py"
    test.write_text(SKIPPED)
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-rs",
            "-p",
            "tests.conftest",
            f"--rootdir={tmp_path}",
            "-c",
            os.devnull,
            test,
        ],
        cwd=ROOT,
        env={**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == status
    assert outcome in run.stdout
    assert "no moon tonight" in run.stdout
    assert "no sun today" in run.stdout

"""CONTRIBUTING, followed to the letter: the system that it makes stands, and every law holds for it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.files import ROOT, all_files

NAMED_FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDED = ("rules", "service", "tests", "openapi", "docs", "pyproject.toml")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of what is needed, in which the steps were followed."""
    for path in all_files():
        if path.parts[0] in NEEDED:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    for name, text in NAMED_FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        assert not (tmp_path / name).exists()
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    catalogue = tmp_path / "rules" / "catalogue.py"
    listed = catalogue.read_text("utf-8").replace("ACTION_POINTS)", "ACTION_POINTS, COIN)")
    catalogue.write_text(listed.replace("\nfrom rules.core", "\nfrom rules.coin import COIN\nfrom rules.core"), "utf-8")
    return tmp_path


def run(house: Path, *arguments: str) -> str:
    """What Python says in the copy; it has to end well."""
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_the_system_of_the_example_stands_and_keeps_the_laws(house: Path) -> None:
    run(house, "tests.house.rule_ids")
    run(house, "ruff", "check", "--quiet", "rules/coin")
    run(house, "ruff", "format", "--check", "--quiet", "rules/coin")
    laws = ("tests/laws", "tests/rules/test_cases.py", "tests/house/test_rule_ids.py", "tests/house/test_imports.py")
    told = run(house, "pytest", "-q", "-p", "no:cacheprovider", *laws, "-k", "coin or house")
    passed = re.search(r"(\d+) passed", told)
    assert passed
    assert int(passed[1]) > 60

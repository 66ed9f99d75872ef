"""The guide to fights is true: its commands are run as they stand, and answer what it says."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.programs import find_program
from tests.cases_of import differences
from tests.encounters.processes import Service, serving

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "fights.md"
MARK = "@@ block"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    for program in ("bash", "curl"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with serving(data_dir=str(tmp_path_factory.mktemp("data"))) as service:
        yield service


def steps() -> list[tuple[str, str | None]]:
    """Each block of shell with the answer that the guide shows after it."""
    blocks = re.findall(r"^```(sh|json)\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    found: list[tuple[str, str | None]] = []
    for language, text in blocks:
        if language == "sh":
            found.append((text, None))
        else:
            found[-1] = (found[-1][0], text)
    return found


def test_the_guide(service: Service, tmp_path: Path) -> None:
    script = "".join(f"{shell}\necho\necho '{MARK}'\n" for shell, _ in steps())
    run = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        env={"B": service.url, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:] + run.stdout[-2000:]
    answers = run.stdout.split(MARK)
    shown = 0
    for (shell, expected), answer in zip(steps(), answers, strict=False):
        if expected is not None:
            last = answer.strip().splitlines()[-1]
            assert list(differences(json.loads(expected), json.loads(last))) == [], f"{shell}\n{last}"
            shown += 1
    assert shown == GUIDE.read_text("utf-8").count("```json") > 0

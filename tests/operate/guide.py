"""The operator's guide, in parts that tests can run: blocks of shell by heading, tables, messages."""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.house.documents import rows
from tests.house.files import ROOT

GUIDE = ROOT / "docs" / "operate.md"
TEXT = GUIDE.read_text("utf-8")
PART = re.compile(r"^(#{2,4}) ([^\n]+)$|^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Block:
    """A fenced block, and under which heading it stands."""

    heading: str
    language: str
    text: str


def _blocks() -> tuple[Block, ...]:
    heading, found = "", []
    for match in PART.finditer(TEXT):
        if match[1]:
            heading = match[2]
        else:
            found.append(Block(heading, match[3], match[4]))
    return tuple(found)


BLOCKS = _blocks()


def shell(heading: str) -> list[str]:
    """The blocks of shell under a heading."""
    found = [each.text for each in BLOCKS if each.heading == heading and each.language == "sh"]
    assert found, f"nothing to run under {heading}"
    return found


def table(*columns: str) -> list[list[str]]:
    """The rows of the guide's tables with these columns."""
    return list(rows(TEXT, *columns))


def run(script: str, cwd: Path, environment: Mapping[str, str] | None = None, programs: Path | None = None) -> str:
    """What a script says, which has to succeed; `programs` is a folder of stand-ins that are found first."""
    path = f"{programs}:{SHELL}" if programs else SHELL
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=cwd,
        env={"PATH": path, "HOME": str(cwd), "LANG": "C.UTF-8", **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def stand_in(folder: Path, name: str, script: str) -> None:
    """A program of this name, which is found before that of the system."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)

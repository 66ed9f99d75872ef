"""Ask whether a vulnerability is known in one of the versions that are tested together.

Ends with 0 when none is, with 1 when some are, and with 3 when nobody could be asked.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
TOOL = "pip-audit>=2.9"
PATIENCE = int(os.environ.get("AUDIT_SECONDS", "180"))
KNOWN_TO_BE_VULNERABLE = "urllib3==1.24.1"
"""Published as such since 2019: whoever finds nothing in it has no list to look at, as some mirrors of the index have none."""
FOUND = 1
NOBODY_TO_ASK = 3


def main() -> int:
    """Install the tool in an environment of its own, which it does not share its dependencies with, and run it."""
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True, symlinks=True)
        python = Path(place, "bin", "python")
        try:
            subprocess.run(
                [python, "-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check", TOOL],
                check=True,
                timeout=PATIENCE,
            )
            canary = Path(place, "canary.txt")
            canary.write_text(KNOWN_TO_BE_VULNERABLE)
            known, asked = audited(python, canary), audited(python, CONSTRAINTS)
        except (subprocess.SubprocessError, OSError) as error:
            return nobody(type(error).__name__)
    if known.returncode == 0:
        return nobody(f"whoever answered knows of nothing, not even in {KNOWN_TO_BE_VULNERABLE}")
    if asked.returncode == 0:
        sys.stdout.write("audit: no known vulnerability\n")
        return 0
    if asked.stdout.lstrip().startswith("Name"):
        sys.stdout.write(asked.stdout)
        return FOUND
    return nobody((asked.stderr.strip().splitlines() or ["no reason was given"])[-1][:200])


def audited(python: Path, requirements: Path) -> subprocess.CompletedProcess[str]:
    """What the tool says of a list of versions."""
    return subprocess.run(
        [python, "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner=off", "-r", requirements],
        check=False,
        timeout=PATIENCE,
        capture_output=True,
        text=True,
    )


def nobody(reason: str) -> int:
    """Say that nothing is known, which is not that nothing was found."""
    sys.stdout.write(f"audit: nobody could be asked about known vulnerabilities ({reason})\n")
    return NOBODY_TO_ASK


if __name__ == "__main__":
    sys.exit(main())

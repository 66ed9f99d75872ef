"""Follow the operator's guide on a bare machine, word by word, in a Debian that is made on the spot.

Each block of shell is run as root, in the order of the guide and in one shell, as somebody would paste it, and what it says is
compared with the guide. It needs root on Linux, debootstrap, Python 3.11, which is that of Debian 12, and the ports 80, 443 and
8000, and removes all that it made. systemd itself cannot run there: `.ci/systemctl.py` stands in for it and reads the same
unit, but systemd-analyze looks at the unit.
"""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from debian import (
    CHROOT,
    LIMIT,
    ROOT,
    copy_project,
    end_in_time,
    has_what_is_needed,
    make_debian,
    make_wheels,
    timed,
    with_proxy,
)

from tests.cases_of import differences
from tests.operate.guide import BLOCKS, Block

NEEDED = ("debootstrap", "git", "unshare")
PORTS = (80, 443, 8000)
MARK = "@@ ended"
PROJECT = "root/rulewright"
WHEELS = "root/wheels"
BASE = ("systemd", "procps", "iproute2")
"""What a machine has and a container lacks: systemd-analyze, pgrep, ss."""
INSTALLED = 200  # MB, as the guide says
WORST_EXPOSURE = 20  # tenths, as systemd-analyze counts
STAND_INS = {"journalctl": "cat /run/journal", "timedatectl": "date"}
FULL_DISK = """
systemctl stop rulewright
mount -t tmpfs -o size=1m tmpfs /var/lib/rulewright
chown rulewright:rulewright /var/lib/rulewright
systemctl start rulewright
fight() { curl -s -X POST "$B/v1/gurps/encounters" -H "Authorization: Bearer $KEY" -H "Idempotency-Key: a-name-of-its-own-$1"; }
ready() { curl -fsS --retry 20 --retry-delay 1 --retry-connrefused "$B/readyz"; }
ready
first=$(fight 0)
echo "$first" | grep -q gm_token
dd if=/dev/zero of=/var/lib/rulewright/full bs=1k count=960 2>/dev/null || true
n=0
until fight $n | grep -q /problems/store-unavailable; do n=$((n + 1)); [ $n -lt 500 ]; done
rm /var/lib/rulewright/full
sleep 6
ready
[ "$(fight 0)" = "$first" ]
systemctl stop rulewright
umount /var/lib/rulewright
echo "full after $n fights"
"""
AGAIN = "the fight of the check"
# A heading of the guide, or a line of our own after an arrow.
ORDER = (
    "Install",
    "> systemd-analyze verify /etc/systemd/system/rulewright.service",
    f"> systemd-analyze security --offline=true --no-pager --threshold={WORST_EXPOSURE} /etc/systemd/system/rulewright.service",
    "Check",
    "TLS",
    "> curl -sSk -o /dev/null -w '%{http_code}' https://127.0.0.1/metrics -H 'Host: rules.example.com'",
    "Logs",
    "Backup",
    "Upgrade",
    AGAIN,
    "> readlink /opt/rulewright/current /opt/rulewright/previous",
    "Go back",
    AGAIN,
    "Restore",
    AGAIN,
    "At three in the morning",
    "> du -sm /opt/rulewright/current/",
    f"> {FULL_DISK}",
    "> systemctl stop rulewright nginx",
)
# The new root: nothing of it is left when its first process ends.
CONTAINED = """
set -eu
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
exec "$2" "$1" /bin/bash -c "$3"
"""


def main() -> int:
    """Fail where the guide does."""
    if not has_what_is_needed(*NEEDED):
        return 1
    taken = [port for port in PORTS if is_taken(port)]
    if taken:
        sys.stderr.write(f"Somebody listens on port {taken[0]} already.\n")
        return 1
    end_in_time()
    with tempfile.TemporaryDirectory(prefix="bare-machine-") as name:
        root = Path(name) / "root"
        with timed("a Debian"):
            make_debian(root, BASE)
        with timed("the project and its wheels"):
            prepare(root)
        with timed("following the guide"):
            steps = list(planned())
            compare(steps, follow(root, steps))
    sys.stdout.write("the guide works\n")
    return 0


def is_taken(port: int) -> bool:
    """Whether somebody listens there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def prepare(root: Path) -> None:
    """The checkout, the wheels that pip finds there, and what stands in for systemd."""
    copy_project(root / PROJECT)
    make_wheels(root / PROJECT, ".[embedded,telemetry]", root / WHEELS)
    local = root / "usr/local/sbin"
    shutil.copy(ROOT / ".ci/systemctl.py", local / "systemctl")
    for name, does in STAND_INS.items():
        (local / name).write_text(f"#!/bin/sh\n{does}\n")
    for program in ("systemctl", *STAND_INS):
        (local / program).chmod(0o755)
    starting = root / "usr/sbin/policy-rc.d"  # packages start nothing: there is no init
    starting.write_text("#!/bin/sh\nexit 101\n")
    starting.chmod(0o755)
    (root / "var/log/nginx").mkdir(parents=True, exist_ok=True)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")


def planned() -> list[tuple[str, Block | None]]:
    """What is run, each with the block of the guide that shows its answer, if there is one."""
    steps: list[tuple[str, Block | None]] = []
    for part in ORDER:
        if part.startswith("> "):
            steps.append((part[2:], None))
            continue
        for block in of(part):
            if block.language == "json":
                steps[-1] = (steps[-1][0], block)
            elif "$REQUEST_ID" not in block.text:
                steps.append((block.text, None))
    return steps


def of(heading: str) -> list[Block]:
    """The blocks under a heading."""
    if heading != AGAIN:
        return [each for each in BLOCKS if each.heading == heading]
    check = [each for each in BLOCKS if each.heading == "Check"]
    return [each for each in check if "readyz" in each.text or "Idempotency-Key" in each.text]


def follow(root: Path, steps: list[tuple[str, Block | None]]) -> list[str]:
    """What each step says; one that fails fails all."""
    script = "".join(f"{shell}\necho\necho '{MARK}'\n" for shell, _ in steps)
    script = f"set -eu\nmount -t sysfs sysfs /sys || true\ncd /{PROJECT}\n{script}"
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": f"/{WHEELS}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **{name: value for name, value in with_proxy().items() if name.lower() == "http_proxy"},
    }
    contained = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", CONTAINED, "sh")
    done = subprocess.run(
        [*contained, root, CHROOT, script],
        env={**environment, "no_proxy": "127.0.0.1,rules.example.com"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    said = done.stdout.split(MARK)
    if done.returncode != 0:
        journal = root / "run/journal"
        last = journal.read_text()[-2000:] if journal.exists() else ""
        failed = steps[len(said) - 1][0] if len(said) <= len(steps) else "the end"
        raise SystemExit(f"{failed}\n{said[-1][-3000:]}\n{done.stderr[-4000:]}\n{last}")
    sys.stdout.write("".join(f"  {line}\n" for line in re.findall(r"^\w+ ended after .+$", done.stderr, re.MULTILINE)))
    return said[:-1]


def compare(steps: list[tuple[str, Block | None]], said: list[str]) -> None:
    """Whether the answers are those of the guide, and a fight is the same after each change of the machine."""
    assert len(said) == len(steps)
    opened = set()
    for (shell, shown), answer in zip(steps, said, strict=True):
        if shown is not None:
            last = answer.strip().splitlines()[-1]
            assert (found := list(differences(json.loads(shown.text), json.loads(last)))) == [], f"{shell}\n{found}"
        if "Idempotency-Key" in shell and shell != FULL_DISK:
            opened.add(answer.strip())
        if "STOP HERE" in shell:
            assert "STOP HERE\n" not in answer, answer
        if "%{http_code}" in shell:
            assert answer.strip() == ("404" if "metrics" in shell else "401"), f"{shell}\n{answer}"
        if shell.startswith("systemd-analyze security"):
            sys.stdout.write(f"  {answer.strip().splitlines()[-1]}\n")
        if shell.startswith("du "):
            sys.stdout.write(f"  {answer.split()[0]} MB are installed\n")
            assert int(answer.split()[0]) < INSTALLED, answer
        if shell.startswith("readlink"):
            assert len(set(answer.split())) == 2, answer
    assert len(opened) == 1, opened


if __name__ == "__main__":
    sys.exit(main())

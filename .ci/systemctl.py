#!/usr/bin/python3
"""A stand-in for systemctl where systemd does not run: it starts and ends a service as its unit says.

It does what a service could stumble over: its user, the environment, a root that is only read, no rights, no new
executable memory, few files, one signal to the first process; and it fails when anything outlives that.
"""

import ctypes
import os
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS = Path("/etc/systemd/system")
JOURNAL = Path("/run/journal")
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
NOTHING_TO_DO = {"daemon-reload", "reset-failed"}
# The root is only read but for the state, /tmp is its own, homes are empty.
SANDBOX = """
set -eu
mount --bind "$1" "$1"
mount -o remount,bind,ro /
mount -t tmpfs tmpfs /tmp
mount -t tmpfs -o ro tmpfs /root
mount -t tmpfs -o ro tmpfs /home
user=$2
shift 2
exec setpriv --reuid="$user" --regid="$user" --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""


def main(verb: str, *names: str) -> int:
    """Do what the command line says."""
    services = [name for name in names if not name.startswith("-")]
    if verb in NOTHING_TO_DO:
        return 0
    for name in services:
        if name == "nginx":
            nginx(verb)
            continue
        if verb in {"stop", "restart"}:
            stop(name)
        if verb in {"start", "restart"} or (verb == "enable" and "--now" in names):
            start(name)
        if verb == "status":
            sys.stdout.write(f"{name} is process {process_of(name)}\n")
            return 0 if process_of(name) else 3
    return 0


def nginx(verb: str) -> None:
    """Debian's nginx, whose unit is not ours."""
    process = process_of("nginx")
    if verb in {"stop", "restart"} and process is not None:
        os.kill(process, signal.SIGTERM)
        wait_until(lambda: process_of("nginx") is None, 10)
    if verb in {"start", "restart"}:
        subprocess.run(["nginx"], check=True)


def unit(name: str) -> dict[str, str]:
    """The section [Service]; of what stands several times, the last."""
    _, _, section = (UNITS / f"{name}.service").read_text("utf-8").partition("[Service]\n")
    lines = section.partition("\n[")[0].splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def start(name: str) -> None:
    """Start it, if it does not run."""
    if process_of(name):
        return
    told = unit(name)
    user = pwd.getpwnam(told["User"])
    state = Path("/var/lib") / told["StateDirectory"]
    state.mkdir(exist_ok=True)
    state.chmod(int(told["StateDirectoryMode"], 8))
    if state.stat().st_uid != user.pw_uid:
        subprocess.run(["chown", "-R", f"{told['User']}:{told['Group']}", state], check=True)
    lines = Path(told["EnvironmentFile"]).read_text("utf-8").splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": user.pw_dir, **given}
    command = told["ExecStart"].split()
    sandbox = [shutil.which("unshare") or "unshare", "--mount", "sh", "-c", SANDBOX, "sh", str(state), told["User"]]

    def confined() -> None:
        files = int(told["LimitNOFILE"])
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        os.umask(int(told["UMask"], 8))
        if told.get("MemoryDenyWriteExecute") == "yes":
            ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)

    with JOURNAL.open("ab") as journal:
        process = subprocess.Popen(
            [*sandbox, *command],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=journal,
            stderr=journal,
            start_new_session=True,
            preexec_fn=confined,  # noqa: PLW1509 - there are no threads
        )
    pid_file(name).write_text(str(process.pid))


def stop(name: str) -> None:
    """End it as KillMode=mixed does; nothing of it may be left to be killed."""
    told, process = unit(name), process_of(name)
    if process is None:
        return
    began = time.monotonic()
    os.kill(process, signal.SIGTERM)
    in_time = wait_until(lambda: process_of(name) is None, float(told["TimeoutStopSec"]))
    left = subprocess.run(["pgrep", "-u", told["User"]], capture_output=True, text=True, check=False).stdout.split()
    for each in left:
        os.kill(int(each), signal.SIGKILL)
    sys.stderr.write(f"{name} ended after {time.monotonic() - began:.1f} s\n")
    if left or not in_time or told["KillMode"] != "mixed":
        sys.exit(f"{name} did not end in order; left of it: {left}")


def wait_until(true, seconds: float) -> bool:  # noqa: ANN001 - a function without arguments
    """Whether it became true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.05)
    return False


def pid_file(name: str) -> Path:
    """Where the number of its process is kept."""
    return Path("/run") / f"{name}.pid"


def process_of(name: str) -> int | None:
    """The process of a service that runs."""
    try:
        process = int(pid_file(name).read_text())
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, ValueError):
        return None
    return None if state == "Z" else process


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

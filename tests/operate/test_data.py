"""What is kept survives: a backup and its restore, an upgrade, a store whose file is damaged."""

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from service.store.programs import find_program
from tests.encounters.processes import Service, serving
from tests.house.files import ROOT
from tests.operate.guide import run, shell, stand_in

REPEATED = {"Idempotency-Key": "a-name-that-nobody-guesses"}


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of a short name: the socket of the store is in it, and not elsewhere."""
    with tempfile.TemporaryDirectory(prefix="operate-") as name:
        yield Path(name)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service on files that stand as on a bare machine, below a folder."""
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    for folder in ("var/lib/rulewright", "var/backups", "etc/rulewright"):
        (tmp_path / folder).mkdir(parents=True)
    with serving(data_dir=str(tmp_path / "var/lib/rulewright")) as service:
        yield service


def parts(heading: str, place: Path) -> list[str]:
    """What is done between stopping the service and starting it, below a folder instead of the root."""
    (block,) = shell(heading)
    before, stopped, rest = block.partition("systemctl stop rulewright\n")
    between, started, after = rest.partition("systemctl start rulewright\n")
    assert stopped
    assert started
    assert after == ""
    return [
        part.replace("/var/", f"{place}/var/").replace("--directory / ", f"--directory {place} ")
        for part in (before, between)
    ]


def opened(service: Service) -> bytes:
    """A fight, or the same answer as before."""
    return httpx.post(f"{service.url}/v1/gurps/encounters", headers=REPEATED).raise_for_status().content


def test_what_an_upgrade_replaces_comes_back(tmp_path: Path) -> None:
    old, new, unit = (
        tmp_path / "opt/rulewright/2026-1",
        tmp_path / "opt/rulewright/2026-2",
        tmp_path / "etc/systemd/system",
    )
    for folder in (old, new, unit):
        folder.mkdir(parents=True)
    current, file = tmp_path / "opt/rulewright/current", unit / "rulewright.service"
    current.symlink_to(old)
    file.write_text("the unit of before")
    stand_in(tmp_path / "programs", "systemctl", f'echo "$*" >> "{tmp_path}/told"')
    (replacing, (back,)) = shell("Upgrade")[1], shell("Go back")

    def done(block: str) -> tuple[Path, str]:
        run(re.sub("/(?=opt/|etc/)", f"{tmp_path}/", block), ROOT, programs=tmp_path / "programs")
        return current.readlink(), file.read_text()

    assert done(replacing) == (new, (ROOT / "deploy/systemd/rulewright.service").read_text("utf-8"))
    assert done(back) == (old, "the unit of before")
    assert (tmp_path / "told").read_text().splitlines() == ["daemon-reload", "restart rulewright"] * 2


def fight_of(service: Service, answer: bytes) -> int:
    """Whether it is there, as a status."""
    told = httpx.Response(200, content=answer).json()
    return httpx.get(
        f"{service.url}/v1/gurps/encounters/{told['id']}", headers={"Encounter-Token": told["gm_token"]}
    ).status_code


def test_a_backup_brings_back_what_was_there(service: Service, tmp_path: Path) -> None:
    first = opened(service)
    service.stop()
    run("".join(parts("Backup", tmp_path)), tmp_path)
    service.start()
    later = httpx.post(f"{service.url}/v1/gurps/encounters").content
    service.stop()
    run("".join(parts("Restore", tmp_path)), tmp_path)
    service.start()
    assert opened(service) == first
    assert (fight_of(service, first), fight_of(service, later)) == (200, 404)
    assert len(list((tmp_path / "var/lib").glob("rulewright.*"))) == 1, "what was there is moved aside"


def test_fights_are_there_after_an_upgrade(service: Service) -> None:
    """Another process on the same files, which is what an upgrade is; so is a power cut."""
    first = opened(service)
    service.stop()
    service.start()
    assert opened(service) == first
    service.kill()
    service.start()
    assert (opened(service), fight_of(service, first)) == (first, 200)


def test_a_full_store_refuses_changes_and_nothing_else(tmp_path: Path) -> None:
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    smallest = 16 * 2**20
    with serving(data_dir=str(tmp_path), store_bytes=str(smallest)) as service:
        first = opened(service)
        fill(tmp_path / "store/socket", smallest)
        more = (httpx.post(f"{service.url}/v1/gurps/encounters") for _ in range(900))
        full = next(answer for answer in more if answer.status_code != 201)
        assert (full.status_code, full.json()["type"]) == (503, "/problems/store-full")
        assert (opened(service), fight_of(service, first)) == (first, 200)
        asked = {"roll": {"skill": 12}, "seed": "a"}
        assert httpx.post(f"{service.url}/v1/gurps/success-roll", json=asked).status_code == 200
        assert httpx.get(f"{service.url}/readyz").status_code == 200


def fill(socket: Path, size: int) -> None:
    """Have a store hold nearly as much as it may: what this client takes of it itself is free again afterwards."""
    with Redis(unix_socket_path=str(socket)) as client, contextlib.suppress(OutOfMemoryError):
        for number in range(2 * size // 2**16):
            client.set(f"ballast {number}", bytes(2**16))


@pytest.mark.parametrize("damage", [b"\x00what a disk makes of it", b"*3\r\n$3\r\nSE"])
def test_a_damaged_file_is_cut_where_the_damage_begins(service: Service, tmp_path: Path, damage: bytes) -> None:
    """One that ends in the middle of a change is repaired by itself."""
    if shutil.which("redis-check-aof") is None:
        pytest.skip("redis-check-aof is not installed")
    first = opened(service)
    service.stop()
    (log,) = (tmp_path / "var/lib/rulewright/store/appendonlydir").glob("*.incr.aof")
    with log.open("ab") as file:
        file.write(damage)
    if damage.startswith(b"\x00"):
        with pytest.raises(AssertionError, match="did not start"):
            service.start()
        (block,) = shell("The store's file is damaged")
        run(block.replace("/var/", f"{tmp_path}/var/"), tmp_path)
    service.start()
    assert (opened(service), fight_of(service, first)) == (first, 200)

"""The unit of systemd: it gives the service what it needs, the time to end, and nothing else."""

import shutil
import subprocess
from pathlib import Path

import pytest

from service.connections.limits import SPARE_FILES
from service.settings import PREFIX, Settings, load_settings
from service.store.embedded import STOP_SECONDS
from tests.operate.guide import TEXT, shell
from tests.operate.unit import FOLDER, environment_file, unit

EXPORT_SECONDS = 10  # for a collector that does not answer


def one(name: str) -> str:
    """The value of what stands once."""
    (value,) = unit()[f"Service.{name}"]
    return value


def test_it_is_given_the_time_to_end() -> None:
    told = environment_file()
    fields = Settings.model_fields
    drain = float(told.get(f"{PREFIX}DRAIN_SECONDS", fields["drain_seconds"].default))
    grace = float(told.get(f"{PREFIX}GRACE_SECONDS", fields["grace_seconds"].default))
    assert float(one("TimeoutStopSec")) >= drain + grace + STOP_SECONDS + EXPORT_SECONDS
    assert f"`TimeoutStopSec` ({one('TimeoutStopSec')} seconds)" in TEXT
    assert one("KillMode") == "mixed", "the store ends after the service, not with it"


def test_it_has_no_rights_and_writes_where_its_data_is() -> None:
    assert (one("User"), one("Group")) == ("rulewright", "rulewright")
    assert one("CapabilityBoundingSet") == one("AmbientCapabilities") == ""
    assert one("ProtectSystem") == "strict"
    assert "ReadWritePaths" not in "".join(unit())
    assert environment_file()["RULEWRIGHT_DATA_DIR"] == f"/var/lib/{one('StateDirectory')}"
    switched_on = (
        "NoNewPrivileges",
        "PrivateTmp",
        "PrivateDevices",
        "ProtectHome",
        "MemoryDenyWriteExecute",
        "LockPersonality",
        "RestrictNamespaces",
        "RestrictSUIDSGID",
    )
    assert {one(name) for name in switched_on} == {"yes"}
    assert unit()["Service.SystemCallFilter"] == ["@system-service", "~@privileged"]


def test_it_may_have_the_files_that_its_connections_need() -> None:
    assert int(one("LimitNOFILE")) >= Settings.model_fields["max_connections"].default + SPARE_FILES


def test_it_starts_what_the_guide_installs() -> None:
    install = "".join(shell("Install"))
    command, *arguments = one("ExecStart").split()
    assert arguments == ["serve"]
    assert f"{command} /usr/local/bin/rulewright" in install
    assert f"deploy/systemd/environment {one('EnvironmentFile')}" in install
    assert f"useradd --system --user-group --home-dir /var/lib/{one('StateDirectory')}" in install
    assert environment_file()["RULEWRIGHT_KEYS"] in install
    assert environment_file()["RULEWRIGHT_TRUSTED_HOPS"] == "1"


def test_its_settings_work(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (FOLDER / "environment").read_text("utf-8").splitlines()
    told = [line.lstrip("#") for line in lines if line.lstrip("#").startswith(PREFIX)]
    assert {line.partition("=")[0] for line in told} <= {PREFIX + name.upper() for name in Settings.model_fields}
    for line in told:
        monkeypatch.setenv(*line.split("=", 1))
    load_settings()


def test_systemd_has_nothing_to_say_against_it(tmp_path: Path) -> None:
    """Where systemd is; .ci/bare_machine.py has it look, too."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is missing; on Debian: apt-get install systemd")
    file = tmp_path / "rulewright.service"
    file.write_text(
        (FOLDER / "rulewright.service")
        .read_text("utf-8")
        .replace("/opt/rulewright/current/bin/rulewright", "/bin/true")
    )
    done = subprocess.run([analyze, "verify", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    command = [analyze, "security", "--offline=true", "--no-pager", "--threshold=20", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout

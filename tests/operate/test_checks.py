"""The checks of the guide, on services that are set up as each of the three ways does; and its way with keys."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.programs import find_program
from tests.cases_of import differences
from tests.deploy.sources import of_compose, of_pod
from tests.encounters.processes import Service, serving
from tests.operate.guide import BLOCKS, TEXT, run, shell, stand_in
from tests.operate.unit import environment_file

WAYS = ("a bare machine", "compose", "the local overlay")


def settings_of(way: str) -> dict[str, str]:
    """What a way tells the service, but where it keeps things and listens."""
    told = environment_file() if way == "a bare machine" else of_compose() if way == "compose" else of_pod("local")
    elsewhere = {"host", "port", "data_dir", "keys", "workers"}
    found = {name.removeprefix("RULEWRIGHT_").lower(): value for name, value in told.items()}
    return {name: value for name, value in found.items() if name not in elsewhere}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command."""
    for program in ("bash", "curl"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("programs")
    stand_in(folder, "rulewright", f'exec "{Path(sys.executable).parent}/rulewright" "$@"')
    return folder


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, tmp_path: Path, programs: Path) -> Iterator[tuple[Service, dict[str, str]]]:
    """A service, and what the guide's commands are told of it."""
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    settings = {"data_dir": str(tmp_path / "data"), **settings_of(request.param)}
    key = ""
    if settings.get("open") != "true":
        settings["keys"] = str(tmp_path / "keys.json")
        key = run(f"rulewright keys add first --in {settings['keys']}", tmp_path, programs=programs).strip()
    check = run(f'{shell("Check")[2]}printf %s "$CHECK"', tmp_path)
    with serving(workers=1, **settings) as service:
        yield service, {"B": service.url, "KEY": key, "CHECK": check}


def test_the_checks(way: tuple[Service, dict[str, str]], tmp_path: Path) -> None:
    service, told = way
    answers: list[str] = []
    for block in BLOCKS:
        if block.heading != "Check" or block.text.startswith("CHECK="):
            continue
        if block.language == "sh":
            answers.append(run(block.text, tmp_path, told))
            continue
        shown = json.loads(block.text)
        if not told["KEY"] and "checks" in shown:
            shown["checks"]["keys"] = "none"
        assert list(differences(shown, json.loads(answers[-1]))) == []
    assert len(answers) == 4
    opened, strangers = answers[2:]
    assert strangers == ("401\n" if told["KEY"] else "415\n")
    service.kill()
    service.start()
    assert run(shell("Check")[3], tmp_path, told) == opened, "sent again after the power came back"


def test_the_keys(programs: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    (block,) = shell("Keys")
    assert "F=/etc/rulewright/keys.json\n" in block
    making, changing = block.replace("F=/etc/rulewright/keys.json", f"F={file}").split("rulewright keys change")
    assert run(making, tmp_path, programs=programs).count("rwk_") == 3
    kept = json.loads(file.read_text())["keys"]
    assert [(each["name"], each["scopes"]) for each in kept] == [
        ("foundry-plugin", ["encounters", "odds", "resolve"]),
        ("odds-page", ["odds"]),
        ("prometheus", ["metrics"]),
    ]
    told = {"ID": kept[1]["id"]}
    run(f"F={file}\nrulewright keys change{changing}", tmp_path, told, programs)
    page = next(each for each in json.loads(file.read_text())["keys"] if each["id"] == told["ID"])
    assert len(page["secrets"]) == 2
    assert (page["rate"], page["burst"], page["scopes"]) == (100, 400, ["odds"])
    assert page["revoked_at"]


def test_the_keys_with_the_services_environment(programs: Path, tmp_path: Path) -> None:
    taken_over = "set -a; . /etc/rulewright/environment; set +a"
    assert f"`{taken_over}`" in TEXT
    assert environment_file()["RULEWRIGHT_KEYS"] == "/etc/rulewright/keys.json"
    environment = tmp_path / "environment"
    environment.write_text(f"RULEWRIGHT_KEYS={tmp_path}/keys.json\n")
    script = taken_over.replace("/etc/rulewright/environment", str(environment))
    assert run(f"{script}\nrulewright keys add first", tmp_path, programs=programs).startswith("rwk_")
    assert (tmp_path / "keys.json").exists()

"""The Dockerfile keeps its promises; .ci/image.py builds it."""

import json
import re
import subprocess

from tests.deploy.sources import DOCKERFILE, PROJECT, instructions, of_image, program
from tests.house.files import ROOT, all_files

SENT = (ROOT / ".dockerignore").read_text("utf-8").splitlines()


def test_the_linter_has_nothing_to_say() -> None:
    done = subprocess.run(
        [program("hadolint"), "--no-color", "--failure-threshold=style", ROOT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "hadolint ignore" not in DOCKERFILE


def test_the_base_is_a_fixed_one_of_the_oldest_python() -> None:
    (base,) = re.findall(r"^ARG BASE=(.+)$", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"docker\.io/library/python:3\.11\.\d+-slim-\w+", base)
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${BASE}", "${BASE}"]


def test_it_serves_as_nobody_with_its_data_in_a_volume() -> None:
    assert instructions("USER") == ["10001:10001"]
    assert instructions("VOLUME") == [of_image()["RULEWRIGHT_DATA_DIR"]] == ["/data"]
    assert instructions("EXPOSE") == [of_image()["RULEWRIGHT_PORT"]]
    assert of_image()["RULEWRIGHT_HOST"] == "0.0.0.0"
    assert of_image()["PYTHONDONTWRITEBYTECODE"] == "1"
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_it_starts_without_a_shell() -> None:
    assert json.loads(instructions("ENTRYPOINT")[0]) == list(PROJECT["project"]["scripts"])
    assert json.loads(instructions("CMD")[0]) == ["serve"]


def test_its_check_asks_where_it_listens_with_what_is_there() -> None:
    (told,) = instructions("HEALTHCHECK")
    command = json.loads(told.partition("CMD ")[2])
    assert command[0] == "python3"
    assert "/healthz" in command[2]
    assert "RULEWRIGHT_PORT" in command[2]


def test_its_labels_are_those_of_the_project() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', " ".join(instructions("LABEL"))))
    ours = PROJECT["project"]
    assert labels == {
        "title": "Rulewright",
        "description": ours["description"],
        "licenses": ours["license"],
        "version": "${VERSION}",
    }
    assert instructions("ARG") == [f"VERSION={ours['version']}"]


def test_its_extras_exist() -> None:
    (extras,) = re.findall(r'"\.\[([a-z,]+)\]"', DOCKERFILE)
    assert extras.split(",") == ["embedded", "telemetry"]
    assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])


def test_nothing_is_sent_but_what_the_wheel_is_made_of() -> None:
    assert SENT[1] == "*"
    sent = {line[1:] for line in SENT if line.startswith("!")}
    made_of = {*PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"], PROJECT["project"]["readme"]}
    licenses = {name for name in PROJECT["project"]["license-files"] if "/" not in name}
    assert sent == {*made_of, *licenses, "pyproject.toml", "constraints.txt", "wheelhouse"}


def test_no_secret_and_no_wheel_is_ever_committed() -> None:
    assert not [path for path in all_files() if path.parts[0] in ("secrets", "wheelhouse")]
    ignored = subprocess.run(
        ["git", "check-ignore", "secrets/users.acl", "wheelhouse/a.whl"], cwd=ROOT, capture_output=True, check=False
    )
    assert ignored.returncode in (0, 128), "git ignores them, where it is asked"
    assert ignored.returncode == 128 or ignored.stdout.count(b"\n") == 2

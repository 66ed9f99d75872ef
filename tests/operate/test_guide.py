"""Every block of the guide is run by somebody, and what it names is there."""

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from service import problems
from service.settings import PREFIX, Settings
from tests.deploy.sources import COMPOSE, COMPOSE_COMMANDS, COMPOSE_TEXT, built, container, the
from tests.house.documents import code
from tests.house.files import ROOT
from tests.operate.guide import BLOCKS, TEXT, run, shell, table

RUN_BY = {
    "Install": ".ci/bare_machine.py",
    "TLS": ".ci/bare_machine.py",
    "Upgrade": ".ci/bare_machine.py",
    "Go back": ".ci/bare_machine.py",
    "Backup": ".ci/bare_machine.py",
    "Restore": ".ci/bare_machine.py",
    "At three in the morning": ".ci/bare_machine.py",
    "A Redis of your own": "tests/operate/test_redis.py",
    "Check": "tests/operate/test_checks.py",
    "Keys": "tests/operate/test_checks.py",
    "Logs": "tests/operate/test_logs.py",
    "The store's file is damaged": "tests/operate/test_data.py",
}
ONLY_READ = {"Docker Compose", "Kubernetes"}
"""What needs Docker or a cluster; tests here and in tests/deploy compare it with the files that it names."""
ANCHOR = re.compile(r"\]\(#([^)]+)\)")


def test_every_block_is_run_by_somebody() -> None:
    assert {each.heading for each in BLOCKS if each.language == "sh"} == set(RUN_BY) | ONLY_READ
    for heading, file in RUN_BY.items():
        assert not __file__.endswith(file), "this table runs nothing"
        assert f'"{heading}"' in (ROOT / file).read_text("utf-8"), f"{file} does not run {heading}"
    assert Counter(each.language for each in BLOCKS).keys() == {"sh", "json"}


def test_links_within_the_guide_lead_somewhere() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", each).lower().replace(" ", "-") for each in re.findall("^#+ (.+)$", TEXT, re.MULTILINE)
    }
    links = ANCHOR.findall(TEXT)
    assert links
    assert set(links) <= headings


def test_settings_and_files_that_are_named_exist() -> None:
    told = set(re.findall(rf"{PREFIX}[A-Z_]+", TEXT))
    assert told
    assert told <= {PREFIX + name.upper() for name in Settings.model_fields}
    named = {word for each in BLOCKS for word in re.findall(r"(?:deploy|k8s)/[\w./-]+", each.text)}
    assert named
    assert [each for each in sorted(named) if not (ROOT / each).exists()] == []


def test_problems_that_are_named_exist() -> None:
    known = {(each.status, each.name) for each in problems.PROBLEM_TYPES}
    told = {(int(status), name) for status, name in re.findall(r"\b([45]\d\d) `([a-z-]+)`", TEXT)}
    assert told <= known
    rows = [row[0] for row in table("it says", "look at", "do")]
    assert all(re.fullmatch(r"[45]\d\d `[a-z-]+`", row) for row in rows)
    server_side = {name for status, name in known if status >= 500 or status == 429}
    assert server_side <= {code(row)[0] for row in rows}, "what is no client's fault has a row"


def test_blocks_of_shell_can_be_read_by_a_shell() -> None:
    for block in BLOCKS:
        if block.language == "sh":
            run(f"bash -n <<'THE_END'\n{block.text}THE_END\n", ROOT)


def test_compose_is_started_as_its_own_file_says() -> None:
    """tests/deploy runs the secrets that are made there."""
    assert shell("Docker Compose")[:2] == list(COMPOSE_COMMANDS)


def test_compose_gives_settings_that_its_file_does_not() -> None:
    (told,) = re.findall(rf"echo ({PREFIX}\w+)=\S+ >> (\S+)", "".join(shell("Docker Compose")))
    service = COMPOSE["services"]["rulewright"]
    assert told[0] not in service["environment"], "where it would go before the file"
    assert [told[1]] == service["env_file"]


def test_compose_makes_and_changes_keys_in_one_file() -> None:
    first = next(line for line in shell("Docker Compose")[1].splitlines() if " keys add " in line)
    others = shell("Docker Compose")[2]
    assert first.replace(" add first ", ' "$@" ') in others
    used = re.findall(r"^keys (\w+)", others, re.MULTILINE)
    assert used == ["add", "list", "revoke"]


def test_compose_brings_its_store_back(tmp_path: Path) -> None:
    """With what the containers run, in a folder that stands for their volumes."""
    saving, restoring = shell("Docker Compose")[-2:]
    assert "store" in COMPOSE["volumes"]
    for block in (saving, restoring):
        assert f"image: {re.findall('docker.io/[^ ]+', block)[0]}\n" in COMPOSE_TEXT
        assert f"--volume {COMPOSE['name']}_store:/data" in block
    kept = tmp_path / "data/appendonlydir/a"
    kept.parent.mkdir(parents=True)
    kept.write_text("first")
    run(in_the_container(saving, tmp_path), tmp_path)
    kept.write_text("later")
    run(in_the_container(restoring, tmp_path), tmp_path)
    assert kept.read_text() == "first"
    assert [each.read_text() for each in (tmp_path / "data").glob("before-*/a")] == ["later"]


def in_the_container(block: str, place: Path) -> str:
    """What one runs for a block, with its folders below another."""
    command = block.partition("-trixie \\\n")[2].partition("docker compose start")[0]
    assert command
    return re.sub("/(?:to|from)/", f"{place}/", command).replace("/data", f"{place}/data")


def test_kubectl_is_told_what_is_in_the_local_overlay() -> None:
    lines = [shlex.split(line) for block in shell("Kubernetes") for line in block.splitlines()]
    image = container("local")["image"]
    assert lines[:3] == [
        ["docker", "build", "--tag", image, "."],
        ["kind", "load", "docker-image", image],
        ["kubectl", "apply", "--kustomize", "k8s/overlays/local"],
    ]
    assert f"`minikube image load {image}`" in TEXT
    namespace = the("Namespace", "local")["metadata"]["name"]
    there = {f"{each['kind'].lower()}/{each['metadata']['name']}" for each in built("local")}
    for line in lines[3:]:
        assert line[:3] == ["kubectl", "--namespace", namespace]
        assert next(word for word in line if "/" in word) in there
    (port,) = the("Service", "local")["spec"]["ports"]
    (forward,) = [line for line in lines if "port-forward" in line]
    assert [shlex.join(forward)] == [block.strip() for block in shell("Kubernetes") if "port-forward" in block], (
        "nothing follows what does not return"
    )
    assert forward[-1] == f"8000:{port['port']}"


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_the_guide_is_found_from(document: str) -> None:
    assert "docs/operate.md" in (ROOT / document).read_text("utf-8")

"""Every block of the guide is run by somebody, and what it names is there."""

import re
import shlex
from collections import Counter

import pytest

from service import problems
from service.settings import PREFIX, Settings
from tests.deploy.sources import built, the
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
    "Docker Compose": "tests/operate/test_guide.py",
    "Kubernetes": "tests/operate/test_guide.py",
    "Check": "tests/operate/test_checks.py",
    "Keys": "tests/operate/test_checks.py",
    "Logs": "tests/operate/test_logs.py",
    "The store's file is damaged": "tests/operate/test_data.py",
}
ANCHOR = re.compile(r"\]\(#([^)]+)\)")


def test_every_block_is_run_by_somebody() -> None:
    assert {each.heading for each in BLOCKS if each.language == "sh"} == set(RUN_BY)
    for heading, file in RUN_BY.items():
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
    told = re.findall(r"(?:^#   .*\n)+", (ROOT / "compose.yaml").read_text("utf-8"), re.MULTILINE)
    blocks = ["".join(line.removeprefix("#   ") + "\n" for line in block.splitlines()) for block in told]
    assert shell("Docker Compose")[:2] == blocks
    backup = shell("Docker Compose")[3]
    compose = (ROOT / "compose.yaml").read_text("utf-8")
    image, volume = re.findall(r"docker\.io/\S+", backup), re.findall(r"--volume rulewright_(\w+):", backup)
    assert f"image: {image[0]}\n" in compose
    assert "name: rulewright\n" in compose
    assert volume == ["store"]


def test_kubectl_is_told_what_is_in_the_local_overlay() -> None:
    lines = [shlex.split(line) for block in shell("Kubernetes") for line in block.splitlines()]
    assert lines[0] == ["kubectl", "apply", "--kustomize", "k8s/overlays/local"]
    namespace = the("Namespace", "local")["metadata"]["name"]
    there = {f"{each['kind'].lower()}/{each['metadata']['name']}" for each in built("local")}
    for line in lines[1:]:
        assert line[:3] == ["kubectl", "--namespace", namespace]
        assert next(word for word in line if "/" in word) in there
    (port,) = the("Service", "local")["spec"]["ports"]
    (forward,) = [line for line in lines if "port-forward" in line]
    assert forward[-1] == f"8000:{port['port']}"


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_the_guide_is_found_from(document: str) -> None:
    assert "docs/operate.md" in (ROOT / document).read_text("utf-8")

"""What the tests of this folder read: the manifests as kustomize builds them, compose.yaml, the Dockerfile."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.files import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VERSION: str = PROJECT["project"]["version"]
OVERLAYS = ("local", "production")
COMPOSE_TEXT = (ROOT / "compose.yaml").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
COMPOSE_COMMANDS = tuple(
    re.sub("^#   ", "", block, flags=re.MULTILINE)
    for block in re.findall(r"(?:^#   .*\n)+", COMPOSE_TEXT, re.MULTILINE)
)
"""What compose.yaml tells to run: what makes the secrets, and what starts it."""
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
INSTRUCTION = re.compile(r"^([A-Z]+) (.*(?:(?<=\\)\n.*)*)$", re.MULTILINE)

Manifest = dict[str, Any]


def program(name: str) -> str:
    """A tool of the extra `dev`, or the system's; a test that needs it is skipped without."""
    found = shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is missing; the extra `dev` has it for Linux on x86_64 and aarch64")
    return found


@lru_cache
def built(overlay: str) -> tuple[Manifest, ...]:
    """The manifests of an overlay."""
    command = [program("kubectl"), "kustomize", str(ROOT / "k8s" / "overlays" / overlay)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "kustomize warns of nothing"
    return tuple(yaml.safe_load_all(done.stdout))


def the(kind: str, overlay: str) -> Manifest:
    """The one manifest of a kind."""
    (found,) = [each for each in built(overlay) if each["kind"] == kind]
    return found


def pod(overlay: str) -> Manifest:
    """What a pod is."""
    specification: Manifest = the("Deployment", overlay)["spec"]["template"]["spec"]
    return specification


def container(overlay: str) -> Manifest:
    """The one container of a pod."""
    (found,) = pod(overlay)["containers"]
    assert isinstance(found, dict)
    return found


def instructions(name: str) -> list[str]:
    """What stands behind an instruction of the final stage of the Dockerfile, each on one line."""
    final = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    return [re.sub(r"\s*\\\n\s*", " ", told) for keyword, told in INSTRUCTION.findall(final) if keyword == name]


def of_image() -> dict[str, str]:
    """The environment that the image sets."""
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(instructions("ENV"))))


def of_pod(overlay: str) -> dict[str, str]:
    """The settings of a pod; one that comes from a secret names it."""
    ours = container(overlay)
    assert ours["envFrom"] == [{"configMapRef": {"name": the("ConfigMap", overlay)["metadata"]["name"]}}]
    secret = {each["name"]: json.dumps(each["valueFrom"]["secretKeyRef"]) for each in ours.get("env", [])}
    return {**the("ConfigMap", overlay)["data"], **secret}


def of_compose() -> dict[str, str]:
    """The settings that compose.yaml tells."""
    told: dict[str, str] = COMPOSE["services"]["rulewright"]["environment"]
    return told

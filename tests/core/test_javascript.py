"""The implementation in JavaScript passes the published vectors and its own tests."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.answers import as_json_values, resolution_body
from service.questions import QUESTIONS
from service.texts import texts_in

CLIENT = Path(__file__).parents[2] / "clients" / "javascript"
OLDEST_NODE = 20


def node() -> str:
    """Node's path; without a Node that has WebCrypto the test is skipped."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("Node is not installed: the JavaScript client is not tested here")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"Node {version.strip()} is older than {OLDEST_NODE}: the JavaScript client is not tested here")
    return path


def test_the_javascript_client_passes_its_tests() -> None:
    run = subprocess.run(
        [node(), "--test", "--test-reporter=tap"], cwd=CLIENT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
    passed = re.search(r"^# pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 30


CHECK_EACH = """
import { check } from "./rulewright-stream.mjs";
import { readFileSync } from "node:fs";
const found = [];
for (const resolution of JSON.parse(readFileSync(0, "utf-8"))) found.push(await check(resolution));
console.log(JSON.stringify(found.map(({ ok, stream }) => [ok, stream])));
"""


def test_the_javascript_client_checks_what_the_engine_answers() -> None:
    """The example of every action is right, and no longer so with another seed."""
    right, wrong = [], []
    for question in QUESTIONS.values():
        example = {name: value for name, value in question.action.example.items() if name not in ("seed", "dice")}
        resolution = question.resolve(question.read(example), seed="стол 🎲")
        right.append(as_json_values(resolution_body(resolution, texts_in("en"))))
        if len(resolution.randomness.faces) > 2:
            wrong.append(right[-1] | {"randomness": right[-1]["randomness"] | {"seed": "стол 🎲🎲"}})
    run = subprocess.run(
        [node(), "--input-type=module", "-e", CHECK_EACH],
        cwd=CLIENT,
        input=json.dumps([*right, *wrong]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert wrong
    assert json.loads(run.stdout) == [[True, True]] * len(right) + [[False, True]] * len(wrong)


def test_the_client_needs_nothing_but_the_platform() -> None:
    source = (CLIENT / "rulewright-stream.mjs").read_text("utf-8")
    assert not re.search(r"^\s*import\b|\brequire\(|\bimport\(|\bprocess\b|\bBuffer\b", source, re.MULTILINE)

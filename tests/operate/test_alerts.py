"""The alerts ask for metrics and labels that exist, and each has its row in the guide."""

import re
from typing import Any

import pytest
import yaml

from service import problems
from service.observability import metrics
from service.store import errors
from tests.house.documents import code
from tests.house.files import ROOT
from tests.operate.guide import table
from tests.operate.unit import environment_file

FOLDER = ROOT / "deploy" / "prometheus"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"] for rule in group["rules"]
]
NAME = re.compile(r"\b(?:rulewright|process)_[a-z_]+\b")
LABEL = re.compile(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"')
SUFFIXES = re.compile("_(total|bucket|count|sum)$")
ADDED = {"job", "instance", "le"}


def told_in(document: str) -> dict[str, set[str]]:
    """The metrics of a document, with their labels."""
    rows = re.findall(r"^\| `(\w+)` \| \w+ \| (.+?) \|", (ROOT / document).read_text("utf-8"), re.MULTILINE)
    return {name: set(code(labels)) for name, labels in rows}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_what_is_asked_for_exists(rule: dict[str, Any]) -> None:
    known = told_in("docs/metrics.md")
    registered = {family.name for family in metrics.REGISTRY.collect()} | {"process"}
    expression = rule["expr"]
    names = set(NAME.findall(expression))
    assert names or expression.startswith(("up{", "absent(up{"))
    labels = {name for name, _ in LABEL.findall(expression)}
    labels |= {each.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for each in by.split(",")}
    for name in names:
        metric = name if name in known else SUFFIXES.sub("", name)
        assert metric in known
        assert name.startswith("process_") or SUFFIXES.sub("", name) in registered
        assert labels - ADDED <= known[metric]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_its_values_exist(rule: dict[str, Any]) -> None:
    for name, value in LABEL.findall(rule["expr"]):
        if name == "type":
            assert set(value.split("|")) <= {each.name for each in problems.PROBLEM_TYPES}
        elif name == "error":
            assert hasattr(errors, value)
        elif name == "job":
            assert value == yaml.safe_load((FOLDER / "scrape.yaml").read_text("utf-8"))["scrape_configs"][0]["job_name"]
        else:
            assert name == "route"
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["expr"].count("(") == rule["expr"].count(")")
    used = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    grouped = {each.strip() for by in re.findall(r"by \(([^)]*)\)", rule["expr"]) for each in by.split(",")}
    assert used <= grouped | ({"instance"} if "sum" not in rule["expr"] else set())


def test_every_alert_has_a_row() -> None:
    told = [name for row in table("alert", "means", "first look") for name in code(row[0])]
    assert sorted(told) == sorted(rule["alert"] for rule in RULES)


def test_the_service_is_asked_and_not_the_proxy() -> None:
    (job,) = yaml.safe_load((FOLDER / "scrape.yaml").read_text("utf-8"))["scrape_configs"]
    assert job["static_configs"] == [{"targets": ["127.0.0.1:8000"]}]
    assert "RULEWRIGHT_METRICS" not in environment_file()
    assert job["authorization"]["type"] == "Bearer"

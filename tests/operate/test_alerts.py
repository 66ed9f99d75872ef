"""The alerts ask for metrics and labels that exist, and each has its row in the guide."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from service import problems
from service.observability import metrics
from service.store import errors
from tests.deploy.sources import the
from tests.house.documents import code, rows
from tests.house.files import ROOT
from tests.observability.counting import samples
from tests.operate.guide import table
from tests.operate.unit import environment_file

FOLDER = ROOT / "deploy" / "prometheus"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"] for rule in group["rules"]
]
JOBS: dict[str, dict[str, Any]] = {
    file: yaml.safe_load((FOLDER / file).read_text("utf-8"))["scrape_configs"][0]
    for file in ("scrape.yaml", "kubernetes.yaml")
}
NAME = re.compile(r"\b(?:rulewright|process)_[a-z_]+\b")
LABEL = re.compile(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"')
SUFFIXES = re.compile("_(total|bucket|count|sum)$")
ADDED = {"job", "instance", "le"}


REASONS = {
    reason
    for name, _, _, meaning in rows(
        (ROOT / "docs/metrics.md").read_text("utf-8"), "metric", "type", "labels", "meaning"
    )
    if name == "`rulewright_shed_total`"
    for reason in code(meaning)
}


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
            assert {value} == {job["job_name"] for job in JOBS.values()}
        elif name == "reason":
            assert any(re.fullmatch(value, reason) for reason in REASONS)
        else:
            assert name == "route"
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["expr"].count("(") == rule["expr"].count(")")
    used = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    grouped = {each.strip() for by in re.findall(r"by \(([^)]*)\)", rule["expr"]) for each in by.split(",")}
    assert used <= grouped | ({"instance"} if "sum" not in rule["expr"] else set())


FIRST = re.compile(r'increase\(rulewright_problems_total\{type="([a-z-]+)"\}\[\w+\]\)\) > 0')


@pytest.mark.parametrize("several", [False, True], ids=["one process", "several"])
def test_the_first_of_what_should_never_be_is_seen(tmp_path: Path, several: bool) -> None:
    """A counter that begins at 1 has not grown."""
    asked = {name for rule in RULES for name in FIRST.findall(rule["expr"])}
    assert asked == {"internal-error", "store-full"}
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "from service.observability import exposition as e; print(e.metrics_text('')[0].decode())",
        ],
        env={**os.environ, **({"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)} if several else {})},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    counted = samples(told)
    assert {counted["rulewright_problems_total", (name,)] for name in (*asked, "store-unavailable")} == {0}


def test_every_alert_has_a_row() -> None:
    told = [name for row in table("alert", "means", "first look") for name in code(row[0])]
    assert sorted(told) == sorted(rule["alert"] for rule in RULES)


def test_the_service_is_asked_and_not_the_proxy() -> None:
    job = JOBS["scrape.yaml"]
    assert job["static_configs"] == [{"targets": ["127.0.0.1:8000"]}]
    assert "RULEWRIGHT_METRICS" not in environment_file()
    assert job["authorization"]["type"] == "Bearer"


def test_what_concerns_all_wakes_somebody_and_what_concerns_one_does_not() -> None:
    told: dict[str, list[str]] = {reason: [] for reason in REASONS}
    for rule in RULES:
        for operator, pattern in re.findall(r'reason(=~|!~)"([^"]+)"', rule["expr"]):
            for reason, severities in told.items():
                if bool(re.fullmatch(pattern, reason)) == (operator == "=~"):
                    severities.append(rule["labels"]["severity"])
    assert {reason for reason, severities in told.items() if severities == ["ticket"]} >= {"streams_per_address"}
    assert {reason for reason, severities in told.items() if severities == ["page"]} >= {
        "connections",
        "queue",
        "streams",
    }
    assert all(len(severities) == 1 for severities in told.values())


def test_on_kubernetes_pods_of_production_are_asked() -> None:
    """Each at its port, by the labels that the overlay gives them."""
    job = JOBS["kubernetes.yaml"]
    assert job["kubernetes_sd_configs"] == [
        {"role": "pod", "namespaces": {"names": [the("Namespace", "production")["metadata"]["name"]]}}
    ]
    kept = {
        label: rule["regex"]
        for rule in job["relabel_configs"]
        if rule.get("action") == "keep"
        for label in rule["source_labels"]
    }
    pod = the("Deployment", "production")["spec"]["template"]
    assert kept == {
        "__meta_kubernetes_pod_label_app_kubernetes_io_name": pod["metadata"]["labels"]["app.kubernetes.io/name"],
        "__meta_kubernetes_pod_container_port_name": pod["spec"]["containers"][0]["ports"][0]["name"],
        "__meta_kubernetes_pod_phase": "Running",
    }

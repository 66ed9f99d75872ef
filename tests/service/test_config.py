"""`rulewright config`: what is told of the settings, and what is not."""

import json
import os
from typing import Any

import pytest

from service.command import main
from service.commands.config import HIDDEN, without_secrets
from service.settings import PREFIX, Settings


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set but what a test sets."""
    monkeypatch.setattr(os, "environ", {name: value for name, value in os.environ.items() if PREFIX not in name})


def as_json(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["config", "--json", *options]) == 0
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return shown


def test_every_setting_is_told_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    told = as_json(capsys)["settings"]
    assert [each["name"] for each in told] == list(Settings.model_fields)
    assert all(each["description"].endswith(".") for each in told)
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [each["variable"] for each in told]


def test_where_a_value_comes_from_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RULEWRIGHT_PORT", "9000")
    monkeypatch.setenv("rulewright_workers", "3")
    monkeypatch.setenv("RULEWRIGHT_CORS_ORIGINS", "https://a.example,https://b.example")
    told = {each["name"]: (each["value"], each["source"]) for each in as_json(capsys, "--port", "9001")["settings"]}
    assert told["port"] == (9001, "command line")
    assert told["workers"] == (3, "environment")
    assert told["cors_origins"] == (["https://a.example", "https://b.example"], "environment")
    assert told["host"] == ("127.0.0.1", "default")
    assert told["open"] == (False, "default")
    assert told["redis_url"] == (None, "default")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://localhost:6379/3", "redis://localhost:6379/3"),
        ("rediss://me:hush@db.example:6380/1", "rediss://me:***@db.example:6380/1"),
        ("redis://:hush@localhost", "redis://:***@localhost"),
        ("redis+sentinel://me:hush@a,b:1/main/2?sentinel_password=hush&x=1", None),
        ("unix:///run/redis?password=hush&db=2", "unix:///run/redis?password=***&db=2"),
        ("redis://:hu/sh@localhost", HIDDEN),
        ("redis://:hu#sh@localhost", HIDDEN),
        ("redis://:hu?sh@localhost", HIDDEN),
        ("redis://[hush", HIDDEN),
        ("hush", HIDDEN),
    ],
)
def test_passwords_are_hidden(url: str, shown: str | None) -> None:
    told = without_secrets(url)
    assert told == (shown or "redis+sentinel://me:***@a,b:1/main/2?sentinel_password=***&x=1")
    assert "hush" not in told


def test_no_secret_is_shown_in_any_form(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RULEWRIGHT_REDIS_URL", "redis://me:hush@localhost:6379/0")
    for options in (["config"], ["config", "--json"]):
        assert main(options) == 0
        shown = capsys.readouterr()
        assert "redis://me:***@localhost:6379/0" in shown.out
        assert "hush" not in shown.out + shown.err


@pytest.mark.parametrize(
    ("variable", "meant"), [("RULEWRIGHT_PROT", "RULEWRIGHT_PORT"), ("RULEWRIGHT_SOMETHING_ELSE", None)]
)
def test_variables_that_are_no_settings_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, meant: str | None
) -> None:
    monkeypatch.setenv(variable, "1")
    assert as_json(capsys)["unknown"] == [{"variable": variable, "meant": meant}]
    assert main(["config"]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"rulewright: there is no setting {variable}")
    assert (f"; is {meant} meant?" in said) is (meant is not None)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("RULEWRIGHT_PORT", "0"),
        ("RULEWRIGHT_HOST", "0.0.0.0"),  # others could reach it, and there are no keys
        ("RULEWRIGHT_REDIS_URL", "gopher://me:hush@localhost"),
        ("RULEWRIGHT_REDIS_URL", "redis://me:hush/x@localhost/0"),
    ],
)
def test_settings_that_do_not_work_are_told_as_serve_tells_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert main(["config"]) == 2
    of_config = capsys.readouterr()
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == of_config.err
    assert variable in of_config.err
    assert "hush" not in of_config.err
    assert of_config.out == ""

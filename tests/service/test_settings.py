"""The settings: defaults, how they are written, and what a mistake is answered."""

from pathlib import Path
from typing import NoReturn

import pytest

from service.settings import InvalidSettingsError, LogLevel, load_settings


def test_the_defaults_serve_this_machine_alone() -> None:
    settings = load_settings()
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.cors_origins == ("*",)
    assert settings.max_body_bytes == 1_048_576
    assert settings.log_level is LogLevel.INFO


@pytest.mark.parametrize(
    ("value", "origins"),
    [
        ("*", ("*",)),
        ("", ()),
        ("https://a.example, http://localhost:3000", ("https://a.example", "http://localhost:3000")),
        ("chrome-extension://abc", ("chrome-extension://abc",)),
        ("HTTPS://VTT.Example", ("https://vtt.example",)),
        ("https://a.example:443,http://b.example:80", ("https://a.example", "http://b.example")),
        ("http://a.example:443, https://a.example:8443", ("http://a.example:443", "https://a.example:8443")),
        ("http://[::1]:3000", ("http://[::1]:3000",)),
    ],
)
def test_origins_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch, value: str, origins: tuple[str, ...]) -> None:
    monkeypatch.setenv("RULEWRIGHT_CORS_ORIGINS", value)
    assert load_settings().cors_origins == origins


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("WORKERS", "0"),
        ("MAX_BODY_BYTES", "1"),
        ("CORS_ORIGINS", "https://a.example/"),
        ("CORS_ORIGINS", "a.example"),
        ("CORS_ORIGINS", "https://*.example"),
        ("CORS_ORIGINS", "https://u:p@a.example"),
        ("CORS_ORIGINS", "https://стол.example"),
        ("CORS_ORIGINS", "https://a.example:port"),
        ("CORS_ORIGINS", "https://a.example\nx"),
        ("LOG_LEVEL", "loud"),
        ("DATA_DIR", "~nobody-of-this-name/x"),
    ],
)
def test_a_setting_that_does_not_work_is_named_with_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"RULEWRIGHT_{name}", value)
    with pytest.raises(InvalidSettingsError) as raised:
        load_settings()
    assert f"RULEWRIGHT_{name}" in str(raised.value)
    assert repr(value) in str(raised.value)


def test_who_has_no_home_is_asked_for_a_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> NoReturn:
        raise KeyError

    monkeypatch.setattr("pwd.getpwuid", nobody)
    for name in ("HOME", "XDG_DATA_HOME", "RULEWRIGHT_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidSettingsError, match=r"RULEWRIGHT_DATA_DIR.*no home directory"):
        load_settings()
    monkeypatch.setenv("RULEWRIGHT_DATA_DIR", "/srv/rulewright")
    assert load_settings().data_dir == Path("/srv/rulewright")


def test_every_setting_that_does_not_work_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_PORT", "0")
    monkeypatch.setenv("RULEWRIGHT_WORKERS", "0")
    with pytest.raises(InvalidSettingsError, match=r"(?s)RULEWRIGHT_PORT.*RULEWRIGHT_WORKERS"):
        load_settings()


def test_what_the_command_line_says_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_PORT", "9000")
    assert load_settings(port=9001).port == 9001

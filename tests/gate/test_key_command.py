"""The command `rulewright keys`: what it refuses, and how a key is changed."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from service.command import main
from service.gate.key_places import KeyFile
from service.gate.keys import Key, Keyring, Scope, new_key


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_KEYS", str(tmp_path / "keys.json"))
    return tmp_path / "keys.json"


def only(path: Path) -> Key:
    [key] = msgspec.json.decode(path.read_bytes(), type=dict[str, list[Key]])["keys"]
    return key


def test_a_key_is_changed_and_keeps_its_secret(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["keys", "add", "a", "--rate", "5", "--burst", "50"])
    shown = capsys.readouterr().out.strip()
    before = only(path)
    assert main(["keys", "change", before.id, "--rate", "20"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "is changed" in told.err
    assert "20" in told.err
    assert only(path) == msgspec.structs.replace(before, rate=20.0)
    assert main(["keys", "change", f"rwk_{before.id}", "--burst", "9", "--scope", "odds", "--scope", "metrics"]) == 0
    assert only(path) == msgspec.structs.replace(before, rate=20.0, burst=9, scopes=[Scope.METRICS, Scope.ODDS])
    holder = Keyring([only(path)], None).holder_of(shown)
    assert holder is not None
    assert holder.rate is not None
    assert (holder.rate.per_second, holder.rate.holds) == (20, 9)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "--rate, --burst or --scope"),
        (["--rate", "-1"], "cannot be made"),
        (["--rate", "nan"], "cannot be made"),
        (["--burst", "0"], "cannot be made"),
    ],
)
def test_a_change_that_is_none_changes_nothing(
    path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], said: str
) -> None:
    main(["keys", "add", "a"])
    before = path.read_bytes()
    assert main(["keys", "change", only(path).id, *wrong]) == 1
    assert said in capsys.readouterr().err
    assert path.read_bytes() == before


async def expired(path: Path) -> str:
    key, _ = new_key("a", expires_at=datetime.now(UTC) - timedelta(minutes=1))
    await KeyFile(path).put(key)
    return key.id


async def revoked(path: Path) -> str:
    key, _ = new_key("a")
    await KeyFile(path).put(msgspec.structs.replace(key, revoked_at=datetime.now(UTC)))
    return key.id


@pytest.mark.parametrize("state", ["expired", "revoked"])
def test_a_key_that_opens_nothing_is_not_rotated(path: Path, capsys: pytest.CaptureFixture[str], state: str) -> None:
    key_id = asyncio.run({"expired": expired, "revoked": revoked}[state](path))
    before = path.read_bytes()
    assert main(["keys", "rotate", key_id]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert f"key {key_id} is {state}" in told.err
    assert "make a new key" in told.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("days", ["nan", "-1", "0", "-inf", "inf", "1e300"])
def test_a_key_ends_in_days_that_come(path: Path, capsys: pytest.CaptureFixture[str], days: str) -> None:
    assert main(["keys", "add", "a", f"--expires-in-days={days}"]) == 1
    assert "cannot be made" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("name", ["", "two\nlines", "a" * 101, "bidi \u202e name", "line\n"])
def test_what_a_name_may_be_is_said_in_words(path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["keys", "add", name]) == 1
    told = capsys.readouterr().err
    assert "1 to 100 characters in one line" in told
    assert "regex" not in told
    assert not path.exists()


@pytest.mark.parametrize("verb", [["list"], ["add", "a"]])
def test_a_store_that_has_no_place_is_told_as_a_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_KEYS", "store")
    monkeypatch.setenv("RULEWRIGHT_REDIS_URL", "redis://me:hush/x@localhost/0")
    assert main(["keys", *verb]) == 2
    told = capsys.readouterr().err
    assert "redis_url (RULEWRIGHT_REDIS_URL)" in told
    assert "hush" not in told


def test_without_a_place_the_option_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RULEWRIGHT_KEYS", raising=False)
    assert main(["keys", "list", "--json"]) == 1
    assert "--in" in capsys.readouterr().err

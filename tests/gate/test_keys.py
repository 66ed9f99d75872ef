"""Keys, their file, and the command that keeps them."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from service.command import main
from service.gate.key_places import KeyFile, KeysUnreadable
from service.gate.keys import CLIENT_SCOPES, PRESENTED, Holder, Key, Keyring, Scope, new_key, revoked, rotated
from service.gate.rates import Rate
from tests.gate.conftest import Serving, bearer, made

NOW = datetime.now(UTC)


def test_a_key_is_random_and_kept_hashed() -> None:
    first, shown = new_key("a")
    second, other = new_key("a")
    assert PRESENTED.fullmatch(shown)
    assert shown != other
    assert first.id != second.id
    assert shown.split("_", 2)[2] not in msgspec.json.encode(first).decode()


def test_who_presents_a_key_is_found() -> None:
    key, shown = new_key("a")
    ring = Keyring([new_key("b")[0], key], None)
    holder = ring.holder_of(shown)
    assert isinstance(holder, Holder)
    assert holder.id == key.id
    assert holder.scopes == set(CLIENT_SCOPES)


@pytest.mark.parametrize(
    "change",
    [lambda s: s[:-1], lambda s: s + "A", lambda s: s.upper(), lambda s: s.replace("rwk_", ""), lambda s: f" {s}"],
)
def test_what_is_nearly_a_key_is_none(change: object) -> None:
    key, shown = new_key("a")
    assert Keyring([key], None).holder_of(change(shown)) is None  # type: ignore[operator]


def test_another_keys_secret_does_not_do() -> None:
    (first, _), (second, shown) = new_key("a"), new_key("b")
    mixed = f"rwk_{first.id}_{shown.removeprefix(f'rwk_{second.id}_')}"
    assert Keyring([first, second], None).holder_of(mixed) is None


def test_a_key_ends_when_it_said() -> None:
    key, shown = new_key("a", expires_at=NOW + timedelta(minutes=1))
    ring = Keyring([key], None)
    assert ring.holder_of(shown, NOW) is not None
    assert ring.holder_of(shown, NOW + timedelta(minutes=2)) is None


def test_a_revoked_key_opens_nothing() -> None:
    key, shown = new_key("a")
    assert Keyring([revoked(key)], None).holder_of(shown) is None


def test_a_rotated_key_has_two_secrets_for_a_while() -> None:
    key, first = new_key("a")
    key, second = rotated(key, timedelta(hours=1))
    ring = Keyring([key], None)
    soon, later = datetime.now(UTC), datetime.now(UTC) + timedelta(hours=2)
    assert [ring.holder_of(each, soon) is not None for each in (first, second)] == [True, True]
    assert [ring.holder_of(each, later) is not None for each in (first, second)] == [False, True]
    key, third = rotated(key, timedelta(hours=5))
    assert Keyring([key], None).holder_of(first, later) is None, (
        "an old secret does not live longer by another rotation"
    )
    key, _ = rotated(key, timedelta(0))
    assert len(key.secrets) == 1
    assert Keyring([key], None).holder_of(third) is None


@pytest.mark.parametrize(
    ("limits", "default", "rate"),
    [
        ({}, None, None),
        ({}, Rate(5, 50), Rate(5, 50)),
        ({"rate": 2.0}, Rate(5, 50), Rate(2, 50)),
        ({"burst": 9}, Rate(5, 50), Rate(5, 9)),
        ({"rate": 2.0, "burst": 9}, None, Rate(2, 9)),
        ({"rate": 2.0}, None, Rate(2, 2)),
        ({"rate": 0.5}, None, Rate(0.5, 1)),
        ({"rate": 2.0}, Rate(0, 50), Rate(2, 50)),
        ({"rate": 2.0, "burst": 9}, Rate(0, 50), Rate(2, 9)),
        ({"burst": 9}, Rate(0, 50), None),
        ({}, Rate(0, 50), None),
        ({"burst": 9}, None, None),
        ({"rate": 0.0}, Rate(5, 50), None),
    ],
)
def test_a_key_has_the_limit_that_it_says_or_that_of_the_settings(
    limits: dict[str, float], default: Rate | None, rate: Rate | None
) -> None:
    key, shown = new_key("a", **limits)  # type: ignore[arg-type]
    holder = Keyring([key], default).holder_of(shown)
    assert holder is not None
    assert holder.rate == rate


# the file


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"keys": [{}]}',
        '{"keys": [], "more": 1}',
        '{"keys": null}',
        '{"keys": [{"id": "x"}]}',
        "\xff",
    ],
)
async def test_a_file_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text, "latin-1")
    with pytest.raises(KeysUnreadable, match="is no keys file"):
        await KeyFile(path).read()


async def test_a_file_with_an_id_twice_is_none(tmp_path: Path) -> None:
    key = json.loads(msgspec.json.encode(new_key("a")[0]))
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [key, key]}))
    with pytest.raises(KeysUnreadable, match="twice"):
        await KeyFile(path).read()


@pytest.mark.parametrize(("field", "value"), [("name", "line\n"), ("name", "seen\u200b"), ("id", "0" * 12 + "\n")])
async def test_a_key_of_a_file_has_the_name_that_the_command_would_take(tmp_path: Path, field: str, value: str) -> None:
    key = json.loads(msgspec.json.encode(new_key("a")[0])) | {field: value}
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [key]}))
    with pytest.raises(KeysUnreadable, match=rf"keys\[0\]\.{field}"):
        await KeyFile(path).read()


async def test_a_file_that_is_missing_or_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(KeysUnreadable, match="cannot be read: No such file"):
        await KeyFile(tmp_path / "none").read()
    with pytest.raises(KeysUnreadable, match="cannot be read: Is a directory"):
        await KeyFile(tmp_path).read()
    with pytest.raises(KeysUnreadable, match="cannot be written"):
        await KeyFile(tmp_path / "none" / "keys.json").put(new_key("a")[0])


async def test_a_file_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    await file.put(new_key("a")[0])
    assert len(await file.read() or []) == 1
    assert await file.read() is None
    await file.put(new_key("b")[0])
    assert len(await file.read() or []) == 2


async def test_a_file_is_for_its_owner_alone_and_stays_as_its_owner_made_it(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    await KeyFile(path).put(new_key("a")[0])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    await KeyFile(path).put(new_key("b")[0])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_two_who_add_a_key_at_once_lose_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "keys.json")
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda n: main(["keys", "add", f"key {n}", "--in", path]), range(24))) == {0}
    capsys.readouterr()
    main(["keys", "list", "--in", path, "--json"])
    assert len(json.loads(capsys.readouterr().out)) == 24


# the command


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_KEYS", str(tmp_path / "keys.json"))
    return tmp_path / "keys.json"


def kept(path: Path) -> list[Key]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[Key]])["keys"]


def test_a_key_is_shown_once_and_alone_on_the_standard_output(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "add", "foundry-plugin", "--scope", "resolve", "--rate", "5", "--burst", "50"]) == 0
    shown = capsys.readouterr()
    assert PRESENTED.fullmatch(shown.out.strip())
    assert shown.out.strip() not in shown.err
    [key] = kept(path)
    assert (key.name, key.scopes, key.rate, key.burst) == ("foundry-plugin", [Scope.RESOLVE], 5, 50)
    assert Keyring([key], None).holder_of(shown.out.strip()) is not None


def test_the_list_shows_no_secret(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["keys", "add", "Ключ игрока", "--expires-in-days", "1.5"])
    shown = capsys.readouterr().out.strip()
    for form in ([], ["--json"]):
        assert main(["keys", "list", *form]) == 0
        listed = capsys.readouterr().out
        assert "Ключ игрока" in listed
        assert kept(path)[0].id in listed
        assert shown.split("_", 2)[2] not in listed
        assert kept(path)[0].secrets[0].sha256 not in listed


def test_a_key_is_rotated_and_revoked_by_its_id_or_its_beginning(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["keys", "add", "a"])
    first = capsys.readouterr().out.strip()
    key_id = kept(path)[0].id
    assert main(["keys", "rotate", key_id, "--keep-hours", "2"]) == 0
    second = capsys.readouterr().out.strip()
    ring = Keyring(kept(path), None)
    assert ring.holder_of(first) is not None
    assert ring.holder_of(second) is not None
    assert main(["keys", "revoke", f"rwk_{key_id}"]) == 0
    assert Keyring(kept(path), None).holder_of(second) is None
    capsys.readouterr()
    main(["keys", "list"])
    assert "revoked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["keys", "rotate", "nothing"], "no key of this id"),
        (["keys", "add", ""], "cannot be made"),
        (["keys", "add", "bidi \u202e name"], "cannot be made"),
        (["keys", "add", "two\nlines"], "cannot be made"),
        (["keys", "add", "control \x85"], "cannot be made"),
        (["keys", "add", "not \u200bseen"], "cannot be made"),
        (["keys", "add", "a", "--rate", "-1"], "cannot be made"),
        (["keys", "add", "a", "--burst", "0"], "cannot be made"),
        (["keys", "add", "a", "--rate", "nan"], "cannot be made"),
        (["keys", "add", "a", "--burst", "9"], "say --rate, too"),
        (["keys", "add", "a", "--rate", "0", "--burst", "9"], "say --rate, too"),
        (["keys", "change", "{id}", "--burst", "9"], "say --rate, too"),
        (["keys", "change", "{id}", "--rate", "0", "--burst", "9"], "say --rate, too"),
        (["keys", "add", "a", "--rate", "1e-12"], "from 0.001 up"),
        (["keys", "add", "a", "--expires-in-days", "1e300"], "cannot be made"),
        (["keys", "rotate", "{id}", "--keep-hours", "nan"], "0 hours or more"),
        (["keys", "rotate", "{id}", "--keep-hours", "inf"], "0 hours or more"),
        (["keys", "rotate", "{id}", "--keep-hours=-5"], "0 hours or more"),
        (["keys", "rotate", "{id}", "--keep-hours", "1e300"], "cannot be made"),
    ],
)
def test_a_mistake_is_told_and_changes_nothing(
    path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    main(["keys", "add", "first"])
    before = path.read_bytes()
    assert main([each.format(id=kept(path)[0].id) for each in arguments]) == 1
    assert said in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_burst_is_beside_the_rate_of_the_settings_or_of_the_key(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["keys", "add", "a", "--rate", "5"])
    assert main(["keys", "change", kept(path)[0].id, "--burst", "9"]) == 0
    monkeypatch.setenv("RULEWRIGHT_KEY_RATE", "5")
    assert main(["keys", "add", "b", "--burst", "7"]) == 0
    assert [each.burst for each in kept(path)] == [9, 7]


def test_without_a_place_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("RULEWRIGHT_KEYS", raising=False)
    assert main(["keys", "list"]) == 1
    assert "RULEWRIGHT_KEYS" in capsys.readouterr().err
    monkeypatch.delenv("RULEWRIGHT_REDIS_URL", raising=False)
    assert main(["keys", "list", "--in", "store"]) == 2
    assert "RULEWRIGHT_REDIS_URL" in capsys.readouterr().err


def test_keys_in_the_store_are_kept_by_the_same_command(
    store_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_REDIS_URL", store_url)
    assert main(["keys", "add", "kept in the store", "--in", "store"]) == 0
    shown = capsys.readouterr().out.strip()
    assert main(["keys", "revoke", shown, "--in", "store"]) == 0
    assert main(["keys", "list", "--in", "store", "--json"]) == 0
    capsys.readouterr()
    main(["keys", "list", "--in", "store", "--json"])
    [listed] = [each for each in json.loads(capsys.readouterr().out) if each["id"] in shown]
    assert (listed["name"], listed["state"]) == ("kept in the store", "revoked")
    monkeypatch.setenv("RULEWRIGHT_REDIS_URL", "redis://127.0.0.1:1")
    assert main(["keys", "list", "--in", "store"]) == 1
    assert "not available" in capsys.readouterr().err


# the start


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"HOST": "0.0.0.0"}, "host (RULEWRIGHT_HOST)"),
        ({"HOST": "rules.example"}, "RULEWRIGHT_OPEN=true"),
        ({"HOST": "::"}, "rulewright keys add"),
        ({"KEYS": "store"}, "keys (RULEWRIGHT_KEYS)"),
        ({"KEYS": "/nowhere/keys.json"}, "/nowhere/keys.json cannot be read"),
    ],
)
def test_what_would_be_open_to_strangers_does_not_start(
    settings: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RULEWRIGHT_REDIS_URL", raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(f"RULEWRIGHT_{name}", value)
    assert main(["serve", "--port", "1"]) == 2
    assert said in capsys.readouterr().err
    assert os.environ.get("RULEWRIGHT_REDIS_URL") is None


async def test_a_key_with_a_rate_of_its_own_has_the_burst_of_the_settings(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, rate=2.0)
    async with serving(keys=str(keys_file), key_burst=77) as client:
        answer = await client.get("/v1/systems", headers=bearer(shown))
        assert '"key";q=77' in answer.headers["ratelimit-policy"]

"""Where keys are kept: two who change one at the same time, links, owners, and what is no key."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import msgspec
import pytest

from service.gate.key_places import KeyFile, KeysUnreadable, NoSuchKey, StoredKeys
from service.gate.keys import Key, Scope, changed, new_key, revoked
from service.store.keys import API_KEYS
from service.store.store import Store
from tests.store.use import client_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


def kept(path: Path) -> list[Key]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[Key]])["keys"]


def faster(key: Key) -> Key:
    return changed(key, scopes=None, rate=5.0, burst=None)


# two at once


async def test_a_revocation_is_not_lost_to_a_change_of_the_file(path: Path) -> None:
    key, _ = new_key("a")
    await KeyFile(path).put(key)
    revoking = Thread(target=lambda: asyncio.run(KeyFile(path).update(key.id, revoked)))

    def meanwhile_revoked(key: Key) -> Key:
        revoking.start()
        revoking.join(0.1)
        return faster(key)

    await KeyFile(path).update(key.id, meanwhile_revoked)
    await asyncio.to_thread(revoking.join)
    [found] = kept(path)
    assert found.revoked_at is not None
    assert found.rate == 5


async def test_a_revocation_is_not_lost_to_a_change_in_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    key, _ = new_key("a")
    await StoredKeys(store).put(key)
    replace = store.replace_api_key

    async def after_another(name: str, before: bytes, after: bytes) -> bool:
        monkeypatch.undo()
        await StoredKeys(store).update(key.id, revoked)
        return await replace(name, before, after)

    monkeypatch.setattr(store, "replace_api_key", after_another)
    told = await StoredKeys(store).update(key.id, faster)
    [found] = [each for each in await StoredKeys(store).read() or [] if each.id == key.id]
    assert found == told
    assert found.revoked_at is not None
    assert found.rate == 5


async def test_a_key_that_is_not_there_is_not_changed(path: Path, store: Store) -> None:
    await KeyFile(path).put(new_key("a")[0])
    before = path.read_bytes()
    for place in (KeyFile(path), StoredKeys(store)):
        with pytest.raises(NoSuchKey):
            await place.update("0" * 12, revoked)
    assert path.read_bytes() == before


# the file itself


async def test_a_link_to_the_file_stays_one(tmp_path: Path) -> None:
    file, link = tmp_path / "folder" / "keys.json", tmp_path / "keys.json"
    file.parent.mkdir()
    link.symlink_to(file)
    await KeyFile(link).put(new_key("a")[0])
    await KeyFile(link).put(new_key("b")[0])
    assert link.is_symlink()
    assert [each.name for each in kept(file)] == ["a", "b"]
    assert {each.name for each in file.parent.iterdir()} == {"keys.json", ".keys.json.lock"}


async def test_a_file_that_cannot_be_given_to_its_owner_stays_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await KeyFile(path).put(new_key("a")[0])
    before = path.read_bytes()

    def forbidden(*_: object) -> NoReturn:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", forbidden)
    with pytest.raises(KeysUnreadable, match="as root"):
        await KeyFile(path).put(new_key("b")[0])
    assert path.read_bytes() == before
    assert {each.name for each in path.parent.iterdir()} == {"keys.json", ".keys.json.lock"}


# what is no key


def with_field(written: dict[str, Any]) -> None:
    written["hush"] = 1


def with_scope(written: dict[str, Any]) -> None:
    written["scopes"] = ["hush"]


def with_rate(written: dict[str, Any]) -> None:
    written["rate"] = "hush"


def with_secret(written: dict[str, Any]) -> None:
    written["secrets"] = [{"sha256": "hush"}]


WRONG = ((with_field, "$"), (with_scope, "$.scopes[0]"), (with_rate, "$.rate"), (with_secret, "$.secrets[0].sha256"))


def wrong_key(spoil: Callable[[dict[str, Any]], None]) -> tuple[str, bytes]:
    """A key, spoilt, and its id."""
    written = msgspec.to_builtins(new_key("a", [Scope.RESOLVE])[0])
    spoil(written)
    return written["id"], msgspec.json.encode(written)


@pytest.mark.parametrize(("spoil", "place"), WRONG)
async def test_a_file_that_is_none_is_told_without_what_stands_in_it(
    path: Path, spoil: Callable[[dict[str, Any]], None], place: str
) -> None:
    path.write_bytes(b'{"keys": [%b]}' % wrong_key(spoil)[1])
    with pytest.raises(KeysUnreadable) as raised:
        await KeyFile(path).read()
    assert str(raised.value) == f"{path} is no keys file: what stands at $.keys[0]{place[1:]} does not belong there"


@pytest.mark.parametrize(
    "text", [b"hush", b'{"keys": [], "hush` - at `$.hush!": 1}', b'{"keys": "hush"}', b'{"hush\xff": 1}']
)
async def test_a_file_that_is_something_else_is_not_repeated(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    with pytest.raises(KeysUnreadable, match="is no keys file") as raised:
        await KeyFile(path).read()
    assert "hush" not in str(raised.value).removeprefix(str(path))


@pytest.fixture
async def unspoilt(store_url: str) -> Any:
    """The store, from which what a test puts among the keys is taken again."""
    operator: Any
    async with client_of(store_url) as operator:
        before = await operator.hgetall(API_KEYS)
        yield operator
        await operator.delete(API_KEYS)
        if before:
            await operator.hset(API_KEYS, mapping=before)


@pytest.mark.parametrize(("spoil", "place"), WRONG)
async def test_a_key_in_the_store_that_is_none_is_told_without_what_stands_in_it(
    store: Store, unspoilt: Any, spoil: Callable[[dict[str, Any]], None], place: str
) -> None:
    await unspoilt.hset(API_KEYS, *wrong_key(spoil))
    with pytest.raises(KeysUnreadable) as raised:
        await StoredKeys(store).read()
    assert str(raised.value) == f"the store has a key that is none: what stands at {place} does not belong there"


async def test_what_is_no_key_at_all_is_no_unexpected_error(store: Store, unspoilt: Any) -> None:
    async def demand_told() -> None:
        calls: list[Coroutine[Any, Any, Any]] = [StoredKeys(store).read(), StoredKeys(store).update("0" * 12, revoked)]
        for call in calls:
            with pytest.raises(KeysUnreadable) as raised:
                await call
            assert "hush" not in str(raised.value)

    await unspoilt.hset(API_KEYS, b"hush\xff", b"{}")
    await demand_told()
    await unspoilt.delete(API_KEYS)
    await unspoilt.hset(API_KEYS, "0" * 12, b'"hush\xff"')
    await demand_told()
    await unspoilt.delete(API_KEYS)
    await unspoilt.set(API_KEYS, "hush")
    await demand_told()

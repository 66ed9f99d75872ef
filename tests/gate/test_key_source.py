"""Keys that are read again while the service runs, whatever stands in their place meanwhile."""

import asyncio
import logging

import pytest
from redis.exceptions import ResponseError

from service.gate.key_places import KeysUnreadable, StoredKeys
from service.gate.key_source import KeySource
from service.gate.keys import Key, new_key, revoked
from service.store.errors import StoreUnavailable
from service.store.store import Store
from tests.gate.conftest import Serving, bearer

WRONG_TYPE = ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value")
NO_UTF_8 = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


class Spoilt(Store):
    """A store in which something else stands where the keys should."""

    def __init__(self, found: Exception | bytes) -> None:
        self.found = found

    async def api_keys(self) -> dict[str, bytes]:
        if isinstance(self.found, Exception):
            raise self.found
        return {"0" * 12: self.found}


@pytest.mark.parametrize("found", [WRONG_TYPE, NO_UTF_8, b"{", b'{"name": "\xff"}'], ids=["type", "id", "cut", "name"])
async def test_what_is_no_key_in_the_store_is_told_as_keys_that_cannot_be_read(found: Exception | bytes) -> None:
    with pytest.raises(KeysUnreadable, match="the store"):
        await StoredKeys(Spoilt(found)).read()


class Place(StoredKeys):
    """Keys that are read when the test says so."""

    def __init__(self) -> None:
        self.found: list[Key] | Exception = []
        self.reads = 0
        self.may_be_read = asyncio.Event()
        self.may_be_read.set()

    async def read(self) -> list[Key] | None:
        self.reads += 1
        await self.may_be_read.wait()
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.gate.key_source.LOOK_AGAIN_SECONDS", 0.01)


async def started(place: Place) -> KeySource:
    source = KeySource(None)
    await source.start(place)
    return source


async def until_read(place: Place, times: int = 2) -> None:
    """Return when it was read so often again."""
    wanted = place.reads + times
    async with asyncio.timeout(30):
        while place.reads < wanted:
            await asyncio.sleep(0.01)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("error", [RuntimeError("whatever"), KeysUnreadable("spoilt"), StoreUnavailable("away")])
async def test_keys_are_read_again_after_whatever_went_wrong(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    place = Place()
    place.found = error
    with caplog.at_level(logging.ERROR, "rulewright.keys"):
        source = await started(place)
        await until_read(place)
    [said] = caplog.records
    assert str(error) in said.getMessage(), "it is told once"
    assert bool(said.exc_info) == isinstance(error, RuntimeError), "with a trace where nobody expected it"
    key, shown = new_key("a")
    place.found = [key]
    await until_read(place)
    assert await source.holder_of(bearer(shown)["authorization"].encode())
    await source.stop()


async def test_all_who_come_with_a_new_key_at_once_are_known() -> None:
    place = Place()
    source = await started(place)
    source._looked = float("-inf")
    key, shown = new_key("a")
    place.found = [key]
    place.may_be_read.clear()
    asked = [asyncio.create_task(source.holder_of(bearer(shown)["authorization"].encode())) for _ in range(5)]
    await asyncio.sleep(0)
    place.may_be_read.set()
    assert [each and each.id for each in await asyncio.gather(*asked)] == [key.id] * 5
    assert place.reads == 2, "for all of them together"
    await source.stop()


async def test_what_was_looked_at_while_the_keys_were_read_is_looked_at_again() -> None:
    place = Place()
    key, shown = new_key("a")
    place.found = [key]
    source = await started(place)
    place.found, seen = [revoked(key)], source.version
    place.may_be_read.clear()
    looking = asyncio.create_task(source._look())
    await asyncio.sleep(0)
    assert await source.holder_of(bearer(shown)["authorization"].encode()), "the old keys are good until then"
    assert source.version == seen
    place.may_be_read.set()
    await looking
    assert source.version > seen
    await source.stop()


async def test_a_worker_starts_though_the_keys_are_spoilt(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wrong_type(_: Store) -> dict[str, bytes]:
        raise WRONG_TYPE

    monkeypatch.setattr(Store, "api_keys", wrong_type)
    async with serving(keys="store") as client:
        answer = await client.post("/v1/batch", json={}, headers=bearer(new_key("a")[1]))
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/store-unavailable")

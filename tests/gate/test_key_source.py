"""Keys that are read again while the service runs, whatever stands in their place meanwhile."""

import pytest
from redis.exceptions import ResponseError

from service.gate.key_places import KeysUnreadable, StoredKeys
from service.store.store import Store

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

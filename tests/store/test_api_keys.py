"""API keys in the store."""

from service.store.store import Store


async def test_a_key_is_replaced_only_where_it_is_as_it_was_read(store: Store, encounter: str) -> None:
    assert not await store.replace_api_key(encounter, b"one", b"two"), "it was never kept"
    assert encounter not in await store.api_keys()
    await store.keep_api_key(encounter, b"one")
    assert await store.replace_api_key(encounter, b"one", b"two")
    assert not await store.replace_api_key(encounter, b"one", b"three")
    assert (await store.api_keys())[encounter] == b"two"

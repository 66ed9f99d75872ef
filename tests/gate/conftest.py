"""The application behind its gate, with keys in a file, without a socket."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest

from service.app import create_app
from service.gate.key_places import KeyFile
from service.gate.keys import CLIENT_SCOPES, Key, Scope, new_key
from service.settings import Settings
from service.store.store import Store
from tests.encounters.conftest import store_url
from tests.store.use import opened

__all__ = ["store_url"]

Serving: TypeAlias = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is slow for once, on a busy machine, is not away."""
    monkeypatch.setattr("service.gate.rates.ASK_SECONDS", 30)


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """A store that nobody kills."""
    async with opened(store_url) as store:
        yield store


@pytest.fixture
def encounter() -> str:
    """An id that no other test has."""
    return secrets.token_hex(8)


@pytest.fixture
def keys_file(tmp_path: Path) -> Path:
    """A keys file without keys."""
    path = tmp_path / "keys.json"
    path.write_text('{"keys": []}')
    return path


@pytest.fixture
def serving(store_url: str) -> Serving:
    """The application with settings, and a client of it that calls from an address."""

    @asynccontextmanager
    async def serve(address: str = "127.0.0.1", **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
        app = create_app(Settings(**{"redis_url": store_url, **settings}))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                yield client

    return serve


async def made(path: Path, name: str = "a key", *scopes: Scope, **limits: Any) -> tuple[Key, str]:
    """A key that was put into a file, and how it is presented."""
    key, shown = new_key(name, scopes or CLIENT_SCOPES, **limits)
    await KeyFile(path).put(key)
    return key, shown


def bearer(shown: str) -> dict[str, str]:
    """The header with a key."""
    return {"authorization": f"Bearer {shown}"}

"""A client that talks to the application without a socket."""

from collections.abc import AsyncIterator

import httpx
import pytest

from service.app import create_app
from service.settings import Settings


@pytest.fixture(scope="session")
def app() -> object:
    """One application for all tests: it keeps nothing between requests."""
    return create_app(Settings())


@pytest.fixture
async def client(app: object) -> AsyncIterator[httpx.AsyncClient]:
    """A client of it; an exception that escapes the application fails the test."""
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
        yield client

"""The application with some endpoints that fail or take long, without a socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from service.app import create_app
from service.settings import Settings
from tests.encounters.conftest import store_url  # noqa: F401 - a fixture

Made = Callable[..., Any]


async def _breaks() -> None:
    raise RuntimeError("the sheet of Mira")


async def _takes_long() -> str:
    await asyncio.sleep(1.01)
    return "at last"


def app_with(**settings: Any) -> FastAPI:
    """The application with these settings, and two endpoints more."""
    app = create_app(Settings(**{"log_format": "json", **settings}))
    app.add_api_route("/breaks/{what}", _breaks, include_in_schema=False)
    app.add_api_route("/slow", _takes_long, include_in_schema=False)
    return app


@asynccontextmanager
async def client_of(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application."""
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
        yield client


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application as it is by default."""
    async with client_of(app_with()) as client:
        yield client


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    """The lines that were written to the log since it was last asked for."""
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]

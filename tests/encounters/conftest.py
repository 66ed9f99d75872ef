"""The application with a store of its own, without a socket."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.settings import Settings
from service.store.programs import find_program
from tests.encounters.table import Table, open_table
from tests.store.servers import running

FIGHTS = [pytest.param(system, id=system.slug) for system in SYSTEMS_WITH_FIGHTS]


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a store is for all tests."""
    program = find_program()
    if program is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    with running(program, tmp_path_factory.mktemp("store")) as server:
        yield server.url


@pytest.fixture
async def client(store_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application with that store."""
    app = create_app(Settings(redis_url=SecretStr(store_url)))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
            yield client


@pytest.fixture(params=FIGHTS)
async def table(request: Any, client: httpx.AsyncClient) -> Table:
    """A fight of each system with two combatants."""
    table = await open_table(client, request.param)
    for combatant in ("mira", "ogre"):
        assert (await table.join(combatant)).status_code == 201
    return table

"""What attacks are aimed at: the application with a store and a fight, without a socket; and the service as a process."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.settings import Settings
from tests.attack.honest import UVICORN
from tests.encounters.conftest import store_url
from tests.encounters.table import Table, open_table
from tests.observability.servers import LoggedService, logged_service

__all__ = ["store_url"]


@pytest.fixture
async def client(store_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application with that store, and without the limits that would end most attacks before they begin."""
    app = create_app(Settings(redis_url=SecretStr(store_url), address_rate=0))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://rulewright") as client:
            yield client


@pytest.fixture
async def table(client: httpx.AsyncClient) -> Table:
    """A fight with two combatants."""
    table = await open_table(client, next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps"))
    for combatant in ("mira", "ogre"):
        assert (await table.join(combatant)).status_code == 201
    return table


@pytest.fixture(scope="module", params=UVICORN)
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoggedService]:
    """The service on a socket, once with each class that reads HTTP."""
    options = ("--http", f"service.connections.{request.param}:Connection", "--no-proxy-headers")
    environment = {"RULEWRIGHT_ACCESS_LOG": "all"}
    command = ("-m", "uvicorn", "service.app:app")
    with logged_service(
        tmp_path_factory.mktemp("served"), *options, command=command, environment=environment
    ) as service:
        yield service

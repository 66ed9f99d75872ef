"""Stores on real servers: the bundled valkey, the system's redis-server, and a cluster."""

import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service.store.store import Store
from tests.store.servers import RunningCluster, bundled_program, redis_program, running, running_cluster
from tests.store.use import opened

PROGRAMS = ("bundled", "redis")


@pytest.fixture(scope="session")
def bundled() -> Path:
    found = bundled_program()
    if found is None:
        pytest.skip("the extra `embedded` is not installed, or brings no server for this system")
    return found


@pytest.fixture(scope="session")
def redis() -> Path:
    found = redis_program()
    if found is None:
        pytest.skip("redis-server is not installed; on Debian: apt-get install redis-server")
    return found


@pytest.fixture(scope="session", params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> Path:
    """A server's program."""
    found: Path = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def cluster(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCluster]:
    """A cluster that nobody kills."""
    with running_cluster(bundled, tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="session", params=[*PROGRAMS, "cluster"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a store is that nobody kills."""
    if request.param == "cluster":
        yield request.getfixturevalue("cluster").url
        return
    with running(request.getfixturevalue(request.param), tmp_path_factory.mktemp(request.param)) as server:
        yield server.url


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """The store there."""
    async with opened(url) as store:
        yield store


@pytest.fixture
def encounter() -> str:
    """An id that no other test has."""
    return secrets.token_hex(8)

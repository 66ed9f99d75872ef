"""More connections than a worker takes."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from service.connections import limits
from service.connections.limits import SPARE_FILES, allow_files, limits_of
from service.settings import Settings
from tests.connections.clients import REQUEST, SOON, Client, ServiceWith, connected, last_problem
from tests.encounters.processes import PATIENCE, Service
from tests.store.servers import wait_until

MOST = 40
MOST_OF_ADDRESS = 30
TOO_MANY = (503, "/problems/too-many-connections")


def started(**settings: str) -> Iterator[Service]:
    service = ServiceWith("fast", request_seconds="10", redis_url="redis://127.0.0.1:1", **settings)
    service.start()
    yield service
    service.kill()


@pytest.fixture(scope="module")
def crowded() -> Iterator[Service]:
    yield from started(max_connections=str(MOST), max_connections_per_address="1000")


@pytest.fixture(scope="module")
def of_one_address() -> Iterator[Service]:
    yield from started(max_connections_per_address=str(MOST_OF_ADDRESS))


@pytest.fixture(scope="module")
def behind_a_proxy() -> Iterator[Service]:
    yield from started(max_connections_per_address=str(MOST_OF_ADDRESS), trusted_hops="1")


def taken(service: Service, most: int) -> list[Client]:
    """So many connections that are answered, as soon as those of before are gone."""
    clients: list[Client] = []

    def one_more() -> bool:
        client = Client(service)
        if taken_of([client]):
            clients.append(client)
        else:
            client.close()
        return len(clients) == most

    wait_until(one_more, PATIENCE)
    return clients


def taken_of(clients: list[Client]) -> int:
    """How many of them are answered; the others are told that there are too many."""
    taken = 0
    for client in clients:
        try:
            client.send(REQUEST)
            taken += client.answer()[0] == 200
        except OSError:
            continue
    return taken


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("crowded", MOST), ("of_one_address", MOST_OF_ADDRESS)])
def test_more_than_the_limit_are_told_and_room_is_made_again(
    request: pytest.FixtureRequest, name: str, most: int
) -> None:
    service: Service = request.getfixturevalue(name)
    clients = taken(service, most)
    with connected(service) as one_more:
        answer = one_more.everything()
        assert last_problem(answer) == TOO_MANY
        assert b"\r\nretry-after: " in answer
    for client in clients:
        client.close()
    for client in taken(service, 1):
        client.close()


@pytest.mark.slow
def test_addresses_of_proxies_are_not_counted(behind_a_proxy: Service) -> None:
    clients = [Client(behind_a_proxy) for _ in range(MOST_OF_ADDRESS + 20)]
    assert taken_of(clients) == len(clients)
    for client in clients:
        client.close()


@pytest.mark.slow
def test_a_flood_of_connections_leaves_those_that_are_there_alone(crowded: Service) -> None:
    with connected(crowded) as client:
        client.send(REQUEST)
        assert client.answer()[0] == 200
        flood = [Client(crowded) for _ in range(500)]
        began = time.monotonic()
        client.send(REQUEST)
        assert client.answer()[0] == 200
        assert time.monotonic() - began < SOON
        for each in flood:
            each.close()


class Resource:
    """A system that allows so many files."""

    RLIMIT_NOFILE, RLIM_INFINITY = 7, -1

    def __init__(self, soft: int, hard: int) -> None:
        self.limits = (soft, hard)

    def getrlimit(self, _: int) -> tuple[int, int]:
        return self.limits

    def setrlimit(self, _: int, limits: tuple[int, int]) -> None:
        self.limits = limits


@pytest.mark.parametrize(
    ("soft", "hard", "after", "warned"),
    [
        (1024, 1_000_000, 4096 + SPARE_FILES, False),
        (1024, -1, 4096 + SPARE_FILES, False),
        (100_000, 100_000, 100_000, False),
        (-1, -1, -1, False),
        (1024, 2048, 2048, True),
    ],
)
def test_the_files_of_the_system_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, after: int, *, warned: bool
) -> None:
    system: Any = Resource(soft, hard)
    monkeypatch.setattr(limits, "resource", system)
    warning = allow_files(4096)
    assert system.limits == (after, hard)
    assert (warning is not None) is warned
    assert limits_of(Settings(max_connections=4096)).connections == (2048 - SPARE_FILES if warned else 4096)
    if warning is not None:
        assert "2048" in warning
        assert "RULEWRIGHT_MAX_CONNECTIONS" in warning

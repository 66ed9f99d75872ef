"""Whoever comes new is taken on soon, however much the others ask: a probe that is not would have the service killed."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from service.commands.processes import LISTENERS, listeners
from tests.connections.clients import Client
from tests.encounters.processes import Service, serving

ASKING = 16
NEWCOMERS = 120
ITEM = {"system": "gurps", "action": "success-roll", "request": {"roll": {"skill": 12}}}
BATCH = json.dumps({"items": [ITEM] * 31}).encode()
ASKED = b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
    BATCH
)
PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@contextlib.contextmanager
def turns_that_take_long(service: Service) -> Iterator[list[float]]:
    """Clients that ask all the time; how long each of their answers took."""
    over, took = threading.Event(), []

    def ask() -> None:
        client = Client(service)
        while not over.is_set():
            began = time.monotonic()
            client.send(ASKED, BATCH)
            client.answer()
            took.append(time.monotonic() - began)
        client.close()

    threads = [threading.Thread(target=ask) for _ in range(ASKING)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.5)
        took.clear()
        yield took
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.slow
@pytest.mark.alone
def test_newcomers_need_no_turn_each() -> None:
    with serving(address_rate="0") as service, turns_that_take_long(service) as took:
        began = time.monotonic()
        newcomers = [Client(service, 60) for _ in range(NEWCOMERS)]
        for each in newcomers:
            each.send(PROBE)
        for each in newcomers:
            assert each.socket.recv(12) == b"HTTP/1.1 200"
            each.close()
        waited = time.monotonic() - began
    assert took, "nobody was answered meanwhile"
    turn = sum(took) / len(took)
    assert waited < turn * NEWCOMERS / 4, f"{waited:.2f} s in turns of {turn:.3f} s"


def test_each_listener_is_the_same_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = listeners(listening)
        assert len({each.fileno() for each in found}) == LISTENERS
        assert {each.getsockname() for each in found} == {listening.getsockname()}
        for each in found[1:]:
            each.close()

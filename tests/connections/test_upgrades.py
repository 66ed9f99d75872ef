"""A request to change the protocol is answered as if it had not asked: with its whole body, and what follows is read."""

import time
from collections.abc import Iterator

import pytest

from service.connections.limits import HEADERS
from tests.connections.clients import BODY, HEAD, Client, ServiceWith, connected, last_problem
from tests.encounters.processes import Service

pytestmark = pytest.mark.slow

PROTOCOLS = [b"h2c", b"websocket", b"foo"]
PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
PAUSE_SECONDS = 0.2


@pytest.fixture(scope="module", params=["fast", "plain"])
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    """The service on both classes of connections."""
    started = ServiceWith(request.param, redis_url="redis://127.0.0.1:1")
    started.start()
    yield started
    started.kill()


def upgrade_to(protocol: bytes) -> bytes:
    return b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %s\r\nHTTP2-Settings: AAEAAEAA\r\n" % protocol


def post(protocol: bytes) -> bytes:
    return HEAD + upgrade_to(protocol) + b"Content-Length: %d\r\n\r\n" % len(BODY)


def assert_answered(client: Client, times: int = 1) -> None:
    answers = [client.answer() for _ in range(times)]
    assert [status for status, _, _ in answers] == [200] * times, answers


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_body_in_the_same_packet_is_read(service: Service, protocol: bytes) -> None:
    with connected(service) as client:
        for _ in range(2):
            client.send(post(protocol), BODY)
            assert_answered(client)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_body_that_comes_later_is_read(service: Service, protocol: bytes) -> None:
    with connected(service) as client:
        for part in (post(protocol), BODY[:7], BODY[7:]):
            client.send(part)
            time.sleep(PAUSE_SECONDS)
        assert_answered(client)


def test_a_head_in_parts_is_read(service: Service) -> None:
    whole = post(b"h2c") + BODY
    cut = whole.index(b"pgrade: h2c")
    with connected(service) as client:
        for part in (whole[:30], whole[30:cut], whole[cut:-40], whole[-40:]):
            client.send(part)
            time.sleep(PAUSE_SECONDS)
        assert_answered(client)


def test_a_body_in_chunks_is_read(service: Service) -> None:
    head = HEAD + upgrade_to(b"h2c") + b"Transfer-Encoding: chunked\r\n\r\n"
    with connected(service) as client:
        client.send(head, CHUNKED, PROBE, b"\r\n")
        assert_answered(client, 2)
        client.send(head)
        time.sleep(PAUSE_SECONDS)
        client.send(CHUNKED)
        assert_answered(client)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_follows_is_read(service: Service, protocol: bytes) -> None:
    asked = PROBE + upgrade_to(protocol) + b"\r\n"
    with connected(service) as client:
        client.send(asked, PROBE, b"\r\n", post(protocol), BODY, asked, PROBE, b"\r\n")
        assert_answered(client, 5)
        client.send(asked)
        assert_answered(client)


def test_a_body_is_no_request(service: Service) -> None:
    hidden = PROBE + b"\r\n"
    head = HEAD + upgrade_to(b"h2c") + b"Content-Length: %d\r\n\r\n" % len(hidden)
    for pause in (0.0, PAUSE_SECONDS):
        with connected(service) as client:
            client.send(head)
            time.sleep(pause)
            client.send(hidden)
            assert client.answer()[0] in {400, 422}
            client.send(PROBE, b"Connection: close\r\n\r\n")
            told = client.everything()
        assert told.count(b"HTTP/1.1 ") == 1
        assert told.startswith(b"HTTP/1.1 200")


def test_the_limits_of_a_head_hold(service: Service) -> None:
    many = b"".join(b"X-%d: 1\r\n" % number for number in range(HEADERS))
    with connected(service) as client:
        client.send(PROBE, upgrade_to(b"h2c"), many, b"\r\n")
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")


def test_a_body_of_two_lengths_is_refused(service: Service) -> None:
    with connected(service) as client:
        lengths = b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
        client.send(HEAD, upgrade_to(b"h2c"), lengths, b"0\r\n\r\n")
        assert last_problem(client.everything()) == (400, "/problems/invalid-http")


def test_trailers_that_ask_for_it_change_nothing(service: Service) -> None:
    trailers = b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    with connected(service) as client:
        client.send(HEAD, b"Transfer-Encoding: chunked\r\n\r\n", CHUNKED[:-2], trailers, PROBE, b"\r\n")
        assert_answered(client, 2)


def test_it_is_no_proxy(service: Service) -> None:
    with connected(service) as client:
        client.send(b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert client.everything().startswith(b"HTTP/1.1 4")

"""Clients that are slow, greedy or wrong: their connections end, and an honest client is answered meanwhile."""

import json
import re
import time
from collections.abc import Iterator

import pytest

from service.connections.limits import HEAD_BYTES, HEADERS, PIPELINED
from tests.connections.clients import (
    BODY,
    HEAD,
    PATH,
    REQUEST,
    SOON,
    Client,
    ServiceWith,
    connected,
    honest,
    last_problem,
)
from tests.encounters.processes import Service

pytestmark = pytest.mark.slow

REQUEST_SECONDS = 1.0
ENDED_SECONDS = REQUEST_SECONDS + 2  # a round of the watch, and a busy machine


@pytest.fixture(scope="module", params=["fast", "plain"])
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    """The service with little patience, on both classes of connections."""
    started = ServiceWith(request.param, request_seconds=str(REQUEST_SECONDS), redis_url="redis://127.0.0.1:1")
    started.start()
    yield started
    started.kill()


def test_a_head_that_drips_ends(service: Service) -> None:
    slow = [Client(service) for _ in range(50)]
    for each in slow:
        each.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
    with connected(service) as client:
        began = time.monotonic()
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
        assert client.dripped(b"X-Slow: " + b"x" * 200, ENDED_SECONDS)
        assert time.monotonic() - began >= REQUEST_SECONDS
    assert honest(service) < SOON
    for each in slow:
        assert each.everything() == b""
        each.close()


def test_a_body_that_drips_is_told_and_ends(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Accept-Language: ru\r\nContent-Length: 1000\r\n\r\n{")
        assert honest(service) < SOON
        told = client.everything()
    assert last_problem(told) == (408, "/problems/request-too-slow")
    assert "Запрос" in told.decode()


def test_a_connection_that_says_nothing_ends(service: Service) -> None:
    with connected(service) as client:
        began = time.monotonic()
        assert client.everything() == b""
        assert REQUEST_SECONDS <= time.monotonic() - began < ENDED_SECONDS


def test_the_first_connection_after_a_quiet_time_has_all_its_time(service: Service) -> None:
    time.sleep(ENDED_SECONDS)
    with connected(service) as client:
        time.sleep(REQUEST_SECONDS * 0.8)
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.answer()[0] == 200


def test_a_connection_that_sends_empty_lines_ends(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST)
        assert client.answer()[0] == 200
        assert client.dripped(b"\r\n" * 100, ENDED_SECONDS)


def test_a_request_that_takes_its_time_is_answered(service: Service) -> None:
    with connected(service) as client:
        for part in (REQUEST[:20], REQUEST[20:-10], REQUEST[-10:]):
            client.send(part)
            time.sleep(0.15)
        assert client.answer()[0] == 200


@pytest.mark.parametrize("size", [HEAD_BYTES + 1_000, 300_000])
def test_a_head_that_is_too_large_is_told(service: Service, size: int) -> None:
    with connected(service) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ", b"x" * size, b"\r\n\r\n")
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")
    assert honest(service) < SOON


def test_so_is_one_that_does_not_end(service: Service) -> None:
    with connected(service) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ", b"x" * 2 * HEAD_BYTES)
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")


def test_so_is_a_path_that_is_too_long(service: Service) -> None:
    with connected(service) as client:
        client.send(b"GET /", b"x" * 40_000, b" HTTP/1.1\r\nHost: x\r\n\r\n")
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")


def test_a_head_that_is_just_not_too_large_is_read(service: Service) -> None:
    with connected(service) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ", b"x" * (HEAD_BYTES - 200), b"\r\n\r\n")
        assert client.answer()[0] == 200


def test_too_many_headers_are_told(service: Service) -> None:
    many = b"".join(b"X-%d: 1\r\n" % number for number in range(HEADERS))
    with connected(service) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n", many, b"\r\n")
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")


def test_trailers_count_as_well(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\nX-Large: " % (len(BODY), BODY))
        time.sleep(0.1)
        for _ in range(10):
            try:
                client.send(b"x" * 10_000)
            except OSError:
                break
            time.sleep(0.02)
        assert last_problem(client.everything()) == (431, "/problems/head-too-large")


@pytest.mark.parametrize(
    "wrong",
    [
        b"this is not HTTP\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),  # TLS
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nnot a size\r\n",
        HEAD
        + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\nnot a size\r\n" % (2 * HEAD_BYTES, b" " * 2 * HEAD_BYTES),
        HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    ],
)
def test_what_is_not_http_is_told(service: Service, wrong: bytes) -> None:
    with connected(service) as client:
        client.send(wrong)
        assert last_problem(client.everything()) == (400, "/problems/invalid-http")
    assert "Invalid HTTP" not in service.said(), "it is counted, and has no line that would fill the disk"


def test_a_body_of_two_lengths_is_not_read_as_two_requests(service: Service) -> None:
    smuggled = b"0\r\n\r\nGET /v1/systems HTTP/1.1\r\nHost: x\r\n\r\n"
    with connected(service) as client:
        client.send(HEAD, b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n\r\n" % len(smuggled), smuggled)
        told = client.everything()
    assert told.startswith(b"HTTP/1.1 400")
    assert len(re.findall(rb"HTTP/1.1 \d", told)) == 1
    assert b'"systems"' not in told


def test_a_client_that_reads_nothing_is_dropped(service: Service) -> None:
    item = {"system": "gurps", "action": "success-roll", "request": json.loads(BODY)}
    batch = json.dumps({"items": [item] * 1000}).encode()
    request = b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (
        len(batch)
    )
    with connected(service) as client:
        for _ in range(12):  # more than the buffers of both systems hold
            client.socket.settimeout(3)
            try:
                client.send(request, batch)
            except OSError:
                break
        assert honest(service) < SOON
        time.sleep(ENDED_SECONDS + 1)
        told = client.everything()
    assert told.startswith(b"HTTP/1.1 200")
    assert told.count(b"HTTP/1.1 200") < 12


def test_requests_may_be_sent_before_the_first_is_answered(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST * 20)
        assert [client.answer()[0] for _ in range(20)] == [200] * 20
    assert PIPELINED >= 20


def test_of_too_many_at_once_the_first_are_answered(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST * 200)
        client.socket.shutdown(1)
        told = client.everything()
    assert told.count(b"HTTP/1.1 200 OK") >= PIPELINED
    assert told.count(b"HTTP/1.1 ") == told.count(b"HTTP/1.1 200 OK")
    assert told.endswith(b"}")


def test_what_follows_a_request_does_not_take_its_answer_away(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST, b"this is not HTTP\r\n\r\n")
        assert client.answer()[0] == 200


@pytest.mark.parametrize("whole", [1, 3])
def test_nor_does_a_body_that_is_wrong(service: Service, whole: int) -> None:
    with connected(service) as client:
        client.send(REQUEST * whole, HEAD, b"Transfer-Encoding: chunked\r\n\r\nnot a size\r\n")
        assert [client.answer()[0] for _ in range(whole)] == [200] * whole
        client.everything()


def test_a_client_that_sends_no_more_is_answered(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST)
        client.socket.shutdown(1)
        told = client.everything()
    assert told.startswith(b"HTTP/1.1 200")
    assert told.endswith(b"}")


def test_half_a_request_and_no_more_is_not_waited_for(service: Service) -> None:
    with connected(service) as client:
        client.send(REQUEST[:-5])
        client.socket.shutdown(1)
        began = time.monotonic()
        assert client.everything() == b""
        assert time.monotonic() - began < SOON


def test_a_client_that_waits_to_be_told_to_go_on(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY))
        assert client.answer()[0] == 100
        client.send(BODY)
        assert client.answer()[0] == 200


def test_a_body_too_large_is_refused_before_it_is_sent(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Expect: 100-continue\r\nContent-Length: 100000000\r\n\r\n")
        assert client.answer()[0] == 413


def test_a_body_in_chunks_is_not_read_beyond_the_limit(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Transfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            for _ in range(64):
                client.send(b"10000\r\n", b" " * 0x10000, b"\r\n")
                sent += 1
        except OSError:
            pass
        assert sent > 16
        assert client.answer()[0] == 413
    assert honest(service) < SOON


def test_many_idle_connections_leave_room_for_an_honest_one(service: Service) -> None:
    idle = [Client(service) for _ in range(200)]
    assert honest(service) < SOON
    assert all(each.everything() == b"" for each in idle)
    for each in idle:
        each.close()


def test_an_upgrade_is_not_made_and_the_request_answered(service: Service) -> None:
    with connected(service) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n")
        assert client.answer()[0] == 200


def test_a_connection_is_used_again(service: Service) -> None:
    with connected(service) as client:
        for _ in range(3):
            client.send(REQUEST)
            assert client.answer()[0] == 200
            time.sleep(REQUEST_SECONDS / 4)


def test_the_path_is_told_where_it_is_known(service: Service) -> None:
    with connected(service) as client:
        client.send(HEAD, b"Content-Length: 1000\r\n\r\n{")
        told = json.loads(client.everything().partition(b"\r\n\r\n")[2])
    assert told["instance"] == PATH

"""What is refused is not done, and what comes after a body says nothing about who asks and how."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tests.connections.clients import BODY, HEAD, ServiceWith, connected, last_problem
from tests.encounters.processes import Service
from tests.observability.counting import samples

pytestmark = pytest.mark.slow

BURST = 3
CLOSE = b"POST /v1/gurps/encounters/0123456789abcdef0123/close HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
IN_A_CHUNK = b"%x\r\n%s\r\n" % (len(BODY), BODY)


@pytest.fixture(params=["fast", "plain"])
def parser(request: pytest.FixtureRequest) -> str:
    """A class of connections."""
    parser: str = request.param
    return parser


@pytest.fixture
def service(parser: str) -> Iterator[Service]:
    started = ServiceWith(parser, redis_url="redis://127.0.0.1:1")
    started.start()
    yield started
    started.kill()


@pytest.fixture
def behind_a_proxy(parser: str) -> Iterator[Service]:
    """A service that believes one proxy whose address a client has, and allows that little."""
    limits = {"address_rate": "0.001", "address_burst": str(BURST)}
    started = ServiceWith(parser, redis_url="redis://127.0.0.1:1", trusted_hops="1", **limits)
    started.start()
    yield started
    started.kill()


def test_trailers_are_no_headers(behind_a_proxy: Service) -> None:
    statuses = []
    for number in range(BURST + 2):
        with connected(behind_a_proxy) as client:
            client.send(HEAD, b"X-Forwarded-For: 198.51.100.7\r\n", CHUNKED, b"\r\n", IN_A_CHUNK)
            client.send(b"0\r\nX-Forwarded-For: 203.0.113.%d\r\nX-Request-Id: forged\r\n\r\n" % number)
            status, headers, _ = client.answer()
        statuses.append(status)
        assert headers["x-request-id"] != "forged"
    assert statuses == [200] * BURST + [429] * 2


@pytest.mark.parametrize(
    ("refused", "problem"),
    [
        (b"Content-Length: 0\r\n" + CHUNKED + b"\r\n0\r\n\r\n", (400, "/problems/invalid-http")),
        (CHUNKED + b"\r\nno size\r\n", (400, "/problems/invalid-http")),
        (b"X: y\r\n" * 101 + b"\r\n", (431, "/problems/head-too-large")),
    ],
)
def test_what_is_refused_is_not_done(service: Service, refused: bytes, problem: tuple[int, str]) -> None:
    with connected(service) as client:
        client.send(CLOSE, refused)
        assert last_problem(client.everything()) == problem
    time.sleep(0.1)
    done = samples(httpx.get(f"{service.url}/metrics").text)
    assert not [labels for name, labels in done if any("/close" in label for label in labels)]

"""Requests that two servers would read in two ways, and lines broken where there is a header: on real sockets.

Clients that are slow or many are in tests/connections.
"""

import contextlib
import json
import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from tests.attack.honest import PATH, REQUEST, right_answer
from tests.connections.clients import BODY, last_problem
from tests.observability.servers import LoggedService

PATIENCE = 10.0
"""Less than a service waits for the rest of a request: whoever is not answered until then is not answered."""
HOST = b"Host: x\r\nContent-Type: application/json\r\n"
POST = b"POST " + PATH.encode() + b" HTTP/1.1\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
CHUNK = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)

AMBIGUOUS = {
    "length and chunks": POST + HOST + LENGTH + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK,
    "chunks and length": POST + HOST + b"Transfer-Encoding: chunked\r\n" + LENGTH + b"\r\n" + CHUNK,
    "length 0 and chunks": POST + HOST + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNK,
    "two lengths": POST + HOST + LENGTH + b"Content-Length: 0\r\n\r\n" + BODY,
    "two lengths in one": POST + HOST + b"Content-Length: %d, 0\r\n\r\n" % len(BODY) + BODY,
    "signed length": POST + HOST + b"Content-Length: +%d\r\n\r\n" % len(BODY) + BODY,
    "negative length": POST + HOST + b"Content-Length: -1\r\n\r\n" + BODY,
    "hexadecimal length": POST + HOST + b"Content-Length: 0x10\r\n\r\n" + BODY,
    "length of words": POST + HOST + b"Content-Length: many\r\n\r\n" + BODY,
    "endless length": POST + HOST + b"Content-Length: " + b"9" * 400 + b"\r\n\r\n" + BODY,
    "space before colon": POST + HOST + b"Content-Length : %d\r\n\r\n" % len(BODY) + BODY,
    "unknown coding": POST + HOST + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNK,
    "chunked twice removed": POST + HOST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNK,
    "tab in coding": POST + HOST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + CHUNK,
    "bad chunk": POST + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY,
    "negative chunk": POST + HOST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n" + BODY,
    "endless chunk": POST + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n" + BODY,
    "folded header": POST + HOST + b"X-A: b\r\n " + LENGTH + b"\r\n" + BODY,
    "name with space": POST + HOST + b"X A: b\r\n" + LENGTH + b"\r\n" + BODY,
    "no name": POST + HOST + b": b\r\n" + LENGTH + b"\r\n" + BODY,
    "no colon": POST + HOST + b"nothing\r\n" + LENGTH + b"\r\n" + BODY,
    "nul in header": POST + HOST + b"X-A: b\x00c\r\n" + LENGTH + b"\r\n" + BODY,
    "lone return": POST + HOST + b"X-A: b\rX-B: c\r\n" + LENGTH + b"\r\n" + BODY,
    "bare newlines": (POST + HOST + LENGTH).replace(b"\r\n", b"\n") + b"\n" + BODY,
    "newline in path": b"GET /a\nb HTTP/1.1\r\nHost: x\r\n\r\n",
    "space in path": b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "no path": b"GET HTTP/1.1\r\nHost: x\r\n\r\n",
    "http 9": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "http 0.9": b"GET /\r\n\r\n",
    "http 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "tls": bytes.fromhex("160301020001000100030300"),
    "method of its own": b"SM\x00UG /x HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    "whole address": b"GET http://evil.example/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n\r\n",
    "upgrade": b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"Upgrade: h2c\r\nHTTP2-Settings: A\r\n\r\n",
    "websocket": b"GET /v1/gurps/encounters/x/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
}


def told(service: LoggedService, data: bytes, *, last: bool = False) -> bytes:
    """Everything that a connection is told after it sent this, until the service ends it; `last`: and will send no more."""
    found = b""
    with socket.create_connection(("127.0.0.1", urlsplit(service.url).port or 0), PATIENCE) as connection:
        connection.sendall(data)
        with contextlib.suppress(ConnectionError):
            if last:
                connection.shutdown(socket.SHUT_WR)
            while more := connection.recv(65_536):
                found += more
    return found


def statuses(answer: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def honest(service: LoggedService) -> None:
    assert httpx.post(f"{service.url}{PATH}", json=REQUEST, timeout=5).content == right_answer()


@pytest.mark.parametrize("shape", AMBIGUOUS)
def test_nothing_is_smuggled(served: LoggedService, shape: str) -> None:
    """Whatever it is taken for, what stands behind it is not a request of somebody's, unless it plainly is the next one."""
    data = AMBIGUOUS[shape]
    answer = told(served, data, last=True)
    followed = told(served, data + SMUGGLED)
    assert 500 not in statuses(answer) + statuses(followed)
    if statuses(answer) not in ([200], [404], [307]):
        assert b"/smuggled" not in followed, "after what is no request nothing else is one"
    assert b"Traceback" not in answer + followed
    honest(served)


REFUSED = [shape for shape in AMBIGUOUS if "length" in shape or "chunk" in shape or "coding" in shape]


@pytest.mark.parametrize("shape", REFUSED)
def test_a_body_of_two_lengths_is_refused_and_the_connection_ends(served: LoggedService, shape: str) -> None:
    answer = told(served, AMBIGUOUS[shape] + SMUGGLED)
    assert statuses(answer) in ([400], [413], [415], []), "or the connection is closed without a word"
    assert b"/smuggled" not in answer


BROKEN_LINES = ["%0d%0aSet-Cookie:%20a=b", "%0aX-Evil:%201", "%0d", "%00", "%e5%98%8a%e5%98%8dX-Evil:1", "%1b[31m",
                "%22%7d,%7b", "%3cscript%3e", "%e2%80%ae", "%ff", "%c0%af", "a%E2%80%A8b"]  # fmt: skip


@pytest.mark.parametrize("trick", BROKEN_LINES)
def test_a_broken_line_in_a_path_or_query_breaks_no_header(served: LoggedService, trick: str) -> None:
    for target in (f"/{trick}", f"/v1/gurps/encounters/{trick}", f"/v1/systems/{trick}", f"/problems/{trick}",
                   f"/static/{trick}", f"/docs?{trick}={trick}", f"/v1/gurps/encounters/x/events?after={trick}",
                   f"/{trick}/?{trick}"):  # fmt: skip
        answer = told(
            served, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: {trick}\r\n\r\n".encode()
        )
        head, _, body = answer.partition(b"\r\n\r\n")
        names = {line.split(b":")[0].lower() for line in head.split(b"\r\n")[1:]}
        assert not names & {b"set-cookie", b"x-evil"}
        assert b"\n" not in head.replace(b"\r\n", b"")
        assert statuses(head)[0] in (200, 401, 404, 422)
        if b"application/problem+json" in head:
            assert json.loads(body)["instance"].startswith("/")
    honest(served)


def test_a_host_that_is_none_changes_nothing(served: LoggedService) -> None:
    for host in (b"evil.example", b"evil.example:99999999", b"[", b"a@b", b"", b"x/../y", b"127.0.0.1\tx"):
        answer = told(served, b"GET / HTTP/1.1\r\nConnection: close\r\nHost: " + host + b"\r\n\r\n")
        assert statuses(answer) in ([307], [400]), host
        assert b"evil" not in answer
        if statuses(answer) == [307]:
            assert b"location: /docs\r\n" in answer


def test_what_is_no_request_is_told_so(served: LoggedService) -> None:
    assert last_problem(told(served, AMBIGUOUS["two lengths"])) == (400, "/problems/invalid-http")
    assert b"x-content-type-options: nosniff" in told(served, AMBIGUOUS["two lengths"])


def test_the_log_is_one_object_a_line_whatever_was_sent(served: LoggedService) -> None:
    for trick in (*BROKEN_LINES, '"},{"level":"error', "\x1b[31m"):
        told(served, f"GET /{trick} HTTP/1.1\r\nHost: {trick}\r\nX-Request-Id: {trick}\r\n\r\n".encode(), last=True)
        told(
            served,
            f"POST /v1/batch HTTP/1.1\r\nUser-Agent: {trick}\r\ntraceparent: {trick}\r\n\r\n".encode(),
            last=True,
        )
    honest(served)
    lines = served.lines()
    assert len(lines) > 10
    text = served.text()
    for sent in ("\x1b", "Set-Cookie", "X-Evil", "script", "evil.example", "/smuggled", "Traceback", "\u202e"):
        assert sent not in text, sent
    routes = {line["route"] for line in lines if line["event"] == "request"}
    assert all(re.fullmatch(r"unmatched|[/{}a-z0-9.-]+", route) for route in routes), routes
    assert {line["level"] for line in lines} <= {"info", "warning"}

"""Who called a moment ago is known again, and no more is remembered of him than tells him from others."""

from typing import Any

import pytest

from service.gate.addresses import LONGEST
from service.gate.callers import LONGEST_HEADER, Callers
from service.gate.key_source import KeySource
from service.gate.keys import Scope, new_key
from service.gate.rates import Rates
from tests.gate.conftest import Serving, bearer

KEY = bearer(new_key("a")[1])["authorization"]


def request(authorization: str = "", *forwarded: str) -> dict[str, Any]:
    headers = [(b"authorization", authorization.encode())] if authorization else []
    headers += [(b"x-forwarded-for", each.encode()) for each in forwarded]
    return {"type": "http", "client": ("192.0.2.7", 1), "headers": headers}


def who_knows(*, with_keys: bool = False, hops: int = 0) -> Callers:
    return Callers(Rates(), KeySource(None) if with_keys else None, None, hops)


def is_known(callers: Callers, first: dict[str, Any], then: dict[str, Any]) -> bool:
    """Whether somebody is known who called before in a certain way."""
    callers.remember(first, callers.without_key(callers.stranger(first), frozenset(Scope)))
    return callers.known(then) is not None


def test_one_who_has_a_key_is_known_by_it() -> None:
    assert is_known(who_knows(with_keys=True), request(KEY), request(KEY))
    assert not is_known(who_knows(with_keys=True), request(KEY), request(KEY[:-1]))
    assert not is_known(who_knows(with_keys=True), request(KEY), request())


def test_where_there_are_no_keys_what_is_sent_as_one_tells_nobody_apart() -> None:
    assert is_known(who_knows(), request("Bearer 1"), request("Bearer 2"))


def test_a_header_that_is_longer_than_any_key_is_not_remembered() -> None:
    assert len(KEY) < LONGEST_HEADER
    for length, remembered in ((LONGEST_HEADER, True), (LONGEST_HEADER + 1, False)):
        long = request("x" * length)
        assert is_known(who_knows(with_keys=True), long, long) is remembered


@pytest.mark.parametrize("before", [("x" * 30_000 + ", 198.51.100.1",), ("203.0.113.9", "198.51.100.1")])
def test_what_the_client_wrote_before_the_trusted_proxies_is_not_remembered(before: tuple[str, ...]) -> None:
    callers = who_knows(hops=1)
    assert is_known(callers, request("", *before), request("", "198.51.100.1"))
    assert callers.known(request("", "198.51.100.2")) is None
    assert is_known(callers, request("", "y" * LONGEST + "1"), request("", "y" * LONGEST + "2")), "nor what is too long"


async def test_one_who_is_known_is_not_looked_at_again_whatever_is_asked(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    without_key = Callers.without_key

    def seen(*arguments: Any) -> Any:
        looked.append("once")
        return without_key(*arguments)

    monkeypatch.setattr(Callers, "without_key", seen)
    async with serving() as client:
        for path in ("/v1/systems", "/v1/gurps/encounters/0000", "/v1/gurps/encounters/0000/events", "/nowhere"):
            await client.get(path)
    assert looked == ["once"]

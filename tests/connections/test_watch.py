"""Whose connections a worker counts together, and that it looks at all of them."""

import asyncio

import pytest

from service.connections import watch as watching
from service.connections.limits import Limits
from service.connections.watch import Watch


class Open:
    """A connection that nothing is wrong with."""

    def look(self, now: float) -> None:
        """Stay open."""


async def test_addresses_of_one_subscriber_are_counted_together() -> None:
    watch = Watch(Limits(connections=10, per_address=2, seconds=1.0), asyncio.get_running_loop())
    first, last = Open(), Open()
    assert watch.admit(first, "2001:db8:1:2::1")
    assert watch.admit(Open(), "2001:db8:1:2:ffff::1")
    assert not watch.admit(last, "2001:db8:1:2::3")
    watch.forget(last, "2001:db8:1:2::3")
    assert watch.admit(Open(), "2001:db8:1:3::1"), "the next subscriber's"
    watch.forget(first, "2001:db8:1:2::1")
    assert watch.admit(Open(), "2001:db8:1:2::4")


async def test_an_address_is_the_same_in_either_form() -> None:
    watch = Watch(Limits(connections=10, per_address=1, seconds=1.0), asyncio.get_running_loop())
    assert watch.admit(Open(), "192.0.2.1")
    assert not watch.admit(Open(), "::ffff:192.0.2.1")
    assert watch.admit(Open(), "192.0.2.2")


class Broken:
    """A connection with which something is wrong that nobody thought of."""

    def look(self, now: float) -> None:
        raise RuntimeError


class Counting:
    """A connection that counts how often it is looked at."""

    looked = 0

    def look(self, now: float) -> None:
        self.looked += 1


async def test_one_that_cannot_be_looked_at_does_not_end_the_round(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watching, "ROUND_SECONDS", 0.01)
    watch = Watch(Limits(connections=10, per_address=None, seconds=1.0), asyncio.get_running_loop())
    others = [Counting() for _ in range(5)]
    assert all(watch.admit(each, None) for each in others)
    assert watch.admit(Broken(), None)
    async with asyncio.timeout(10):
        while min(each.looked for each in others) < 3:
            await asyncio.sleep(0.01)
    assert "cannot be looked at" in caplog.text

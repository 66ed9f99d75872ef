"""Whose connections a worker counts together."""

import asyncio

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

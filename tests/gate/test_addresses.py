"""Whose address a request comes from."""

from typing import Any

import pytest

from service.gate.addresses import LOCAL, address_of, is_foreign, is_loopback


def scope(peer: str | None, *forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", each.encode("latin-1")) for each in forwarded]
    return {"client": None if peer is None else (peer, 1), "headers": [(b"host", b"a"), *headers]}


@pytest.mark.parametrize(
    ("peer", "forwarded", "hops", "address"),
    [
        ("192.0.2.1", [], 0, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.1"], 0, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.1"], 1, "198.51.100.1"),
        ("192.0.2.1", ["6.6.6.6, 198.51.100.1"], 1, "198.51.100.1"),
        ("192.0.2.1", ["6.6.6.6", "198.51.100.1"], 1, "198.51.100.1"),
        ("192.0.2.1", ["6.6.6.6, 198.51.100.1, 203.0.113.1"], 2, "198.51.100.1"),
        ("192.0.2.1", ["198.51.100.1"], 3, "198.51.100.1"),
        ("192.0.2.1", [], 1, "192.0.2.1"),
        ("192.0.2.1", ["unknown"], 1, "192.0.2.1"),
        ("192.0.2.1", ["'; DROP TABLE", ""], 1, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.1:4711"], 1, "198.51.100.1"),
        ("192.0.2.1", ["[2001:db8:1:2::9]:4711"], 1, "2001:db8:1:2::/64"),
        ("192.0.2.1", ["\xe9\xff"], 1, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", [], 0, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", [], 0, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", [], 0, "192.0.2.1"),
        ("fe80::1%eth0", [], 0, "fe80::/64"),
        (None, [], 0, LOCAL),
        ("", ["198.51.100.1"], 1, "198.51.100.1"),
    ],
)
def test_the_address(peer: str | None, forwarded: list[str], hops: int, address: str) -> None:
    assert address_of(scope(peer, *forwarded), hops) == address


def test_which_addresses_only_this_machine_can_call() -> None:
    for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        assert is_loopback(host), host
        assert not is_foreign(host), host
    for host in ("0.0.0.0", "::", "192.0.2.1", "fe80::1%eth0"):
        assert not is_loopback(host), host
        assert is_foreign(host), host
    for host in ("rules.example", "/run/socket"):
        assert not is_loopback(host), host
        assert not is_foreign(host), host

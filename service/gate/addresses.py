"""Whose address a request comes from, with as many proxies in between as the operator has."""

import ipaddress
from functools import lru_cache

from starlette.types import Scope

ADDRESS = "rulewright.address"
"""Where a request has the address of its client, in its scope."""
LOCAL = "local"
"""Who comes by a socket that has no address."""
LONGEST = 64
"""No address is longer, and what was written is remembered."""
SUBSCRIBER_BITS = 64
"""So many bits of an IPv6 address are one subscriber's; the others he chooses as he likes."""


def address_of(scope: Scope, trusted_hops: int) -> str:
    """The client's address, in the form in which limits count it: IPv4 whole, of IPv6 the subscriber's network.

    Each trusted proxy appends to X-Forwarded-For whom it was called by, so the entry of the outermost is the `trusted_hops`-th
    from the right. What stands before was written by the client. Without the header, or without an address there, it is
    whoever called.
    """
    client = scope.get("client")
    peer = client[0] if client else ""
    seen = counted(forwarded_for(scope, trusted_hops)) if trusted_hops else None
    return seen or counted(peer) or LOCAL


def forwarded_for(scope: Scope, trusted_hops: int) -> str:
    """Whom the outermost trusted proxy was called by, as it wrote that down; empty when nothing was sent."""
    sent = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return sent.rsplit(b",", trusted_hops)[-trusted_hops:][0].strip()[:LONGEST].decode("latin-1")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can call an address, or a name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_foreign(host: str) -> bool:
    """Whether this is an address that others than this machine can call; a path or a name is none."""
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=20_000)
def counted(written: str) -> str | None:
    """An address as it is counted, or None when it is none; a port behind it is left out."""
    bare = written.removeprefix("[").partition("]")[0] if written.startswith("[") else written
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, SUBSCRIBER_BITS), strict=False))
    return str(address)

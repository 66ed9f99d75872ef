"""Who calls: an address, and the holder of a key. Whoever called a moment ago is known without being looked at again."""

from collections.abc import Sequence
from typing import TypeAlias

from starlette.types import Scope

from service.gate.addresses import address_of, forwarded_for
from service.gate.allowance import Allowance
from service.gate.key_source import KeySource
from service.gate.keys import Holder
from service.gate.keys import Scope as KeyScope
from service.gate.rates import Bucket, Rate, Rates
from service.http import header

KNOWN = 4_096
LONGEST_HEADER = 256
"""Whoever sends a longer one, which no key is, is looked at each time: what was sent is remembered."""
_Name: TypeAlias = tuple[str, str, bytes]


class Caller:
    """Whoever calls: what they may use without being looked at again, and from which buckets they pay."""

    __slots__ = ("address", "allowance", "buckets", "key_id", "scopes", "tell")

    def __init__(
        self, address: str, buckets: Sequence[Bucket], rates: Rates, scopes: frozenset[KeyScope], key_id: str | None
    ) -> None:
        self.address = address
        self.buckets = buckets
        self.allowance = Allowance(rates, buckets)
        self.tell = self.allowance.tell
        self.scopes = scopes
        self.key_id = key_id


class Callers:
    """Those who called a moment ago, until the keys are looked at again or buckets are forgotten."""

    def __init__(self, rates: Rates, keys: KeySource | None, address_rate: Rate | None, trusted_hops: int) -> None:
        self._rates = rates
        self._keys = keys
        self._address_rate = address_rate
        self._hops = trusted_hops
        self._known: dict[_Name, Caller] = {}
        self._version = 0

    def known(self, scope: Scope) -> Caller | None:
        """Who called in the same way a moment ago, None when it has to be looked at."""
        version = self._rates.version if self._keys is None else self._rates.version + self._keys.version
        if version != self._version:
            self._known.clear()
            self._version = version
        return self._known.get(self._name(scope))

    def stranger(self, scope: Scope) -> Caller:
        """Somebody of whom nothing is known but the address."""
        address = address_of(scope, self._hops)
        rate = self._address_rate
        buckets = [] if rate is None else [self._rates.bucket("address/" + address, rate)]
        return Caller(address, buckets, self._rates, frozenset(), None)

    def with_key(self, stranger: Caller, holder: Holder) -> Caller:
        """The same, with a key."""
        own = [] if holder.rate is None else [self._rates.bucket(holder.bucket, holder.rate)]
        return Caller(stranger.address, [*stranger.buckets, *own], self._rates, holder.scopes, holder.id)

    def without_key(self, stranger: Caller, scopes: frozenset[KeyScope]) -> Caller:
        """The same, who may use something without a key."""
        return Caller(stranger.address, stranger.buckets, self._rates, scopes, None)

    def remember(self, scope: Scope, caller: Caller) -> None:
        """Know who called in this way."""
        name = self._name(scope)
        if len(name[2]) <= LONGEST_HEADER:
            if len(self._known) >= KNOWN:
                self._known.clear()
            self._known[name] = caller

    def _name(self, scope: Scope) -> _Name:
        """What a request says of its caller: who called, on whose behalf, and with which key if there are any.

        A look-up compares hashes under a key of the process, and what was sent only when they are the same: the time that it
        takes tells nothing of the keys that are known.
        """
        client = scope.get("client")
        return (
            client[0] if client else "",
            forwarded_for(scope, self._hops) if self._hops else "",
            b"" if self._keys is None else header(scope, b"authorization"),
        )

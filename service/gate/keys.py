"""API keys: made once, shown once, kept hashed; and what the holder of each may do.

A key is `rwk_<id>_<secret>`. The id is public, stands in logs and lists, and says which key to look at; of the secret only the
SHA-256 is kept, which is enough for 256 random bits.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import msgspec

from service.gate.rates import Rate
from service.names import UNPRINTABLE
from service.settings import SLOWEST_RATE

KEY_ID = "rulewright.key"
"""Where a request has the id of its key in its scope, None without one."""
PREFIX = "rwk_"
ID_BYTES = 6
SECRET_BYTES = 32
PRESENTED = re.compile(rf"{PREFIX}([0-9a-f]{{{2 * ID_BYTES}}})_([A-Za-z0-9_-]{{43}})")
NAME = rf"\A[^{UNPRINTABLE}\ud800-\udfff]{{1,100}}\Z"
NOBODY = hashlib.sha256(b"").hexdigest()


class Scope(StrEnum):
    """What a key may be used for."""

    RESOLVE = "resolve"
    ODDS = "odds"
    ENCOUNTERS = "encounters"
    METRICS = "metrics"


CLIENT_SCOPES = (Scope.RESOLVE, Scope.ODDS, Scope.ENCOUNTERS)


Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One secret of a key, hashed; `until` is when it ends, None while it is the newest."""

    sha256: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    until: Instant | None = None


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A key as it is kept: `rate` and `burst` are its own limit, None what the settings say, a rate of 0 no limit."""

    id: Annotated[str, msgspec.Meta(pattern=rf"\A[0-9a-f]{{{2 * ID_BYTES}}}\Z")]
    name: Annotated[str, msgspec.Meta(pattern=NAME)]
    secrets: list[Secret]
    scopes: list[Scope]
    created_at: Instant
    rate: Annotated[float, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    burst: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    expires_at: Instant | None = None
    revoked_at: Instant | None = None

    def __post_init__(self) -> None:
        if self.rate is not None and 0 < self.rate < SLOWEST_RATE:
            raise ValueError(f"a rate is 0, which is without limit, or from {SLOWEST_RATE} up")

    def state(self, now: datetime) -> str:
        """Whether it opens anything: `active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "active"


class Holder:
    """Who calls with a key that is good: the key, its scopes, and its limit (None: without)."""

    __slots__ = ("bucket", "id", "key", "rate", "scopes")

    def __init__(self, key: Key, rate: Rate | None) -> None:
        self.key = key
        self.id = key.id
        self.bucket = f"key/{key.id}"
        self.scopes = frozenset(key.scopes)
        self.rate = rate


class Keyring:
    """All keys, as they were when it was read, and the limit of those that say none; a rate of 0 is none."""

    def __init__(self, keys: Iterable[Key], default_rate: Rate | None) -> None:
        self._holders: Mapping[str, Holder] = {key.id: Holder(key, _rate_of(key, default_rate)) for key in keys}

    def knows(self, presented: str) -> bool:
        """Whether there is a key of the id that was presented."""
        found = PRESENTED.fullmatch(presented)
        return found is not None and found[1] in self._holders

    def holder_of(self, presented: str, now: datetime | None = None) -> Holder | None:
        """Who presents a key, or None when it is none of these, or no longer; it takes as long either way."""
        found = PRESENTED.fullmatch(presented)
        if found is None:
            return None
        now = now or datetime.now(UTC)
        holder = self._holders.get(found[1])
        hashed = hashlib.sha256(found[2].encode()).hexdigest()
        if holder is None:
            hmac.compare_digest(hashed, NOBODY)
            return None
        good = [hmac.compare_digest(hashed, each.sha256) and not _ended(each, now) for each in holder.key.secrets]
        return holder if any(good) and holder.key.state(now) == "active" else None


def _ended(secret: Secret, now: datetime) -> bool:
    return secret.until is not None and secret.until <= now


def _rate_of(key: Key, default: Rate | None) -> Rate | None:
    per_second = key.rate if key.rate is not None else default.per_second if default else 0
    holds = key.burst or (default.holds if default else max(1, int(per_second)))
    return Rate(per_second, holds) if per_second else None


def new_key(
    name: str,
    scopes: Iterable[Scope] = CLIENT_SCOPES,
    rate: float | None = None,
    burst: int | None = None,
    expires_at: datetime | None = None,
) -> tuple[Key, str]:
    """A new key, and what is shown of it once."""
    key_id = secrets.token_hex(ID_BYTES)
    kept, shown = _new_secret(key_id)
    fields = {
        "id": key_id,
        "name": name,
        "secrets": [msgspec.to_builtins(kept)],
        "scopes": sorted(set(scopes)),
        "created_at": datetime.now(UTC).replace(microsecond=0),
        "rate": rate,
        "burst": burst,
        "expires_at": expires_at,
    }
    return msgspec.convert(fields, Key), shown


def demand_name(name: str) -> None:
    """ValueError when this cannot be a key's name."""
    if re.fullmatch(NAME, name) is None:
        raise ValueError("a name is 1 to 100 characters in one line of what can be seen")


def changed(key: Key, *, scopes: Iterable[Scope] | None, rate: float | None, burst: int | None) -> Key:
    """The key with other rights, None for what stays; ValueError when there are no such."""
    fields = msgspec.structs.asdict(key)
    fields |= {"scopes": key.scopes if scopes is None else sorted(set(scopes))}
    fields |= {name: value for name, value in (("rate", rate), ("burst", burst)) if value is not None}
    return msgspec.convert(fields, Key)


def rotated(key: Key, keep: timedelta) -> tuple[Key, str]:
    """The key with a new secret, which is shown once; the others still work for so long, if they did not end before."""
    kept, shown = _new_secret(key.id)
    now = datetime.now(UTC).replace(microsecond=0)
    until = now + keep
    old = [Secret(each.sha256, min(each.until or until, until)) for each in key.secrets]
    return msgspec.structs.replace(key, secrets=[kept, *(each for each in old if not _ended(each, now))]), shown


def revoked(key: Key) -> Key:
    """The key, of no use any more."""
    return msgspec.structs.replace(key, revoked_at=datetime.now(UTC).replace(microsecond=0))


def _new_secret(key_id: str) -> tuple[Secret, str]:
    secret = secrets.token_urlsafe(SECRET_BYTES)
    return Secret(hashlib.sha256(secret.encode()).hexdigest()), f"{PREFIX}{key_id}_{secret}"

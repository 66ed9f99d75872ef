"""What goes into the store and comes out of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """The newest snapshot of one encounter; every write makes the revision one higher, the first makes it 1."""

    revision: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A key that the client chose for its change, and what to answer when the same key comes again."""

    key_hash: str
    fingerprint: bytes
    """Tells requests apart, so that the caller sees when a key comes again with another one."""
    response: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """The change was made, and this is the revision that it made."""

    revision: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another change came first, or the id is taken; nothing was written, and this is the newest record."""

    record: Record


@dataclass(frozen=True, slots=True)
class Repeated:
    """The key was seen before, with the request of this fingerprint; nothing was written, and this was the answer."""

    fingerprint: bytes
    response: bytes


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such encounter, or no longer; nothing was written."""


@dataclass(frozen=True, slots=True)
class TooManyOpen:
    """The owner has as many open encounters as allowed; nothing was written."""

"""The one way in which an encounter changes: load, decide, and append in one atomic step of the store.

A change that names the version it saw (`If-Match`) applies to that or to none. Without it a change that lost a race is
decided again on the newest state, a bounded number of times. A change with an `Idempotency-Key` is done once.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from rules.core.encounter import evolve
from service import problems
from service.answers import encode
from service.encounters.access import Access, access_with
from service.encounters.kept import Kept, Status, empty_state, read, written
from service.encounters.ledger import Draft, event_of
from service.encounters.limits import Limits
from service.problems import Problem
from service.store.records import Appended, Conflict, Idempotency, Missing, Repeated, TooManyOpen
from service.store.store import Store

ATTEMPTS = 20
LOCKS_KEPT = 4096
RECORDS_KEPT = 256
LARGEST_KEPT = 65_536


@dataclass(frozen=True, slots=True)
class Asking:
    """What came with a change, beside its body: credentials and conditions."""

    encounter: str
    token: str
    fingerprint: bytes
    idempotency_key: str | None = None
    if_match: int | None = None


@dataclass(slots=True)
class Decided:
    """A decision on one state: the event that it becomes (None: a change of access only) and fields of its own answer."""

    draft: Draft | None
    answer: dict[str, Any] = field(default_factory=dict)


Decide = Callable[[Kept, Access], Awaitable[Decided]]
Present = Callable[[Kept, Access, dict[str, Any] | None, Decided], bytes]


@dataclass(frozen=True, slots=True)
class _Made:
    """A change that waits to be appended: what it will be answered, its event, and its idempotency key."""

    answer: bytes
    event: dict[str, Any] | None
    idempotency: Idempotency | None


class Changes:
    """Makes changes, one at a time for each encounter within a worker; across workers the store's revision decides.

    The records of the last changes are remembered, so that the next change of an encounter need not load one. A change that
    was decided on an old record meets a conflict, as any that lost a race; nothing is refused before the newest was loaded.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._store: Store | None = None
        self._locks: OrderedDict[str, asyncio.Lock] = OrderedDict()
        self._records: OrderedDict[str, tuple[int, Kept]] = OrderedDict()

    @property
    def store(self) -> Store:
        """The store; a problem when there is none."""
        if self._store is None:
            raise Problem(problems.STORE_UNAVAILABLE, headers=problems.RETRY_SOON)
        return self._store

    def keep_in(self, store: Store | None) -> None:
        """Keep encounters in this store from now on, or nowhere."""
        self._store = store
        self._records.clear()

    async def open(self, kept: Kept, event: dict[str, Any]) -> None:
        """Begin an encounter with its first event."""
        made = await self.store.create(
            kept.id,
            body=written(kept),
            events=[(event["sequence"], encode(event))],
            ttl_seconds=self.limits.idle_seconds,
            owner=kept.owner,
            most_open=self.limits.max_open,
        )
        if isinstance(made, TooManyOpen):
            raise Problem(problems.LIMIT_REACHED, {"what": "encounters", "limit": self.limits.max_open})

    async def load(self, encounter: str) -> tuple[int, Kept]:
        """The newest revision of an encounter and its record."""
        record = await self.store.load(encounter)
        if record is None:
            raise Problem(problems.NOT_FOUND, {})
        return record.revision, read(record.body)

    async def make(self, asking: Asking, decide: Decide, present: Present) -> bytes:
        """Make a change and answer it; what was answered before when its key was seen already."""
        async with self._lock(asking.encounter):
            remembered = self._records.pop(asking.encounter, None)
            revision, kept = remembered or await self.load(asking.encounter)
            for _ in range(ATTEMPTS):
                try:
                    made = await self._made(asking, kept, decide, present)
                except Exception:
                    if remembered is None:
                        raise
                    remembered, (revision, kept) = None, await self.load(asking.encounter)
                    continue
                if isinstance(made, Repeated):
                    return _answer_again(asking, made)
                appended = await self._append(asking.encounter, revision, kept, made)
                if isinstance(appended, Appended):
                    return made.answer
                if isinstance(appended, Repeated):
                    return _answer_again(asking, appended)
                if not isinstance(appended, Conflict):
                    raise Problem(problems.NOT_FOUND)
                remembered, revision, kept = None, appended.record.revision, read(appended.record.body)
        raise Problem(problems.CONTENDED, {"attempts": ATTEMPTS}, headers=((b"retry-after", b"1"),))

    async def _made(self, asking: Asking, kept: Kept, decide: Decide, present: Present) -> _Made | Repeated:
        access = access_with(kept, asking.token)
        key_hash = _key_hash(asking, access)
        try:
            answer, event = await self._decided(asking, kept, access, decide, present)
        except Exception:
            repeated = await self.store.remembered(asking.encounter, key_hash) if key_hash else None
            if repeated is None:
                raise
            return repeated
        return _Made(answer, event, Idempotency(key_hash, asking.fingerprint, answer) if key_hash else None)

    async def _append(
        self, encounter: str, revision: int, kept: Kept, made: _Made
    ) -> Appended | Conflict | Repeated | Missing:
        body, event = written(kept), made.event
        appended = await self.store.append(
            encounter,
            expected_revision=revision,
            body=body,
            events=[(event["sequence"], encode(event))] if event else [],
            idempotency=made.idempotency,
            ttl_seconds=self.limits.idle_seconds,
        )
        if isinstance(appended, Appended) and len(body) <= LARGEST_KEPT:
            self._records[encounter] = appended.revision, kept
            if len(self._records) > RECORDS_KEPT:
                self._records.popitem(last=False)
        return appended

    async def _decided(
        self, asking: Asking, kept: Kept, access: Access, decide: Decide, present: Present
    ) -> tuple[bytes, dict[str, Any] | None]:
        if asking.if_match is not None and asking.if_match != kept.version:
            raise Problem(problems.VERSION_MISMATCH, {"version": kept.version, "seen": asking.if_match})
        decided = await decide(kept, access)
        event = None
        if decided.draft is not None:
            event = self.enter(kept, decided.draft)
        return present(kept, access, event, decided), event

    def enter(self, kept: Kept, draft: Draft) -> dict[str, Any]:
        """Put an event into its place in the log of a record, and apply its effects."""
        if kept.version >= self.limits.max_events:
            raise Problem(problems.LIMIT_REACHED, {"what": "events", "limit": self.limits.max_events})
        event = event_of(draft, kept)
        evolve(kept.state, event["effects"])
        kept.version = event["sequence"]
        kept.last_hash = event["hash"]
        kept.expires_at = self.expiry()
        return event

    def expiry(self) -> str:
        """When an encounter that is used now will be forgotten."""
        at = datetime.now(UTC) + timedelta(seconds=self.limits.idle_seconds)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _lock(self, encounter: str) -> asyncio.Lock:
        lock = self._locks.pop(encounter, None) or asyncio.Lock()
        self._locks[encounter] = lock
        while len(self._locks) > LOCKS_KEPT:
            oldest, unused = next(iter(self._locks.items()))
            if unused.locked():
                break
            del self._locks[oldest]
        return lock


def new_record(system: str, own_dice: Any, opening: dict[str, Any], created_at: str, expires_at: str) -> Kept:
    """A record of an encounter without events, with a secret seed and the commitment to it."""
    seed = secrets.token_hex(32)
    commitment = hashlib.sha256(seed.encode()).hexdigest()
    return Kept(
        id=secrets.token_urlsafe(12).replace("-", "a").replace("_", "b"),
        system=system,
        seed=seed,
        commitment=commitment,
        own_dice=own_dice,
        opening=opening,
        created_at=created_at,
        expires_at=expires_at,
        state=empty_state(),
    )


def demand_open(kept: Kept) -> None:
    """A problem when the encounter is closed."""
    if kept.status is Status.CLOSED:
        raise Problem(problems.ENCOUNTER_CLOSED, {})


def _key_hash(asking: Asking, access: Access) -> str | None:
    if asking.idempotency_key is None:
        return None
    return hashlib.sha256(f"{access.token.hash}\n{asking.idempotency_key}".encode("utf-8", "surrogatepass")).hexdigest()


def _answer_again(asking: Asking, repeated: Repeated) -> bytes:
    if repeated.fingerprint != asking.fingerprint:
        raise Problem(problems.IDEMPOTENCY_KEY_REUSED, {})
    return repeated.response

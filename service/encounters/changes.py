"""The one way in which an encounter changes: load, decide, and append in one atomic step of the store.

A change that names the version it saw (`If-Match`) applies to that or to none. Without it a change that lost a race is
decided again on the newest state, a bounded number of times. A change with an `Idempotency-Key` is done once.
"""

import asyncio
import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from rules.core.evolve import evolve
from service import problems
from service.answers import encode
from service.encounters.access import Access, access_with, hashed
from service.encounters.kept import Kept, Status, empty_state, read, written
from service.encounters.ledger import Draft, event_of
from service.encounters.limits import Limits
from service.encounters.repeats import RepeatKey
from service.problems import Problem
from service.store.records import Appended, Conflict, Missing, Repeated, TooManyOpen
from service.store.store import Store

ATTEMPTS = 20
ID_BYTES = 10
ENCOUNTER_ID = re.compile(rf"[0-9a-f]{{{2 * ID_BYTES}}}")
"""What else stands in a path never becomes part of a name in the store."""
MOST_TOGETHER = 32
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

    def repeat_key(self, access: Access) -> RepeatKey | None:
        """The key among those of the token."""
        key = self.idempotency_key
        return None if key is None else RepeatKey(access.token.hash, key, self.fingerprint)


@dataclass(frozen=True, slots=True)
class Opening:
    """Who opens an encounter, and the idempotency key (None without one) that opens the same one again, to the same tenant."""

    owner: str
    tenant: str
    fingerprint: bytes
    idempotency_key: str | None = None

    @property
    def repeat_key(self) -> RepeatKey | None:
        """The key among those of the tenant."""
        key = self.idempotency_key
        return None if key is None else RepeatKey(self.tenant, key, self.fingerprint)


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
    key: RepeatKey | None


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A change that was asked for, and where its answer goes."""

    asking: Asking
    decide: Decide
    present: Present
    answer: asyncio.Future[bytes]

    def tell(self, answer: bytes) -> None:
        """Answer, unless the caller went away."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Answer with an error, unless the caller went away."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True)
class _Together:
    """Changes that were decided one on the other and are appended in one step, and the record after them.

    `kept` is None when one more was refused halfway, so that the record in memory is no longer that of `body`.
    """

    changes: list[_Made]
    body: bytes
    kept: Kept | None


class Changes:
    """Makes changes, one after another for each encounter within a worker; across workers the store's revision decides.

    Those that wait for the same encounter are decided one on the other and appended in one step, all of them or none. The
    records of the last changes are remembered, so that the next one need not load its record: a change that was decided on
    an old one meets a conflict, as any that lost a race, and nothing is refused before the newest was loaded.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._store: Store | None = None
        self._records: OrderedDict[str, tuple[int, Kept]] = OrderedDict()
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def are_kept(self) -> bool:
        """Whether there is a store."""
        return self._store is not None

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

    async def open(self, kept: Kept, event: dict[str, Any], opening: Opening, answer: bytes) -> bytes:
        """Begin an encounter with its first event and answer it; what was answered before when its key was seen already."""
        key = opening.repeat_key
        made = await self.store.create(
            kept.id,
            body=written(kept),
            events=[(event["sequence"], encode(event))],
            ttl_seconds=self.limits.idle_seconds,
            owner=kept.owner,
            most_open=self.limits.max_open,
            idempotency=key.remember(answer) if key else None,
        )
        if isinstance(made, TooManyOpen):
            raise Problem(problems.LIMIT_REACHED, {"what": "encounters", "limit": self.limits.max_open})
        if isinstance(made, Conflict):
            raise Problem(problems.IDEMPOTENCY_KEY_REUSED, {})
        return key.answer(made) if key and isinstance(made, Repeated) else answer

    async def load(self, encounter: str) -> tuple[int, Kept]:
        """The newest revision of an encounter and its record."""
        store = self.store
        record = await store.load(encounter) if ENCOUNTER_ID.fullmatch(encounter) else None
        if record is None:
            raise Problem(problems.NOT_FOUND, {})
        return record.revision, read(record.body)

    async def make(self, asking: Asking, decide: Decide, present: Present) -> bytes:
        """Make a change and answer it; what was answered before when its key was seen already."""
        each = _Waiting(asking, decide, present, asyncio.get_running_loop().create_future())
        if asking.encounter in self._waiting:
            self._waiting[asking.encounter].append(each)
        else:
            self._waiting[asking.encounter] = deque([each])
            task = asyncio.create_task(self._make_all(asking.encounter))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await each.answer

    async def _make_all(self, encounter: str) -> None:
        waiting = self._waiting[encounter]
        try:
            while waiting:
                if waiting[0].answer.done():
                    waiting.popleft()
                    continue
                try:
                    await self._make_next(encounter, waiting)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is for who asked
                    waiting.popleft().fail(error)
        finally:
            del self._waiting[encounter]
            for each in waiting:
                each.answer.cancel()

    async def _make_next(self, encounter: str, waiting: deque[_Waiting]) -> None:
        """Make the first change that waits, with others if they can be; what is raised is about the first."""
        remembered = self._records.pop(encounter, None)
        revision, kept = remembered or await self.load(encounter)
        for _ in range(ATTEMPTS):
            try:
                decided = await self._decided_together(kept, waiting)
            except Exception:
                if remembered is None:
                    raise
                remembered, (revision, kept) = None, await self.load(encounter)
                continue
            told = decided if isinstance(decided, bytes) else await self._append(encounter, revision, decided, waiting)
            if isinstance(told, bytes):
                waiting.popleft().tell(told)
            if not isinstance(told, Conflict):
                return
            remembered, revision, kept = None, told.record.revision, read(told.record.body)
        raise Problem(problems.CONTENDED, {"attempts": ATTEMPTS}, headers=((b"retry-after", b"1"),))

    async def _decided_together(self, kept: Kept, waiting: deque[_Waiting]) -> _Together | bytes:
        """Changes to be appended; what the first was answered when it came before."""
        first, *others = list(islice(waiting, MOST_TOGETHER))
        made = await self._made(first, kept)
        if isinstance(made, bytes):
            return made
        together = _Together([made], written(kept), kept)
        alone = first.asking.idempotency_key is not None
        for each in () if alone else others:
            if each.asking.idempotency_key is not None or each.answer.done():
                break
            try:
                made = await self._made(each, kept)
            except Exception:  # noqa: BLE001 - it will be the first, and is decided again
                together.kept = None
                break
            if isinstance(made, _Made):
                together.changes.append(made)
                together.body = written(kept)
        return together

    async def _append(
        self, encounter: str, revision: int, together: _Together, waiting: deque[_Waiting]
    ) -> Appended | Conflict | bytes | None:
        """Append changes and answer them; None when it failed, which every one of them was told.

        Bytes are what the first, which comes alone then, was answered before.
        """
        first = together.changes[0]
        try:
            told = await self.store.append(
                encounter,
                expected_revision=revision,
                body=together.body,
                events=[(each["sequence"], encode(each)) for made in together.changes if (each := made.event)],
                idempotency=first.key.remember(first.answer) if first.key else None,
                ttl_seconds=self.limits.idle_seconds,
            )
        except Exception as error:  # noqa: BLE001 - all may have been made all the same, so that none is made again
            for _ in together.changes:
                waiting.popleft().fail(error)
            return None
        if isinstance(told, Missing):
            raise Problem(problems.NOT_FOUND)
        if isinstance(told, Appended):
            self._remember(encounter, told.revision, together)
            for made in together.changes:
                waiting.popleft().tell(made.answer)
        if isinstance(told, Repeated):
            assert first.key is not None, "without a key nothing is repeated"
            return first.key.answer(told)
        return told

    def _remember(self, encounter: str, revision: int, together: _Together) -> None:
        if together.kept is not None and len(together.body) <= LARGEST_KEPT:
            self._records[encounter] = revision, together.kept
            if len(self._records) > RECORDS_KEPT:
                self._records.popitem(last=False)

    async def _made(self, waiting: _Waiting, kept: Kept) -> _Made | bytes:
        """The change, or what was answered when it came before."""
        asking = waiting.asking
        access = access_with(kept, asking.token)
        key = asking.repeat_key(access)
        try:
            answer, event = await self._decided(waiting, kept, access)
        except Exception:
            repeated = await self.store.remembered(asking.encounter, key.hash) if key else None
            if key is None or repeated is None:
                raise
            return key.answer(repeated)
        return _Made(answer, event, key)

    async def _decided(self, waiting: _Waiting, kept: Kept, access: Access) -> tuple[bytes, dict[str, Any] | None]:
        seen = waiting.asking.if_match
        if seen is not None and seen != kept.version:
            raise Problem(problems.VERSION_MISMATCH, {"version": kept.version, "seen": seen})
        decided = await waiting.decide(kept, access)
        event = None if decided.draft is None else self.enter(kept, decided.draft)
        return waiting.present(kept, access, event, decided), event

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


def new_record(
    system: str,
    own_dice: Any,
    opening: dict[str, Any],
    created_at: str,
    expires_at: str,
    opening_key: str | None = None,
) -> Kept:
    """A record of an encounter without events, with a secret seed and the commitment to it.

    The same `opening_key` gives the same id, so that opening it twice meets the first.
    """
    seed = secrets.token_hex(32)
    commitment = hashed(seed)
    return Kept(
        id=_id_of(opening_key),
        system=system,
        seed=seed,
        commitment=commitment,
        own_dice=own_dice,
        opening=opening,
        created_at=created_at,
        expires_at=expires_at,
        state=empty_state(),
    )


def _id_of(opening_key: str | None) -> str:
    return secrets.token_hex(ID_BYTES) if opening_key is None else hashed(f"encounter/{opening_key}")[: 2 * ID_BYTES]


def demand_open(kept: Kept) -> None:
    """A problem when the encounter is closed."""
    if kept.status is Status.CLOSED:
        raise Problem(problems.ENCOUNTER_CLOSED, {})

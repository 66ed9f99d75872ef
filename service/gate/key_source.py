"""The keys of a running service: read again when they change, so that a key is made, rotated and revoked without a restart."""

import asyncio
import logging
import time

from service.gate.key_places import KeyPlace, KeysUnreadable
from service.gate.keys import Holder, Keyring
from service.gate.rates import Rate
from service.store.errors import StoreError, StoreUnavailable

LOOK_AGAIN_SECONDS = 2.0
"""How long a change takes until every worker knows of it, at most."""
UNKNOWN_SECONDS = 0.5
"""How often an unknown key makes the keys be read at once: it may have been made just now."""
BEARER = b"bearer "

log = logging.getLogger("rulewright.keys")


class KeySource:
    """The keys of one place. While it cannot be read, those that were read last are good."""

    def __init__(self, default_rate: Rate | None) -> None:
        self.version = 0
        """Another one says that each key has to be looked at again: the keys were read, or time has passed."""
        self._place: KeyPlace | None = None
        self._default_rate = default_rate
        self._ring: Keyring | None = None
        self._looked = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._complaint: str | None = None
        self._following: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether the keys were read."""
        return self._ring is not None

    async def start(self, place: KeyPlace) -> None:
        """Read the keys there, and go on doing so.

        Keys that cannot be read stop nobody here: a worker that takes the place of one that died would take the others
        with it. `serve` has looked at them before it started any.
        """
        self._place = place
        await self._look()
        self._following = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Read them no more."""
        tasks = [each for each in (self._following, self._looking) if each is not None]
        for each in tasks:
            each.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def holder_of(self, header: bytes) -> Holder | None:
        """Who presents a key in a header, `Bearer rwk_…`, or None when it is none of these.

        StoreUnavailable while no keys were read yet.
        """
        presented = header[len(BEARER) :].strip().decode("latin-1")
        if self._ring is None or not self._ring.knows(presented):
            await self._look_for_new()
        if self._ring is None:
            raise StoreUnavailable("The keys have not been read yet")
        return self._ring.holder_of(presented)

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            self.version += 1  # a key may have ended
            await self._look()

    async def _look_for_new(self) -> None:
        """Look, unless somebody did a moment ago; with those who are looking, if there are any."""
        is_looking = self._looking is not None and not self._looking.done()
        if is_looking or time.monotonic() > self._looked + UNKNOWN_SECONDS:
            await self._look()

    async def _look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looked = time.monotonic()
            self._looking = asyncio.create_task(self._read_or_complain())
        await asyncio.shield(self._looking)

    async def _read_or_complain(self) -> None:
        """Whatever goes wrong now, the next look may find good keys."""
        try:
            await self._read()
        except Exception as error:  # noqa: BLE001
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        if str(error) != self._complaint:
            self._complaint = str(error)
            until_then = "those that were read before stay good" if self.ready else "no key is good until they are"
            trace = None if isinstance(error, (KeysUnreadable, StoreError)) else error
            log.error("The API keys cannot be read; %s: %s", until_then, error, exc_info=trace)

    async def _read(self) -> None:
        if self._place is None:
            return
        keys = await self._place.read()
        self._complaint = None
        if keys is not None:
            self._ring = Keyring(keys, self._default_rate)
            self.version += 1  # who was looked at meanwhile had the old ones
            log.info("%d API keys are known", len(keys))

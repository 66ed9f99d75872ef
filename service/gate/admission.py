"""Who is let in, put together from the settings: the keys' place, the limits, and the gate before the application."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from service.gate.addresses import is_loopback
from service.gate.gate import Gate
from service.gate.key_places import IN_STORE, STORE_IS_MISSING, KeyFile, KeyPlace, KeysUnreadable, StoredKeys
from service.gate.key_source import KeySource
from service.gate.rates import Rate, Rates
from service.readiness import State
from service.routes.raw import ExactPaths
from service.settings import PREFIX, InvalidSettingsError, Settings
from service.store.store import Store


class Admission:
    """What the gate looks at, from the start of the service to its end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rates = Rates()
        default = Rate(settings.key_rate, settings.key_burst)
        self.keys = KeySource(default) if settings.keys is not None else None

    def guard(self, app: ExactPaths, resolving: Iterable[str]) -> Gate:
        """The gate before an application; `resolving` are the exact paths of its stateless questions."""
        return Gate(app, self._settings, self._rates, self.keys, resolving)

    async def start(self, store: Store | None) -> None:
        """Read the keys, and share the limits in the store; KeysUnreadable when the keys have no place."""
        self._rates.share_in(store)
        if self.keys is not None:
            await self.keys.start(place_of_keys(self._settings, store))

    async def stop(self) -> None:
        """Read no more keys, and pay what is unpaid."""
        if self.keys is not None:
            await self.keys.stop()
        await self._rates.close()

    async def state_of_keys(self) -> State:
        """Whether the keys were read."""
        if self.keys is None:
            return State.NONE
        return State.OK if self.keys.ready else State.UNAVAILABLE


def place_of_keys(settings: Settings, store: Store | None) -> KeyPlace:
    """Where the settings say that the keys are."""
    if settings.keys is None:
        raise KeysUnreadable(
            f"{PREFIX}KEYS does not say where the keys are: the path of a file, or {IN_STORE};"
            " `rulewright keys` takes it with --in, too"
        )
    if settings.keys != IN_STORE:
        return KeyFile(Path(settings.keys))
    if store is None:
        raise KeysUnreadable(STORE_IS_MISSING)
    return StoredKeys(store)


def demand_admission(settings: Settings) -> None:
    """InvalidSettingsError when the service would be open to strangers whom nobody has invited, or its keys have no place."""
    if settings.keys == IN_STORE and settings.redis_url is None:
        raise InvalidSettingsError(STORE_IS_MISSING)
    if settings.keys not in (None, IN_STORE):
        try:
            asyncio.run(place_of_keys(settings, None).read())
        except KeysUnreadable as error:
            raise InvalidSettingsError(f"keys ({PREFIX}KEYS): {error}") from None
    if settings.keys is None and not settings.open and not is_loopback(settings.host):
        raise InvalidSettingsError(
            f"host ({PREFIX}HOST): others can reach {settings.host}, and there are no API keys. Make some with"
            f" `rulewright keys add NAME --in FILE` and set {PREFIX}KEYS=FILE, or set {PREFIX}OPEN=true to answer everybody"
        )

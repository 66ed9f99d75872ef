"""Where API keys are kept: in a file, or in the Redis that keeps the encounters."""

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec
from redis.exceptions import RedisError

from service.gate.keys import Key
from service.settings import PREFIX
from service.store.store import Store

IN_STORE = "store"
STORE_IS_MISSING = (
    f"keys ({PREFIX}KEYS): {IN_STORE} needs a Redis that outlives the service; name it with {PREFIX}REDIS_URL"
)
AT = re.compile(r" - at `(\$(?:\.\w+|\[\d+\])*)`\Z")
"""Where msgspec found something wrong; what it says before repeats what stands there."""

Change: TypeAlias = Callable[[Key], Key]


class KeysUnreadable(Exception):
    """The keys cannot be read or written; the message says where and why, and repeats nothing of them."""


class NoSuchKey(Exception):
    """There is no key of this id."""


class KeyPlace(Protocol):
    """A place of keys."""

    async def read(self) -> list[Key] | None:
        """All keys, or None when they are as they were when they were last read; KeysUnreadable, StoreError."""

    async def put(self, key: Key) -> None:
        """Keep a key, in the place of the one of its id; KeysUnreadable, StoreError."""

    async def update(self, key_id: str, change: Change) -> Key:
        """Change the key of an id, as it is when nobody else changes it; NoSuchKey, KeysUnreadable, StoreError.

        The change is made anew when somebody else was faster.
        """


class _File(msgspec.Struct, forbid_unknown_fields=True):
    keys: list[Key]


class KeyFile:
    """A JSON file, `{"keys": […]}`. It is replaced as a whole, so that whoever reads it sees the old or the new one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[int, int, int] | None = None

    async def read(self) -> list[Key] | None:
        """All keys, unless the file is the one that was read."""
        stamp = self._stamp()
        if stamp == self._read:
            return None
        keys = self._keys()
        self._read = stamp
        return keys

    async def put(self, key: Key) -> None:
        """Write the file anew; it is made if it is missing."""
        with self._alone() as path:
            kept = self._keys() if path.exists() else []
            _replace(path, [*(each for each in kept if each.id != key.id), key])

    async def update(self, key_id: str, change: Change) -> Key:
        """Write the file anew, with one key changed."""
        with self._alone() as path:
            kept = self._keys()
            after = change(_of(key_id, kept))
            _replace(path, [after if each.id == key_id else each for each in kept])
        return after

    @contextlib.contextmanager
    def _alone(self) -> Iterator[Path]:
        """The file itself, where the path may be a link, while nobody else writes it."""
        path = self._path.resolve()
        try:
            with _locked(path):
                yield path
        except OSError as error:
            raise KeysUnreadable(f"{self._path} cannot be written: {error.strerror}") from None

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self._path.stat()
        except OSError as error:
            raise KeysUnreadable(f"{self._path} cannot be read: {error.strerror}") from None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _keys(self) -> list[Key]:
        try:
            keys = msgspec.json.decode(self._path.read_bytes(), type=_File).keys
        except OSError as error:
            raise KeysUnreadable(f"{self._path} cannot be read: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KeysUnreadable(f"{self._path} is no keys file: {_told(error)}") from None
        if len({each.id for each in keys}) < len(keys):
            raise KeysUnreadable(f"{self._path} is no keys file: an id stands there twice")
        return keys


class StoredKeys:
    """A hash of the store, an entry each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, bytes] | None = None

    async def read(self) -> list[Key] | None:
        """All keys, unless they are those that were read."""
        found = await self._found()
        if found == self._read:
            return None
        keys = [_decoded(body) for body in found.values()]
        self._read = found
        return keys

    async def put(self, key: Key) -> None:
        """Keep one."""
        await self._store.keep_api_key(key.id, msgspec.json.encode(key))

    async def update(self, key_id: str, change: Change) -> Key:
        """Change one, if it is still as it was read."""
        while True:
            before = (await self._found()).get(key_id)
            if before is None:
                raise NoSuchKey
            after = change(_decoded(before))
            if await self._store.replace_api_key(key_id, before, msgspec.json.encode(after)):
                return after

    async def _found(self) -> dict[str, bytes]:
        try:
            return await self._store.api_keys()
        except (RedisError, UnicodeDecodeError) as error:  # somebody else keeps something there
            raise KeysUnreadable(f"what the store has in the place of the keys is none: {_told(error)}") from None


def _decoded(body: bytes) -> Key:
    try:
        return msgspec.json.decode(body, type=Key)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise KeysUnreadable(f"the store has a key that is none: {_told(error)}") from None


def _of(key_id: str, keys: Iterable[Key]) -> Key:
    for key in keys:
        if key.id == key_id:
            return key
    raise NoSuchKey


def _told(error: Exception) -> str:
    """What is wrong, without what stands there: whoever reads the log may not be who may read the keys."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if not isinstance(error, msgspec.ValidationError):
        return str(error)
    found = AT.search(str(error))
    return f"what stands at {found[1] if found else '$'} does not belong there"


def _replace(path: Path, keys: list[Key]) -> None:
    written = msgspec.json.format(msgspec.json.encode(_File(keys)), indent=2) + b"\n"
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            if path.exists():
                _give_as(path, file.fileno())
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _give_as(path: Path, handle: int) -> None:
    """Give a new file the mode and the owners of the old one: the service may read it by its group."""
    before = path.stat()
    os.fchmod(handle, before.st_mode & 0o777)
    try:
        os.fchown(handle, before.st_uid, before.st_gid)
    except PermissionError:
        raise KeysUnreadable(f"{path} cannot be written anew as its owner's: do it as its owner, or as root") from None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile."""
    try:
        import fcntl  # noqa: PLC0415 - Windows has none
    except ImportError:
        yield
        return
    with path.with_name(f".{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

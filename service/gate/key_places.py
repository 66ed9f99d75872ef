"""Where API keys are kept: in a file, or in the Redis that keeps the encounters."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec
from redis.exceptions import RedisError

from service.gate.keys import Key
from service.store.store import Store

IN_STORE = "store"


class KeysUnreadable(Exception):
    """The keys cannot be read or written; the message says where and why, and repeats nothing of them."""


class KeyPlace(Protocol):
    """A place of keys."""

    async def read(self) -> list[Key] | None:
        """All keys, or None when they are as they were when they were last read; KeysUnreadable, StoreError."""

    async def put(self, key: Key) -> None:
        """Keep a key, in the place of the one of its id; KeysUnreadable, StoreError."""


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
        try:
            with _locked(self._path):
                kept = self._keys() if self._path.exists() else []
                self._write([*(each for each in kept if each.id != key.id), key])
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
            raise KeysUnreadable(f"{self._path} is no keys file: {error}") from None
        if len({each.id for each in keys}) < len(keys):
            raise KeysUnreadable(f"{self._path} is no keys file: an id stands there twice")
        return keys

    def _write(self, keys: list[Key]) -> None:
        written = msgspec.json.format(msgspec.json.encode(_File(keys)), indent=2) + b"\n"
        handle, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
        try:
            with open(handle, "wb") as file:
                with contextlib.suppress(OSError):  # as it was: the service may read it by its group
                    before = self._path.stat()
                    os.fchmod(file.fileno(), before.st_mode & 0o777)
                    os.fchown(file.fileno(), before.st_uid, before.st_gid)
                file.write(written)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


class StoredKeys:
    """A hash of the store, an entry each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, bytes] | None = None

    async def read(self) -> list[Key] | None:
        """All keys, unless they are those that were read."""
        try:
            found = await self._store.api_keys()
            if found == self._read:
                return None
            keys = [msgspec.json.decode(body, type=Key) for body in found.values()]
        except RedisError as error:  # somebody put something else in their place
            raise KeysUnreadable(f"the store keeps no keys: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KeysUnreadable(f"the store has a key that is none: {error}") from None
        self._read = found
        return keys

    async def put(self, key: Key) -> None:
        """Keep one."""
        await self._store.keep_api_key(key.id, msgspec.json.encode(key))


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

"""What can go wrong with the store, in the few kinds that a caller can do something about."""

from redis.exceptions import (
    ClusterDownError,
    ConnectionError,  # noqa: A004 - named as redis-py does
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)

FULL = (OutOfMemoryError, ReadOnlyError)
FULL_CODES = ("MISCONF",)
AWAY = (ClusterDownError, NoPermissionError, TryAgainError)
AWAY_CODES = ("NOREPLICAS", "BUSY")


class StoreError(Exception):
    """The store could not do what was asked."""


class StoreUnavailable(StoreError):
    """The store is away, starting, or refuses this service."""

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown
        """Whether the change may have happened all the same, since only its answer was lost."""


class StoreFull(StoreError):
    """The store can be read, but takes no change: its memory or disk is full, or it is a replica."""


class SlowReader(Exception):
    """A listener did not take the events as fast as they came, and was dropped."""


class LostAnswer(ConnectionError):
    """The connection broke between a command and its answer."""


def store_error(error: RedisError | OSError) -> StoreError | None:
    """What an error of redis-py means to a caller, or None where it is a mistake of ours."""
    if isinstance(error, LostAnswer):
        return StoreUnavailable(f"The store did not answer: {error}", outcome_unknown=True)
    if isinstance(error, FULL) or str(error).startswith(FULL_CODES):
        return StoreFull(f"The store takes no changes: {error}")
    if not isinstance(error, ResponseError) or isinstance(error, AWAY) or str(error).startswith(AWAY_CODES):
        return StoreUnavailable(f"The store is not available: {error or 'no answer in time'}")
    return None

"""What the store needs for a fight, for an event, and for an answer that is kept under an idempotency key."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean

from redis.asyncio import Redis

from bench.processes import Store
from bench.soak.fights import Played
from service.store.keys import PREFIX, log_key, record_key

FIGHTS = 40
"""So many fights of a system are looked at, those that were played last."""
ALL_OF_IT = 0


@dataclass(slots=True)
class Sizes:
    """Of one system, in bytes of the store's memory, on average."""

    fights: int
    events: float
    """The events of a fight."""
    record: float
    """A record."""
    event: float
    """An event in its log."""
    answer: float
    """An answer that is kept for a day."""


@dataclass(slots=True)
class InStore:
    """What the store needs in all, and by system."""

    used: int = 0
    """Its used memory in bytes."""
    records: int = 0
    """The fights that it keeps."""
    by_system: dict[str, Sizes] = field(default_factory=dict)


async def sizes_in(store: Store, played: Iterable[Played]) -> InStore:
    """Measured with MEMORY USAGE, which counts what the keys themselves take too."""
    by_system: dict[str, list[Played]] = {}
    for each in played:
        by_system.setdefault(each.system, []).append(each)
    async with Redis(port=store.port) as client:
        used = int((await client.info("memory"))["used_memory"])
        records = len([key async for key in client.scan_iter(match=f"{PREFIX}*:record", count=1000)])
        return InStore(
            used, records, {name: await _sizes(client, fights[-FIGHTS:]) for name, fights in by_system.items()}
        )


async def _sizes(client: Redis, fights: list[Played]) -> Sizes:
    records = [await _usage(client, record_key(each.id)) for each in fights]
    logs = [await _usage(client, log_key(each.id)) for each in fights]
    answers = [
        await _usage(client, key)
        for each in fights[:3]
        async for key in client.scan_iter(match=f"{PREFIX}{{{each.id}}}:answer:*", count=1000)
    ]
    events = sum(each.events for each in fights)
    return Sizes(
        fights=len(fights),
        events=events / len(fights),
        record=fmean(records),
        event=sum(logs) / events,
        answer=fmean(answers) if answers else 0.0,
    )


async def _usage(client: Redis, key: bytes) -> int:
    return int(await client.memory_usage(key, samples=ALL_OF_IT) or 0)

"""What an open stream takes of its worker, and how soon all of them have an event."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from bench.processes import Service
from bench.soak.client import Broken, Client
from bench.soak.samples import memory_of
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.encounters.kept import rules_of

FIGHTS = 20
AT_ONCE = 50
SETTLE_SECONDS = 2.0
ALL_SECONDS = 30.0
SYSTEM = SYSTEMS_WITH_FIGHTS[0]


@dataclass(frozen=True, slots=True)
class OpenStreams:
    """So many streams were open at once; bytes of the workers' memory for each, and when an event was with all of them."""

    streams: int
    bytes_each: float
    all_milliseconds: float


class _Reader:
    """A stream that is only held open."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.events = 0

    def took(self, piece: bytes) -> None:
        """Count what came."""
        self.events += piece.count(b"\nevent: ")


async def hold_open(connect: Callable[[], Client], service: Service, count: int) -> OpenStreams:
    """Open so many streams to a few fights, and then have an event in each of these."""
    asking = connect()
    fights = [await _fight(asking) for _ in range(FIGHTS)]
    before = sum(memory_of(worker) for worker in service.workers())
    readers = [_Reader(connect()) for _ in range(count)]
    try:
        for first in range(0, count, AT_ONCE):
            some = range(first, min(count, first + AT_ONCE))
            await asyncio.gather(*(_open(readers[at], *fights[at % FIGHTS]) for at in some))
        await asyncio.sleep(SETTLE_SECONDS)
        grown = sum(memory_of(worker) for worker in service.workers()) - before
        seen = sum(reader.events for reader in readers)
        began = time.perf_counter()
        for root, token in fights:
            await _post(asking, f"{root}/combatants", token, _joining("ogre"))
        await _until(lambda: sum(reader.events for reader in readers) >= seen + count)
        return OpenStreams(count, grown / count, (time.perf_counter() - began) * 1e3)
    finally:
        for reader in readers:
            reader.client.close()
        asking.close()


async def _fight(client: Client) -> tuple[str, str]:
    root = f"/v1/{SYSTEM.slug}/encounters"
    opened = await _post(client, root, "", {})
    root = f"{root}/{opened['id']}"
    await _post(client, f"{root}/combatants", opened["gm_token"], _joining("mira"))
    return root, opened["gm_token"]


async def _open(reader: _Reader, root: str, token: str) -> None:
    headers = {"Encounter-Token": token, "Accept": "text/event-stream"}
    answer = await reader.client.stream(f"{root}/stream", headers, reader.took)
    if answer.status != 200:
        raise Broken(f"a stream was answered {answer.status}")


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(ALL_SECONDS):
        while not true():
            await asyncio.sleep(0.002)


async def _post(client: Client, path: str, token: str, body: object) -> dict[str, str]:
    answer = await client.ask("POST", path, msgspec.json.encode(body), {"Encounter-Token": token} if token else {})
    if answer.status != 201:
        raise Broken(f"{path} was answered {answer.status}")
    told: dict[str, str] = msgspec.json.decode(answer.body)
    return told


def _joining(combatant: str) -> dict[str, object]:
    return {"id": combatant, "name": combatant, "sheet": dict(rules_of(SYSTEM).sheet_example)}

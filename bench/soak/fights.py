"""Users who play fights that are kept: open, join, act, end turns, take back, read, close, and look whether all is there."""

import random
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bench.soak.caller import Caller, GaveUp
from bench.soak.commands import COMBATANTS, Seen, next_command
from bench.soak.incidents import Incidents
from bench.soak.watcher import Watcher
from rules.core.system import System
from service.encounters.kept import rules_of

SHORTEST, LONGEST = 15, 60
"""How many steps a fight has."""
PAGE = 40
STEPS = ("command", "turn", "undo", "touch", "read", "events", "ticket")
WEIGHTS = (50, 14, 5, 5, 14, 8, 4)
TOKEN = "Encounter-Token"  # noqa: S105 - a header


class _Event(msgspec.Struct):
    sequence: int
    hash: str


class _Changed(msgspec.Struct):
    version: int
    event: _Event
    state: Seen


class _Opened(msgspec.Struct):
    id: str
    gm_token: str
    spectator_token: str
    version: int
    event: _Event


class _Page(msgspec.Struct):
    events: list[_Event]
    next: int | None


@dataclass(slots=True)
class Played:
    """A fight that was played to its end."""

    system: str
    id: str
    events: int
    keyed: int
    """The changes that were sent with an idempotency key."""


@dataclass(slots=True)
class _Fight:
    root: str
    token: str
    watcher: Watcher
    acknowledged: dict[int, str] = field(default_factory=dict)
    keyed: int = 0
    seen: Seen = field(default_factory=lambda: Seen(None, None))
    undoable: int = 0
    """The changes that may be taken back without anybody leaving."""


class Player:
    """One user, who plays one fight of a system after the other; `all_keyed` sends a key with every change."""

    def __init__(
        self,
        caller: Caller,
        watching: Callable[[], Caller],
        incidents: Incidents,
        system: System,
        *,
        all_keyed: bool,
        combatants: int,
    ) -> None:
        self._caller = caller
        self._watching = watching
        self._incidents = incidents
        self._system = system
        self._all_keyed = all_keyed
        self._combatants = [*COMBATANTS, *(f"other_{number}" for number in range(combatants - len(COMBATANTS)))]
        self._sheet = dict(rules_of(system).sheet_example)
        self.played: list[Played] = []

    async def go_on(self) -> None:
        """Play until the run stops, and the last fight to its end."""
        while not self._caller.pace.stopping:
            try:
                await self._play()
            except GaveUp:
                continue

    async def _play(self) -> None:
        opened = await self._open()
        root = f"/v1/{self._system.slug}/encounters/{opened.id}"
        watcher = Watcher(self._watching(), self._incidents, f"{root}/stream", opened.spectator_token)
        fight = _Fight(root, opened.gm_token, watcher, {opened.version: opened.event.hash})
        watcher.begin()
        try:
            for each in self._combatants:
                joining = {"id": each, "name": each.title(), "sheet": self._sheet}
                await self._change(fight, "join", "/combatants", joining)
            for _ in range(random.randint(SHORTEST, LONGEST)):  # noqa: S311 - fights are of any length
                if self._caller.pace.stopping:
                    break
                await self._step(fight, random.choices(STEPS, WEIGHTS)[0])  # noqa: S311
            await self._change(fight, "close", "/close")
            await watcher.end(len(fight.acknowledged))
            await self._check(fight)
        finally:
            await watcher.leave()
        self.played.append(Played(self._system.slug, opened.id, len(fight.acknowledged), fight.keyed))

    async def _open(self) -> _Opened:
        key = secrets.token_hex(16)
        path = f"/v1/{self._system.slug}/encounters"
        answer = await self._caller.ask(
            "open", "POST", path, {"own_dice": "everyone"}, headers={"Idempotency-Key": key}
        )
        return msgspec.json.decode(answer.body, type=_Opened)

    async def _step(self, fight: _Fight, step: str) -> None:
        match step:
            case "command":
                command, body = next_command(self._system, fight.seen)
                await self._change(fight, "command", f"/actions/{command.slug}", body, may_be_refused=True)
            case "turn":
                await self._change(fight, "turn", "/turns", {}, may_be_refused=True)
            case "undo" if fight.undoable:
                await self._change(fight, "undo", "/undo")
            case "touch":
                path = f"/combatants/{COMBATANTS[0]}"
                await self._change(fight, "change by hand", path, {}, method="PATCH", may_be_refused=True)
            case "events":
                await self._get(fight, "events", f"/events?after={random.randrange(len(fight.acknowledged))}")  # noqa: S311
            case "ticket":
                await self._caller.ask("ticket", "POST", f"{fight.root}/tickets", headers={TOKEN: fight.token})
            case _:
                await self._read(fight)

    async def _change(
        self,
        fight: _Fight,
        kind: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        method: str = "POST",
        may_be_refused: bool = False,
    ) -> None:
        headers = {TOKEN: fight.token}
        keyed = self._all_keyed or random.random() < 0.5  # noqa: S311 - one client sends them, another does not
        if keyed:
            headers["Idempotency-Key"] = secrets.token_hex(16)
        if random.random() < 0.2:  # noqa: S311
            headers["If-Match"] = f'"{len(fight.acknowledged)}"'
        answer = await self._caller.ask(
            kind, method, fight.root + path, body, may_be_refused=may_be_refused, headers=headers
        )
        if answer.status == 422:
            return
        changed = msgspec.json.decode(answer.body, type=_Changed)
        if changed.version != len(fight.acknowledged) + 1 or changed.event.sequence != changed.version:
            self._caller.tally.fail(f"{kind}: version {changed.version} after {len(fight.acknowledged)}")
        fight.acknowledged[changed.version] = changed.event.hash
        fight.watcher.made(changed.version, self._caller.sent)
        fight.seen, fight.keyed = changed.state, fight.keyed + keyed
        fight.undoable += {"undo": -1, "join": 0, "close": 0}.get(kind, 1)

    async def _read(self, fight: _Fight) -> None:
        answer = await self._get(fight, "read", "")
        if answer.headers.get(b"etag") != b'"%d"' % len(fight.acknowledged):
            self._caller.tally.fail(f"read: {answer.headers.get(b'etag')!r} after {len(fight.acknowledged)} events")

    async def _check(self, fight: _Fight) -> None:
        """The log has every event that was acknowledged and no other, and all of it follows."""
        kept: dict[int, str] = {}
        following: int | None = 0
        while following is not None:
            answer = await self._get(fight, "events", f"/events?after={following}&limit={PAGE}")
            page = msgspec.json.decode(answer.body, type=_Page)
            kept |= {each.sequence: each.hash for each in page.events}
            following = page.next
        if kept != fight.acknowledged:
            lost, more = fight.acknowledged.items() - kept.items(), kept.items() - fight.acknowledged.items()
            self._caller.tally.fail(f"log of {fight.root}: lost {sorted(lost)}, not acknowledged {sorted(more)}")
        verified = msgspec.json.decode((await self._get(fight, "verification", "/verification")).body)
        if not (verified["valid"] and verified["seed_checked"]):
            self._caller.tally.fail(f"verification of {fight.root}: {verified}")

    async def _get(self, fight: _Fight, kind: str, path: str) -> Any:
        return await self._caller.ask(kind, "GET", fight.root + path, headers={TOKEN: fight.token})

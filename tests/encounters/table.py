"""A table of people at one fight: a client for each of them, over HTTP."""

from dataclasses import dataclass, field
from typing import Any

import httpx

from rules.core.system import System
from service.encounters.kept import rules_of


@dataclass
class Table:
    """An open fight of one system, with the tokens of those who sit at it."""

    client: httpx.AsyncClient
    system: System
    id: str
    gm: str
    spectator: str
    players: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> str:
        return f"/v1/{self.system.slug}/encounters/{self.id}"

    async def send(
        self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> httpx.Response:
        """One request, of the game master unless another token is given."""
        given = {"encounter-token": self.gm if token is None else token, **headers}
        sent = {"json": body} if body is not None else {}
        return await self.client.request(method, f"{self.root}{path}", headers=given, **sent)

    async def join(self, combatant: str, **headers: str) -> httpx.Response:
        body = {"id": combatant, "name": combatant.title(), "sheet": dict(rules_of(self.system).sheet_example)}
        answer = await self.send("POST", "/combatants", body=body, **headers)
        if answer.status_code == 201:
            self.players[combatant] = answer.json()["player_token"]
        return answer

    async def touch(self, **headers: str) -> httpx.Response:
        """The smallest change that every system allows."""
        return await self.send("PATCH", "/combatants/mira", body={}, **headers)

    async def state(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.send("GET", "")).json()
        return found

    async def events(self, token: str | None = None, **query: int) -> list[dict[str, Any]]:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        found: list[dict[str, Any]] = (await self.send("GET", f"/events?{asked}", token)).json()["events"]
        return found


async def open_table(client: httpx.AsyncClient, system: System, **opening: Any) -> Table:
    """A fight that was just opened."""
    for _ in range(3):
        answer = await client.post(f"/v1/{system.slug}/encounters", json=opening)
        if answer.status_code != 503:  # the first connection to a store may take long on a busy machine
            break
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return Table(client, system, body["id"], body["gm_token"], body["spectator_token"])

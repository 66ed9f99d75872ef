"""Users who ask questions that nothing is kept of: every action of every system, odds, batches, verification."""

import hashlib
import random
from typing import Any

import msgspec

from bench.soak.caller import Caller, GaveUp
from service.questions import QUESTIONS

SEEDS = 50
"""Seeds repeat, so that the same question is asked of every worker, before and after whatever happens to one."""
BATCH_ITEMS = 20
KINDS = ("resolve", "odds", "batch", "verify")
WEIGHTS = (80, 8, 4, 8)


class Asked:
    """What was answered to each question on each seed, by its hash: the next answer has to be the same, byte for byte."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], bytes] = {}

    def agrees(self, path: str, seed: str, language: str, body: bytes) -> bool:
        """Whether this is what was answered before."""
        hashed = hashlib.sha256(body).digest()
        return self._known.setdefault((path, seed, language), hashed) == hashed


class Asker:
    """One user."""

    def __init__(self, caller: Caller, asked: Asked) -> None:
        self._caller = caller
        self._asked = asked
        self._language = random.choice(("en", "ru"))  # noqa: S311 - as the users come

    async def go_on(self) -> None:
        """Ask until the run stops."""
        ask = {"resolve": self.resolve, "odds": self.odds, "batch": self.batch, "verify": self.verify}
        while not self._caller.pace.stopping:
            try:
                await ask[random.choices(KINDS, WEIGHTS)[0]]()  # noqa: S311
            except GaveUp:
                continue

    async def resolve(self) -> None:
        """An action, on one of the seeds."""
        path, _, _, request = _question()
        await self._resolved("resolve", path, {**request, "seed": _seed()})

    async def odds(self) -> None:
        """The odds of an action."""
        path, _, _, request = _question()
        await self._post("odds", f"{path}/odds", request)

    async def batch(self) -> None:
        """Several actions at once, each of which has to be answered."""
        questions = [_question() for _ in range(BATCH_ITEMS)]
        items = [{"system": system, "action": action, "request": request} for _, system, action, request in questions]
        answer = msgspec.json.decode(await self._post("batch", "/v1/batch", {"items": items, "seed": _seed()}))
        if any(item["status"] != 200 for item in answer["items"]):
            self._caller.tally.fail("batch: an item was not answered")

    async def verify(self) -> None:
        """An action, and whether its resolution follows from it."""
        path, system, action, request = _question()
        seeded = {**request, "seed": _seed()}
        resolution = msgspec.Raw(await self._resolved("resolve", path, seeded))
        claim = {"system": system, "action": action, "request": seeded, "resolution": resolution}
        if b'"valid":true' not in await self._post("verify", "/v1/verify", claim):
            self._caller.tally.fail(f"verify: what {path} answered does not follow")

    async def _resolved(self, kind: str, path: str, request: dict[str, Any]) -> bytes:
        body = await self._post(kind, path, request)
        if not self._asked.agrees(path, request["seed"], self._language, body):
            self._caller.tally.fail(f"{path}: the same request was answered with other bytes")
        return body

    async def _post(self, kind: str, path: str, body: object) -> bytes:
        asked = self._caller.ask(kind, "POST", path, body, kept=False, headers={"Accept-Language": self._language})
        return (await asked).body


def _seed() -> str:
    return f"table-{random.randrange(SEEDS)}"  # noqa: S311 - which table asks


def _question() -> tuple[str, str, str, dict[str, Any]]:
    """A path, a system, an action, and its example without its dice."""
    (system, action), question = random.choice(_ALL)  # noqa: S311
    request = {name: value for name, value in question.action.example.items() if name not in ("seed", "dice")}
    return f"/v1/{system}/{action}", system, action, request


_ALL = list(QUESTIONS.items())

"""Many people at one fight, doing anything in any order: each may do what their token says, and the log stays whole."""

import asyncio
import os
from dataclasses import dataclass, field
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from pydantic import SecretStr

from service.app import create_app
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.settings import Settings
from tests.encounters.table import Table, open_table

IN_CI = os.environ.get("CI") == "true"
GURPS = next(system for system in SYSTEMS_WITH_FIGHTS if system.slug == "gurps")
COMBATANTS = ("mira", "ogre", "imp")
MADE, DONE = {201}, {200, 201}
WHO = st.integers(0, 999)
FIGHTER = st.sampled_from(COMBATANTS)


@dataclass
class Token:
    """What the model knows of a token; `role` is None for one that opens nothing here."""

    secret: str
    role: str | None
    own: tuple[str, ...] = ()
    id: str = ""
    parent: str = ""


@dataclass
class Model:
    """What ought to be so."""

    tokens: list[Token] = field(default_factory=list)
    there: set[str] = field(default_factory=set)
    closed: bool = False
    version: int = 1
    hashes: list[str] = field(default_factory=list)
    remembered: list[tuple[Token, str, str, Any, str, bytes]] = field(default_factory=list)


class Fight(RuleBasedStateMachine):
    """One fight, and what everybody tries."""

    runner: asyncio.Runner
    client: httpx.AsyncClient

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.keys = 0

    def told(self, method: str, path: str, token: Token, body: Any = None, **headers: str) -> httpx.Response:
        answer: httpx.Response = self.runner.run(self.table.send(method, path, token.secret, body, **headers))
        assert answer.status_code < 500, answer.text
        if token.role is None:
            assert answer.status_code == 401, (method, path, answer.text)
        return answer

    @initialize()
    def open(self) -> None:
        self.table: Table = self.runner.run(open_table(self.client, GURPS))
        other = self.runner.run(open_table(self.client, GURPS))
        self.gm = Token(self.table.gm, "gm")
        self.model.tokens = [
            self.gm,
            Token(self.table.spectator, "spectator"),
            *(Token(each, None) for each in (other.gm, "", "x")),
        ]

    def who(self, number: int) -> Token:
        return self.model.tokens[number % len(self.model.tokens)]

    def change(
        self, method: str, path: str, token: Token, body: Any, allowed: bool, conditions: int, done: set[int] = MADE
    ) -> httpx.Response | None:
        """Try a change; the answer if it was made. Whoever is not allowed to must not, closed or not, repeated or not."""
        headers, stale = {}, conditions % 4 == 1
        if conditions % 4 in (1, 2):
            headers["if-match"] = f'"{self.model.version - stale}"'
        if conditions % 3 == 1:
            self.keys += 1
            headers["idempotency-key"] = f"a-key-of-its-own-{self.keys}"
        answer = self.told(method, path, token, body, **headers)
        status = answer.status_code
        if token.role is None:
            return None
        if stale:
            assert status == 412, answer.text
        elif self.model.closed and path != "/tokens" and not path.startswith("/tokens/"):
            assert status in (403, 409), answer.text
        elif not allowed:
            assert status == 403, answer.text
        else:
            assert status in {*done, 404, 409, 422}, answer.text
        if status not in DONE:
            return None
        if "version" in answer.json():
            assert answer.json()["version"] == self.model.version + 1
            self.model.version += 1
        if key := headers.get("idempotency-key"):
            self.model.remembered.append((token, method, path, body, key, answer.content))
        return answer

    @rule(who=WHO, combatant=FIGHTER, conditions=WHO)
    def join(self, who: int, combatant: str, conditions: int) -> None:
        token = self.who(who)
        body = {"id": combatant, "name": combatant, "sheet": dict(GURPS.encounter.sheet_example)}  # type: ignore[union-attr]
        answer = self.change("POST", "/combatants", token, body, token.role == "gm", conditions)
        if answer is not None:
            assert combatant not in self.model.there
            self.model.there.add(combatant)
            self.model.tokens.append(Token(answer.json()["player_token"], "player", (combatant,)))

    @rule(who=WHO, combatant=FIGHTER, conditions=WHO)
    def patch(self, who: int, combatant: str, conditions: int) -> None:
        token = self.who(who)
        missing = combatant not in self.model.there
        allowed = token.role == "gm" or (token.role == "player" and (combatant in token.own or missing))
        self.change("PATCH", f"/combatants/{combatant}", token, {}, allowed, conditions)

    @rule(who=WHO, combatant=FIGHTER, conditions=WHO)
    def remove(self, who: int, combatant: str, conditions: int) -> None:
        token = self.who(who)
        if self.change("DELETE", f"/combatants/{combatant}", token, None, token.role == "gm", conditions):
            self.model.there.remove(combatant)

    @rule(who=WHO, combatant=FIGHTER, hidden=st.booleans(), conditions=WHO)
    def act(self, who: int, combatant: str, hidden: bool, conditions: int) -> None:
        token = self.who(who)
        body = {"actor": combatant, "purpose": "hearing", "roll": {}, "visibility": "gm" if hidden else "public"}
        missing = combatant not in self.model.there
        allowed = token.role == "gm" or (token.role == "player" and not hidden and (combatant in token.own or missing))
        self.change("POST", "/actions/success-roll", token, body, allowed, conditions)

    @rule(who=WHO, conditions=WHO)
    def undo(self, who: int, conditions: int) -> None:
        token = self.who(who)
        if self.change("POST", "/undo", token, None, token.role == "gm", conditions):
            self.model.there = set(self.runner.run(self.table.state())["combatants"])

    @rule(who=WHO, conditions=WHO)
    def end_turn(self, who: int, conditions: int) -> None:
        token = self.who(who)
        if token.role != "player":  # whether it is a player's turn is the system's to say: its own tests tell
            self.change("POST", "/turns", token, {}, token.role == "gm", conditions)

    @rule(who=WHO, role=st.sampled_from(["gm", "player", "spectator"]), combatant=FIGHTER, conditions=WHO)
    def hand_out(self, who: int, role: str, combatant: str, conditions: int) -> None:
        token = self.who(who)
        own = (combatant,) if role == "player" and combatant in self.model.there else ()
        body = {"role": role, "combatants": list(own)}
        answer = self.change("POST", "/tokens", token, body, token.role == "gm", conditions)
        if answer is not None:
            self.model.tokens.append(Token(answer.json()["token"], role, own, answer.json()["id"]))

    @rule(who=WHO)
    def exchange(self, who: int) -> None:
        invite = self.who(who)
        if not invite.secret:
            return
        answer = self.runner.run(self.table.send("POST", "/join", "", {"invite": invite.secret}))
        if invite.role is None:
            assert answer.status_code == 401
        else:
            assert answer.json()["role"] == invite.role, "never more than the invite"
            assert tuple(answer.json()["combatants"]) == invite.own
            own = Token(answer.json()["token"], invite.role, invite.own, answer.json()["id"], invite.id)
            self.model.tokens.append(own)

    @rule(who=WHO, whose=WHO, conditions=WHO)
    def revoke(self, who: int, whose: int, conditions: int) -> None:
        token, revoked = self.who(who), self.who(whose)
        if not revoked.id or revoked.role is None:
            return
        path = f"/tokens/{revoked.id}"
        answer = self.change("DELETE", path, token, None, token.role == "gm", conditions, {200})
        if answer is not None:
            gone = answer.json()["revoked"]
            assert revoked.id in gone
            for each in self.model.tokens:
                assert not (each.parent in gone and each.parent) or each.id in gone, "with all that came of it"
                each.role = None if each.id in gone else each.role

    @rule(who=WHO, conditions=st.integers(0, 15))
    def close(self, who: int, conditions: int) -> None:
        token = self.who(who)
        if token.role == "gm" and conditions < 12:
            return  # seldom, since nothing happens after it
        if self.change("POST", "/close", token, None, token.role == "gm", conditions):
            self.model.closed = True

    @rule(which=WHO)
    def repeat(self, which: int) -> None:
        if not self.model.remembered:
            return
        token, method, path, body, key, before = self.model.remembered[which % len(self.model.remembered)]
        answer = self.told(method, path, token, body, **{"idempotency-key": key})
        if token.role is not None:
            assert answer.content == before

    @rule(who=WHO)
    def look(self, who: int) -> None:
        token = self.who(who)
        for path in ("", "/events"):
            answer = self.told("GET", path, token)
            if token.role is not None:
                assert answer.status_code == 200
                if path == "":
                    assert answer.json()["seed"] is None or self.model.closed
                elif token.role != "gm":
                    hidden = [each for each in answer.json()["events"] if each["visibility"] == "gm"]
                    assert all(each["resolution"] is None for each in hidden)
        answer = self.told("GET", "/tokens", token)
        assert answer.status_code in {None: {401}, "gm": {200}}.get(token.role, {403})
        assert not any(each.secret in answer.text for each in self.model.tokens if len(each.secret) > 1)

    @invariant()
    def history_only_grows(self) -> None:
        if not hasattr(self, "table"):
            return
        state = self.runner.run(self.table.state())
        assert state["version"] == self.model.version
        assert set(state["combatants"]) == self.model.there
        assert (state["status"] == "closed") is self.model.closed
        events = self.runner.run(self.table.events(limit=500))
        assert [each["sequence"] for each in events] == list(range(1, self.model.version + 1))
        assert [each["previous"] for each in events[1:]] == [each["hash"] for each in events[:-1]]
        hashes = [each["hash"] for each in events]
        assert hashes[: len(self.model.hashes)] == self.model.hashes
        self.model.hashes = hashes

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        if not self.model.closed:
            assert self.told("POST", "/close", self.gm).status_code == 201
        verification = self.told("GET", "/verification", self.gm).json()
        assert verification["valid"] is True, verification


def test_anybody_may_try_anything(store_url: str) -> None:
    with asyncio.Runner() as runner:
        app = create_app(Settings(redis_url=SecretStr(store_url), address_rate=0, max_open_encounters=100_000))
        lifespan = app.router.lifespan_context(app)
        runner.run(lifespan.__aenter__())
        Fight.runner = runner
        Fight.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://rulewright")
        try:
            run_state_machine_as_test(
                Fight,
                settings=settings(
                    max_examples=100 if IN_CI else 30,
                    stateful_step_count=40 if IN_CI else 25,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                    derandomize=True,
                    database=None,
                    phases=(Phase.generate,),
                ),
            )
        finally:
            runner.run(Fight.client.aclose())
            runner.run(lifespan.__aexit__(None, None, None))

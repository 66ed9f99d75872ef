"""What can be asked of encounters, without HTTP: open, read, change, undo, close, tokens, log, verification."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import msgspec
from anyio import to_thread

from rules.core.encounter import Command, as_sent
from rules.core.system import System
from service import problems
from service.answers import encode
from service.encounters import commands
from service.encounters.access import (
    TICKET_SECONDS,
    Access,
    access_with,
    forget_combatant,
    hashed,
    issue,
    revoke,
    ticket_for,
)
from service.encounters.bodies import JoinRequest, TokenRequest, bodies_of, read_shown
from service.encounters.changes import Asking, Changes, Decided, Opening, demand_open, new_record
from service.encounters.kept import Kept, Role, rules_of, typed
from service.encounters.ledger import Draft, EventKind, Visibility, now
from service.encounters.verification import LogVerification, verify_log
from service.encounters.views import event_view, rendered_event, state_view
from service.faults import Fault, Malformations
from service.json_input import pointer_to
from service.observability.metrics import count_resolution
from service.problems import Problem
from service.questions import faults_of_dice
from service.texts import Texts
from service.wire import reader_of

PAGE = 100
MAX_PAGE = 500
MAX_OWN_DICE = 1000
MAX_OWN_SIDES = 256


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the log, encoded; `next` is what to ask for after it, None at the end."""

    events: list[bytes]
    next: int | None


class Desk:
    """Everything that a client can do with the encounters of one system."""

    def __init__(self, system: System, changes: Changes) -> None:
        self.system = system
        self.changes = changes
        self.bodies = bodies_of(system)

    async def open(self, value: Any, opened: Opening, texts: Texts) -> tuple[str, bytes]:
        """Open an encounter: its id, and the answer with the two tokens, the commitment and the state."""
        body = read_shown(self.bodies.opening, value)
        rules = rules_of(self.system)
        said = {each.name: getattr(body, each.name) for each in fields(rules.opening)}
        opening = typed(msgspec.to_builtins(said), rules.opening)
        said, until = msgspec.to_builtins(opening), self.changes.expiry()
        key = opened.repeat_key
        kept = new_record(self.system.slug, body.own_dice, said, now(), until, key.hash if key else None)
        kept.owner = hashed(opened.owner)
        master, master_secret = issue(kept, Role.GM, [], None, None)
        _, spectator_secret = issue(kept, Role.SPECTATOR, [], None, None)
        draft = Draft(EventKind.OPENED, Role.GM.value, command=as_sent(body))
        event = self.changes.enter(kept, draft)
        shown = {"id": kept.id, "gm_token": master_secret, "spectator_token": spectator_secret}
        decided = Decided(draft, {**shown, "commitment": kept.commitment})
        answer = _present(texts, kept, Access(master), event, decided)
        return kept.id, await self.changes.open(kept, event, opened, answer)

    async def read(self, encounter: str, token: str) -> tuple[Kept, Access]:
        """The record, for one who may read it."""
        _, kept = await self.changes.load(encounter)
        if kept.system != self.system.slug:
            raise Problem(problems.NOT_FOUND, {})
        return kept, access_with(kept, token)

    async def act(self, asking: Asking, command: Command[Any], value: Any, texts: Texts) -> bytes:
        """A command in the fight."""
        fields_sent, dice, visibility = _split(value)
        body = read_shown(command.body, fields_sent)

        async def decide(kept: Kept, access: Access) -> Decided:
            return Decided(commands.act(self.system, command, body, fields_sent, dice, visibility, kept, access))

        return await self._make(asking, decide, texts)

    async def end_turn(self, asking: Asking, value: Any, texts: Texts) -> bytes:
        """The end of a turn."""
        fields_sent, dice, _ = _split(value)
        demand_no_fields(fields_sent)

        async def decide(kept: Kept, access: Access) -> Decided:
            return Decided(commands.end_turn(self.system, dice, kept, access))

        return await self._make(asking, decide, texts)

    async def join(self, asking: Asking, value: Any, texts: Texts) -> bytes:
        """A combatant enters; the answer has its player's token."""
        body = read_shown(self.bodies.combatant, value)

        async def decide(kept: Kept, access: Access) -> Decided:
            limits = self.changes.limits
            draft = commands.join(self.system, body.id, body.name, body.sheet, limits, kept, access)
            forget_combatant(kept, body.id)
            _, secret = self._issued(kept, Role.PLAYER, [body.id], body.name, None)
            return Decided(draft, {"player_token": secret})

        return await self._make(asking, decide, texts)

    async def change(self, asking: Asking, combatant: str, value: Any, texts: Texts) -> bytes:
        """A combatant is changed by hand."""
        body = read_shown(self.bodies.change, value)

        async def decide(kept: Kept, access: Access) -> Decided:
            return Decided(commands.change(self.system, combatant, body, value, kept, access))

        return await self._make(asking, decide, texts)

    async def remove(self, asking: Asking, combatant: str, texts: Texts) -> bytes:
        """A combatant leaves."""

        async def decide(kept: Kept, access: Access) -> Decided:
            return Decided(commands.remove(self.system, combatant, kept, access))

        return await self._make(asking, decide, texts)

    async def undo(self, asking: Asking, texts: Texts) -> bytes:
        """The last event that still stands is taken back."""

        async def decide(kept: Kept, access: Access) -> Decided:
            access.demand(Role.GM)
            demand_open(kept)
            last = kept.last_undoable
            if last is None:
                raise Problem(problems.NOTHING_TO_UNDO, {})
            [(_, body)] = await self.changes.store.events(kept.id, last - 1, 1)
            return Decided(commands.undo(msgspec.json.decode(body), kept, access))

        return await self._make(asking, decide, texts)

    async def close(self, asking: Asking, texts: Texts) -> bytes:
        """The fight is over."""

        async def decide(kept: Kept, access: Access) -> Decided:
            return Decided(commands.close(kept, access))

        answer = await self._make(asking, decide, texts)
        _, kept = await self.changes.load(asking.encounter)
        await self.changes.store.no_longer_open(kept.owner, kept.id)
        return answer

    async def tokens(self, encounter: str, token: str) -> bytes:
        """The tokens of an encounter, without their secrets."""
        kept, access = await self.read(encounter, token)
        access.demand(Role.GM)
        return encode({"tokens": [_token_view(each) for each in kept.tokens]})

    async def hand_out(self, asking: Asking, value: Any) -> bytes:
        """A new token, of the game master's making."""
        body: TokenRequest = reader_of(TokenRequest).read(value)

        async def decide(kept: Kept, access: Access) -> Decided:
            access.demand(Role.GM)
            unknown = [each for each in body.combatants if each not in kept.state["combatants"]]
            if unknown:
                raise Malformations([Fault("#/combatants", "no_such_combatant", {"combatant": unknown[0]})])
            return self._handed_out(kept, body.role, list(body.combatants), body.label, None)

        return await self.changes.make(asking, decide, _present_token)

    async def exchange(self, asking: Asking, value: Any) -> bytes:
        """A token of one's own for an invite, which is itself a token."""
        body: JoinRequest = reader_of(JoinRequest).read(value)
        invited = Asking(asking.encounter, body.invite, asking.fingerprint, asking.idempotency_key)

        async def decide(kept: Kept, access: Access) -> Decided:
            invite = access.token
            return self._handed_out(kept, invite.role, invite.combatants, body.label, invite.id)

        return await self.changes.make(invited, decide, _present_token)

    async def revoke(self, asking: Asking, token_id: str) -> bytes:
        """A token, and all that were exchanged for it, open nothing any more."""

        async def decide(kept: Kept, access: Access) -> Decided:
            access.demand(Role.GM)
            return Decided(None, {"revoked": revoke(kept, token_id)})

        return await self.changes.make(asking, decide, _present_token)

    async def page(self, kept: Kept, access: Access, after: int, limit: int, texts: Texts) -> Page:
        """A page of the log after a sequence."""
        found = await self.changes.store.events(kept.id, after, limit)
        more = bool(found) and found[-1][0] < kept.version
        return Page([rendered_event(body, access.role, texts) for _, body in found], found[-1][0] if more else None)

    async def ticket(self, encounter: str, token: str) -> bytes:
        """A ticket with which a browser's EventSource, which sends no headers, opens the stream."""
        kept, access = await self.read(encounter, token)
        return encode({"ticket": ticket_for(kept, access), "expires_in": TICKET_SECONDS})

    async def verify(self, kept: Kept) -> LogVerification:
        """Whether the whole log follows; replayed beside the event loop."""
        events: list[dict[str, Any]] = []
        while len(events) < kept.version:
            found = await self.changes.store.events(kept.id, len(events), MAX_PAGE)
            if not found:
                break
            events += [msgspec.json.decode(body) for _, body in found]
        return await to_thread.run_sync(partial(verify_log, kept, events[: kept.version]))

    async def _make(self, asking: Asking, decide: Callable[[Kept, Access], Awaitable[Decided]], texts: Texts) -> bytes:
        draft: Draft | None = None

        async def within_system(kept: Kept, access: Access) -> Decided:
            nonlocal draft
            if kept.system != self.system.slug:
                raise Problem(problems.NOT_FOUND, {})
            decided = await decide(kept, access)
            draft = decided.draft
            return decided

        answer = await self.changes.make(asking, within_system, partial(_present, texts))
        for resolution in draft.answered if draft else ():
            count_resolution(resolution)
        return answer

    def _handed_out(
        self, kept: Kept, role: Role, combatants: list[str], label: str | None, parent: str | None
    ) -> Decided:
        token, secret = self._issued(kept, role, combatants, label, parent)
        return Decided(None, {"token": secret, "id": token.id, "role": role.value, "combatants": combatants})

    def _issued(
        self, kept: Kept, role: Role, combatants: list[str], label: str | None, parent: str | None
    ) -> tuple[Any, str]:
        alike = [each for each in kept.tokens if (each.parent is None) is (parent is None)]
        if len(alike) >= self.changes.limits.max_tokens:  # those who exchange invites leave the game master room
            raise Problem(problems.LIMIT_REACHED, {"what": "tokens", "limit": self.changes.limits.max_tokens})
        return issue(kept, role, combatants, label, parent)


def fingerprint(method: str, path: str, body: bytes) -> bytes:
    """What tells two requests with the same idempotency key apart."""
    return hashlib.sha256(b"\n".join((method.encode(), path.encode("utf-8", "surrogatepass"), body))).digest()


def _present(texts: Texts, kept: Kept, access: Access, event: dict[str, Any] | None, decided: Decided) -> bytes:
    resolutions = decided.draft.answered if decided.draft else []
    seen = event and event_view(event, access.role, texts, resolutions)
    return encode({**decided.answer, "version": kept.version, "event": seen, "state": state_view(kept)})


def _present_token(_kept: Kept, _access: Access, _event: dict[str, Any] | None, decided: Decided) -> bytes:
    return encode(decided.answer)


def _token_view(token: Any) -> dict[str, Any]:
    return {
        "id": token.id,
        "role": token.role.value,
        "combatants": token.combatants,
        "label": token.label,
        "parent": token.parent,
    }


def demand_no_fields(value: Any) -> None:
    """Demand an object without fields."""
    if not isinstance(value, dict):
        raise Malformations([Fault("#", "dataclass_type", {})])
    if value:
        raise Malformations([Fault(pointer_to([name]), "unexpected_keyword_argument", {}) for name in value])


def _split(value: Any) -> tuple[dict[str, Any], list[int] | None, Visibility]:
    """A command's own fields, the dice that were sent with it, and who may see it."""
    if not isinstance(value, dict):
        raise Malformations([Fault("#", "dataclass_type", {})])
    own = dict(value)
    dice, visibility = own.pop("dice", None), own.pop("visibility", Visibility.PUBLIC.value)
    faults = faults_of_dice(dice, MAX_OWN_DICE, MAX_OWN_SIDES) if "dice" in value else []
    if visibility not in [each.value for each in Visibility]:  # a list: what was sent may not be hashable
        faults = [*faults, Fault("#/visibility", "enum", {"expected": "'public' or 'gm'"})]
    if faults:
        raise Malformations(faults)
    return own, dice, Visibility(visibility)

"""`/v1/{system}/encounters…`, for every system that keeps fights, typed by it."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from rules.core.encounter import Command
from service.answers import encode
from service.encounters.changes import Asking, Opening
from service.encounters.desk import MAX_PAGE, PAGE, Desk, demand_no_fields, fingerprint
from service.encounters.views import state_view
from service.faults import Fault, Malformations
from service.gate.addresses import ADDRESS
from service.gate.allowance import spend
from service.gate.keys import KEY_ID
from service.http import Call, Endpoint, Reply
from service.routes.made_once import is_known
from service.routes.raw import RawRoute
from service.routes.stream import StreamEndpoint
from service.schemas import pascal

ETAG = re.compile(r'(?:W/)?"(\d{1,9})"|(\d{1,9})')
MAX_KEY_LENGTH = 128
SHORTEST_OPENING_KEY = 16  # whoever repeats it is given the tokens of the fight: it must not be guessed
Handler = Callable[[Call], Awaitable[Reply]]


def token_of(call: Call) -> str:
    """The encounter token of a request."""
    return call.header(b"encounter-token")


def asking_of(call: Call) -> Asking:
    """The credentials and conditions of a change."""
    key = _key_of(call)
    path = call.scope["path"]
    seen = fingerprint(call.scope["method"], path, call.body)
    return Asking(call.path["id"], token_of(call), seen, key, _if_match(call))


def _key_of(call: Call) -> str | None:
    key = call.sent(b"idempotency-key")
    if key is not None and not 1 <= len(key) <= MAX_KEY_LENGTH:
        raise Malformations([Fault("#", "idempotency_key", {"max_length": MAX_KEY_LENGTH})])
    return key


def _tenant_of(call: Call) -> str:
    """Among whom an idempotency key that brings tokens is told apart: the API key, else the address."""
    tenant: str = call.scope[KEY_ID] or call.scope[ADDRESS]
    return tenant


def _if_match(call: Call) -> int | None:
    value = call.sent(b"if-match")
    if value is None or value == "*":
        return None
    found = ETAG.fullmatch(value.strip())
    if found is None:
        raise Malformations([Fault("#", "if_match", {})])
    return int(found[1] or found[2])


def whole_number(call: Call, name: str, default: int, most: int, least: int = 0) -> int:
    """A query parameter that is a whole number from `least` to `most`."""
    values = dict(part.split("=", 1) for part in call.scope["query_string"].decode("latin-1").split("&") if "=" in part)
    value = values.get(name, str(default))
    if not value.isascii() or not value.isdigit() or len(value) > 9 or not least <= int(value) <= most:
        raise Malformations([Fault("#", "query_number", {"name": name, "least": least, "most": most})])
    return int(value)


def encounter_routes(desk: Desk, max_body_bytes: int) -> list[RawRoute]:
    """The routes of one system's encounters."""
    slug, name = desk.system.slug, pascal(desk.system.slug)
    root, one = f"/v1/{slug}/encounters", f"/v1/{slug}/encounters/{{id}}"

    def route(method: str, path: str, operation: str, summary: str, handle: Handler, *, body: bool = False) -> RawRoute:
        endpoint = Endpoint(handle, max_body_bytes, takes_body=body)
        return RawRoute(path, endpoint, method=method, operation_id=operation, summary=summary, tags=[slug])

    routes = [
        route("POST", root, f"open{name}Encounter", "Open a fight", partial(_open, desk, root), body=True),
        route("GET", one, f"read{name}Encounter", "The state of a fight", partial(_read, desk)),
        route(
            "POST",
            f"{one}/combatants",
            f"join{name}Combatant",
            "A combatant enters the fight",
            partial(_changed, desk.join),
            body=True,
        ),
        route(
            "PATCH",
            f"{one}/combatants/{{combatant}}",
            f"change{name}Combatant",
            "A combatant is changed by hand",
            partial(_changed_combatant, desk),
            body=True,
        ),
        route(
            "DELETE",
            f"{one}/combatants/{{combatant}}",
            f"remove{name}Combatant",
            "A combatant leaves the fight",
            partial(_removed, desk),
        ),
        route("POST", f"{one}/turns", f"end{name}Turn", "End the turn", partial(_changed, desk.end_turn), body=True),
        route(
            "POST",
            f"{one}/undo",
            f"undo{name}Event",
            "Take the last event back",
            partial(_without_fields, desk.undo),
            body=True,
        ),
        route(
            "POST",
            f"{one}/close",
            f"close{name}Encounter",
            "End the fight",
            partial(_without_fields, desk.close),
            body=True,
        ),
        route("GET", f"{one}/events", f"list{name}Events", "The log, a page at a time", partial(_events, desk)),
        route(
            "GET",
            f"{one}/verification",
            f"verify{name}Encounter",
            "Does the whole log follow?",
            partial(_verification, desk),
        ),
        route(
            "POST",
            f"{one}/tickets",
            f"issue{name}Ticket",
            "A ticket for the stream",
            partial(_ticket, desk),
            body=True,
        ),
        RawRoute(
            f"{one}/stream",
            StreamEndpoint(desk),
            method="GET",
            operation_id=f"stream{name}Events",
            summary="The log, live",
            tags=[slug],
        ),
        route("GET", f"{one}/tokens", f"list{name}Tokens", "The tokens of a fight", partial(_tokens, desk)),
        route(
            "POST", f"{one}/tokens", f"issue{name}Token", "Hand out a token", partial(_issued, desk.hand_out), body=True
        ),
        route(
            "POST",
            f"{one}/join",
            f"exchange{name}Invite",
            "Exchange an invite",
            partial(_exchanged, desk),
            body=True,
        ),
        route("DELETE", f"{one}/tokens/{{token}}", f"revoke{name}Token", "Revoke a token", partial(_revoked, desk)),
    ]
    fights = desk.system.encounter
    routes += [
        route(
            "POST",
            f"{one}/actions/{command.slug}",
            f"act{name}{pascal(command.slug)}",
            _title(desk, command),
            partial(_acted, desk, command),
            body=True,
        )
        for command in (fights.commands if fights else ())
    ]
    return routes


def _title(desk: Desk, command: Command[Any]) -> str:
    from service.texts import texts_in  # noqa: PLC0415 - only when routes are made

    words = texts_in("en").systems[desk.system.slug]
    title: str = words["commands"][command.slug]["title"]
    return title


async def _open(desk: Desk, root: str, call: Call) -> Reply:
    key = _key_of(call)
    if key is not None and len(key) < SHORTEST_OPENING_KEY:
        raise Malformations([Fault("#", "opening_key", {"min_length": SHORTEST_OPENING_KEY})])
    seen = fingerprint("POST", root, call.body)
    opening = Opening(call.scope[ADDRESS], _tenant_of(call), seen, key)
    encounter, answer = await desk.open(call.value, opening, call.texts)
    return Reply(answer, 201, ((b"location", f"{root}/{encounter}".encode()), (b"etag", b'"1"')))


async def _read(desk: Desk, call: Call) -> Reply:
    kept, _ = await desk.read(call.path["id"], token_of(call))
    etag = f'"{kept.version}"'
    headers = ((b"etag", etag.encode()),)
    if is_known(etag, call.header(b"if-none-match")):
        return Reply(b"", 304, headers)
    return Reply(encode(state_view(kept)), 200, headers)


async def _changed(change: Callable[..., Awaitable[bytes]], call: Call) -> Reply:
    return Reply(await change(asking_of(call), call.value, call.texts), 201)


async def _acted(desk: Desk, command: Command[Any], call: Call) -> Reply:
    return Reply(await desk.act(asking_of(call), command, call.value, call.texts), 201)


async def _changed_combatant(desk: Desk, call: Call) -> Reply:
    return Reply(await desk.change(asking_of(call), call.path["combatant"], call.value, call.texts), 201)


async def _removed(desk: Desk, call: Call) -> Reply:
    return Reply(await desk.remove(asking_of(call), call.path["combatant"], call.texts), 201)


async def _without_fields(change: Callable[..., Awaitable[bytes]], call: Call) -> Reply:
    demand_no_fields(call.value)
    return Reply(await change(asking_of(call), call.texts), 201)


async def _issued(issue: Callable[..., Awaitable[bytes]], call: Call) -> Reply:
    return Reply(await issue(asking_of(call), call.value), 201)


async def _exchanged(desk: Desk, call: Call) -> Reply:
    """Many hold the same invite: a key of one of them is not that of another, who would be given his token."""
    asking = asking_of(call)
    key = None if asking.idempotency_key is None else f"{_tenant_of(call)}\n{asking.idempotency_key}"
    return Reply(await desk.exchange(replace(asking, idempotency_key=key), call.value), 201)


async def _revoked(desk: Desk, call: Call) -> Reply:
    return Reply(await desk.revoke(asking_of(call), call.path["token"]))


async def _ticket(desk: Desk, call: Call) -> Reply:
    demand_no_fields(call.value)
    return Reply(await desk.ticket(call.path["id"], token_of(call)), 201)


async def _tokens(desk: Desk, call: Call) -> Reply:
    return Reply(await desk.tokens(call.path["id"], token_of(call)))


async def _events(desk: Desk, call: Call) -> Reply:
    after = whole_number(call, "after", 0, 999_999_999)
    limit = whole_number(call, "limit", PAGE, MAX_PAGE, least=1)
    kept, access = await desk.read(call.path["id"], token_of(call))
    page = await desk.page(kept, access, after, limit, call.texts)
    following = b"null" if page.next is None else b"%d" % page.next
    return Reply(b'{"events":[' + b",".join(page.events) + b'],"next":' + following + b"}")


async def _verification(desk: Desk, call: Call) -> Reply:
    kept, _ = await desk.read(call.path["id"], token_of(call))
    await spend(call.scope, kept.version)  # each event is played again
    return Reply(encode(await desk.verify(kept)))

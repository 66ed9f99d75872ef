"""`rulewright keys`: make, list, change, rotate and revoke API keys. A running service knows of it within two seconds."""

import argparse
import asyncio
import json
import math
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from service.commands.kinds import Commands
from service.gate.admission import place_of_keys
from service.gate.key_places import IN_STORE, STORE_IS_MISSING, KeyPlace, KeysUnreadable, NoSuchKey
from service.gate.keys import CLIENT_SCOPES, PREFIX, Key, Scope, changed, demand_name, new_key, revoked, rotated
from service.settings import InvalidSettingsError, Settings, load_settings
from service.store.connect import InvalidStoreUrl, store_at
from service.store.errors import StoreError

FAILED = 1
COLUMNS = ("id", "name", "state", "scopes", "rate", "burst", "created", "expires")


class NotDone(Exception):
    """What was asked for is not done; the message says why."""


def add_to(commands: Commands) -> None:
    """Add this command to those of the command line."""
    parser = commands.add_parser("keys", help="make, list, change, rotate and revoke API keys")
    verbs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    adding = _verb(verbs, "add", "make a key; it is shown once, on the standard output", add)
    adding.add_argument("name", help="whose key it is, for people: foundry-plugin")
    _add_rights(adding, ", ".join(CLIENT_SCOPES), "RULEWRIGHT_KEY_RATE", "RULEWRIGHT_KEY_BURST")
    adding.add_argument("--expires-in-days", type=float, dest="days", help="when it ends by itself (else never)")
    listing = _verb(verbs, "list", "list the keys, without their secrets", list_all)
    listing.add_argument("--json", action="store_true", dest="as_json", help="as JSON")
    changing = _verb(verbs, "change", "give a key other limits or scopes; its secret stays", change)
    changing.add_argument("id", help="the id of the key, or the key's beginning, rwk_<id>")
    _add_rights(changing, "those that it has", "as it is", "as it is")
    rotating = _verb(verbs, "rotate", "give a key a new secret, which is shown once", rotate)
    rotating.add_argument("id", help="the id of the key, or the key's beginning, rwk_<id>")
    rotating.add_argument("--keep-hours", type=float, default=24.0, help="how long the old secret still works (24)")
    revoking = _verb(verbs, "revoke", "make a key useless, within two seconds", revoke)
    revoking.add_argument("id", help="the id of the key, or the key's beginning, rwk_<id>")


def _verb(verbs: Commands, name: str, told: str, run: Callable[..., int]) -> argparse.ArgumentParser:
    parser = verbs.add_parser(name, help=told)
    parser.add_argument(
        "--in",
        dest="keys",
        help=f"the keys file, or {IN_STORE} for that of RULEWRIGHT_REDIS_URL (else RULEWRIGHT_KEYS)",
    )
    parser.set_defaults(run=run)
    return parser


def _add_rights(parser: argparse.ArgumentParser, scopes: str, rate: str, burst: str) -> None:
    parser.add_argument(
        "--scope",
        dest="scopes",
        action="append",
        choices=[each.value for each in Scope],
        help=f"what it is for; may be repeated (without one: {scopes})",
    )
    parser.add_argument("--rate", type=float, help=f"what it may cost a second for long, 0 without limit (else {rate})")
    parser.add_argument("--burst", type=int, help=f"what it may cost at once, beside a rate (else {burst})")


def add(
    *, keys: str | None, name: str, scopes: list[str] | None, rate: float | None, burst: int | None, days: float | None
) -> int:
    """Make a key and show it."""
    settings = _settings(keys)

    async def made(place: KeyPlace) -> int:
        demand_name(name)
        key, shown = new_key(name, [Scope(each) for each in scopes or CLIENT_SCOPES], rate, burst, _end(days))
        if burst is not None:
            _demand_rate(key, settings)
        await place.put(key)
        return _show(key, shown, "made")

    return _run(settings, made)


def _end(days: float | None) -> datetime | None:
    if days is None:
        return None
    if not days > 0:  # and not a number
        raise ValueError("it has to end after more than 0 days")
    return datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)


def list_all(*, keys: str | None, as_json: bool) -> int:
    """List all keys."""

    async def listed(place: KeyPlace) -> int:
        found = sorted(await place.read() or [], key=lambda each: each.created_at)
        rows = [_row(each) for each in found]
        sys.stdout.write(_json(rows) if as_json else _table(rows))
        return 0

    return _run(_settings(keys), listed)


def change(
    *,
    keys: str | None,
    id: str,  # noqa: A002 - the word of the command line
    scopes: list[str] | None,
    rate: float | None,
    burst: int | None,
) -> int:
    """Give a key other limits or scopes."""
    settings = _settings(keys)
    others = None if scopes is None else [Scope(each) for each in scopes]

    def with_rights(before: Key) -> Key:
        key = changed(before, scopes=others, rate=rate, burst=burst)
        if burst is not None:
            _demand_rate(key, settings)
        return key

    async def done(place: KeyPlace) -> int:
        if scopes is None and rate is None and burst is None:
            raise NotDone("say what is to change: --rate, --burst or --scope")
        key = await place.update(_id(id), with_rights)
        sys.stderr.write(f"Key {key.id} ({key.name}) is changed.\n{_table([_row(key)])}")
        return 0

    return _run(settings, done)


def _demand_rate(key: Key, settings: Settings) -> None:
    """What comes back at no rate is no limit, however much there is of it."""
    if not (settings.key_rate if key.rate is None else key.rate):
        raise NotDone("--burst alone limits nothing: say --rate, too")


def rotate(*, keys: str | None, id: str, keep_hours: float) -> int:  # noqa: A002 - the word of the command line
    """Give a key a new secret and show it."""
    shown = ""

    def turned(before: Key) -> Key:
        nonlocal shown
        _demand_active(before)
        key, shown = rotated(before, timedelta(hours=keep_hours))
        return key

    async def done(place: KeyPlace) -> int:
        if not 0 <= keep_hours < math.inf:  # and not a number
            raise NotDone("the old secret has to work for 0 hours or more")
        key = await place.update(_id(id), turned)
        return _show(key, shown, f"rotated, the old secret works for {keep_hours:g} more hours")

    return _run(_settings(keys), done)


def _demand_active(key: Key) -> None:
    state = key.state(datetime.now(UTC))
    if state != "active":
        raise NotDone(f"key {key.id} is {state}, and a new secret would open nothing; make a new key")


def revoke(*, keys: str | None, id: str) -> int:  # noqa: A002 - the word of the command line
    """Make a key useless."""

    async def done(place: KeyPlace) -> int:
        key = await place.update(_id(id), revoked)
        sys.stderr.write(f"Key {key.id} ({key.name}) is revoked.\n")
        return 0

    return _run(_settings(keys), done)


def _settings(keys: str | None) -> Settings:
    return load_settings(**({} if keys is None else {"keys": keys}))


def _run(settings: Settings, act: Callable[[KeyPlace], Awaitable[int]]) -> int:
    try:
        return asyncio.run(_with_place(settings, act))
    except InvalidStoreUrl as error:
        raise InvalidSettingsError(f"redis_url (RULEWRIGHT_REDIS_URL): {error}") from None
    except NoSuchKey:
        sys.stderr.write("rulewright: there is no key of this id; `rulewright keys list` shows all\n")
        return FAILED
    except (NotDone, KeysUnreadable, StoreError) as error:
        sys.stderr.write(f"rulewright: {error}\n")
        return FAILED
    except (ValueError, OverflowError) as error:  # msgspec's are ValueErrors
        sys.stderr.write(f"rulewright: such a key cannot be made: {error}\n")
        return FAILED


async def _with_place(settings: Settings, act: Callable[[KeyPlace], Awaitable[int]]) -> int:
    if settings.keys != IN_STORE:
        return await act(place_of_keys(settings, None))
    if settings.redis_url is None:
        raise InvalidSettingsError(STORE_IS_MISSING)
    store = store_at(settings.redis_url.get_secret_value())
    try:
        return await act(place_of_keys(settings, store))
    finally:
        await store.close()


def _id(said: str) -> str:
    """The id of a key of which it, the beginning or all was said."""
    return said.removeprefix(PREFIX).partition("_")[0]


def _show(key: Key, shown: str, how: str) -> int:
    sys.stderr.write(f"Key {key.id} ({key.name}) is {how}. It is shown this once; keep it as you keep passwords:\n")
    sys.stderr.flush()
    sys.stdout.write(f"{shown}\n")
    return 0


def _row(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "state": key.state(datetime.now(UTC)),
        "scopes": [str(each) for each in key.scopes],
        "rate": key.rate,
        "burst": key.burst,
        "created": key.created_at.isoformat(),
        "expires": None if key.expires_at is None else key.expires_at.isoformat(),
    }


def _json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _table(rows: list[dict[str, Any]]) -> str:
    cells = [COLUMNS, *(tuple(_cell(row[column]) for column in COLUMNS) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(COLUMNS))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n" for line in cells
    )


def _cell(value: Any) -> str:
    match value:
        case None:
            return "-"
        case list():
            return ",".join(value)
        case float():
            return f"{value:g}"
    return str(value)

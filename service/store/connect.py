"""From a URL to the store that it names."""

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.settings import Settings
from service.store.cluster import Address, Cluster
from service.store.embedded import EmbeddedServer
from service.store.programs import find_program
from service.store.servers import OPEN_SECONDS, OneServer, Servers
from service.store.store import Store

DEFAULT_PORT = 6379
DEFAULT_SENTINEL_PORT = 26379
SENTINEL_SECONDS = 0.25
SHARED: dict[str, Any] = {
    "protocol": 2,
    "retry": Retry(NoBackoff(), 0),
    "socket_timeout": None,  # a line has a deadline for each of its commands
    "socket_connect_timeout": OPEN_SECONDS,
    "driver_info": None,
}
FORMS = (
    "redis://host:port/db, rediss://… (TLS), unix:///path, redis+sentinel://host:port,host:port/service/db "
    "or redis+cluster://host:port,host:port; special characters in a password have to be percent-encoded"
)
UNREADABLE = "it names no store"


class InvalidStoreUrl(ValueError):
    """A URL that names no store; the message repeats nothing of it: any part of it may be one of a password."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; a store is {FORMS}")


def store_at(url: str) -> Store:
    """The store that a URL names; connections are opened when they are needed."""
    try:
        return Store(_servers(url))
    except InvalidStoreUrl:
        raise
    except (ValueError, TypeError, RedisError):  # these repeat parts of it
        raise InvalidStoreUrl(UNREADABLE) from None


def _servers(url: str) -> Servers:
    parts = urlsplit(url)
    if parts.scheme != "unix" and "@" in parts.path + parts.fragment:  # a password that was cut: its rest is no path
        raise InvalidStoreUrl(UNREADABLE)
    scheme, _, kind = parts.scheme.partition("+")
    user, _, hosts = parts.netloc.rpartition("@")
    each = [f"{scheme}://{user}@{host}{parts.path}?{parts.query}" for host in hosts.split(",")]
    match kind:
        case "":
            return _one(url)
        case "cluster":
            return _cluster([_options(one) for one in each])
        case "sentinel":
            return _sentinel([_options(one) for one in each], parts.path)
    raise InvalidStoreUrl("there is no such kind of store")


def _options(url: str) -> dict[str, Any]:
    return {**SHARED, **parse_url(url)}


def _one(url: str) -> Servers:
    options = _options(url)
    kind = options.pop("connection_class", Connection)

    def connection() -> AbstractConnection:
        made: AbstractConnection = kind(**options)
        return made

    connection()  # refuses options that there are not
    return OneServer(connection)


def _cluster(each: list[dict[str, Any]]) -> Servers:
    seeds = [(one.pop("host", "localhost"), one.pop("port", DEFAULT_PORT)) for one in each]
    shared = each[0]
    if shared.pop("db", 0):
        raise InvalidStoreUrl("a cluster has no numbered databases")
    kind = shared.pop("connection_class", Connection)

    def connection(address: Address) -> AbstractConnection:
        made: AbstractConnection = kind(host=address[0], port=address[1], **shared)
        return made

    connection(seeds[0])
    return Cluster(seeds, connection)


def _sentinel(each: list[dict[str, Any]], path: str) -> Servers:
    service, _, database = path.strip("/").partition("/")
    if not service:
        raise InvalidStoreUrl("a store behind Sentinel needs the name of its service")
    sentinels = [(one.pop("host", "localhost"), one.pop("port", DEFAULT_SENTINEL_PORT)) for one in each]
    shared = each[0]
    theirs = {name: shared.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    secure = {"ssl": shared.pop("connection_class", Connection) is SSLConnection}
    secure |= {name: value for name, value in shared.items() if name.startswith("ssl_")}
    asked = {
        **SHARED,
        **theirs,
        **secure,
        "socket_timeout": SENTINEL_SECONDS,
        "socket_connect_timeout": SENTINEL_SECONDS,
    }
    manager = Sentinel(sentinels, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
    options = {**shared, **secure, "db": int(database or 0)}
    pool = SentinelConnectionPool(unquote(service), manager, **options)  # type: ignore[no-untyped-call]

    def connection() -> AbstractConnection:
        made: AbstractConnection = pool.make_connection()  # type: ignore[no-untyped-call]
        return made

    connection()
    return OneServer(connection, manager.aclose)


@contextlib.contextmanager
def url_of_store(settings: Settings) -> Iterator[str | None]:
    """The URL of the store while the block runs: the operator's, or a server of our own, or None where there is none."""
    if settings.redis_url:
        yield settings.redis_url.get_secret_value()
        return
    program = find_program()
    if program is None:
        yield None
        return
    server = EmbeddedServer(program, settings.data_dir / "store", settings.store_bytes)
    server.start()
    try:
        yield server.url
    finally:
        server.stop()

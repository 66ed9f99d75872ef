"""What an operator can set, from environment variables that begin with RULEWRIGHT_."""

import os
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Le
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "RULEWRIGHT_"
ANY_ORIGIN = "*"
SLOWEST_RATE = 0.001
"""Units a second; what fills more slowly than in a quarter of an hour is no limit but a ban."""
ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
DEFAULT_PORTS = {("http", ":80"), ("https", ":443")}


class LogLevel(StrEnum):
    """From which severity on the service writes to its log."""

    CRITICAL = "critical"
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


class LogFormat(StrEnum):
    """How a line of the log is written: `auto` is text on a terminal, JSON elsewhere."""

    AUTO = "auto"
    JSON = "json"
    TEXT = "text"


class AccessLines(StrEnum):
    """Which requests get a line in the log."""

    ALL = "all"
    FAILED = "failed"
    NONE = "none"


class MetricsAccess(StrEnum):
    """Who may read the metrics: whoever has a key with the scope `metrics`, as soon as there are keys; everybody; nobody."""

    KEY = "key"
    OPEN = "open"
    OFF = "off"


class InvalidSettingsError(Exception):
    """Settings that the service cannot start with; the message names each and says what is wrong with it."""


def _origins(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return tuple(_origin(each.strip()) for each in value.split(",") if each.strip())


def _origin(written: str) -> str:
    """An origin as browsers send it: in small letters, and without the port that goes without saying."""
    if written == ANY_ORIGIN:
        return written
    found = ORIGIN.fullmatch(written.lower())
    if found is None:
        raise PydanticCustomError(
            "origins",
            "Each origin should be * or scheme://host[:port], without a path, a user, or a * for a part of it",
        )
    scheme, host, port = found.groups("")
    return f"{scheme}://{host}" if (scheme, port) in DEFAULT_PORTS else f"{scheme}://{host}{port}"


def _rate(value: float) -> float:
    if 0 < value < SLOWEST_RATE:
        raise PydanticCustomError("rate", "A rate should be 0, which is without limit, or from 0.001 up")
    return value


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise PydanticCustomError("home", "There is no such user, or it has no home directory") from None


def _default_data_dir() -> Path:
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/rulewright")
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (base if base.is_absolute() else Path("~/.local/share")) / "rulewright"


class Settings(BaseSettings):
    """The settings of one service; they do not change while it runs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """The address to listen on; 0.0.0.0 is every one."""
    port: Annotated[int, Ge(1), Le(65_535)] = 8000
    """The TCP port to listen on."""
    workers: Annotated[int, Ge(1), Le(256)] = 1
    """The number of processes that answer."""
    max_body_bytes: Annotated[int, Ge(1_024)] = 1_048_576
    """The largest request body that is read."""
    cors_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_origins)] = (ANY_ORIGIN,)
    """The origins whose pages may call the service, comma separated; * is any, an empty value none."""
    log_level: LogLevel = LogLevel.INFO
    """From which severity on the service writes to its log."""
    log_format: LogFormat = LogFormat.AUTO
    """How a line of the log is written."""
    access_log: AccessLines = AccessLines.FAILED
    """Which requests get a line in the log; `failed` are those answered with 401, 403, 429 or 5xx, or after a second."""
    metrics: MetricsAccess = MetricsAccess.KEY
    """Who may read the metrics."""
    redis_url: SecretStr | None = None
    """The Redis that keeps the encounters; without one, a server that starts with the service and keeps them in data_dir."""
    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(default_factory=_default_data_dir)
    """The directory of what the service keeps itself, by default where the system wants a user's data."""
    store_bytes: Annotated[int, Ge(16_777_216)] | None = None
    """The most memory that this server uses for them, by default a quarter of what there is; then it takes no changes."""
    keys: Annotated[str, StringConstraints(min_length=1)] | None = None
    """Where the API keys are kept: the path of a keys file, or `store`, the Redis of redis_url; without it there are none."""
    open: bool = False
    """Whether callers without a key are answered on other addresses than the loopback's, or beside those with keys."""
    trusted_hops: Annotated[int, Ge(0), Le(16)] = 0
    """The proxies in front of the service, each of which appends to X-Forwarded-For; 0 does not look at that header."""
    address_rate: Annotated[float, Ge(0), Le(1_000_000), AfterValidator(_rate)] = 1_000
    """What the clients of one address may cost a second for long; a plain answer costs 1. 0 is without limit."""
    address_burst: Annotated[int, Ge(1), Le(1_000_000)] = 10_000
    """What the clients of one address may cost at once, after they were quiet."""
    key_rate: Annotated[float, Ge(0), Le(1_000_000), AfterValidator(_rate)] = 0
    """What a key that has no limit of its own may cost a second for long; 0 is without limit."""
    key_burst: Annotated[int, Ge(1), Le(1_000_000)] = 10_000
    """What such a key may cost at once."""
    max_in_flight: Annotated[int, Ge(1), Le(100_000)] = 512
    """The most requests that one worker has begun and not answered; what comes then is answered 503."""
    max_queue_ms: Annotated[int, Ge(1), Le(60_000)] = 250
    """For how many milliseconds a worker answers those who came at the same moment; the rest of them is answered 503."""
    max_streams: Annotated[int, Ge(1), Le(100_000)] = 2_000
    """The most event streams that one worker has open."""
    max_streams_per_address: Annotated[int, Ge(1), Le(100_000)] = 100
    """The most event streams that one worker has open to one client address."""
    max_connections: Annotated[int, Ge(16), Le(1_000_000)] = 4_096
    """The most connections that one worker has open, or fewer where the system allows it fewer files; more are told 503."""
    max_connections_per_address: Annotated[int, Ge(1), Le(1_000_000)] = 512
    """The most connections that one worker has open to one address, of IPv6 to one /64; without effect behind trusted_hops."""
    request_seconds: Annotated[float, Ge(0.1), Le(3_600)] = 15
    """The seconds within which a request has to arrive, and a client has to take some of its answer."""
    drain_seconds: Annotated[float, Ge(0), Le(3_600)] = 0
    """The seconds for which a worker that is told to end still takes requests, and says in /readyz that it ends."""
    grace_seconds: Annotated[int, Ge(1), Le(3_600)] = 20
    """The seconds that a worker which takes no more requests gives those that it has begun."""
    ready_without_store: bool = False
    """Whether /readyz says ready while the store is away: everything but encounters works without it."""
    max_combatants: Annotated[int, Ge(1), Le(1_000)] = 100
    """The most combatants that one encounter may have."""
    max_events: Annotated[int, Ge(10), Le(1_000_000)] = 10_000
    """The most events that the log of one encounter may have."""
    max_tokens: Annotated[int, Ge(2), Le(10_000)] = 500
    """The most tokens that the game master of one encounter may hand out, and the most that may be exchanged for them."""
    max_open_encounters: Annotated[int, Ge(1)] = 1_000
    """The most encounters that one client address may have open."""
    encounter_idle_days: Annotated[int, Ge(1), Le(3_650)] = 30
    """The days after its last change when an encounter is forgotten."""


def load_settings(**overrides: Any) -> Settings:
    """The settings of the environment, with the given ones in their place."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise InvalidSettingsError("\n".join(_told(each) for each in error.errors(include_url=False))) from None


def _told(error: Any) -> str:
    name = str(error["loc"][0])
    return f"{name} ({PREFIX}{name.upper()}): {error['msg']}, not {error['input']!r}"

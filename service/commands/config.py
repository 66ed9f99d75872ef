"""`rulewright config`: every setting, where its value comes from, and what it is."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from service.commands.checked import checked_settings, unknown_variables, warn_of_unknown_variables
from service.commands.kinds import Commands, add_settings
from service.settings import PREFIX, Settings

HIDDEN = "***"
SECRET_PARAMETER = re.compile(r"((?:^|&)[^=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a setting; `value` is as JSON has it."""

    name: str
    variable: str
    value: Any
    source: str
    description: str


def add_to(commands: Commands) -> None:
    """Add this command to those of the command line."""
    parser = commands.add_parser("config", help="show every setting", argument_default=argparse.SUPPRESS)
    parser.set_defaults(run=show)
    add_settings(parser)
    parser.add_argument("--json", action="store_true", dest="as_json", help="as JSON")


def show(*, as_json: bool = False, **overrides: Any) -> int:
    """Show the settings that `serve` would run with, given the same environment and options."""
    settings = checked_settings(overrides)
    told = list(_told(settings, overrides))
    if as_json:
        unknown = [{"variable": name, "meant": meant} for name, meant in unknown_variables()]
        shown = {"settings": [asdict(each) for each in told], "unknown": unknown}
        sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=2) + "\n")
        return 0
    rows = [(each.variable, _in_a_line(each.value), each.source, each.description) for each in told]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for *cells, description in rows:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        sys.stdout.write("  ".join([*padded, description]) + "\n")
    warn_of_unknown_variables()
    return 0


def _told(settings: Settings, overrides: dict[str, Any]) -> Iterator[Told]:
    variables = {name.upper() for name in os.environ}
    for name, field in Settings.model_fields.items():
        variable = PREFIX + name.upper()
        source = "environment" if variable in variables else "default"
        described = " ".join((field.description or "").split())
        value = _as_json(getattr(settings, name))
        yield Told(name, variable, value, "command line" if name in overrides else source, described)


def _as_json(value: Any) -> Any:
    match value:
        case SecretStr():
            return without_secrets(value.get_secret_value())
        case Enum():
            return value.value
        case Path():
            return str(value)
        case tuple():
            return [_as_json(each) for each in value]
    return value


def _in_a_line(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case list():
            return ",".join(value)
    return str(value)


def without_secrets(url: str) -> str:
    """A URL with its passwords hidden, or hidden whole where it cannot be told which part of it is one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return HIDDEN
    user, at, hosts = parts.netloc.rpartition("@")
    if not parts.scheme or parts.fragment or "@" in parts.path + parts.query:  # a password that was not quoted
        return HIDDEN
    name, colon, _ = user.partition(":")
    query = SECRET_PARAMETER.sub(rf"\1{HIDDEN}", parts.query)
    return f"{parts.scheme}://{name}{colon and ':' + HIDDEN}{at}{hosts}{parts.path}{query and '?' + query}"

"""The settings of a command, checked as far as they can be without starting anything."""

import difflib
import os
import sys
from collections.abc import Iterator
from typing import Any

from service.gate.admission import demand_admission
from service.observability.tracing import demand_extra
from service.settings import PREFIX, InvalidSettingsError, Settings, load_settings
from service.store.connect import InvalidStoreUrl, store_at


def checked_settings(overrides: dict[str, Any]) -> Settings:
    """The settings, of which a service can start; InvalidSettingsError says why it cannot."""
    settings = load_settings(**overrides)
    demand_admission(settings)
    demand_extra()
    if settings.redis_url:
        try:
            store_at(settings.redis_url.get_secret_value())
        except InvalidStoreUrl as error:
            raise InvalidSettingsError(f"redis_url ({PREFIX}REDIS_URL): {error}") from None
    return settings


def unknown_variables() -> Iterator[tuple[str, str | None]]:
    """Variables of the environment that look like settings and are none, each with the one that may be meant."""
    known = [name.upper() for name in Settings.model_fields]
    for variable in sorted(os.environ):
        prefix, name = variable[: len(PREFIX)].upper(), variable[len(PREFIX) :].upper()
        if prefix == PREFIX and name not in known:
            yield variable, next((PREFIX + each for each in difflib.get_close_matches(name, known, 1)), None)


def warn_of_unknown_variables() -> None:
    """Tell the operator about each of them."""
    for name, meant in unknown_variables():
        guess = f"; is {meant} meant?" if meant else ""
        sys.stderr.write(f"rulewright: there is no setting {name}{guess}\n")

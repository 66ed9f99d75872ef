"""Links of the contract: what an answer about an encounter has for the requests that can follow."""

from typing import Any

from rules.core.system import System
from service.encounter_contract import SYSTEMS_WITH_FIGHTS
from service.schemas import Schema

ENDLESS = "/stream"
"""Whoever follows every link would wait here for ever."""
OPENED = {"path.id": "$response.body#/id", "header.Encounter-Token": "$response.body#/gm_token"}
SAME = {"path.id": "$request.path.id", "header.Encounter-Token": "$request.header.Encounter-Token"}


def link(paths: dict[str, Any]) -> None:
    """Link the opening of an encounter to everything that can be asked of it, and what is made there to what changes it."""
    for system in SYSTEMS_WITH_FIGHTS:
        _link_system(paths, system)


def _link_system(paths: dict[str, Any], system: System) -> None:
    root = f"/v1/{system.slug}/encounters"
    one = f"{root}/{{id}}"
    for path, methods in paths.items():
        if (path == one or path.startswith(f"{one}/")) and not path.endswith(ENDLESS) and path.count("{") == 1:
            for operation in methods.values():
                _link(paths[root]["post"], operation, OPENED, "With the id, as the game master.")
    joined = {**SAME, "path.combatant": "$request.body#/id"}
    for operation in paths[f"{one}/combatants/{{combatant}}"].values():
        _link(paths[f"{one}/combatants"]["post"], operation, joined, "With the id of the one who joined.")
    issued = {**SAME, "path.token": "$response.body#/id"}
    _link(
        paths[f"{one}/tokens"]["post"], paths[f"{one}/tokens/{{token}}"]["delete"], issued, "With the id of the token."
    )


def _link(source: Schema, target: Schema, parameters: dict[str, str], description: str) -> None:
    name = target["operationId"]
    links = source["responses"]["201"].setdefault("links", {})
    links[name] = {"operationId": name, "parameters": dict(parameters), "description": description}

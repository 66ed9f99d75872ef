"""The verifier in JavaScript checks an exported log without the server, and finds what was forged."""

import copy
import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.core.test_javascript import CLIENT, node
from tests.encounters.table import Table

CHECK = """
import { checkLog } from "./rulewright-log.mjs";
import { readFileSync } from "node:fs";
const found = [];
for (const { state, events } of JSON.parse(readFileSync(0, "utf-8"))) found.push(await checkLog(state, events));
console.log(JSON.stringify(found));
"""

Export = dict[str, Any]


def checked(*exports: Export) -> list[dict[str, Any]]:
    command = [node(), "--input-type=module", "-e", CHECK]
    run = subprocess.run(command, cwd=CLIENT, input=json.dumps(exports), capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


async def exported(table: Table, token: str | None = None) -> Export:
    state = (await table.send("GET", "", token)).json()
    return {"state": state, "events": await table.events(token, limit=500)}


async def played(table: Table) -> None:
    """Whatever of the systems' own examples the rules allow, now and after the end of a turn."""
    for _ in range(2):
        for command in table.system.encounter.commands:  # type: ignore[union-attr]
            await table.send("POST", f"/actions/{command.slug}", body=dict(command.example))
        await table.send("POST", "/turns", body={})
    await table.send("POST", "/undo")
    assert any(event["resolution"] for event in await table.events(limit=500))


def face(export: Export) -> None:
    """Another face; where nothing was rolled, one that was not."""
    rolls = [
        step["dice"]
        for event in export["events"]
        if event["resolution"]
        for step in event["resolution"]["audit"]
        if "dice" in step
    ]
    if rolls:
        rolls[0]["faces"][0] = rolls[0]["faces"][0] % rolls[0]["sides"] + 1
        return
    event = next(event for event in export["events"] if event["resolution"])
    event["resolution"]["randomness"]["faces"].append(1)


def effect(export: Export) -> None:
    event = next(event for event in export["events"] if event["effects"])
    event["effects"][0]["to"] = None


def order(export: Export) -> None:
    export["events"][1], export["events"][2] = export["events"][2], export["events"][1]


def seed(export: Export) -> None:
    export["state"]["seed"] += "0"


def state(export: Export) -> None:
    export["state"]["round"] += 1


async def test_a_log_is_sound_before_and_after_the_end(table: Table) -> None:
    await played(table)
    before = await exported(table)
    await table.send("POST", "/close")
    after, seen = await exported(table), await exported(table, table.spectator)
    found = checked(before, after, seen)
    assert [each["reason"] for each in found] == [None, None, None]
    assert [each["seed"] for each in found] == [False, True, True]
    assert found[1]["events"] == after["state"]["version"]


@pytest.mark.parametrize("forge", [face, effect, order, seed, state])
async def test_what_was_forged_is_found(table: Table, forge: Callable[[Export], None]) -> None:
    await played(table)
    await table.send("POST", "/close")
    export = await exported(table)
    forged = copy.deepcopy(export)
    forge(forged)
    assert [each["ok"] for each in checked(export, forged)] == [True, False]

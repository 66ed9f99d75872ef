"""Who passes the gate: keys, scopes, open paths, strangers, limits."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from rules.catalogue import SYSTEMS
from service.app import create_app
from service.gate.key_places import KeyFile, StoredKeys
from service.gate.keys import Scope, new_key, revoked, rotated
from service.settings import Settings
from service.store.store import Store
from tests.gate.conftest import Serving, bearer, made

GURPS = next(system for system in SYSTEMS if system.slug == "gurps")
ACTION = next(action for action in GURPS.actions if action.slug == "success-roll")
PATH = f"/v1/gurps/{ACTION.slug}"
QUESTION = {**ACTION.example, "seed": "s"}
OPEN_PATHS = (
    "/",
    "/docs",
    "/openapi.json",
    "/v1/systems",
    "/v1/systems/gurps",
    "/problems/not-found",
    "/healthz",
    "/readyz",
)


def problem(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    name: str = answer.json()["type"].removeprefix("/problems/")
    return name


def operations() -> list[tuple[str, str]]:
    """Every operation of the contract that somebody pays for, by method and a path without places."""
    paths: dict[str, dict[str, Any]] = create_app(Settings()).openapi()["paths"]
    found = []
    for path, methods in paths.items():
        filled = path.replace("{id}", "0" * 20).replace("{combatant}", "mira").replace("{token}", "0" * 8)
        if "{" not in filled and filled not in OPEN_PATHS:
            found += [(method.upper(), filled) for method in methods]
    return found


OPERATIONS = operations()


def test_the_contract_names_the_scope_that_each_operation_needs() -> None:
    for path, methods in create_app(Settings()).openapi()["paths"].items():
        for operation in methods.values():
            wanted = None if path in OPEN_PATHS or path.startswith("/v1/systems") else scope_of(path).value
            assert operation.get("x-required-scope") == wanted, path


def test_there_are_operations_to_guard() -> None:
    assert len(OPERATIONS) > 100
    assert ("POST", "/v1/batch") in OPERATIONS
    assert ("POST", f"{PATH}/odds") in OPERATIONS


# keys


async def test_every_operation_refuses_who_has_no_key_or_a_wrong_one(serving: Serving, keys_file: Path) -> None:
    await made(keys_file)
    wrong = f"rwk_{'0' * 12}_{'A' * 43}"
    async with serving(keys=str(keys_file), address_rate=0) as client:
        for method, path in OPERATIONS:
            answer = await client.request(method, path, json={})
            assert (answer.status_code, problem(answer)) == (401, "key-needed"), (method, path)
            assert answer.headers["www-authenticate"].startswith("Bearer ")
            answer = await client.request(method, path, json={}, headers=bearer(wrong))
            assert (answer.status_code, problem(answer)) == (401, "key-unknown"), (method, path)


async def test_a_key_opens_what_its_scopes_say_and_nothing_else(serving: Serving, keys_file: Path) -> None:
    shown = {scope: (await made(keys_file, scope.value, scope))[1] for scope in Scope}
    async with serving(keys=str(keys_file), address_rate=0) as client:
        for method, path in OPERATIONS:
            passed = [
                scope
                for scope in Scope
                if (await client.request(method, path, json={}, headers=bearer(shown[scope]))).status_code != 403
            ]
            assert passed == [scope_of(path)], (method, path)
        answer = await client.post(PATH, json=QUESTION, headers=bearer(shown[Scope.ODDS]))
        assert problem(answer) == "scope-missing"
        assert answer.json()["needed_scope"] == "resolve"


def scope_of(path: str) -> Scope:
    if path == "/metrics":
        return Scope.METRICS
    if "/encounters" in path:
        return Scope.ENCOUNTERS
    return Scope.ODDS if path.endswith("/odds") else Scope.RESOLVE


async def test_what_explains_the_service_is_open_to_everybody(serving: Serving, keys_file: Path) -> None:
    async with serving(keys=str(keys_file)) as client:
        for path in OPEN_PATHS:
            assert (await client.get(path)).status_code in (200, 307), path


@pytest.mark.parametrize("path", [f"{PATH}/", f"/{PATH}", PATH.upper(), f"{PATH};x", "/v1/gurps%2Fsuccess-roll", "/v2"])
async def test_a_path_that_is_not_listed_as_open_is_closed(serving: Serving, keys_file: Path, path: str) -> None:
    async with serving(keys=str(keys_file)) as client:
        assert (await client.post(path, json=QUESTION)).status_code == 401


async def test_a_path_below_a_root_needs_the_same(keys_file: Path) -> None:
    app = create_app(Settings(keys=str(keys_file)))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, root_path="/rules")
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            assert (await client.post(f"/rules{PATH}", json=QUESTION)).status_code == 401
            assert (await client.get("/rules/healthz")).status_code == 200, "a probe has no key"
            assert (await client.post(PATH, json=QUESTION)).status_code == 401


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic dTpw", "bearer rwk_", "Bearer rwk_zz_x", "Bearer \xff", "Bearer " + "x" * 5_000],
)
async def test_what_is_no_key_is_no_way_in(serving: Serving, keys_file: Path, header: str) -> None:
    await made(keys_file)
    async with serving(keys=str(keys_file), address_rate=0) as client:
        sent = {"authorization": header.encode("latin-1")} if header else {}
        answer = await client.post(PATH, json=QUESTION, headers=sent)  # type: ignore[arg-type]
        assert answer.status_code == 401


async def test_a_key_is_made_rotated_and_revoked_while_the_service_runs(
    serving: Serving, keys_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.gate.key_source.LOOK_AGAIN_SECONDS", 0.02)
    monkeypatch.setattr("service.gate.key_source.UNKNOWN_SECONDS", 0.0)
    async with serving(keys=str(keys_file), address_rate=0) as client:

        async def status(shown: str) -> int:
            return (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code

        key, first = await made(keys_file)
        assert await status(first) == 200, "a new key is looked for at once"
        key, second = rotated(key, timedelta(hours=1))
        await KeyFile(keys_file).put(key)
        await until(lambda: status(second), 200)
        assert await status(first) == 200, "the old secret still works for a while"
        key, third = rotated(key, timedelta(0))
        await KeyFile(keys_file).put(key)
        await until(lambda: status(first), 401)
        assert [await status(second), await status(third)] == [401, 200]
        await KeyFile(keys_file).put(revoked(key))
        await until(lambda: status(third), 401)


async def until(status: Any, wanted: int) -> None:
    async with asyncio.timeout(30):
        while await status() != wanted:
            await asyncio.sleep(0.01)


async def test_a_file_that_breaks_leaves_the_keys_that_were_read(
    serving: Serving, keys_file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("service.gate.key_source.LOOK_AGAIN_SECONDS", 0.01)
    _, shown = await made(keys_file)

    def said() -> int:
        return sum("cannot be read" in each.getMessage() for each in caplog.records)

    async with serving(keys=str(keys_file)) as client:
        keys_file.write_text('{"keys": [')
        async with asyncio.timeout(30):
            while not said():
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
    assert said() == 1, "and it is said once"


async def test_keys_in_the_store(serving: Serving, store: Store) -> None:
    key, shown = new_key("in the store")
    await StoredKeys(store).put(key)
    async with serving(keys="store") as client:
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
        assert (await client.post(PATH, json=QUESTION)).status_code == 401


async def test_without_its_store_no_key_is_known_and_that_is_told(serving: Serving) -> None:
    async with serving(keys="store", redis_url="redis://127.0.0.1:1") as client:
        answer = await client.post(PATH, json=QUESTION, headers=bearer(f"rwk_{'0' * 12}_{'A' * 43}"))
        assert (answer.status_code, problem(answer)) == (503, "store-unavailable")


async def test_open_lets_those_without_a_key_in_beside_those_with_one(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file)
    async with serving(keys=str(keys_file), open=True) as client:
        assert (await client.post(PATH, json=QUESTION)).status_code == 200
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown[:-1] + "~"))).status_code == 401
        assert (await client.get("/metrics")).status_code == 401, "the metrics are never open by that"


async def test_without_keys_strangers_are_answered_only_where_it_is_open() -> None:
    for is_open, status in ((False, 403), (True, 200)):
        app = create_app(Settings(open=is_open))
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://192.0.2.7:8000") as client:
            assert (await client.post(PATH, json=QUESTION)).status_code == status
            assert (await client.get("/healthz")).status_code == 200


async def test_a_stream_is_opened_with_a_ticket_and_without_a_key(serving: Serving, keys_file: Path) -> None:
    path = f"/v1/gurps/encounters/{'0' * 20}/stream"
    async with serving(keys=str(keys_file), address_rate=0) as client:
        assert (await client.get(path)).status_code == 401
        assert problem(await client.get(f"{path}?ticket=x.1.y")) in ("not-found", "token-unknown"), "it is looked at"
        assert (await client.head(f"{path}?ticket=x.1.y")).headers.get("www-authenticate") is None
        with_token = await client.get(f"{path}?ticket=x.1.y", headers={"encounter-token": "t"})
        assert problem(with_token) == "key-needed", "a ticket is no way around the key for those who have a token"
        assert (await client.post(f"{path}?ticket=x.1.y")).status_code == 401


async def test_the_key_is_in_no_answer_and_no_log(
    serving: Serving, keys_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, shown = await made(keys_file)
    secret = shown.split("_", 2)[2]
    async with serving(keys=str(keys_file), access_log="all") as client:
        answers = [
            await client.post(PATH, json=QUESTION, headers=bearer(shown)),
            await client.post(PATH, json={}, headers=bearer(shown)),
            await client.post(PATH, json=QUESTION, headers=bearer(shown + "x")),
        ]
    for answer in answers:
        assert secret not in answer.text + str(answer.headers)
    assert secret not in caplog.text


async def test_what_is_refused_is_told_by_its_route(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, "scrapes", Scope.METRICS)
    async with serving(keys=str(keys_file), address_rate=0) as client:
        await client.post(PATH, json=QUESTION)
        await client.post("/v1/gurps/encounters/0000/actions/attack", json={})
        told = (await client.get("/metrics", headers=bearer(shown))).text
    for route in (PATH, "/v1/gurps/encounters/{id}/actions/attack"):
        assert f'rulewright_request_duration_seconds_count{{method="POST",route="{route}",status="401"}}' in told


async def test_it_is_not_ready_before_its_keys_were_read(serving: Serving, keys_file: Path) -> None:
    async with serving(keys=str(keys_file)) as client:
        assert (await client.get("/readyz")).json()["checks"]["keys"] == "ok"
    async with serving(keys="store", redis_url="redis://127.0.0.1:1") as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["checks"]["keys"]) == (503, "unavailable")

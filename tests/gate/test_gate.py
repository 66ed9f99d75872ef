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
    async with asyncio.timeout(5):
        while await status() != wanted:
            await asyncio.sleep(0.01)


async def test_a_file_that_breaks_leaves_the_keys_that_were_read(
    serving: Serving, keys_file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("service.gate.key_source.LOOK_AGAIN_SECONDS", 0.01)
    _, shown = await made(keys_file)
    async with serving(keys=str(keys_file)) as client:
        keys_file.write_text('{"keys": [')
        await asyncio.sleep(0.1)
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
    said = [each for each in caplog.records if "cannot be read" in each.getMessage()]
    assert len(said) == 1, "and it is said once"


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


# limits


async def test_every_answer_tells_what_is_left(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, rate=2.0, burst=30)
    async with serving(
        address="192.0.2.11", keys=str(keys_file), address_rate=5, address_burst=100, open=True
    ) as client:
        answer = await client.post(PATH, json=QUESTION)
        assert answer.headers["ratelimit-policy"] == '"address";q=100;w=20'
        assert answer.headers["ratelimit"] == '"address";r=99;t=1'
        answer = await client.post(PATH, json={}, headers=bearer(shown))
        assert answer.status_code == 422
        assert answer.headers["ratelimit-policy"] == '"address";q=100;w=20, "key";q=30;w=15'
        assert answer.headers["ratelimit"] == '"address";r=98;t=1, "key";r=29;t=1'
        assert "ratelimit" in (await client.get("/nowhere")).headers
        assert "ratelimit" in (await client.get("/v1/systems")).headers


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_has_nothing_left_is_told_when_to_come_back(serving: Serving, language: str) -> None:
    address = "192.0.2.12" if language == "en" else "192.0.2.13"
    async with serving(address=address, address_rate=0.5, address_burst=3) as client:
        for _ in range(3):
            assert (await client.post(PATH, json=QUESTION)).status_code == 200
        answer = await client.post(
            PATH, json=QUESTION, headers={"accept-language": language, "origin": "https://a.example"}
        )
        assert (answer.status_code, problem(answer)) == (429, "rate-limited")
        assert answer.headers["retry-after"] == "2" == str(answer.json()["retry_after"])
        assert answer.headers["ratelimit"] == '"address";r=0;t=6'
        assert answer.headers["access-control-allow-origin"] == "*"
        exposed = answer.headers["access-control-expose-headers"].lower()
        assert {"retry-after", "ratelimit", "ratelimit-policy"} <= set(exposed.split(", "))
        assert answer.headers["content-language"] == language


async def test_one_address_does_not_starve_another_nor_a_key_its_other_addresses(
    serving: Serving, keys_file: Path
) -> None:
    _, shown = await made(keys_file, rate=0.001, burst=8)
    settings = {"keys": str(keys_file), "address_rate": 0.001, "address_burst": 5}
    async with serving(address="192.0.2.21", **settings) as greedy, serving(address="192.0.2.22", **settings) as other:
        told = [(await greedy.post(PATH, json=QUESTION, headers=bearer(shown))).status_code for _ in range(7)]
        assert told == [200] * 5 + [429] * 2
        told = [(await other.post(PATH, json=QUESTION, headers=bearer(shown))).status_code for _ in range(7)]
        assert told == [200] * 3 + [429] * 4, "the two share the key's"


async def test_a_batch_costs_its_items_and_odds_their_width(serving: Serving) -> None:
    async with serving(address="192.0.2.31", address_rate=0.001, address_burst=10_000) as client:

        async def left() -> int:
            told = (await client.post("/v1/verify", json={})).headers["ratelimit"]
            return int(told.partition("r=")[2].partition(";")[0])

        before = await left()
        item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
        assert (await client.post("/v1/batch", json={"items": [item] * 40})).status_code == 200
        assert before - (after := await left()) == 41
        narrow = {key: value for key, value in QUESTION.items() if key != "seed"}
        assert (await client.post(f"{PATH}/odds", json=narrow)).status_code == 200
        assert after - (last := await left()) < 10
        attack = next(action for action in GURPS.actions if action.slug == "attack")
        wide = {key: value for key, value in attack.example.items() if key not in ("seed", "dice")}
        assert (await client.post("/v1/gurps/attack/odds", json=wide)).status_code == 200
        assert last - await left() > 10


async def test_a_batch_that_costs_too_much_is_not_begun(serving: Serving) -> None:
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    async with serving(address="192.0.2.32", address_rate=0.001, address_burst=50) as client:
        assert (await client.post("/v1/batch", json={"items": [item] * 30})).status_code == 200
        answer = await client.post("/v1/batch", json={"items": [item] * 30})
        assert (answer.status_code, problem(answer)) == (429, "rate-limited")
        assert (await client.post("/v1/batch", json={"items": [item] * 19})).status_code == 200


async def test_a_batch_that_costs_more_than_may_be_spent_at_once_is_owed(serving: Serving) -> None:
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    async with serving(address="192.0.2.34", address_rate=1, address_burst=50) as client:
        answer = await client.post("/v1/batch", json={"items": [item] * 80})
        assert answer.status_code == 200
        answer = await client.post(PATH, json=QUESTION)
        assert answer.status_code == 429
        assert 29 <= int(answer.headers["retry-after"]) <= 32


async def test_guessing_tokens_and_keys_ends_soon(serving: Serving) -> None:
    async with serving(address="192.0.2.33", address_rate=0.001, address_burst=100) as client:
        opened = (await client.post("/v1/gurps/encounters", json={})).json()
        told = [
            (
                await client.get(f"/v1/gurps/encounters/{opened['id']}", headers={"encounter-token": str(guess)})
            ).status_code
            for guess in range(10)
        ]
        assert told == [401] * 5 + [429] * 5


async def test_who_forgot_the_key_or_the_token_pays_as_for_any_request(serving: Serving, keys_file: Path) -> None:
    async with serving(address="192.0.2.35", keys=str(keys_file), address_rate=0.001, address_burst=10) as client:
        told = [(await client.post(PATH, json=QUESTION)).status_code for _ in range(11)]
        assert told == [401] * 10 + [429]


async def test_what_is_refused_is_told_by_its_route(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, "scrapes", Scope.METRICS)
    async with serving(keys=str(keys_file), address_rate=0) as client:
        await client.post(PATH, json=QUESTION)
        await client.post("/v1/gurps/encounters/0000/actions/attack", json={})
        told = (await client.get("/metrics", headers=bearer(shown))).text
    for route in (PATH, "/v1/gurps/encounters/{id}/actions/attack"):
        assert f'rulewright_request_duration_seconds_count{{method="POST",route="{route}",status="401"}}' in told


async def test_replicas_share_what_an_address_may_cost(serving: Serving) -> None:
    settings = {"address": "192.0.2.41", "address_rate": 0.001, "address_burst": 10}
    async with serving(**settings) as one, serving(**settings) as two:
        told = [(await client.post(PATH, json=QUESTION)).status_code for client in (one, two) * 8]
    assert told.count(200) in (10, 11)


async def test_the_address_is_that_which_the_trusted_proxies_saw(serving: Serving) -> None:
    settings = {"address_rate": 0.001, "address_burst": 3, "address": "192.0.2.51"}
    async with serving(trusted_hops=1, **settings) as client:

        async def status(forwarded: str) -> int:
            return (await client.post(PATH, json=QUESTION, headers={"x-forwarded-for": forwarded})).status_code

        assert [await status("198.51.100.1") for _ in range(4)] == [200] * 3 + [429]
        assert await status("198.51.100.2") == 200
        assert await status("203.0.113.9, 198.51.100.1") == 429, "what the client wrote itself does not count"
    async with serving(trusted_hops=0, **settings) as client:
        told = [
            (await client.post(PATH, json=QUESTION, headers={"x-forwarded-for": f"198.51.100.{n}"})).status_code
            for n in range(5)
        ]
        assert told == [200] * 3 + [429] * 2, "without trusted proxies the header is the client's own"


async def test_a_store_that_is_away_costs_no_answer(serving: Serving) -> None:
    async with serving(redis_url="redis://127.0.0.1:1", address_rate=0.001, address_burst=3) as client:
        told = [(await client.post(PATH, json=QUESTION)).status_code for _ in range(5)]
    assert told == [200] * 3 + [429] * 2


async def test_without_a_limit_nothing_is_told(serving: Serving) -> None:
    async with serving(address_rate=0) as client:
        assert "ratelimit" not in (await client.post(PATH, json=QUESTION)).headers


async def test_it_is_not_ready_before_its_keys_were_read(serving: Serving, keys_file: Path) -> None:
    async with serving(keys=str(keys_file)) as client:
        assert (await client.get("/readyz")).json()["checks"]["keys"] == "ok"
    async with serving(keys="store", redis_url="redis://127.0.0.1:1") as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["checks"]["keys"]) == (503, "unavailable")

"""What callers may cost, over HTTP: what they are told of it, what costs more, and who pays."""

from pathlib import Path

import pytest

from tests.gate.conftest import Serving, bearer, made
from tests.gate.test_gate import ACTION, GURPS, PATH, QUESTION, problem


async def test_every_answer_tells_what_is_left(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, rate=0.02, burst=30)
    async with serving(
        address="192.0.2.11", keys=str(keys_file), address_rate=0.01, address_burst=100, open=True
    ) as client:
        answer = await client.post(PATH, json=QUESTION)
        assert answer.headers["ratelimit-policy"] == '"address";q=100;w=10000'
        assert answer.headers["ratelimit"] == '"address";r=99;t=100'
        answer = await client.post(PATH, json={}, headers=bearer(shown))
        assert answer.status_code == 422
        assert answer.headers["ratelimit-policy"] == '"address";q=100;w=10000, "key";q=30;w=1500'
        assert answer.headers["ratelimit"] == '"address";r=98;t=200, "key";r=29;t=50'
        assert "ratelimit" in (await client.get("/nowhere")).headers
        assert "ratelimit" in (await client.get("/v1/systems")).headers


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_has_nothing_left_is_told_when_to_come_back(serving: Serving, language: str) -> None:
    address = "192.0.2.12" if language == "en" else "192.0.2.13"
    async with serving(address=address, address_rate=0.01, address_burst=3) as client:
        for _ in range(3):
            assert (await client.post(PATH, json=QUESTION)).status_code == 200
        answer = await client.post(
            PATH, json=QUESTION, headers={"accept-language": language, "origin": "https://a.example"}
        )
        assert (answer.status_code, problem(answer)) == (429, "rate-limited")
        assert answer.headers["retry-after"] == str(answer.json()["retry_after"])
        assert 50 < answer.json()["retry_after"] <= 100
        assert answer.headers["ratelimit"] == '"address";r=0;t=300'
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


async def test_what_is_refused_for_the_key_costs_its_address_a_request(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, rate=0.001, burst=50)
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    settings = {"keys": str(keys_file), "address_rate": 0.001, "address_burst": 200}
    async with serving(address="192.0.2.36", **settings) as client:
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
        for n in range(2):
            answer = await client.post("/v1/batch", json={"items": [item] * 50}, headers=bearer(shown))
            assert (answer.status_code, answer.json()["detail"].count("key")) == (429, 1)
            assert answer.headers["ratelimit"].startswith(f'"address";r={198 - n};')


async def test_what_is_refused_for_the_address_costs_the_key_a_request(serving: Serving, keys_file: Path) -> None:
    _, shown = await made(keys_file, rate=0.001, burst=200)
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    settings = {"keys": str(keys_file), "address_rate": 0.001, "address_burst": 50}
    async with serving(address="192.0.2.37", **settings) as client:
        assert (await client.post(PATH, json=QUESTION, headers=bearer(shown))).status_code == 200
        answer = await client.post("/v1/batch", json={"items": [item] * 50}, headers=bearer(shown))
        assert answer.status_code == 429
        assert '"key";r=198;' in answer.headers["ratelimit"]


async def test_a_batch_that_costs_too_much_is_not_begun(serving: Serving) -> None:
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    async with serving(address="192.0.2.32", address_rate=0.001, address_burst=50) as client:
        assert (await client.post("/v1/batch", json={"items": [item] * 30})).status_code == 200
        answer = await client.post("/v1/batch", json={"items": [item] * 30})
        assert (answer.status_code, problem(answer)) == (429, "rate-limited")
        assert (await client.post("/v1/batch", json={"items": [item] * 19})).status_code == 200


async def test_a_batch_that_costs_more_than_may_be_spent_at_once_is_owed(serving: Serving) -> None:
    item = {"system": "gurps", "action": ACTION.slug, "request": QUESTION}
    async with serving(address="192.0.2.34", address_rate=0.1, address_burst=50) as client:
        answer = await client.post("/v1/batch", json={"items": [item] * 80})
        assert answer.status_code == 200
        answer = await client.post(PATH, json=QUESTION)
        assert answer.status_code == 429
        assert 250 < int(answer.headers["retry-after"]) <= 310


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

"""What the guide says of costs and times is what the service counts."""

import re

import httpx
import pytest

from service.app import create_app
from service.gate import key_source
from service.gate.allowance import PAID_AT_THE_GATE
from service.http import BYTES_FOR_ONE, GUESS_COST
from service.settings import PREFIX, Settings
from tests.house.documents import code
from tests.operate.guide import TEXT, table

REQUEST = {"roll": {"skill": 12}, "seed": "a"}


def test_costs_are_those_of_the_service() -> None:
    told = re.sub(r"\s+", " ", TEXT)
    assert f"A plain answer costs {PAID_AT_THE_GATE}," in told
    assert f"a body 1 more for each {BYTES_FOR_ONE // 1024} KB" in told
    assert f"A wrong key or token costs {GUESS_COST} more." in told
    assert key_source.LOOK_AGAIN_SECONDS == 2
    assert "What changes holds within two seconds" in told


@pytest.mark.parametrize(
    ("asked", "costs"),
    [
        (("POST", "/v1/gurps/success-roll", REQUEST), 1),
        (("POST", "/v1/batch", {"items": [{"system": "gurps", "action": "success-roll", "request": REQUEST}] * 7}), 7),
        (("POST", "/v1/gurps/success-roll", {**REQUEST, "purpose": "a" * 100_000}), 1 + 100_000 // BYTES_FOR_ONE),
    ],
)
async def test_the_headers_tell_what_is_left(asked: tuple[str, str, object], costs: int) -> None:
    app = create_app(Settings(address_rate=0.001, address_burst=1_000))
    transport = httpx.ASGITransport(app=app, client=("192.0.2.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        method, path, body = asked
        answer = await client.request(method, path, json=body)
    policy, left = answer.headers["ratelimit-policy"], answer.headers["ratelimit"]
    assert policy == '"address";q=1000;w=1000000'
    assert f";r={1_000 - costs};" in left


def test_every_limit_names_its_settings() -> None:
    for _, answer, which in table("limit", "answer", "which setting"):
        assert re.fullmatch(r"(429|503|422) `[a-z-]+`", answer)
        assert {name for name in code(which) if not name.startswith("--")} <= {
            PREFIX + name.upper() for name in Settings.model_fields
        }

"""Nothing that opens something, and nothing that a client wrote, gets into the log."""

from pathlib import Path

import httpx
import pytest

from tests.observability.servers import logged_service

KEY = "rwk_0a1b2c3d4e5f_" + "K" * 43
WRITTEN = "what-the-client-wrote"


@pytest.mark.slow
@pytest.mark.parametrize("level", ["info", "debug"])
def test_no_secret_is_ever_logged(tmp_path: Path, store_url: str, level: str) -> None:
    settings = {
        "RULEWRIGHT_ACCESS_LOG": "all",
        "RULEWRIGHT_LOG_LEVEL": level,
        "RULEWRIGHT_REDIS_URL": store_url,
        "RULEWRIGHT_LOG_FORMAT": "json",
    }
    with logged_service(tmp_path, environment=settings) as service:
        secrets = _play(service.url)
        service.stop()
        text, lines = service.text() + service.said.read_text(), service.lines()
    assert {secret for secret in [*secrets, KEY, KEY.rpartition("_")[2], WRITTEN] if secret in text} == set()
    requests = [line for line in lines if line["event"] == "request"]
    assert {line["status"] for line in requests} >= {200, 201, 400, 401, 404, 405, 422}
    assert {"/v1/gurps/encounters/{id}/stream", "/v1/gurps/encounters/{id}/combatants", "unmatched"} <= {
        line["route"] for line in requests
    }


def _play(url: str) -> list[str]:
    """A fight with everything that can be told of it; what nobody else may know."""
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {KEY}"}) as client:
        opened = client.post("/v1/gurps/encounters", json={}).json()
        root, gm = f"/v1/gurps/encounters/{opened['id']}", {"encounter-token": opened["gm_token"]}
        handed = client.post(f"{root}/tokens", json={"role": "gm", "label": WRITTEN}, headers=gm).json()
        ticket = client.post(f"{root}/tickets", headers=gm).json()["ticket"]
        with client.stream("GET", f"{root}/stream", params={"ticket": ticket}) as stream:
            assert stream.status_code == 200
            next(stream.iter_lines())
        for answer in (
            client.get(root, headers=gm),
            client.get(f"{root}/events?after=0&{WRITTEN}={WRITTEN}", headers=gm),
            client.get(f"{root}/stream?ticket=wrong-{ticket}"),
            client.get(root, headers={"encounter-token": WRITTEN}),
            client.get(root, headers={"authorization": f"Basic {WRITTEN}", "cookie": WRITTEN, "user-agent": WRITTEN}),
            client.post(f"{root}/combatants", json={WRITTEN: WRITTEN}, headers=gm),
            client.post(f"{root}/join", json={"invite": handed["token"]}),
            client.post("/v1/gurps/success-roll", json={"skill": WRITTEN, "seed": WRITTEN}),
            client.post("/v1/gurps/success-roll", content=WRITTEN, headers={"content-type": "application/json"}),
            client.post("/v1/batch", json={"items": [{WRITTEN: 1}], "seed": WRITTEN}),
            client.put(f"/v1/{WRITTEN}?{WRITTEN}"),
            client.delete("/healthz"),
            client.get("/metrics", headers={"accept": f"text/plain;version={WRITTEN}"}),
            client.get(f"/{WRITTEN}", headers={"x-request-id": f"{WRITTEN} with a space", "traceparent": WRITTEN}),
        ):
            assert answer.status_code != 500
    return [opened["gm_token"], opened["spectator_token"], handed["token"], ticket]

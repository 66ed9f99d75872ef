"""What is counted, and under which labels."""

import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import Counter, Gauge, Histogram
from pydantic import SecretStr

from rules.catalogue import SYSTEMS
from service.app import create_app
from service.observability import metrics
from service.problems import PROBLEM_TYPES
from service.questions import QUESTIONS
from service.settings import Settings
from tests.encounters.table import open_table
from tests.observability.conftest import app_with, client_of
from tests.observability.counting import grown, samples
from tests.observability.servers import logged_service
from tests.store.servers import wait_until

REQUESTS = "rulewright_request_duration_seconds_count"
LISTED = Path(__file__).parents[2] / "docs" / "metrics.md"
UNCONSCIOUS = {"attack": {"kind": "melee"}, "defender": {"dodge": {"score": 9}, "state": "unconscious"}}


@pytest.mark.parametrize(
    ("method", "path", "labels"),
    [
        ("POST", "/v1/gurps/active-defense", ("POST", "/v1/gurps/active-defense")),
        (
            "POST",
            "/v1/gurps/encounters/0123456789abcdef0123/actions/attack",
            ("POST", "/v1/gurps/encounters/{id}/actions/attack"),
        ),
        ("GET", "/v1/systems/gurps", ("GET", "/v1/systems/{system}")),
        ("GET", "/v1/systems/anything", ("GET", "/v1/systems/{system}")),
        ("GET", "/static/docs.js", ("GET", "/static/{path}")),
        ("GET", "/static/nothing.js", ("GET", "/static/{path}")),
        ("GET", "/any/path?of=any", ("GET", "unmatched")),
        ("GET", "/v1/gurps/unheard-of", ("GET", "unmatched")),
        ("DELETE", "/healthz", ("DELETE", "/healthz")),
        ("BREW", "/healthz", ("other", "/healthz")),
        ("GET", "/breaks/it", ("GET", "/breaks/{what}")),
    ],
)
async def test_a_request_is_counted_under_the_template_of_its_route(
    client: httpx.AsyncClient, method: str, path: str, labels: tuple[str, ...]
) -> None:
    before = samples()
    answer = await client.request(method, path)
    assert grown(before, REQUESTS) == {(*labels, str(answer.status_code)): 1}


async def test_it_is_known_how_long_requests_take(client: httpx.AsyncClient) -> None:
    before = samples()
    await client.get("/slow")
    [seconds] = grown(before, "rulewright_request_duration_seconds_sum").values()
    assert 1 < seconds < 5
    assert grown(before, "rulewright_request_duration_seconds_bucket") == {
        ("5.0", "GET", "/slow", "200"): 1,
        ("+Inf", "GET", "/slow", "200"): 1,
    }


async def test_a_client_that_goes_away_is_counted_as_such() -> None:
    before = samples()
    scope = {"type": "http", "method": "POST", "path": "/v1/batch", "query_string": b"", "headers": []}
    scope["headers"] = [(b"content-type", b"application/json")]

    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def nobody_listens(_: Any) -> None:
        raise AssertionError

    await app_with()(scope, gone, nobody_listens)
    assert grown(before, REQUESTS) == {("POST", "/v1/batch", "499"): 1}


async def test_results_are_counted_by_system_and_action(client: httpx.AsyncClient) -> None:
    before = samples()
    asked = {**QUESTIONS["gurps", "success-roll"].action.example, "seed": "a"}
    result = (await client.post("/v1/gurps/success-roll", json=asked)).json()["outcome"]["result"]
    assert grown(before, "rulewright_resolutions_total") == {("success-roll", result, "gurps"): 1}


async def test_refusals_are_counted_by_rule_too(client: httpx.AsyncClient) -> None:
    before = samples()
    answer = (
        await client.post("/v1/gurps/active-defense", json={**UNCONSCIOUS, "defenses": [{"kind": "dodge"}]})
    ).json()
    assert answer["refused_by"]
    assert grown(before, "rulewright_resolutions_total") == {("active-defense", "refused", "gurps"): 1}
    assert grown(before, "rulewright_refusals_total") == {(rule,): 1 for rule in answer["refused_by"]}


async def test_items_of_a_batch_are_counted_each(client: httpx.AsyncClient) -> None:
    example = dict(QUESTIONS["gurps", "success-roll"].action.example)
    item = {"system": "gurps", "action": "success-roll", "request": example}
    broken = {**item, "request": {**example, "seed": ""}}
    short = {**item, "request": {**{key: value for key, value in example.items() if key != "seed"}, "dice": []}}
    before = samples()
    answer = await client.post("/v1/batch", json={"items": [item, broken, item, short]})
    assert [each["status"] for each in answer.json()["items"]] == [200, 422, 200, 422]
    assert sum(grown(before, "rulewright_resolutions_total").values()) == 2
    assert grown(before, "rulewright_problems_total") == {("malformed",): 1, ("dice-needed",): 1}


@pytest.mark.parametrize(
    ("path", "problem"),
    [("/no/such", "not-found"), ("/v1/batch", "method-not-allowed"), ("/breaks/x", "internal-error")],
)
async def test_problems_are_counted_by_type(client: httpx.AsyncClient, path: str, problem: str) -> None:
    before = samples()
    await client.get(path)
    assert grown(before, "rulewright_problems_total") == {(problem,): 1}


async def test_commands_of_fights_are_counted(store_url: str) -> None:
    app = create_app(Settings(redis_url=SecretStr(store_url)))
    async with app.router.lifespan_context(app), client_of(app) as client:
        gurps = next(system for system in SYSTEMS if system.slug == "gurps")
        table = await open_table(client, gurps)
        await table.join("mira")
        await table.send("POST", "/turns", body={})
        assert gurps.encounter is not None
        command = next(each for each in gurps.encounter.commands if each.slug == "success-roll")
        before = samples()
        answer = await table.send("POST", "/actions/success-roll", body=dict(command.example))
        assert answer.status_code == 201, answer.text
        result = answer.json()["event"]["resolution"]["outcome"]["result"]
    assert grown(before, "rulewright_resolutions_total") == {("success-roll", result, "gurps"): 1}


async def test_commands_to_the_store_are_measured(store_url: str) -> None:
    app = create_app(Settings(redis_url=SecretStr(store_url)))
    async with app.router.lifespan_context(app), client_of(app) as client:
        table = await open_table(client, SYSTEMS[0])
        await table.join("mira")
        before = samples()
        await table.send("GET", "/events")
        await table.touch()
    told = grown(before, "rulewright_store_command_duration_seconds_count")
    told.pop(("spend",), None)  # of the gate, now and then
    assert told == {("hmget",): 1, ("xrange",): 1, ("append",): 1}


async def test_a_store_that_is_away_is_an_error_of_the_store() -> None:
    app = create_app(Settings(redis_url=SecretStr("redis://127.0.0.1:1")))
    async with app.router.lifespan_context(app), client_of(app) as client:
        before = samples()
        answer = await client.get("/v1/gurps/encounters/0123456789abcdef0123", headers={"encounter-token": "t"})
    assert answer.status_code == 503
    assert grown(before, "rulewright_store_errors_total")["hmget", "StoreUnavailable"] == 1


async def test_a_stream_is_open_and_its_request_was_answered_when_it_began() -> None:
    before = samples()
    scope = {"type": "http", "method": "GET", "path": "/s", "headers": []}
    within = []

    async def streams(scope: Any, _: Any, send: Any) -> None:
        with metrics.open_stream(scope):
            await send({"type": "http.response.start", "status": 200, "headers": []})
            within.append((samples()["rulewright_open_streams", ()], grown(before, REQUESTS)))

    async def send(_: Any) -> None:
        return

    from service.observability.watch import Watch

    await Watch(streams, lambda *_: None)(scope, send, send)  # type: ignore[arg-type]
    assert within == [(1, {("GET", "unmatched", "200"): 1})]
    assert samples()["rulewright_open_streams", ()] == 0
    assert grown(before, REQUESTS) == {("GET", "unmatched", "200"): 1}


@pytest.mark.slow
def test_what_is_no_http_is_a_problem_too(tmp_path: Path) -> None:
    shed = ("rulewright_shed_total", ("connections",))
    with logged_service(tmp_path, environment={"RULEWRIGHT_MAX_CONNECTIONS_PER_ADDRESS": "2"}) as service:
        address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
        with socket.create_connection(address) as talker:
            talker.sendall(b"what is this\r\n\r\n")
            assert b"/problems/invalid-http" in talker.recv(65_536)
        with httpx.Client(base_url=service.url) as asking:
            asking.get("/healthz")
            with socket.create_connection(address), socket.create_connection(address):  # one too many
                wait_until(lambda: shed in samples(asking.get("/metrics").text))
            told = samples(asking.get("/metrics").text)
    assert told["rulewright_problems_total", ("invalid-http",)] == 1
    assert told["rulewright_problems_total", ("too-many-connections",)] == told[shed]


def test_what_the_gate_counts() -> None:
    before = samples()
    metrics.count_shed("in_flight")
    metrics.count_rate_limited("address")
    metrics.set_draining(True)
    assert grown(before, "rulewright_shed_total") == {("in_flight",): 1}
    assert grown(before, "rulewright_rate_limited_total") == {("address",): 1}
    assert samples()["rulewright_draining", ()] == 1
    metrics.set_draining(False)
    assert samples()["rulewright_draining", ()] == 0


def test_versions_are_told() -> None:
    told = samples()
    assert [labels[1] for name, labels in told if name == "rulewright_build_info"] == ["0.1.0"]
    rulesets = {labels: value for (name, labels), value in told.items() if name == "rulewright_ruleset_info"}
    assert rulesets == {(system.ruleset, system.slug): 1 for system in SYSTEMS}


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("", "text/plain; version=0.0.4; charset=utf-8"),
        ("*/*", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/plain;version=1.0.0", "text/plain; version=1.0.0; charset=utf-8; escaping=underscores"),
        ("application/openmetrics-text;version=1.0.0,text/plain", "application/openmetrics-text; version=1.0.0;"),
        ("application/openmetrics-text;version=none", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/plain;version=..", "text/plain; version=0.0.4; charset=utf-8"),
    ],
)
async def test_the_form_is_the_one_that_is_asked_for(client: httpx.AsyncClient, accept: str, media: str) -> None:
    answer = await client.get("/metrics", headers={"accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert answer.text.endswith("# EOF\n") is media.startswith("application/openmetrics-text")


async def test_off_is_nowhere() -> None:
    app = app_with(metrics="off")
    async with client_of(app) as client:
        assert (await client.get("/metrics")).json()["type"] == "/problems/not-found"
        assert "/metrics" not in (await client.get("/openapi.json")).json()["paths"]


async def test_the_contract_says_that_it_is_text(client: httpx.AsyncClient) -> None:
    operation = (await client.get("/openapi.json")).json()["paths"]["/metrics"]["get"]
    assert {"200", "500"} <= set(operation["responses"])
    assert set(operation["responses"]["200"]["content"]) == {"text/plain", "application/openmetrics-text"}


async def test_every_metric_is_listed_and_every_listed_one_is_there(client: httpx.AsyncClient) -> None:
    text = (await client.get("/metrics")).text
    told = {(name, kind) for name, kind in re.findall(r"^# TYPE (\S+) (\w+)$", text, re.MULTILINE)}
    listed = set(re.findall(r"^\| `(\w+)` \| (\w+) \|", LISTED.read_text("utf-8"), re.MULTILINE))
    assert told == listed


def test_the_labels_that_are_listed_are_those_that_are_told() -> None:
    cells = re.findall(r"^\| `(\w+)` \| \w+ \| ([^|]*) \|", LISTED.read_text("utf-8"), re.MULTILINE)
    listed = {name: re.findall(r"`(\w+)`", labels) for name, labels in cells if name.startswith("rulewright")}
    told = {}
    for metric in ALL:
        [family] = metric.describe()
        told[family.name + ("_total" if family.type == "counter" else "")] = list(metric._labelnames)
    assert listed == told


ALL: list[Any] = [each for name, each in vars(metrics).items() if isinstance(each, Counter | Gauge | Histogram)]


def test_a_problem_of_each_type_has_a_name_that_can_be_a_label() -> None:
    assert all(re.fullmatch(r"[a-z-]+", kind.name) for kind in PROBLEM_TYPES)

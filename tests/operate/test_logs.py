"""The log, the metrics, the probes and the end are as the guide says."""

import asyncio
import json
import os
import re
import signal
from pathlib import Path

import httpx
import pytest

from service.gate.key_places import KeyFile
from service.gate.keys import CLIENT_SCOPES, Scope, new_key
from service.observability.access_log import LINES_PER_SECOND, REFUSED
from service.settings import Settings
from service.store.programs import find_program
from tests.observability.servers import logged_service
from tests.operate.guide import TEXT, run, shell, stand_in
from tests.store.servers import free_port, running, wait_until

FIELDS = {"event", "level", "timestamp", "method", "route", "status", "seconds", "request_id", "key"}
LINE = re.compile(r"a line `([^`]+)`")


def test_from_a_users_report_to_the_line(tmp_path: Path) -> None:
    """With the command of the guide, where the journal is a file."""
    key = new_key_in(tmp_path)
    settings = {"RULEWRIGHT_KEYS": str(tmp_path / "keys.json"), "RULEWRIGHT_ACCESS_LOG": "all"}
    with logged_service(tmp_path, environment=settings) as service:
        asked = {"roll": {"skill": 12}, "seed": "nobody-should-read-this"}
        answer = httpx.post(
            f"{service.url}/v1/gurps/success-roll?ticket=secret", json=asked, headers={"Authorization": f"Bearer {key}"}
        )
        request_id = answer.headers["x-request-id"]
        stand_in(tmp_path / "programs", "journalctl", f'cat "{service.log}"')
        found = run(shell("Logs")[1], tmp_path, {"REQUEST_ID": request_id}, tmp_path / "programs")
        assert run(shell("Logs")[0], tmp_path, programs=tmp_path / "programs") == service.text()
    (line,) = [json.loads(each) for each in found.splitlines()]
    assert set(line) == FIELDS
    assert (line["route"], line["status"]) == ("/v1/gurps/success-roll", 200)
    assert line["key"] == key.split("_")[1]
    assert line["timestamp"].endswith("Z")
    for secret in ("secret", "nobody-should-read-this", key.split("_", 2)[2]):
        assert secret not in found


def test_by_default_only_what_failed_has_a_line(tmp_path: Path) -> None:
    new_key_in(tmp_path)
    told = re.sub(r"\s+", " ", TEXT)
    assert f"if it was answered with {', '.join(map(str, REFUSED))} or 5xx, or took over a second. Of" in told
    assert f"at most {LINES_PER_SECOND} lines a second" in told
    with logged_service(tmp_path, environment={"RULEWRIGHT_KEYS": str(tmp_path / "keys.json")}) as service:
        answers = [httpx.get(f"{service.url}{path}") for path in ("/v1/systems", "/v1/systems/none", "/metrics")]
        wait_until(lambda: answers[-1].headers["x-request-id"] in service.text())
        logged = {line.get("request_id"): line["status"] for line in service.lines() if "status" in line}
    assert [answer.status_code for answer in answers] == [200, 404, 401]
    assert [logged.get(answer.headers["x-request-id"]) for answer in answers] == [None, None, 401]


def new_key_in(place: Path, *options: str) -> str:
    """A new key."""
    key, shown = new_key("a", [Scope(each) for each in options] or CLIENT_SCOPES)
    asyncio.run(KeyFile(place / "keys.json").put(key))
    return shown


def test_metrics_need_a_key_for_them(tmp_path: Path) -> None:
    reader, client = new_key_in(tmp_path, "metrics"), new_key_in(tmp_path)
    with logged_service(tmp_path, environment={"RULEWRIGHT_KEYS": str(tmp_path / "keys.json")}) as service:

        def status(key: str) -> int:
            return httpx.get(f"{service.url}/metrics", headers={"Authorization": f"Bearer {key}"}).status_code

        assert (status(reader), status(client), httpx.get(f"{service.url}/metrics").status_code) == (200, 403, 401)


@pytest.mark.parametrize("tolerant", [False, True])
def test_what_probes_say_while_the_store_is_away(tmp_path: Path, tolerant: bool) -> None:
    program = find_program()
    if program is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    with running(program, tmp_path) as store:
        settings = {"RULEWRIGHT_REDIS_URL": store.url, "RULEWRIGHT_READY_WITHOUT_STORE": str(tolerant).lower()}
        with logged_service(tmp_path, environment=settings) as service:
            assert httpx.get(f"{service.url}/readyz").json()["checks"]["store"] == "ok"
            store.kill()
            wait_until(lambda: httpx.get(f"{service.url}/readyz").json()["checks"]["store"] == "unavailable")
            assert httpx.get(f"{service.url}/readyz").status_code == (200 if tolerant else 503)
            assert httpx.get(f"{service.url}/healthz").status_code == 200
            fight = httpx.post(f"{service.url}/v1/gurps/encounters")
            assert (fight.status_code, fight.json()["type"]) == (503, "/problems/store-unavailable")
            asked = {"roll": {"skill": 12}, "seed": "a"}
            assert httpx.post(f"{service.url}/v1/gurps/success-roll", json=asked).status_code == 200


def test_keys_that_were_never_read_make_it_unready(tmp_path: Path) -> None:
    settings = {"RULEWRIGHT_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0", "RULEWRIGHT_KEYS": "store"}
    with logged_service(tmp_path, environment=settings) as service:
        answer = httpx.get(f"{service.url}/readyz")
        assert (answer.status_code, answer.json()["checks"]["keys"]) == (503, "unavailable")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_signal_ends_the_drain(tmp_path: Path, workers: int) -> None:
    settings = {"RULEWRIGHT_DRAIN_SECONDS": "170", "RULEWRIGHT_WORKERS": str(workers)}
    with logged_service(tmp_path, environment=settings) as service:
        wait_until(lambda: service.text().count("Application startup complete") == workers, 20)
        service.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx.get(f"{service.url}/readyz").json()["status"] == "draining")
        assert httpx.get(f"{service.url}/readyz").status_code == 503
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(60) == 0


def test_what_died_is_told_and_started_again(tmp_path: Path) -> None:
    if find_program() is None:
        pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
    lines = [re.sub("…$", "", each).split("…") for each in LINE.findall(TEXT)]
    assert len(lines) == 2
    settings = {"RULEWRIGHT_DATA_DIR": str(tmp_path / "data")}
    with logged_service(tmp_path, "--workers", "2", environment=settings) as service:
        store = int((tmp_path / "data/store/lock").read_text())
        assert store == service.process.pid
        kill(service.workers()[0])
        wait_until(lambda: len(service.workers()) == 2 and "died" in service.text(), 20)
        kill(store_of(service.process.pid))
        wait_until(lambda: "The store ended" in service.text(), 20)
        wait_until(lambda: httpx.get(f"{service.url}/readyz").status_code == 200, 20)
        for parts in lines:
            assert re.search(".*".join(re.escape(part) for part in parts), service.text())


def store_of(parent: int) -> int:
    """The process of the store of a service."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    children += [
        each for task in Path(f"/proc/{parent}/task").iterdir() for each in (task / "children").read_text().split()
    ]
    (found,) = {each for each in children if b"valkey-server" in Path(f"/proc/{each}/cmdline").read_bytes()}
    return int(found)


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def test_sizes(tmp_path: Path) -> None:
    """Of the table: a worker at rest, and a fight."""
    with logged_service(tmp_path, environment={"RULEWRIGHT_DATA_DIR": str(tmp_path / "data")}) as service:
        before = sum(path.stat().st_size for path in (tmp_path / "data").rglob("*.aof"))
        assert httpx.post(f"{service.url}/v1/gurps/encounters").status_code == 201
        after = sum(path.stat().st_size for path in (tmp_path / "data").rglob("*.aof"))
        assert 0 < after - before < 10_000
        status = Path(f"/proc/{service.process.pid}/status").read_text()
        resident = int(re.findall(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)[0])
        assert resident < 150_000
    assert f"{Settings.model_fields['encounter_idle_days'].default} days after its last change" in TEXT

